# SPDX-License-Identifier: BSD-3-Clause
if type register-python-argcomplete >/dev/null 2>&1; then
  eval "$(register-python-argcomplete ros2)"
fi
