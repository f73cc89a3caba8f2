# SPDX-License-Identifier: BSD-3-Clause
"""Actions of launch tests."""

from .ready import ReadyToTest

__all__ = ['ReadyToTest']
