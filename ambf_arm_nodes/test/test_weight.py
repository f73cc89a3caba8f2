# SPDX-License-Identifier: BSD-3-Clause
"""An arm that has weight, and a world that takes it off."""

import pathlib

from arm_fixture import World, share

from ambf_msgs.srv import SetGravityCompensation


def test_the_weight_that_the_world_takes_off_is_not_borne_by_the_arm_too(tmp_path):
    # The shipped arms are balanced: their models have no gravity.
    text = pathlib.Path(share('adf/psm.yaml')).read_text()
    balanced = 'gravity: {x: 0.0, y: 0.0, z: 0.0}'
    assert balanced in text
    heavy = tmp_path / 'psm.yaml'
    heavy.write_text(text.replace(balanced, 'gravity: {x: 0.0, y: 0.0, z: -9.81}'))
    with World(('PSM1', 'psm', ''), models=(str(heavy),)) as world:
        psm = world.arm('/PSM1', 'gravity_compensation/setpoint_js')

        def weight():
            return max(abs(effort) for effort in psm.newest('gravity_compensation/setpoint_js').effort)

        def compensate(on):
            reply = world.call(
                SetGravityCompensation, '/ambf/env/World/set_gravity_compensation', models=['psm'], compensate=on
            )
            assert reply.ok, reply.message

        world.wait_for(lambda: weight() > 0.1, 'the weight')
        compensate(True)
        world.wait_for(lambda: weight() == 0.0, 'no weight')
        compensate(False)
        world.wait_for(lambda: weight() > 0.1, 'the weight')
