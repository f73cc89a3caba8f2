# SPDX-License-Identifier: BSD-3-Clause
"""Parts that launch tests share."""

from .proc_lookup import NO_CMD_ARGS, NoMatchingProcessException, resolveProcesses
from .keep_alive import KeepAliveProc

__all__ = ['KeepAliveProc', 'NO_CMD_ARGS', 'NoMatchingProcessException', 'resolveProcesses']
