# SPDX-License-Identifier: BSD-3-Clause
"""Plain text."""

from ..substitution import Substitution


class TextSubstitution(Substitution):
    """Evaluates to a fixed text."""

    def __init__(self, *, text: str) -> None:
        super().__init__()
        if not isinstance(text, str):
            raise TypeError(
                f"TextSubstitution expected Text object got '{type(text)}' instead.")
        self.__text = text

    @property
    def text(self) -> str:
        """Return the text."""
        return self.__text

    def describe(self) -> str:
        """Return the quoted text."""
        return f"'{self.text}'"

    def perform(self, context) -> str:
        """Return the text."""
        return self.text
