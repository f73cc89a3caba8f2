# SPDX-License-Identifier: BSD-3-Clause
"""AMBF 1's command of a body, sent as a RigidBodyCmd: `from ambf_msgs.msg import ObjectCmd`.

`enable_position_controller` chooses between the pose and the wrench, `position_controller_mask` says for each of
`joint_cmds` whether it is a position or an effort.
"""

import sys

from ambf_msgs.msg import JointMode, RigidBodyCmd


class ObjectCmd(RigidBodyCmd):
    __slots__ = ()

    @property
    def enable_position_controller(self) -> bool:
        return self.cartesian_cmd_type == RigidBodyCmd.TYPE_POSITION

    @enable_position_controller.setter
    def enable_position_controller(self, enabled: bool):
        self.cartesian_cmd_type = RigidBodyCmd.TYPE_POSITION if enabled else RigidBodyCmd.TYPE_FORCE

    @property
    def position_controller_mask(self) -> list:
        return [mode == JointMode.POSITION for mode in self.joint_modes]

    @position_controller_mask.setter
    def position_controller_mask(self, mask):
        self.joint_modes = [JointMode.POSITION if position else JointMode.EFFORT for position in mask]


# The conversion to C looks at the name of the class.
ObjectCmd.__module__, ObjectCmd.__name__ = RigidBodyCmd.__module__, RigidBodyCmd.__name__
# What is imported by this name is the message, not this module.
sys.modules[__name__] = ObjectCmd
