# SPDX-License-Identifier: BSD-3-Clause
"""Actions with ROS 2 nodes."""

from .composable_node_container import ComposableNodeContainer
from .load_composable_nodes import LoadComposableNodes
from .node import Node
from .push_ros_namespace import PushROSNamespace
from .push_ros_namespace import PushRosNamespace
from .ros_timer import ROSTimer
from .ros_timer import RosTimer
from .set_parameter import SetParameter
from .set_parameters_from_file import SetParametersFromFile
from .set_remap import SetRemap
from .set_ros_log_dir import SetROSLogDir
from .set_use_sim_time import SetUseSimTime

__all__ = [
    'ComposableNodeContainer', 'LoadComposableNodes', 'Node', 'PushROSNamespace',
    'PushRosNamespace', 'ROSTimer', 'RosTimer', 'SetParameter', 'SetParametersFromFile',
    'SetROSLogDir', 'SetRemap', 'SetUseSimTime',
]
