# SPDX-License-Identifier: BSD-3-Clause
"""Programs that talk to a running world."""

import pathlib
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

from ambf_py.drawing import strip
from ambf_py.simulator import Simulator
from ambf_py.tools import latency, record

PENDULUM = 'package://ambf_description/adf/pendulum.yaml'


def messages_of(folder: pathlib.Path) -> dict[str, list]:
    """What a bag holds, by topic."""
    rosbags = pytest.importorskip('rosbags.highlevel', reason='rosbags is not installed')
    from rosbags.typesys import Stores, get_typestore

    found: dict[str, list] = {}
    with rosbags.AnyReader([folder], default_typestore=get_typestore(Stores.ROS2_JAZZY)) as reader:
        for connection, _, raw in reader.messages():
            plain = connection.msgtype.startswith('std_msgs')
            found.setdefault(connection.topic, []).append(reader.deserialize(raw, connection.msgtype) if plain else raw)
    return found


def recorder_works() -> bool:
    """Whether `ros2 bag record` is installed."""
    if shutil.which('ros2') is None:
        return False
    return subprocess.run(['ros2', 'bag', 'record', '--help'], capture_output=True, timeout=120).returncode == 0


def test_a_trial_is_recorded_with_its_timer(tmp_path):
    if not recorder_works():
        pytest.skip('ros2 bag is not installed')
    with Simulator(models=[PENDULUM], mode='realtime'):
        folder = record.record('s03', 'swing', tmp_path, record.TOPICS, duration=1.5)
    assert folder.parent == tmp_path and folder.name.endswith('_s03_swing')
    found = messages_of(folder)
    assert [m.data for m in found['/ambf/study/event']] == ['start', 'stop']
    times = [m.data for m in found['/ambf/study/timer']]
    assert times == sorted(times) and times[0] < 1.0 and times[-1] >= 1.3
    assert len(found['/ambf/env/World/Snapshot']) > 5 and len(found['/ambf/env/World/Manifest']) == 1


def test_a_trial_with_topics_of_its_own_still_has_its_timer(tmp_path):
    if not recorder_works():
        pytest.skip('ros2 bag is not installed')
    # Nobody can press Enter: SIGINT stops.
    code = 'import sys; from ambf_py.tools.record import main; sys.exit(main(sys.argv[1:]))'
    arguments = ['s1', 'own', '--topics', '/clock', '--output', str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, '-c', code, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    assert 'Ctrl+C' in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(60.0) == 0
    found = messages_of(next(tmp_path.iterdir()))
    assert [m.data for m in found['/ambf/study/event']] == ['start', 'stop'] and found['/ambf/study/timer']


def test_bad_names_of_a_trial_are_refused(tmp_path, capsys):
    assert record.main(['a b', 'study', '--output', str(tmp_path)]) == 1
    assert "subject: found 'a b'" in capsys.readouterr().err and not list(tmp_path.iterdir())


@pytest.mark.parametrize('throttled', [False, True])
def test_latency_is_measured(throttled):
    latencies = latency.measure(5, 100.0, throttled, 40, 0.0)
    assert len(latencies) >= 30 and (latencies > 0.0).all()


def test_a_task_is_drawn_by_the_render_node():
    from ambf_py import studio
    from ambf_py.tasks import ReachPolicy, ReachTask

    if not studio.can_render():
        pytest.skip('ambf_render_node is not installed')
    if shutil.which('Xvfb') is None:
        pytest.skip('Xvfb is not installed')
    pictures, solved = studio.photograph(ReachTask(), ReachPolicy, 0, count=3, width=160, height=120)
    assert solved and len(pictures) == 3 and strip(pictures).shape == (120, 480, 3)
    # The mark of the goal is red, and the arm moves.
    first, last = (picture.astype(int) for picture in (pictures[0], pictures[-1]))
    red = (first[..., 0] > 1.5 * first[..., 1]) & (first[..., 0] > 1.5 * first[..., 2])
    assert red.sum() > 3 and (np.abs(first - last).max(axis=2) > 20).sum() > 50


def test_programs_explain_themselves():
    for name in ('latency', 'record', 'tasks', 'train'):
        code = f'import sys; from ambf_py.tools.{name} import main; sys.exit(main(["--help"]))'
        done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and f'ambf-{name}' in done.stdout
