# SPDX-License-Identifier: BSD-3-Clause
"""The opposite of IfCondition."""

from .if_condition import _ExpressionCondition


class UnlessCondition(_ExpressionCondition):
    """Holds when the expression is false (`false` in any case, or 0)."""

    _HOLDS_WHEN = False
