# SPDX-License-Identifier: BSD-3-Clause
"""A tool that is exchanged while its jaw holds something, in lockstep: no time passes, and the new jaw takes hold of it."""

import numpy
import pytest
from contact_fixture import SQUEEZE, Bench, ring_bench
from std_msgs.msg import String


@pytest.fixture
def bench():
    with ring_bench() as world:
        yield Bench(world)


def jaw(bench) -> float:
    return bench.psm.newest('jaw/measured_js').position[0]


def test_a_ring_in_the_jaw_is_held_by_the_new_one_which_obeys(bench):
    psm = bench.psm
    psm.listen('tool_type')
    start, _ = bench.lift()
    lifted, around = bench.ring(), jaw(bench)
    assert lifted[2] - start[2] > 0.049 and around > 0.3
    before = list(psm.newest('setpoint_js').position)
    psm.say('set_tool_type', String(data='PROGRASP_FORCEPS'))
    bench.world.wait_for(
        lambda: any(m.data.startswith('PROGRASP') for m in psm.heard['tool_type']) and not psm.states[-1].is_busy,
        'the tool',
    )
    bench.step(2000)
    # New fingers begin where the old ones were asked to be, and what is between them keeps them apart.
    held = bench.ring()
    print(
        f'the ring moved {1e3 * numpy.linalg.norm(held - lifted):.2f} mm, the jaw {around:.3f} to {jaw(bench):.3f} rad'
    )
    assert numpy.linalg.norm(held - lifted) < 0.005 and jaw(bench) > 0.3
    assert numpy.abs(numpy.subtract(psm.newest('setpoint_js').position, before)).max() < 1e-9
    assert psm.newest('jaw/setpoint_js').position[0] == pytest.approx(SQUEEZE, abs=1e-9)
    assert psm.command_and_wait('enable').is_homed and not psm.heard['error']
    # It lets go, and closes on nothing.
    bench.jaw(0.9)
    bench.step(500)
    assert bench.ring()[2] < start[2] + 0.01
    assert jaw(bench) == pytest.approx(0.9, abs=0.02)
    bench.jaw(SQUEEZE)
    bench.step(500)
    assert abs(jaw(bench)) < 0.02, 'its fingers meet'
