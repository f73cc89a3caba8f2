"""A node that comes back when it dies, unless coming back is of no use."""
from launch.actions import TimerAction
from launch.logging import get_logger
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

REFUSED = 1  # exit code of a node that cannot work with what it was given; it has said why
PAUSE = 1.0  # before it is started again [s]


def kept_alive(name: str, **description) -> Node:
    """Start a node again when it was killed, crashed or ended, but not when it refused what it was given.

    It would refuse it again every second, for ever; so that is said once, and the others go on. The launch argument
    `respawn` may say `false`: nobody is started again.
    """
    def after(event, context):
        if context.is_shutdown or LaunchConfiguration('respawn', default='true').perform(context) == 'false':
            return None
        if event.returncode == REFUSED:
            get_logger(name).error(
                'refused what it was given, as it says above, and is not started again; the others go on')
            return None
        return [TimerAction(period=PAUSE, actions=[kept_alive(name, **description)])]
    return Node(name=name, on_exit=after, **description)
