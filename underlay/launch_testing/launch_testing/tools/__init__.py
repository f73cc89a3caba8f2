# SPDX-License-Identifier: BSD-3-Clause
"""Checks of output and processes that tests start themselves."""

from .output import basic_output_filter, expect_output
from .process import launch_process, ProcessProxy

__all__ = ['ProcessProxy', 'basic_output_filter', 'expect_output', 'launch_process']
