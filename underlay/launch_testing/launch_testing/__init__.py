# SPDX-License-Identifier: BSD-3-Clause
"""Tests of running processes."""

from . import actions
from . import asserts
from . import event_handlers
from . import markers
from . import tools
from . import util
from .decorator import post_shutdown_test
from .io_handler import ActiveIoHandler, IoHandler
from .parametrize import parametrize
from .proc_info_handler import ActiveProcInfoHandler, ProcInfoHandler
from .ready_to_test_action_timeout import ready_to_test_action_timeout

__all__ = [
    'ActiveIoHandler', 'ActiveProcInfoHandler', 'IoHandler', 'ProcInfoHandler', 'actions',
    'asserts', 'event_handlers', 'markers', 'parametrize', 'post_shutdown_test',
    'ready_to_test_action_timeout', 'tools', 'util',
]
