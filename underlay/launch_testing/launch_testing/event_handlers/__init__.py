# SPDX-License-Identifier: BSD-3-Clause
"""Event handlers of launch tests."""

from .stdout_ready_listener import StdoutReadyListener

__all__ = ['StdoutReadyListener']
