# SPDX-License-Identifier: BSD-3-Clause
"""Actions after some ROS time."""

from launch.actions.timer_action import TimerAction
from launch.utilities.type_utils import perform_typed_substitution

from ..ros_adapters import get_ros_node


class ROSTimer(TimerAction):
    """Visits entities after a period of ROS time, which may be simulated."""

    def _start_timer(self, context, fire):
        node = get_ros_node(context)
        period = perform_typed_substitution(context, self.period, float)
        loop = context.asyncio_loop

        def start() -> None:
            def once() -> None:
                timer.cancel()
                loop.call_soon_threadsafe(fire)
            timer = node.create_timer(period, once, clock=node.get_clock())
        # After what stands beside this action: it may change the clock.
        return loop.call_soon(start)


RosTimer = ROSTimer
