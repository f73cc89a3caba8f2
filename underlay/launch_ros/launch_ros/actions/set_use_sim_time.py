# SPDX-License-Identifier: BSD-3-Clause
"""Simulation time for the launch system's own node."""

from launch.action import Action
from launch.utilities.type_utils import normalize_typed_substitution, perform_typed_substitution

from ..ros_adapters import get_ros_node


class SetUseSimTime(Action):
    """Sets `use_sim_time` of the launch system's own node, which ROSTimer uses."""

    def __init__(self, value, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__value = normalize_typed_substitution(value, bool)

    @property
    def value(self):
        """Return the value."""
        return self.__value

    def execute(self, context) -> None:
        """Execute the action."""
        from rclpy.parameter import Parameter
        value = perform_typed_substitution(context, self.__value, bool)
        get_ros_node(context).set_parameters([Parameter('use_sim_time', value=value)])
