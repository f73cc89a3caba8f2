# SPDX-License-Identifier: BSD-3-Clause
"""Commands that a client gives before the arm has found it are obeyed, once each, with a stamp and without."""

import signal

import pytest
from arm_fixture import LATCHED, Client, arm_process, seconds
from crtk_msgs.msg import StringStamped
from std_msgs.msg import String


@pytest.fixture(scope='module')
def client():
    made = Client()
    made.processes = [arm_process('PSM1', 'psm')]
    made.desired = []
    made.node.create_subscription(String, '/PSM1/desired_state', lambda m: made.desired.append(m.data), LATCHED)
    made.wait_for(lambda: made.desired, 'the arm')
    yield made
    made.close()
    for process in made.processes:
        process.end()


@pytest.mark.parametrize('stamped', [False, True])
def test_a_command_is_obeyed_that_was_given_before_the_arm_found_the_client(client, stamped):
    def command(publisher, text: str):
        message = StringStamped(string=text)
        if stamped:
            message.header.stamp = client.node.get_clock().now().to_msg()
            assert seconds(message.header.stamp) > 0.0
        publisher.publish(message)

    for text, state in (('enable', 'ENABLED'), ('disable', 'DISABLED'), ('enable', 'ENABLED')):
        told = len(client.desired)
        # An arm that stands still finds nobody: what is said meanwhile it cannot hear live.
        arm = client.processes[0].process
        arm.send_signal(signal.SIGSTOP)
        try:
            script = Client('script')
            publisher = script.node.create_publisher(StringStamped, '/PSM1/state_command', LATCHED)
            command(publisher, text)
        finally:
            arm.send_signal(signal.SIGCONT)
        client.wait_for(lambda: len(client.desired) > told, f'an answer to {text}')
        assert client.desired[told:] == [state]
        client.wait_for(lambda: publisher.get_subscription_count() == 2, 'both ears of the arm')
        # Heard by both now.
        for _ in range(3):
            command(publisher, text)
        client.wait_for(lambda: len(client.desired) >= told + 4, f'an answer to each {text}')
        client.spin_for(0.3)
        assert client.desired[told:] == [state] * 4, 'each once'
        script.close()
