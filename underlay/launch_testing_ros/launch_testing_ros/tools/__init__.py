# SPDX-License-Identifier: BSD-3-Clause
"""Filters for the output of nodes."""

from .output import basic_output_filter

__all__ = ['basic_output_filter']
