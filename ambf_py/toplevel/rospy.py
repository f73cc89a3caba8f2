# SPDX-License-Identifier: BSD-3-Clause
"""The real rospy where it is installed, and otherwise what scripts for AMBF use of it, on ROS 2."""

import sys

from ambf_py.installed import load_other

if not load_other(__name__, __file__):
    import ambf_py.rospy

    sys.modules[__name__] = ambf_py.rospy
    sys.modules[f'{__name__}.rostime'] = ambf_py.rospy.rostime
