# SPDX-License-Identifier: BSD-3-Clause
"""The real PyKDL where it is installed, and otherwise what scripts for AMBF use of it."""

import sys

from ambf_py.installed import load_other

if not load_other(__name__, __file__):
    import ambf_py.PyKDL

    sys.modules[__name__] = ambf_py.PyKDL
