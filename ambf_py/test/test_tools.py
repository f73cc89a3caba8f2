"""Programs and pictures, as far as they need no running world."""
import datetime
import zlib

import numpy as np
import pytest

pytest.importorskip('gymnasium', reason='gymnasium is not installed: pip install gymnasium')
from ambf_py.drawing import look_at, octahedron, strip, write_png
from ambf_py.env import AmbfEnv
from ambf_py.learning import LinearPolicy, Settings, evaluate, train
from ambf_py.tasks import ReachTask
from ambf_py.tools import latency, record


def test_a_recording_is_named_by_date_subject_and_study():
    now = datetime.datetime(2026, 3, 4, 5, 6, 7)
    assert record.folder_name('s03', 'peg', now) == '2026-03-04_05-06-07_s03_peg'
    with pytest.raises(ValueError, match='subject'):
        record.folder_name('../etc', 'peg', now)


def test_the_timer_of_a_trial_is_among_the_recorded_topics():
    assert '/ambf/study/timer' in record.TOPICS


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


def test_training_repeats_itself_and_policies_are_kept(tmp_path):
    settings = Settings(rounds=2, directions=2, best=1, length=3)
    first, curve = train(ReachTask(), 0, settings)
    second, again = train(ReachTask(), 0, settings)
    assert curve == again and np.array_equal(first.matrix, second.matrix) and len(curve) == 2
    first.save(str(tmp_path / 'policy.npz'))
    assert np.array_equal(LinearPolicy.load(str(tmp_path / 'policy.npz')).matrix, first.matrix)
    untrained = evaluate(ReachTask(), None, range(3), 'distance')
    assert untrained['success'] == 0.0 and untrained['distance'] > 0.003
