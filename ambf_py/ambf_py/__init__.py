"""The Python side of the simulator: client, world, gymnasium environments, and the dynamics in process."""
from .errors import (AmbfError, AmbiguousName, BadValue, NotJoined, Refused, SimulatorGone, SpaceMismatch,
                     StepRefused, UnknownObject)

__all__ = ['Actuator', 'AmbfEnv', 'AmbfError', 'AmbfVectorEnv', 'AmbiguousName', 'BadValue', 'Camera', 'Client',
           'Ghost', 'Light', 'NotJoined', 'Refused', 'RigidBody', 'Sensor', 'Simulator', 'SimulatorGone', 'SoftBody',
           'SpaceMismatch', 'StepRefused', 'UnknownObject', 'World']

# Loaded when they are used: environments in process need no ROS, clients need no gymnasium.
_PLACES = {'Client': 'client', 'World': 'world', 'Simulator': 'simulator', 'RigidBody': 'rigid_body',
           'Actuator': 'scene_objects', 'Camera': 'scene_objects', 'Ghost': 'scene_objects', 'Light': 'scene_objects',
           'Sensor': 'scene_objects', 'SoftBody': 'scene_objects', 'AmbfEnv': 'env', 'AmbfVectorEnv': 'vector_env'}


def __getattr__(name: str):
    if name in _PLACES:
        import importlib
        return getattr(importlib.import_module(f'.{_PLACES[name]}', __name__), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
