# SPDX-License-Identifier: BSD-3-Clause
"""Programs and pictures, as far as they need no running world."""

import datetime
import sys
import zlib

import numpy as np
import pytest

pytest.importorskip('gymnasium', reason='gymnasium is not installed: pip install gymnasium')
from ambf_py import evolution
from ambf_py.drawing import look_at, octahedron, strip, write_png
from ambf_py.env import AmbfEnv
from ambf_py.learning import Episode, Settings, evaluate, need_sb3, policy_of, train
from ambf_py.tasks import ReachTask
from ambf_py.tools import hands, latency, record, tasks, watch
from ambf_py.tools.train import plot


def test_a_recording_is_named_by_date_subject_and_study():
    now = datetime.datetime(2026, 3, 4, 5, 6, 7)
    assert record.folder_name('s03', 'peg', now) == '2026-03-04_05-06-07_s03_peg'
    with pytest.raises(ValueError, match='subject'):
        record.folder_name('../etc', 'peg', now)


def test_the_timer_of_a_trial_is_among_the_recorded_topics():
    assert '/ambf/study/timer' in record.TOPICS


@pytest.mark.parametrize(
    'main, arguments, words',
    [
        (tasks.main, ['--seeds', '0'], '--seeds: found 0'),
        (tasks.main, ['--seeds', '-3'], '--seeds: found -3'),
        (hands.main, ['boxes', '--runs', '0'], '--runs: found 0'),
        (hands.main, ['boxes', '--seconds', 'nan'], '--seconds: expected numbers above 0'),
        (latency.main, ['--plot', '/nowhere/at/all.svg'], "no folder '/nowhere/at'"),
        (latency.main, ['--json', '/nowhere/all.json'], "no folder '/nowhere'"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_before_the_work(main, arguments, words, capsys):
    with pytest.raises(SystemExit, match='2'):
        main(arguments)
    assert words in capsys.readouterr().err


@pytest.mark.parametrize('duration', ['-1', 'nan', 'inf'])
def test_a_recording_of_no_length_is_not_begun(duration, tmp_path, capsys):
    assert record.main(['s1', 'study', '--duration', duration, '--output', str(tmp_path / 'bags')]) == 1
    assert 'duration: found' in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_latencies_become_a_row_and_a_plot(tmp_path):
    latencies = np.linspace(1e-4, 2e-4, 101)
    row = latency.row_of(5, 1000.0, False, latencies)
    assert row['p50'] == pytest.approx(150.0) and row['max'] == pytest.approx(200.0)
    latency.plot([(row, latencies)] * 4, tmp_path / 'plot.svg')
    assert 'queue 5, 1000 Hz, free' in (tmp_path / 'plot.svg').read_text()


def test_the_camera_looks_along_its_z_axis():
    view = look_at([1.0, 2.0, 3.0], [4.0, 2.0, 3.0])
    assert np.allclose(view @ [4.0, 2.0, 3.0, 1.0], [0.0, 0.0, 3.0, 1.0])
    # Up in the world is up in the picture, where y points down.
    assert (view @ [4.0, 2.0, 3.5, 1.0])[1] < 0.0


def test_a_picture_shows_the_arm_and_moves_with_it(tmp_path):
    env = AmbfEnv(ReachTask(), render_mode='rgb_array')
    env.reset(seed=0)
    before = env.render()
    assert before.shape == (240, 320, 3) and before.std() > 5.0
    for _ in range(10):
        env.step(np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]))
    after = env.render()
    assert (before != after).any(axis=2).sum() > 100
    write_png(tmp_path / 'strip.png', strip([before, after]))
    data = (tmp_path / 'strip.png').read_bytes()
    assert data.startswith(b'\x89PNG') and zlib.crc32(data[12:29]) == int.from_bytes(data[29:33], 'big')


def test_a_mark_surrounds_its_point():
    assert np.allclose(octahedron(np.array([1.0, 2.0, 3.0])).mean(axis=(0, 1)), [1.0, 2.0, 3.0])


def test_a_policy_is_judged_by_where_it_ends():
    untrained = evaluate(ReachTask(), None, range(3), 'distance')
    assert untrained['success'] == 0.0 and untrained['distance'] > 0.003
    # Towards the goal with the Jacobian of the arm that hangs straight down: yaw moves x, pitch y, insertion z.
    towards = np.zeros((12, 6))
    towards[6:9, 0:3] = [[2.0, 0.0, 0.0], [0.0, -2.0, 0.0], [0.0, 0.0, -20.0]]
    guided = evaluate(ReachTask(), lambda seen: np.clip(seen @ towards, -1.0, 1.0), range(3), 'distance')
    assert guided['success'] == 1.0 and guided['worst_distance'] < 0.003


def test_training_repeats_itself_and_notes_every_episode():
    pytest.importorskip('stable_baselines3', reason='stable-baselines3 is not installed')
    settings = Settings(steps=120, random_steps=110)
    first, curve = train(ReachTask(), 0, settings)
    second, again = train(ReachTask(), 0, settings)
    assert curve == again and len(curve) == 1 and curve[0].step == 100 and not curve[0].success
    seen = np.zeros((1, 12), dtype=np.float32)
    assert np.array_equal(policy_of(first)(seen), policy_of(second)(seen))


def test_without_the_extra_training_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, 'stable_baselines3', None)
    with pytest.raises(ImportError, match='pip install stable-baselines3'):
        need_sb3()


def test_a_learning_curve_is_drawn(tmp_path):
    curve = [Episode(10 * i, -1.0, i > 20, 0.01) for i in range(40)]
    plot({0: curve, 1: curve[:5]}, tmp_path / 'curve.svg')
    assert '<svg' in (tmp_path / 'curve.svg').read_text()


def test_evolution_improves_the_policy_and_repeats(tmp_path):
    settings = evolution.Settings(iterations=12)
    policy, history = evolution.evolve(ReachTask(), 0, settings)
    assert np.mean([i.reward for i in history[-3:]]) > np.mean([i.reward for i in history[:3]]) + 0.3
    again, _ = evolution.evolve(ReachTask(), 0, evolution.Settings(iterations=2))
    other, _ = evolution.evolve(ReachTask(), 0, evolution.Settings(iterations=2))
    assert np.array_equal(again.weights, other.weights)
    policy.save(tmp_path / 'policy.txt')
    assert np.allclose(evolution.LinearPolicy.load(tmp_path / 'policy.txt').weights, policy.weights, rtol=1e-4)


def test_the_policy_of_the_package_reaches_goals_that_it_never_saw():
    policy = evolution.LinearPolicy.load(watch.SHIPPED / 'reach.txt')
    assert evaluate(ReachTask(), policy, range(2 * 10**6, 2 * 10**6 + 20), 'distance')['success'] == 1.0


def test_a_policy_is_watched_as_a_strip_of_pictures(tmp_path, capsys):
    assert watch.main(['--strip', str(tmp_path / 'a.png'), '--draw', 'plain']) == 0
    assert 'reached' in capsys.readouterr().out and (tmp_path / 'a.png').stat().st_size > 1000
    assert watch.main(['--policy', str(tmp_path / 'none.txt'), '--strip', str(tmp_path / 'b.png')]) == 1
    assert 'none.txt' in capsys.readouterr().err
    assert watch.main(['peg_transfer', '--strip', str(tmp_path / 'b.png')]) == 1
    assert '--scripted' in capsys.readouterr().err
