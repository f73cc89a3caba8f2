# SPDX-License-Identifier: BSD-3-Clause
"""Where this run's log files are."""

from .. import logging
from ..substitution import Substitution


class LaunchLogDir(Substitution):
    """Evaluates to the folder of this run's log files."""

    def describe(self) -> str:
        """Return a description of this substitution."""
        return 'LaunchLogDir()'

    def perform(self, context) -> str:
        """Return the path."""
        return logging.launch_config.log_dir
