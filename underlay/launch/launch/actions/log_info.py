# SPDX-License-Identifier: BSD-3-Clause
"""Messages of launch files to their users."""

from typing import List

from .. import logging
from ..action import Action
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


class LogInfo(Action):
    """Logs a message."""

    def __init__(self, *, msg: SomeSubstitutionsType, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__msg = normalize_to_list_of_substitutions(msg)

    @property
    def msg(self) -> List[Substitution]:
        """Return the message."""
        return self.__msg

    def execute(self, context) -> None:
        """Execute the action."""
        logging.get_logger('launch.user').info('%s', perform_substitutions(context, self.msg))
