# SPDX-License-Identifier: BSD-3-Clause
"""What a client knows of the world: the manifest and the newest state, in flat arrays."""

import threading
import time
from dataclasses import dataclass, field

import numpy as np
from rclpy.serialization import deserialize_message

from ambf_msgs.msg import WorldManifest, WorldSnapshot

from . import names
from .errors import SimulatorGone

BODY = 13
JOINT = 3
OBJECT_LISTS = ('bodies', 'soft_bodies', 'ghost_objects', 'sensors', 'actuators', 'cameras', 'lights')


@dataclass
class State:
    """One step: bodies (n x 13), joints (n x 3), in the manifest's order."""

    step: int = 0
    time: float = 0.0
    hash: int = 0
    bodies: np.ndarray = field(default_factory=lambda: np.zeros((0, BODY)))
    joints: np.ndarray = field(default_factory=lambda: np.zeros((0, JOINT)))


def seconds(stamp) -> float:
    """Seconds of a builtin_interfaces/Time."""
    return stamp.sec + stamp.nanosec * 1e-9


def rows(flat, width: int) -> np.ndarray:
    """The flat array of a message as rows, without a copy."""
    return np.frombuffer(flat, dtype=np.float64).reshape(-1, width) if len(flat) else np.zeros((0, width))


def joint_aliases(joint) -> list[str]:
    """What a joint of the manifest is called."""
    full = f'{names.joint_place(joint.identifier)}/{joint.name}'
    return names.aliases(full, joint.name, joint.identifier, joint.model)


class WorldView:
    """The newest of what was received; messages are unpacked when somebody looks, not when they arrive."""

    def __init__(self):
        self._changed = threading.Condition()
        self._manifest: WorldManifest | None = None
        self._aliases: dict[str, list[list[str]]] = {}
        self._raw: bytes | None = None
        self._state: State | None = None
        self._answered = False  # whether the state is an answer of the world, not a snapshot
        self.manifests = 0
        self.received = 0.0

    def take_manifest(self, manifest: WorldManifest):
        with self._changed:
            self._manifest = manifest
            self._aliases = {
                kind: [
                    names.aliases(info.topic, info.name, info.identifier, info.model)
                    for info in getattr(manifest, kind)
                ]
                for kind in OBJECT_LISTS
            }
            self._aliases['joints'] = [joint_aliases(joint) for joint in manifest.joints]
            self._raw = self._state = None
            self.manifests += 1
            self._changed.notify_all()

    def take_snapshot(self, raw: bytes):
        with self._changed:
            self._raw = raw
            self.received = time.monotonic()
            self._changed.notify_all()

    def take_state(self, state: State):
        with self._changed:
            self._raw, self._state, self._answered = None, state, True
            self.received = time.monotonic()
            self._changed.notify_all()

    @property
    def answered_step(self) -> int:
        """The step that a call was answered with, if nothing newer has come since; else 0."""
        with self._changed:
            return self._state.step if self._answered and self._state is not None else 0

    @property
    def manifest(self) -> WorldManifest:
        if self._manifest is None:
            raise SimulatorGone('not connected: call connect() first')
        return self._manifest

    def wait_for_manifest(self, more_than: int, timeout: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.manifests > more_than, timeout)

    def wait_for_state(self, timeout: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._raw is not None or self._state is not None, timeout)

    def wait_for_step(self, step: int, timeout: float) -> bool:
        """Until a state of this step or a later one is here."""
        deadline = time.monotonic() + timeout
        while True:
            state = self.state()
            if state is not None and state.step >= step:
                return True
            with self._changed:
                if not self._changed.wait(max(0.0, deadline - time.monotonic())):
                    return False

    def state(self) -> State | None:
        """The newest state; None before the first, and where only the world itself can tell which is the newest."""
        with self._changed:
            if self._raw is not None:
                message = deserialize_message(self._raw, WorldSnapshot)
                if self._manifest is not None and message.manifest_revision == self._manifest.revision:
                    # Older than an answer of the world: still on its way then, or the world was reset since.
                    doubtful = self._answered and self._state is not None and message.step < self._state.step
                    self._state = (
                        None
                        if doubtful
                        else State(
                            message.step,
                            seconds(message.header.stamp),
                            message.state_hash,
                            rows(message.bodies, BODY),
                            rows(message.joints, JOINT),
                        )
                    )
                    self._answered = False
                self._raw = None
            return self._state

    def find(self, name: str, kind: str, what: str) -> int:
        """Index in one list of the manifest."""
        _ = self.manifest
        return names.find(name, self._aliases[kind], what)

    def find_object(self, name: str) -> tuple[str, int]:
        """List and index of the object with this name, of whatever kind."""
        _ = self.manifest
        entries = [(kind, i) for kind in OBJECT_LISTS for i in range(len(self._aliases[kind]))]
        hit = names.find(name, [self._aliases[kind][i] for kind, i in entries], 'object')
        return entries[hit]

    def index_of_topic(self, kind: str, topic: str) -> int | None:
        for index, info in enumerate(getattr(self.manifest, kind)):
            if info.topic == topic:
                return index
        return None
