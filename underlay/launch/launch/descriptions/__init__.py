# SPDX-License-Identifier: BSD-3-Clause
"""What is to be executed."""

from .executable import Executable

__all__ = ['Executable']
