function t = seconds(stamp)
% SECONDS  Of a builtin_interfaces/Time.
% SPDX-License-Identifier: BSD-3-Clause
  t = double(stamp.sec) + 1e-9 * double(stamp.nanosec);
end
