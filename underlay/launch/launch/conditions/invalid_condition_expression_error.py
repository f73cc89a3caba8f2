# SPDX-License-Identifier: BSD-3-Clause
"""The error of a condition that is neither true nor false."""


class InvalidConditionExpressionError(Exception):
    """Raised when a condition's text is not a boolean."""
