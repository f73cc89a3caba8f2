# SPDX-License-Identifier: BSD-3-Clause
"""The launch system's own node."""

import os
import threading
from typing import Any, List, Optional

from launch.event_handlers import OnShutdown

_creation = threading.Lock()
# Our own callbacks end at once; on a busy machine that may take a while.
_END_SECONDS = 30.0


class ROSAdapter:
    """A node with an executor on a thread of its own."""

    def __init__(self, *, argv: Optional[List[str]] = None, autostart: bool = True) -> None:
        self.__argv = [] if argv is None else argv
        self.__ros_context: Any = None
        self.__node: Any = None
        self.__executor: Any = None
        self.__thread: Optional[threading.Thread] = None
        if autostart:
            self.start()

    def start(self) -> None:
        """Create the node and spin it."""
        if self.__node is not None:
            raise RuntimeError('Cannot start a ROS adapter that is already running')
        import rclpy
        from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
        from rclpy.signals import SignalHandlerOptions
        self.__ros_context = rclpy.Context()
        rclpy.init(args=self.__argv, context=self.__ros_context,
                   signal_handler_options=SignalHandlerOptions.NO)
        self.__node = rclpy.create_node(f'launch_ros_{os.getpid()}', context=self.__ros_context)
        self.__executor = SingleThreadedExecutor(context=self.__ros_context)
        self.__executor.add_node(self.__node)

        def spin() -> None:
            try:
                self.__executor.spin()
            except ExternalShutdownException:
                pass
        self.__thread = threading.Thread(target=spin, daemon=True, name='launch_ros')
        self.__thread.start()

    def shutdown(self) -> None:
        """Stop spinning and remove the node."""
        if self.__node is None:
            raise RuntimeError('Cannot shutdown a ROS adapter that is not running')
        self.__executor.shutdown(timeout_sec=_END_SECONDS)
        self.__ros_context.try_shutdown()
        self.__thread.join(timeout=_END_SECONDS)
        self.__node.destroy_node()
        self.__node = None

    @property
    def argv(self) -> List[str]:
        """Return the node's arguments."""
        return self.__argv

    @property
    def ros_context(self) -> Any:
        """Return the context of the node."""
        return self.__ros_context

    @property
    def ros_node(self) -> Any:
        """Return the node."""
        return self.__node

    @property
    def ros_executor(self) -> Any:
        """Return the executor."""
        return self.__executor


def get_ros_adapter(context) -> ROSAdapter:
    """Return the context's adapter; it is made on first use and ends with the launch system."""
    with _creation:
        adapter = context.get_locals_as_dict().get('ros_adapter')
        if adapter is None:
            adapter = ROSAdapter(argv=context.argv)
            context.extend_globals({'ros_adapter': adapter})

            async def close() -> None:
                # A task begins after all handlers: by then everybody sees the shutdown.
                await context.asyncio_loop.run_in_executor(None, adapter.shutdown)
            context.register_event_handler(OnShutdown(
                handle_once=True, on_shutdown=lambda *_: context.add_completion_future(
                    context.asyncio_loop.create_task(close()))))
        return adapter


def get_ros_node(context) -> Any:
    """Return the context's node."""
    return get_ros_adapter(context).ros_node
