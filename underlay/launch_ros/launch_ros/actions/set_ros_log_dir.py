# SPDX-License-Identifier: BSD-3-Clause
"""Where the nodes that follow write their log files."""

from launch.action import Action
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


class SetROSLogDir(Action):
    """Sets the folder for the log files of the nodes that follow."""

    def __init__(self, new_log_dir: SomeSubstitutionsType, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__log_dir = normalize_to_list_of_substitutions(new_log_dir)

    @property
    def log_dir(self):
        """Return the folder."""
        return self.__log_dir

    def execute(self, context) -> None:
        """Execute the action."""
        context.environment['ROS_LOG_DIR'] = perform_substitutions(context, self.log_dir)
