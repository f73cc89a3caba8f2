# SPDX-License-Identifier: BSD-3-Clause
"""Scripted hands: they look at the world, decide, and move the tips of arms or grippers, as a person at a console would.

A hand's work is a generator that yields once per look at the world, so a task reads from top to bottom like instructions for a person.
What hands do knows no ROS: `drive.py` runs them in this process, `crtk.py` on the topics of arms, `floating.py` on those of grippers.
"""

from .drive import InProcessArms
from .hand import Hand, together
from .peg_transfer import PegTransfer
from .sight import Sight

__all__ = ['Hand', 'InProcessArms', 'PegTransfer', 'Sight', 'together']
