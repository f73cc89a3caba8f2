function memory = new_memory()
% NEW_MEMORY  What an arm said so far: counts of messages, and the last ones.
% SPDX-License-Identifier: BSD-3-Clause
  memory = struct('states', 0, 'busy_at', 0, 'state', '', 'is_homed', false, 'is_busy', false, ...
                  'goals', 0, 'reached', false, 'errors', 0, 'error', '', 'warnings', 0, 'warning', '');
end
