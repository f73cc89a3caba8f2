# SPDX-License-Identifier: BSD-3-Clause
"""Launch tests of ROS 2 nodes."""

from . import tools
from .message_pump import MessagePump
from .wait_for_topics import WaitForTopics

__all__ = ['MessagePump', 'WaitForTopics', 'tools']
