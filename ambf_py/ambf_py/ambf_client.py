# SPDX-License-Identifier: BSD-3-Clause
"""AMBF's client for scripts that were written for it: `from ambf_client import Client`.

The same client as `ambf_py.Client`, but what AMBF answers with a printed line and None is answered so here, too:
scripts test handles for None, e.g. because not every world has the frames that they draw.
"""

import time

from . import numpy1  # noqa: F401
from .client import Client as _Client
from .errors import AmbiguousName, UnknownObject
from .ral import Rate, ral
from .rigid_body import RigidBody
from .ros1_script import the_script
from .scene_objects import Actuator, Camera, Light, Sensor
from .world import World

__all__ = ['Actuator', 'Camera', 'Client', 'Light', 'RigidBody', 'Sensor', 'World']


class Client(_Client):
    """Prints a line and returns None where `ambf_py.Client` raises for a name."""

    forgiving = True
    wrench_timeout = 0.1
    _ral = None

    def get_obj_names(self) -> list[str]:
        """AMBF lists the world among its objects."""
        return super().get_obj_names() + ['World']

    def get_obj_handle(self, name: str, required_type=None):
        try:
            return super().get_obj_handle(name, required_type)
        except (UnknownObject, AmbiguousName) as error:
            print(error)
            return None

    def get_common_namespace(self) -> str:
        return super().get_common_namespace() or f'{self.base}/'

    # What scripts ask the client of AMBF 3 for, instead of rospy

    def connect(self, *arguments, **named) -> 'Client':
        the_script.begin()
        the_script.watch_signals()
        return super().connect(*arguments, **named)

    @property
    def ral(self) -> ral:
        """The script's own topics and services, in a node of their own."""
        if self._ral is None:
            self._ral = ral(f'{self.name}_ral')
        return self._ral

    def get_ral(self) -> ral:
        return self.ral

    def is_shutdown(self) -> bool:
        return the_script.is_shutdown()

    def get_time(self) -> float:
        return time.time()

    def create_rate(self, rate: float) -> Rate:
        return Rate(rate)

    def get_obj_pose(self, name: str):
        handle = self.get_obj_handle(name)
        return None if handle is None else handle.get_pose()

    def set_obj_cmd(self, name: str, *wrench: float):
        handle = self.get_obj_handle(name)
        if handle is not None:
            handle.wrench_command(*wrench)
