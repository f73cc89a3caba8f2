# SPDX-License-Identifier: BSD-3-Clause
"""What AMBF's RigidBodyCmd has and ours says otherwise, for scripts that fill it themselves.

`joint_cmds_types` with AMBF's numbers is a view of `joint_modes`, and its `publish_*` flags are there, in programs that
import AMBF's modules.
"""

from ambf_msgs.msg import JointMode, RigidBodyCmd

# By AMBF's numbers: force, position, velocity.
_MODES = {
    RigidBodyCmd.TYPE_FORCE: JointMode.EFFORT,
    RigidBodyCmd.TYPE_POSITION: JointMode.POSITION,
    RigidBodyCmd.TYPE_VELOCITY: JointMode.VELOCITY,
}
_TYPES = {mode: number for number, mode in _MODES.items()}


def _read(command) -> tuple:
    """A tuple: changing a copy would change nothing, without a word."""
    return tuple(_TYPES[mode] for mode in command.joint_modes)


def _write(command, numbers):
    unknown = [number for number in numbers if number not in _MODES]
    if unknown:
        raise ValueError(f'joint_cmds_types: found {unknown}, expected 0 (force), 1 (position) or 2 (velocity)')
    command.joint_modes = [_MODES[number] for number in numbers]


RigidBodyCmd.joint_cmds_types = property(_read, _write)
# Our States always have what these ask for: they can be set, and switch nothing.
for _flag in ('publish_children_names', 'publish_joint_names', 'publish_joint_positions'):
    setattr(RigidBodyCmd, _flag, property(lambda command: True, lambda command, value: None))
