# SPDX-License-Identifier: BSD-3-Clause
"""ROS 2 nodes in launch descriptions."""

from . import actions
from . import descriptions
from . import parameter_descriptions
from . import substitutions
from . import utilities

__all__ = ['actions', 'descriptions', 'parameter_descriptions', 'substitutions', 'utilities']
