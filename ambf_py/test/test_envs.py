# SPDX-License-Identifier: BSD-3-Clause
"""Environments: gymnasium's checks, seeds, spaces, vectors, and the tasks."""

import os
import warnings

import numpy as np
import pytest

pytest.importorskip('gymnasium', reason='gymnasium is not installed: pip install gymnasium')
from conftest import slider_task
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from ambf_py.env import AmbfEnv
from ambf_py.errors import AmbfError, BadValue, SpaceMismatch, UnknownObject
from ambf_py.rollout import run
from ambf_py.task import GraspAction, JointAction, Start
from ambf_py.tasks import TASKS, ReachTask
from ambf_py.vector_env import AmbfVectorEnv

LONG = os.environ.get('AMBF_TEST_LONG') == '1'


@pytest.mark.parametrize('name', TASKS if LONG else ['reach', 'peg_transfer'])
def test_gymnasium_accepts_the_environment(name):
    env = AmbfEnv(TASKS[name][0]())
    with warnings.catch_warnings():
        # Unbounded observations and the missing registration are known and meant.
        warnings.simplefilter('ignore')
        check_env(env, skip_render_check=True, skip_close_check=True)
    env.close()


@pytest.mark.parametrize(
    'name, seeds',
    [
        ('reach', range(50 if LONG else 10)),
        ('peg_transfer', range(50) if LONG else [0]),
        ('needle_pick', range(50) if LONG else []),
    ],
)
def test_the_scripted_policy_solves_the_task(name, seeds):
    make_task, make_policy = TASKS[name]
    if not len(seeds):
        pytest.skip('the needle with its thread is slow: AMBF_TEST_LONG=1')
    task = make_task()
    outcomes = run(AmbfEnv(task), make_policy(task), seeds)
    solved = sum(o.success for o in outcomes)
    print(f'{name}: {solved} of {len(outcomes)}')
    assert solved >= 0.9 * len(outcomes)


def test_doing_nothing_solves_nothing():
    for name in ('reach', 'peg_transfer'):
        task = TASKS[name][0]()
        env = AmbfEnv(task)
        env.reset(seed=0)
        for _ in range(5):
            assert not env.step(np.zeros(env.action_space.shape))[2]


def test_the_same_seed_gives_the_same_episode():
    def episode():
        env = AmbfEnv(ReachTask())
        observation, info = env.reset(seed=7)
        rng, hashes = np.random.default_rng(3), [info['state_hash']]
        for _ in range(10):
            observation, *_, info = env.step(rng.uniform(-1, 1, 6))
            hashes.append(info['state_hash'])
        return hashes, observation

    (first, seen), (second, seen_again) = episode(), episode()
    assert first == second and np.array_equal(seen, seen_again)


def test_every_world_of_a_vector_does_what_a_single_one_does():
    vector = AmbfVectorEnv(ReachTask(), 3, threads=2)
    seen, _ = vector.reset(seed=11)
    assert seen.shape == (3, 12) and vector.metadata['autoreset_mode'] == AutoresetMode.NEXT_STEP
    rng = np.random.default_rng(0)
    actions = rng.uniform(-1, 1, (8, 3, 6))
    for batch in actions:
        *_, infos = vector.step(batch)
    for i in range(3):
        env = AmbfEnv(ReachTask())
        env.reset(seed=11 + i)
        for batch in actions:
            *_, info = env.step(batch[i])
        assert info['state_hash'] == infos['state_hash'][i]


def test_an_ended_world_starts_again_in_the_next_step():
    class Short(ReachTask):
        max_steps = 2

    vector = AmbfVectorEnv(Short(), 2)
    vector.reset(seed=0)
    still = np.zeros((2, 6))
    vector.step(still)
    *_, truncated, _ = vector.step(still)
    assert truncated.all()
    before = vector.episodes.goal.copy()
    _, rewards, terminated, truncated, _ = vector.step(still)
    assert not truncated.any() and not terminated.any() and (rewards == 0.0).all()
    assert not np.array_equal(before, vector.episodes.goal)


def short(name: str):
    """A task whose episodes end after two steps; how far it drives home does not matter here."""
    if name == 'own':
        return slider_task(max_steps=2)
    if name == 'own, by effort':
        return slider_task(max_steps=2, actions=(JointAction('slide', 'effort', low=0.0, high=20.0),))
    return type('Short', (TASKS[name][0],), {'max_steps': 2, 'home_steps': 100})()


@pytest.mark.parametrize('name', [*TASKS, 'own', 'own, by effort'])
def test_the_second_episode_of_a_vector_is_that_of_a_single_environment(name):
    single, vector = AmbfEnv(short(name)), AmbfVectorEnv(short(name), 2)
    size = single.action_space.shape[0]
    actions = np.random.default_rng(0).uniform(-1, 1, (2, 2, size))
    _, info = single.reset(seed=3)
    vector.reset(seed=3)
    for _ in range(2):
        for batch in actions:
            *_, truncated, info = single.step(batch[0])
            *_, infos = vector.step(batch)
        assert truncated and infos['state_hash'][0] == info['state_hash']
        seen, info = single.reset()
        all_seen, *_, infos = vector.step(np.full((2, size), np.nan))
        assert np.array_equal(all_seen[0], seen)
        assert (infos['state_hash'][0], infos['sim_step'][0]) == (info['state_hash'], info['sim_step'])


def test_a_refused_action_does_not_draw_another_start():
    vectors = [AmbfVectorEnv(slider_task(max_steps=1), 2) for _ in range(2)]
    for vector in vectors:
        vector.reset(seed=0)
    truth = np.array([[0.0], [0.5]])
    for vector in vectors:
        vector.step(truth)
        vector._ended[1] = False  # one ended, one goes on
    with pytest.raises(BadValue, match='finite'):
        vectors[0].step(np.array([[0.0], [np.nan]]))
    hashes = [vector.step(truth)[4]['state_hash'] for vector in vectors]
    assert np.array_equal(*hashes) and np.array_equal(*(vector.episodes.goal for vector in vectors))


def test_some_environments_of_a_vector_are_reset_and_the_others_go_on():
    vector, other = AmbfVectorEnv(slider_task(), 2), AmbfVectorEnv(slider_task(), 2)
    for envs in (vector, other):
        envs.reset(seed=0)
        envs.step(np.full((2, 1), 0.3))
    goal = vector.episodes.goal.copy()
    _, infos = vector.reset(options={'reset_mask': np.array([True, False])})
    assert vector.episodes.goal[0] != goal[0] and vector.episodes.goal[1] == goal[1]
    assert infos['sim_step'].tolist() == [230, 240]
    again = [envs.step(np.full((2, 1), 0.3))[4]['state_hash'][1] for envs in (vector, other)]
    assert again[0] == again[1]
    with pytest.raises(BadValue, match='reset_mask'):
        vector.reset(options={'reset_mask': [1, 0]})


def test_vectors_without_seeds_draw_their_own():
    goals = []
    for _ in range(2):
        vector = AmbfVectorEnv(slider_task(), 2)
        vector.reset()
        goals.append(vector.episodes.goal.copy())
    assert not np.array_equal(*goals)


@pytest.mark.parametrize(
    'change, words',
    [
        ({'actions': (JointAction('slide', rate=-0.02),)}, 'rate -0.02'),
        ({'actions': (JointAction('slide', rate=float('nan')),)}, 'rate nan'),
        ({'actions': (JointAction('slide', 'velocity', rate=0.1, low=-1.0, high=1.0),)}, 'position mode only'),
        ({'actions': (JointAction('slide'), JointAction('rig/slide'))}, 'two actions'),
        ({'home': {'slide': 0.9}}, 'expected -0.1 to 0.7'),
        ({'home': {'slide': float('nan')}}, 'found nan'),
        ({'frame_skip': -1}, 'frame_skip'),
        ({'frame_skip': 0.5}, 'frame_skip'),
        ({'settle_steps': -1}, 'settle_steps'),
        ({'max_steps': 0}, 'max_steps'),
        ({'step_size': float('nan')}, 'step'),
    ],
)
def test_values_of_a_task_that_make_no_sense_are_refused(change, words):
    with pytest.raises(BadValue, match=words):
        AmbfEnv(slider_task(**change))


def test_what_is_wrong_in_process_is_said_with_the_documented_errors(tmp_path):
    broken = tmp_path / 'broken.yaml'
    broken.write_text('bodies: [BODY a]\nBODY a: [')
    with pytest.raises(AmbfError, match='broken.yaml'):
        AmbfEnv(slider_task(models=(str(broken),)))
    with pytest.raises(SpaceMismatch, match='no joint'):
        AmbfEnv(slider_task(joints=('knee',)))
    with pytest.raises(SpaceMismatch, match='no body'):
        AmbfEnv(slider_task(start=lambda self, rng: Start({'rig/cup': np.zeros(7)}, np.zeros(1)))).reset(seed=0)
    with pytest.raises(AmbfError, match='finite'):
        AmbfEnv(slider_task(start=lambda self, rng: Start({'rig/ball': np.full(7, np.nan)}, np.zeros(1)))).reset(seed=0)
    env = AmbfEnv(slider_task())
    env.reset(seed=0)
    env.close()
    with pytest.raises(AmbfError, match='closed'):
        env.step(np.zeros(1))


@pytest.mark.parametrize(
    'actions, error, words',
    [
        ([JointAction('psm/no_such_joint', rate=0.1)], UnknownObject, 'did you mean'),
        ([JointAction('psm/baselink-yawlink', low=-9.0, high=9.0)], SpaceMismatch, "joint's limits"),
        ([JointAction('psm/baselink-yawlink', mode='effort')], SpaceMismatch, 'expected finite'),
        ([JointAction('psm/baselink-yawlink', mode='flying', low=-1.0, high=1.0)], BadValue, 'flying'),
        ([GraspAction('jaw_constrnt', 'jaw_proximity')], UnknownObject, 'jaw_constraint'),
        ([], SpaceMismatch, 'no actions'),
    ],
)
def test_spaces_that_do_not_fit_the_model_are_refused(actions, error, words):
    class Wrong(ReachTask):
        home = {}

    Wrong.actions = actions
    with pytest.raises(error, match=words):
        AmbfEnv(Wrong())


def test_bad_actions_are_refused():
    env = AmbfEnv(ReachTask())
    env.reset(seed=0)
    with pytest.raises(SpaceMismatch, match='expected \\(6,\\)'):
        env.step(np.zeros(5))
    with pytest.raises(BadValue, match='finite'):
        env.step(np.full(6, np.nan))
    for nothing in ('left', [0.0, 'left']):
        with pytest.raises(BadValue, match='expected numbers'):
            env.step(nothing)
    for not_made in (ReachTask, None):
        with pytest.raises(BadValue, match='expected a task that was made'):
            AmbfEnv(not_made)
        with pytest.raises(BadValue, match='expected a task that was made'):
            AmbfVectorEnv(not_made, 2)
    with pytest.raises(BadValue, match='backend'):
        AmbfEnv(ReachTask(), backend='carrier pigeon')
    with pytest.raises(BadValue, match='render_mode'):
        AmbfEnv(ReachTask(), render_mode='oil on canvas')


def test_bad_actions_of_vectors_are_refused():
    envs = AmbfVectorEnv(ReachTask(), 2)
    envs.reset(seed=0)
    for shape in ((2, 5), (3, 6), (12,)):
        with pytest.raises(SpaceMismatch, match='expected'):
            envs.step(np.zeros(shape))
    with pytest.raises(BadValue, match='finite'):
        envs.step(np.full((2, 6), np.inf))
    with pytest.raises(BadValue, match='expected one or 2'):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(BadValue, match='above 0'):
        AmbfVectorEnv(ReachTask(), 0)


@pytest.mark.parametrize(
    'change, error, words',
    [
        ({'bodies': ('psm/no such body',)}, UnknownObject, 'no such body'),
        ({'joints': ('psm/knee',)}, UnknownObject, 'knee'),
        ({'home': {'psm/knee': 0.1}}, SpaceMismatch, 'not among the actions'),
        ({'goal_size': 2}, SpaceMismatch, 'goal_size 2'),
        ({'start': lambda self, rng: Start(goal=np.zeros(2))}, SpaceMismatch, r'expected \(3,\)'),
        ({'observe': lambda self, view, goal: np.zeros(3)}, SpaceMismatch, 'observe'),
        ({'models': ('package://no_such_package/a.yaml',)}, BadValue, 'no_such_package'),
        ({'models': ('package://ambf_description/adf/nothing.yaml',)}, BadValue, 'no such file'),
    ],
)
def test_a_task_that_does_not_fit_its_world_is_refused(change, error, words):
    with pytest.raises(error, match=words):
        AmbfEnv(type('Wrong', (ReachTask,), change)()).reset(seed=0)


def test_targets_stay_within_the_limits_of_the_joints():
    env = AmbfEnv(ReachTask())
    env.reset(seed=0)
    for _ in range(120):
        env.step(np.array([0.0, 0.0, -1.0, 0.0, 0.0, 0.0]))
    assert env.episodes.targets[0, 2] == 0.0
