# SPDX-License-Identifier: BSD-3-Clause
"""The Python side of the simulator: client, world, gymnasium environments, and the dynamics in process."""

from .errors import (
    AmbfError,
    AmbiguousName,
    ArmError,
    ArmRefused,
    ArmSilent,
    ArmTimeout,
    BadValue,
    NobodyListens,
    NotEnabled,
    NotHomed,
    NotJoined,
    Refused,
    SimulatorGone,
    SpaceMismatch,
    StepRefused,
    UnknownArm,
    UnknownObject,
)

__all__ = [
    'Actuator',
    'AmbfEnv',
    'AmbfError',
    'AmbfVectorEnv',
    'AmbiguousName',
    'Arm',
    'ArmError',
    'ArmRefused',
    'ArmSilent',
    'ArmTimeout',
    'BadValue',
    'Camera',
    'Client',
    'Ghost',
    'Light',
    'NobodyListens',
    'NotEnabled',
    'NotHomed',
    'NotJoined',
    'Refused',
    'RigidBody',
    'Sensor',
    'Simulator',
    'SimulatorGone',
    'SoftBody',
    'SpaceMismatch',
    'StepRefused',
    'UnknownArm',
    'UnknownObject',
    'World',
]

# Loaded when they are used: environments in process need no ROS, clients need no gymnasium.
_PLACES = {
    'Arm': 'arm',
    'Client': 'client',
    'World': 'world',
    'Simulator': 'simulator',
    'RigidBody': 'rigid_body',
    'Actuator': 'scene_objects',
    'Camera': 'scene_objects',
    'Ghost': 'scene_objects',
    'Light': 'scene_objects',
    'Sensor': 'scene_objects',
    'SoftBody': 'scene_objects',
    'AmbfEnv': 'env',
    'AmbfVectorEnv': 'vector_env',
}


def __dir__() -> list[str]:
    """What there is to import, also where it is not loaded yet."""
    return sorted(set(globals()) | set(__all__))


def __getattr__(name: str):
    if name in _PLACES:
        import importlib

        return getattr(importlib.import_module(f'.{_PLACES[name]}', __name__), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
