# SPDX-License-Identifier: BSD-3-Clause
"""AMBF 1's name of a body's state, which comes on the same topics: `from ambf_msgs.msg import ObjectState`."""

import sys

from ambf_msgs.msg import RigidBodyState

# What is imported by this name is the message, not this module.
sys.modules[__name__] = RigidBodyState
