# SPDX-License-Identifier: BSD-3-Clause
"""Worlds that tests talk to."""

import pathlib
import time

import numpy as np
import pytest

from ambf_py.simulator import Simulator

PSM = 'package://ambf_description/adf/psm.yaml'
PENDULUM = 'package://ambf_description/adf/pendulum.yaml'


@pytest.fixture(scope='module')
def simulator():
    with Simulator(models=[PSM, PENDULUM], mode='lockstep') as simulator:
        yield simulator


def wait_for(condition, what: str, timeout: float = 90.0):
    """Until it holds; says what was missing otherwise."""
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, f'no {what} within {timeout} s'
        time.sleep(0.005)


def slider_task(**changes):
    """A task with a world of its own, whose action has no rate: 0 is the middle of its span, not `stay`."""
    from ambf_py.task import JointAction, Start, Task

    class SliderTask(Task):
        models = (str(pathlib.Path(__file__).parent / 'worlds/slider.yaml'),)
        actions = (JointAction('slide'),)
        bodies, joints = ('rig/carriage', 'rig/ball'), ('slide',)
        home_steps, settle_steps, frame_skip, max_steps = 200, 30, 10, 3
        goal_size = 1

        def start(self, rng):
            return Start(
                {'rig/ball': np.array([0.0, 2.0, rng.uniform(1.0, 2.0), 0.0, 0.0, 0.0, 1.0])}, rng.uniform(0.0, 0.5, 1)
            )

    return type('ChangedTask', (SliderTask,), changes)()
