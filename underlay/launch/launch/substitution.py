# SPDX-License-Identifier: BSD-3-Clause
"""A piece of text that is known only while the launch description runs."""

from typing import Text


class Substitution:
    """Something that evaluates to text in a launch context."""

    def perform(self, context) -> Text:
        """Return the text."""
        raise NotImplementedError(f'{type(self).__name__} does not implement perform()')

    def describe(self) -> Text:
        """Return a description of this substitution."""
        return f'Substitution({self})'
