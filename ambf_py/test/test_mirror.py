# SPDX-License-Identifier: BSD-3-Clause
"""One arm follows another, live and from a recording; both are stand-ins of a few lines."""

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from arm_stand_in import HOME, RATE, TABLE, StandIn
from conftest import wait_for

from ambf_py import Arm, ArmSilent, BadValue, NobodyListens
from ambf_py.mirror import Follow, Mirror, MirrorLaw, default_speed

PATIENCE = 90.0
PROGRAM = 'import sys; from ambf_py.tools.mirror import main; sys.exit(main())'


@pytest.fixture(scope='module')
def source():
    with StandIn('/real/PSM1') as stand_in:
        stand_in.state, stand_in.homed, stand_in.q, stand_in.jaw = 'ENABLED', True, np.array(TABLE[0]), 0.3
        yield stand_in


@pytest.fixture
def follower():
    with StandIn('/PSM1') as stand_in:
        stand_in.velocity = 20.0
        yield stand_in


@pytest.fixture(scope='module')
def recording(source, tmp_path_factory):
    """A bag of the source's joints, which move while it is made."""
    bag = tmp_path_factory.mktemp('bags') / 'bag'
    topics = ['/real/PSM1/measured_js', '/real/PSM1/jaw/measured_js']
    recorder = subprocess.Popen(['ros2', 'bag', 'record', '-o', str(bag), *topics])
    wait_for(lambda: source.data['jaw/measured_js'].get_subscription_count() == 1, 'recorder')
    for i in range(int(2 * RATE)):
        with source.lock:
            source.q = np.array(TABLE[0]) + np.array([0.001 * i, 0, 0, 0, 0, 0])
        time.sleep(1.0 / RATE)
    recorder.send_signal(signal.SIGINT)
    assert recorder.wait(timeout=PATIENCE) == 0
    yield bag
    source.q = np.array(TABLE[0])


def test_the_law_keeps_to_the_speed_of_each_joint():
    law = MirrorLaw([0.0, 0.0], [1.0, 0.2])
    source = np.array([0.05, -1.0])
    assert law.update(0.0, source, 0.0) is None  # no time has passed yet
    assert law.update(0.01, source, 0.0).tolist() == [0.01, -0.002]
    for i in range(2, 11):
        goal = law.update(0.01 * i, source, 0.01 * i)
    assert np.allclose(goal, [0.05, -0.02]) and law.state is Follow.FOLLOWING


def test_the_law_holds_while_the_source_is_silent_and_saves_no_time_up():
    law = MirrorLaw([0.0], [1.0], patience=0.1)
    assert law.update(0.0, None, 0.0) is None and law.state is Follow.WAITING
    law.update(1.0, np.array([9.0]), 1.0)
    assert law.update(1.05, np.array([9.0]), 1.0).tolist() == pytest.approx([0.05])
    assert law.update(1.101, np.array([9.0]), 1.0) is None and law.state is Follow.HOLDING
    assert law.update(5.0, np.array([9.0]), 5.0) is None  # the first one after it only sets the clock
    assert law.update(5.01, np.array([9.0]), 5.0).tolist() == pytest.approx([0.06])
    with pytest.raises(BadValue, match='above 0'):
        MirrorLaw([0.0], [0.0])
    assert default_speed(['yaw', 'insertion']) == [3.0, 0.2]


def test_a_follower_follows_holds_and_follows_again(source, follower):
    with (
        Arm('real/PSM1', timeout=PATIENCE, freshness=PATIENCE) as real,
        Arm('PSM1', timeout=PATIENCE, freshness=PATIENCE) as twin,
    ):
        twin.enable()
        twin.home(timeout=PATIENCE)
        mirror, stop = Mirror(real, twin, speed=5.0), threading.Event()
        thread = threading.Thread(target=mirror.run, args=(stop,))
        thread.start()
        try:
            follower.wait_for(lambda: np.allclose(follower.q, TABLE[0]) and follower.jaw == 0.3, 'following')
            # Each command is at most one speed away from the last one, for the time between them.
            goals = [message.position[0] for leaf, message in follower.heard if leaf == 'servo_jp']
            assert goals[0] < 0.1 and all(a <= b + 1e-12 for a, b in zip(goals, goals[1:], strict=False))
            source.silent = True
            wait_for(lambda: mirror.state is Follow.HOLDING, 'hold')
            follower.wait_for(lambda: follower.count('hold') > 0, 'hold')  # more where this machine stood still
            source.q = np.array(HOME)
            source.silent = False
            follower.wait_for(lambda: np.allclose(follower.q, HOME), 'following again')
        finally:
            stop.set()
            thread.join(timeout=PATIENCE)
            source.silent, source.q = False, np.array(TABLE[0])


def test_arms_with_other_joints_are_refused(source, follower):
    with Arm('real/PSM1', timeout=PATIENCE) as real, Arm('PSM1', timeout=PATIENCE) as twin:
        twin.enable()
        twin.home(timeout=PATIENCE)
        with pytest.raises(BadValue, match='found 2 numbers, expected 6'):
            Mirror(real, twin, speed=[1.0, 2.0]).prepare(threading.Event())
        follower.q = np.zeros(6)
        source.q = np.zeros(3)
        try:
            with pytest.raises(BadValue, match=r'real/PSM1 has 3 joints and PSM1 has 6'):
                Mirror(real, twin).prepare(threading.Event())
        finally:
            source.q = np.array(TABLE[0])


def test_a_recording_can_be_read_but_not_commanded(recording, source):
    with StandIn('/elsewhere'):  # another arm's listeners are not this one's
        player = subprocess.Popen(
            ['ros2', 'bag', 'play', str(recording), '--remap', '/real/PSM1/measured_js:=/recorded/PSM3/measured_js']
        )
        try:
            with Arm('recorded/PSM3', timeout=PATIENCE, freshness=PATIENCE) as arm:
                first = arm.measured_jp()[0]
                wait_for(lambda: arm.measured_jp()[0] > first, 'motion')
                arm.timeout = 0.3
                with pytest.raises(ArmSilent, match="nobody publishes '/recorded/PSM3/measured_cp'"):
                    arm.measured_cp()
                for command in (lambda: arm.move_jp([0] * 6), arm.enable, arm.hold):
                    with pytest.raises(NobodyListens, match=r"nobody reads '/recorded/PSM3/\w+': this is a recording"):
                        command()
        finally:
            player.terminate()
            player.wait(timeout=PATIENCE)


def test_the_program_follows_a_recording(recording, follower, source):
    """The program enables and homes the follower by itself, says when the recording has ended, and ends by Ctrl-C."""
    program = subprocess.Popen(
        [
            sys.executable,
            '-u',
            '-c',
            PROGRAM,
            '/recorded/PSM1',
            '/PSM1',
            '--speed',
            '20',
            '--patience',
            '5',
            '--timeout',
            '90',
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout.readline() == 'mirror_arm: PSM1 is ready and waits for /recorded/PSM1\n'
    remap = [f'/real/PSM1/{leaf}:=/recorded/PSM1/{leaf}' for leaf in ('measured_js', 'jaw/measured_js')]
    player = subprocess.Popen(['ros2', 'bag', 'play', str(recording), '--delay', '2', '--remap', *remap])
    try:
        assert player.wait(timeout=PATIENCE) == 0
        said = [program.stdout.readline(), program.stdout.readline()]
        assert said[0] == 'mirror_arm: PSM1 follows recorded/PSM1\n'
        assert said[1] == 'mirror_arm: recorded/PSM1 said nothing for 5000 ms: PSM1 holds\n'
        last = TABLE[0][0] + 0.001 * (int(2 * RATE) - 1)
        assert abs(follower.q[0] - last) < 0.03 and abs(follower.jaw - 0.3) < 1e-9
    finally:
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=PATIENCE) == 0


def test_the_program_says_what_is_missing(follower):
    done = subprocess.run(
        [sys.executable, '-c', PROGRAM, '/PSM1', '/nowhere', '--timeout', '2'],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("mirror_arm: no arm '/nowhere' within 2 s") and 'Traceback' not in done.stderr
