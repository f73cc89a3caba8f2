# SPDX-License-Identifier: BSD-3-Clause
"""A node that comes back when it dies, unless coming back is of no use."""

from launch.actions import EmitEvent
from launch.events import matches_action
from launch.events.process import ShutdownProcess
from launch.logging import get_logger
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

REFUSED = 1  # exit code of a node that cannot work with what it was given; it has said why


def kept_alive(name: str, **description) -> Node:
    """Start a node again when it was killed, crashed or ended, but not when it refused what it was given.

    It would refuse it again every second, for ever; so that is said once, and the others go on. The launch argument
    `respawn` may say `false`: nobody is started again.
    """

    def after(event, context):
        if event.returncode != REFUSED or context.is_shutdown:
            return None
        get_logger(name).error(
            'refused what it was given, as it says above, and is not started again; the others go on'
        )
        # Comes within the pause before the next start, and makes it the end.
        return [EmitEvent(event=ShutdownProcess(process_matcher=matches_action(event.action)))]

    return Node(
        name=name,
        respawn=LaunchConfiguration('respawn', default='true'),
        respawn_delay=1.0,
        on_exit=after,
        **description,
    )
