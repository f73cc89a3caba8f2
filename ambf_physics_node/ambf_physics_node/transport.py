# SPDX-License-Identifier: BSD-3-Clause
"""How the simulator and its clients talk to each other: what their environment says about the middleware."""

import os
import pathlib
from collections.abc import Mapping

from ament_index_python.packages import get_package_share_directory
from rclpy.utilities import get_rmw_implementation_identifier

# Who has set one of them has chosen.
CHOSEN = ('FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_BUILTIN_TRANSPORTS', 'ROS_DISCOVERY_SERVER')


def transport_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Variables for a process: with Fast DDS it uses UDP, not shared memory, and tells often of itself.

    So a client that is killed cannot keep the next one from the world; docs/physics_node.md says why. The rule is that
    of choose_transport in transport.cpp, which the program physics_node follows however it is started.
    """
    if 'fastrtps' not in get_rmw_implementation_identifier() or any(environment.get(name) for name in CHOSEN):
        return {}
    if environment.get('ROS_LOCALHOST_ONLY') == '1':  # the old word for it: it overrules the range
        return {}
    wanted = environment.get('ROS_AUTOMATIC_DISCOVERY_RANGE', '')
    local = wanted == 'LOCALHOST' and not environment.get('ROS_STATIC_PEERS')
    if not local and wanted not in ('', 'SUBNET'):
        return {}
    folder = pathlib.Path(get_package_share_directory('ambf_physics_node')) / 'config'
    profile = folder / ('fastdds_localhost.xml' if local else 'fastdds_subnet.xml')
    # With LOCALHOST rmw_fastrtps would add shared memory; the profile says the rest of what LOCALHOST means.
    return {'FASTRTPS_DEFAULT_PROFILES_FILE': str(profile)} | (
        {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SYSTEM_DEFAULT'} if local else {}
    )
