# SPDX-License-Identifier: BSD-3-Clause
"""Arms that are led by a recording of what arms were asked for, in lockstep: the same every time."""

import bisect
import pathlib
import re
from dataclasses import dataclass, field

import numpy as np

from ..errors import AmbfError
from .crtk import CrtkArms

SETPOINT = re.compile(r'^/(?P<arm>.+?)/(?P<jaw>jaw/)?setpoint_js$')
# Topics of that name that are no arm's own joints.
NOT_ARMS = re.compile(r'/(jaw|gripper|gravity_compensation)$')


class BadRecording(AmbfError, ValueError):
    """The bag cannot be replayed; the text says why."""


@dataclass
class Track:
    """Set-points of some joints over the world's time [s]."""

    times: list[float] = field(default_factory=list)
    values: list[np.ndarray] = field(default_factory=list)

    def at(self, time: float) -> np.ndarray | None:
        """The newest one; None before the first."""
        index = bisect.bisect_right(self.times, time) - 1
        return self.values[index] if index >= 0 else None


@dataclass
class Recording:
    """What each arm was asked for; joints and, where it has one, its jaw."""

    joints: dict[str, Track]
    jaws: dict[str, Track]
    begin: float
    end: float


def read_recording(bag: pathlib.Path, arms: list[str] | None = None) -> Recording:
    """Set-points of all arms of a bag, or of some. Their order is that of the bag, their times are the bag's."""
    try:
        from rosbags.highlevel import AnyReader, AnyReaderError
        from rosbags.typesys import Stores, get_typestore
    except ImportError:
        raise BadRecording(
            'bags are read with the Python package rosbags, which is not there: pip install rosbags'
        ) from None
    if not bag.exists():
        raise BadRecording(f'{bag}: no such bag')
    joints: dict[str, Track] = {}
    jaws: dict[str, Track] = {}
    try:
        with AnyReader([bag], default_typestore=get_typestore(Stores.ROS2_JAZZY)) as reader:
            chosen = {}
            for connection in reader.connections:
                match = SETPOINT.match(connection.topic)
                if match is None or connection.msgtype != 'sensor_msgs/msg/JointState':
                    continue
                if not match['jaw'] and NOT_ARMS.search('/' + match['arm']):
                    continue
                chosen[connection.topic] = (match['arm'], jaws if match['jaw'] else joints)
            connections = [c for c in reader.connections if c.topic in chosen]
            # Without a choice, the reader would give everything.
            for connection, stamp, raw in reader.messages(connections) if connections else ():
                arm, tracks = chosen[connection.topic]
                message = reader.deserialize(raw, connection.msgtype)
                # An arm that is not homed marks its data so: they are not to be believed.
                if message.header.stamp.sec == 0 and message.header.stamp.nanosec == 0:
                    continue
                position = np.array(message.position)
                track = tracks.setdefault(arm, Track())
                # Most set-points are those before; times of a world that was reset begin anew.
                if track.times and 1e-9 * stamp < track.times[-1]:
                    raise BadRecording(
                        f'{bag}: the time of {connection.topic} goes back at {1e-9 * stamp:.3f} s: the world was reset '
                        'while it was recorded; record a run without a reset'
                    )
                if not track.values or not np.array_equal(track.values[-1], position):
                    track.times.append(1e-9 * stamp)
                    track.values.append(position)
            begin, end = 1e-9 * reader.start_time, 1e-9 * reader.end_time
    except (AnyReaderError, FileNotFoundError) as error:
        raise BadRecording(f'{bag}: cannot be read as a bag: {error}') from None
    if not joints:
        raise BadRecording(
            f"{bag}: holds no set-points of arms that were homed; record with record_topics:=all, or the arms' topics "
            'setpoint_js and jaw/setpoint_js'
        )
    for arm in arms or []:
        if arm not in joints:
            raise BadRecording(f"{bag}: found no arm '{arm}', expected one of: {', '.join(sorted(joints))}")
    wanted = sorted(arms or joints)
    return Recording(
        {arm: joints[arm] for arm in wanted}, {arm: jaws[arm] for arm in wanted if arm in jaws}, begin, end
    )


class RecordedArms(CrtkArms):
    """Arms of a world in lockstep that are asked again what a recording asks them, tick by tick."""

    def __init__(self, recording: Recording, *, namespace: str = ''):
        super().__init__({}, lockstep=True, namespace=namespace)
        self.recording = recording
        self.time = recording.begin  # of the recording
        self._asked: dict = {}  # by joints or jaw: the newest

    def names(self) -> list[str]:
        return sorted(self.recording.joints)

    def command_all(self):
        """Each arm gets what it was asked for at this time, and the step waits until it says that it has exactly that."""
        asked = []
        for name, arm in self.arms.items():
            for part, track in ((arm, self.recording.joints[name]), (arm.jaw, self.recording.jaws.get(name))):
                value = track.at(self.time) if track else None
                # What is asked again would arrive at one step or another.
                if value is None or value is self._asked.get(part):
                    continue
                self._asked[part] = value
                part.servo_jp(value)
                asked.append((arm, part.setpoint_jp, value))
        for arm, setpoint, value in asked:
            self._await_taken(arm, setpoint, value, within=0.0)

    def tick(self, steps: int):
        """Command, then take some steps."""
        self.command_all()
        self.step(steps)
        self.time += steps * self.client.view.manifest.step_size

    @property
    def over(self) -> bool:
        return self.time > self.recording.end
