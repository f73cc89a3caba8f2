# SPDX-License-Identifier: BSD-3-Clause
"""A process that does nothing for as long as the test runs."""

import sys

from launch.actions import ExecuteProcess

_WAIT = """
import signal, sys
signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
signal.pause()
"""


class KeepAliveProc(ExecuteProcess):
    """Keeps the launch from being idle."""

    def __init__(self) -> None:
        super().__init__(cmd=[sys.executable, '-c', _WAIT], name='keep_alive_proc')
