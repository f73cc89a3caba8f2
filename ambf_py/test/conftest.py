"""Worlds that tests talk to."""
import time

import pytest

from ambf_py.simulator import Simulator

PSM = 'package://ambf_description/adf/psm.yaml'
PENDULUM = 'package://ambf_description/adf/pendulum.yaml'


@pytest.fixture(scope='module')
def simulator():
    with Simulator(models=[PSM, PENDULUM], mode='lockstep') as simulator:
        yield simulator


def wait_for(condition, what: str, timeout: float = 20.0):
    """Until it holds; says what was missing otherwise."""
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, f'no {what} within {timeout} s'
        time.sleep(0.005)
