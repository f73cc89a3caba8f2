# SPDX-License-Identifier: BSD-3-Clause
"""AMBF 3's ROS abstraction layer under the name that its scripts import."""

import sys

import ambf_py.ral

sys.modules[__name__] = ambf_py.ral
