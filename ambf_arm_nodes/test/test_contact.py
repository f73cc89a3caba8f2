# SPDX-License-Identifier: BSD-3-Clause
"""A PSM that touches the world, in lockstep: it presses a plate on a scale, and holds a ring by friction alone."""

import numpy
import pytest
from contact_fixture import FINGERS, TOP, Bench, ring_bench


@pytest.fixture(scope='module')
def bench():
    with ring_bench(report_contacts=True) as world:
        yield Bench(world)


def agree(told, found):
    print(f'told {told.round(3)} N, found {found.round(3)} N')
    assert numpy.linalg.norm(found) > 0.5, 'it presses'
    assert numpy.linalg.norm(told - found) < 0.1 * numpy.linalg.norm(found), (told, found)


def test_who_presses_is_not_where_it_was_asked_to_be_and_tells_the_force(bench):
    bench.jaw(0.0)
    bench.step(200)
    weight = bench.on_the_scale()
    above = numpy.array([-0.02, -0.01, TOP + FINGERS + 0.002])
    bench.move('move_cp', bench.pose(above))
    bench.step(200)
    assert numpy.linalg.norm(bench.on_the_plate()) == 0.0
    assert numpy.linalg.norm(bench.told()) < 0.02, 'nothing is touched'
    assert numpy.linalg.norm(bench.tip() - above) < 1e-4
    # Through a move: 2 mm into the plate.
    bench.move('move_cp', bench.pose(above - [0.0, 0.0, 0.004]))
    bench.step(500)
    pressed = bench.on_the_plate()
    assert bench.tip()[2] - (above[2] - 0.004) > 1e-3, 'the plate is in its way'
    agree(bench.told(), pressed)
    # The scale is another witness.
    assert weight - bench.on_the_scale() == pytest.approx(pressed[2], rel=0.02)
    # Through a stream: deeper, and aside, against friction.
    for i in range(1, 41):
        bench.servo(above - [0.0, -5e-5 * i, 0.004 + 2.5e-5 * i])
        bench.step(10, 10)
    bench.step(500)
    rubbed = bench.on_the_plate()
    assert rubbed[2] < 1.2 * pressed[2], 'deeper is more'
    assert abs(rubbed[1]) > 0.1, 'it rubs'
    agree(bench.told(), rubbed)
    bench.move('move_cp', bench.pose(above + [0.0, 0.0, 0.03]))


def test_a_ring_is_lifted_by_friction_and_held_for_ten_seconds(bench):
    start, held = bench.lift()
    bench.step(10000)
    lifted, slipped = bench.ring()[2] - start[2], bench.ring() - bench.tip() - held
    print(f'lifted {1e3 * lifted:.2f} mm of 50, slipped {1e3 * numpy.linalg.norm(slipped):.4f} mm')
    assert lifted > 0.049
    assert numpy.linalg.norm(slipped) < 2e-4
    bench.jaw(0.9)
    bench.step(500)
    assert bench.ring()[2] < start[2] + 0.01, 'it falls when it is let go'
