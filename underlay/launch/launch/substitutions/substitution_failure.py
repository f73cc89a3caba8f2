# SPDX-License-Identifier: BSD-3-Clause
"""The error of a substitution that has no value."""


class SubstitutionFailure(RuntimeError):
    """Raised when a substitution cannot be performed."""
