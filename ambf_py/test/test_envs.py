"""Environments: gymnasium's checks, seeds, spaces, vectors, and the tasks."""
import os
import warnings

import numpy as np
import pytest

pytest.importorskip('gymnasium', reason='gymnasium is not installed: pip install gymnasium')
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from ambf_py.env import AmbfEnv
from ambf_py.errors import BadValue, SpaceMismatch, UnknownObject
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


@pytest.mark.parametrize('name, seeds', [('reach', range(50 if LONG else 10)),
                                         ('peg_transfer', range(50) if LONG else [0]),
                                         ('needle_pick', range(50) if LONG else [])])
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


@pytest.mark.parametrize('actions, error, words', [
    ([JointAction('psm/no_such_joint', rate=0.1)], UnknownObject, 'did you mean'),
    ([JointAction('psm/baselink-yawlink', low=-9.0, high=9.0)], SpaceMismatch, "joint's limits"),
    ([JointAction('psm/baselink-yawlink', mode='effort')], SpaceMismatch, 'expected finite'),
    ([JointAction('psm/baselink-yawlink', mode='flying', low=-1.0, high=1.0)], BadValue, 'flying'),
    ([GraspAction('jaw_constrnt', 'jaw_proximity')], UnknownObject, 'jaw_constraint'),
    ([], SpaceMismatch, 'no actions')])
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


@pytest.mark.parametrize('change, error, words', [
    ({'bodies': ('psm/no such body',)}, UnknownObject, 'no such body'),
    ({'joints': ('psm/knee',)}, UnknownObject, 'knee'),
    ({'home': {'psm/knee': 0.1}}, SpaceMismatch, 'not among the actions'),
    ({'goal_size': 2}, SpaceMismatch, 'goal_size 2'),
    ({'start': lambda self, rng: Start(goal=np.zeros(2))}, SpaceMismatch, r'expected \(3,\)'),
    ({'observe': lambda self, view, goal: np.zeros(3)}, SpaceMismatch, 'observe'),
    ({'models': ('package://no_such_package/a.yaml',)}, BadValue, 'no_such_package'),
    ({'models': ('package://ambf_description/adf/nothing.yaml',)}, BadValue, 'no such file')])
def test_a_task_that_does_not_fit_its_world_is_refused(change, error, words):
    with pytest.raises(error, match=words):
        AmbfEnv(type('Wrong', (ReachTask,), change)()).reset(seed=0)


def test_targets_stay_within_the_limits_of_the_joints():
    env = AmbfEnv(ReachTask())
    env.reset(seed=0)
    for _ in range(120):
        env.step(np.array([0.0, 0.0, -1.0, 0.0, 0.0, 0.0]))
    assert env.episodes.targets[0, 2] == 0.0
