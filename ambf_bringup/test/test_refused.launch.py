# SPDX-License-Identifier: BSD-3-Clause
"""A device that refuses its parameters says so once and stays away; one that is killed comes back."""

import os
import pathlib
import signal
import tempfile

import launch_testing
from launch import LaunchDescription
from process_watch import process_of
from world_watch import WorldWatch, bring_up

DRIVERS = pathlib.Path(tempfile.mkdtemp()) / 'drivers.yaml'
MOCK = 'ambf_device_nodes/mock_device'


def generate_test_description():
    DRIVERS.write_text(
        'teacher: {executable: mock_device, parameters: {max_force: -1.0}}\n'
        'pupil: {executable: mock_device, parameters: {rate: 200.0, trajectory_scale: 0.01}}\n'
    )
    return LaunchDescription(
        [
            bring_up(
                'teleop.launch.py',
                world='package://ambf_description/worlds/shared_proxy/launch.yaml',
                drivers=str(DRIVERS),
            ),
            launch_testing.actions.ReadyToTest(),
        ]
    )


class Refused(WorldWatch):
    def tearDown(self):
        super().tearDown()
        DRIVERS.unlink()
        DRIVERS.parent.rmdir()

    def test_a_refusal_is_said_once_and_a_kill_is_made_good(self, proc_output):
        def refusals() -> int:
            return b''.join(event.text for event in proc_output).count(b"parameter 'max_force'")

        def the_others_live() -> bool:
            return bool(self.states['']) and self.states[''][-1].n_devices == 2

        self.wait_for(refusals, 'the refusal')
        # A kill is made good after a second: had the refusal been, too, it would have come twice meanwhile.
        for _ in range(3):
            self.states[''].clear()
            self.wait_for(the_others_live, 'the live hands')
            first = process_of(MOCK, 'pupil')
            os.kill(first, signal.SIGKILL)
            self.wait_for(lambda: process_of(MOCK, 'pupil') not in (None, first), 'the killed device again')
        self.states[''].clear()
        self.wait_for(the_others_live, 'the live hands at the end')
        self.assertIsNone(process_of(MOCK, 'teacher'))
        self.assertEqual(refusals(), 1)
