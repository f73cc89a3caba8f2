# SPDX-License-Identifier: BSD-3-Clause
"""Scripted hands on the topics of arms: what `./ambf demo` shows, without pictures."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile

import pytest
from ament_index_python.packages import get_package_prefix, get_package_share_directory

LONG = os.environ.get('AMBF_TEST_LONG') == '1'
HANDS = pathlib.Path(get_package_prefix('ambf_py')) / 'lib' / 'ambf_py' / 'ambf-hands'
REPLAY = HANDS.with_name('ambf-replay')
REPLAYED = ','.join(f'/{arm}/{joints}setpoint_js' for arm in ('PSM1', 'PSM2') for joints in ('', 'jaw/'))
PATIENCE = 90.0  # s; for what ends at once where nothing hangs


def perform(
    task: str, mode: str, *words: str, program: pathlib.Path = HANDS, launch: tuple[str, ...] = ()
) -> tuple[int, str]:
    """A world as the launch file starts it, and hands that end by themselves: their code and their words."""
    world = pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds' / task / 'launch.yaml'
    command = [
        'ros2',
        'launch',
        'ambf_bringup',
        'simulator.launch.py',
        f'world:={world}',
        f'mode:={mode}',
        'render:=false',
        *launch,
    ]
    task_words = [task, *words] if program is HANDS else words
    with tempfile.TemporaryFile('a+') as log:
        simulator = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            done = subprocess.run([str(program), *task_words], capture_output=True, text=True)
        finally:
            simulator.send_signal(signal.SIGINT)
            try:
                simulator.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(simulator.pid, signal.SIGKILL)
                simulator.wait()
        log.seek(0)
        print(done.stdout, done.stderr, log.read(), sep='\n')
    return done.returncode, done.stdout


def remote_centre(words: str) -> float:
    """Greatest distance of a shaft's line from it [mm]."""
    return float(re.search(r'remote centre within ([0-9.]+) mm', words).group(1))


def test_a_ring_goes_from_hand_to_hand_through_topics_in_lockstep():
    code, words = perform('peg_transfer', 'lockstep', '--once', '--lockstep', '--only', '6')
    assert code == 0 and '1 of 1 rings on their pegs' in words and '1 hand-overs, 0 slips' in words, words
    assert remote_centre(words) < 0.1


def test_two_grippers_solve_the_puzzle_in_lockstep():
    code, words = perform('puzzle', 'lockstep', '--once', '--lockstep')
    assert code == 0 and 'on the base 4 of 4' in words and 'slips 0' in words, words
    lifted = float(re.search(r'chain lifted \[mm\] ([0-9.]+)', words).group(1))
    assert lifted > 50.0, 'both hands held it above its posts'


@pytest.mark.skipif(not LONG, reason='AMBF_TEST_LONG=1 asks for it')
@pytest.mark.parametrize('task, words', [('peg_transfer', ['--only', '6']), ('needle', []), ('puzzle', [])])
def test_the_same_hands_give_the_same_hash(task, words):
    def hash_of_a_run() -> str:
        code, said = perform(task, 'lockstep', '--once', '--lockstep', *words)
        assert code == 0, said
        return re.search(r'hash \w+ at step \d+', said).group(0)

    assert hash_of_a_run() == hash_of_a_run()


@pytest.mark.skipif(not LONG, reason='AMBF_TEST_LONG=1 asks for it')
def test_a_bag_of_hands_in_real_time_gives_equal_hashes_in_lockstep(tmp_path):
    bag = str(tmp_path / 'run')
    launch = (f'record:={bag}', f'record_topics:={REPLAYED}')
    code, words = perform('peg_transfer', 'realtime', '--once', '--only', '6', launch=launch)
    assert code == 0 and '1 of 1 rings on their pegs' in words, words

    def hash_of_a_replay() -> str:
        code, said = perform('peg_transfer', 'lockstep', bag, program=REPLAY)
        assert code == 0, said
        return re.search(r'hash \w+ at step \d+', said).group(0)

    assert hash_of_a_replay() == hash_of_a_replay()


@pytest.mark.skipif(not LONG, reason='AMBF_TEST_LONG=1 asks for it')
def test_six_rings_are_brought_over_in_real_time_in_nine_of_ten_runs():
    code, words = perform('peg_transfer', 'realtime', '--runs', '10')
    assert code == 0, words
    centres = [float(row.split()[7]) for row in words.splitlines() if re.match(r' +\d+ .* \d of 6 ', row)]
    assert len(centres) == 10 and max(centres) < 0.1, words


@pytest.mark.skipif(not LONG, reason='AMBF_TEST_LONG=1 asks for it')
@pytest.mark.parametrize('task', ['needle', 'puzzle'])
def test_the_other_tasks_are_done_in_real_time_in_nine_of_ten_runs(task):
    code, words = perform(task, 'realtime', '--runs', '10')
    assert code == 0, words
