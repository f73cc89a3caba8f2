# SPDX-License-Identifier: BSD-3-Clause
import os
import select
import signal
import subprocess
import sys
import time

import pytest


@pytest.fixture(scope='module')
def server(environment):
    process = subprocess.Popen(
        [sys.executable, os.path.join(os.path.dirname(__file__), 'server.py')], text=True,
        env=environment, stdout=subprocess.PIPE)
    try:
        assert process.stdout.readline() == 'up\n'
        yield process
        process.send_signal(signal.SIGINT)
        process.wait(90)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_nodes_are_listed_and_described(ros2_each, server):
    listed, info, unknown = ros2_each(
        ('node', 'list'), ('node', 'info', '/cli/server'), ('node', 'info', '/nobody'))
    assert listed.out == '/cli/server\n'
    assert info.out.startswith(
        '/cli/server\n  Subscribers:\n    /cli/heard: std_msgs/msg/String\n')
    assert '  Service Servers:\n' in info.out
    assert '    /cli/switch: std_srvs/srv/SetBool\n' in info.out
    assert '  Action Servers:\n    /cli/count: test_msgs/action/Fibonacci\n' in info.out
    assert unknown.code == 1 and unknown.err == "Unable to find node '/nobody'\n"


def test_topics_are_listed_and_described(ros2_each, server):
    listed, kind, info, unknown, nothing = ros2_each(
        ('topic', 'list', '-t', '--no-daemon'), ('topic', 'type', '/cli/text'),
        ('topic', 'info', '/cli/text'), ('topic', 'info', '/nothing'),
        ('topic', 'type', '/nothing'))
    assert '/cli/text [std_msgs/msg/String]\n' in listed.out
    assert kind.out == 'std_msgs/msg/String\n'
    assert info.out == 'Type: std_msgs/msg/String\nPublisher count: 1\nSubscription count: 0\n'
    assert unknown.code == 1 and unknown.err == "Unknown topic '/nothing'\n"
    assert (nothing.code, nothing.out, nothing.err) == (1, '', '')


def test_echo_prints_yaml_fields_csv_and_truncates(ros2_each, server):
    text, field, numbers, row, hidden, unknown = ros2_each(
        ('topic', 'echo', '--once', '/cli/text'),
        ('topic', 'echo', '--once', '--field', 'data', '/cli/text', 'std_msgs/msg/String'),
        ('topic', 'echo', '--once', '/cli/numbers'),
        ('topic', 'echo', '--once', '--csv', '--full-length', '/cli/numbers'),
        ('topic', 'echo', '--once', '--no-arr', '/cli/numbers'),
        ('topic', 'echo', '/nothing'))
    assert text.out == "data: 'hello: world'\n---\n"
    assert field.out == 'hello: world\n---\n'
    assert "- 127\n- '...'\n---\n" in numbers.out and '- 128\n' not in numbers.out
    assert row.out.endswith(',198,199\n')
    assert "data: '<sequence type: int32, length: 200>'\n" in hidden.out
    assert unknown.code == 1
    assert 'topic [/nothing] does not appear to be published yet' in unknown.err
    assert unknown.err.endswith('Could not determine the type for the passed topic\n')


def test_rates_are_reported_until_interrupted(ros2_process, server):
    processes = [(ros2_process('topic', verb, '/cli/text'), expected)
                 for verb, expected in (('hz', 'average rate: '), ('bw', ' messages\n'))]
    for process, expected in processes:
        deadline, text = time.monotonic() + 90, ''
        while expected not in text and time.monotonic() < deadline:
            text += process.stdout.readline()
        assert expected in text
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == signal.SIGINT


def test_publishing_reaches_the_subscriber(ros2_each, server):
    result, nobody = ros2_each(
        ('topic', 'pub', '--once', '/cli/heard', 'std_msgs/msg/String', 'data: x 1'),
        ('topic', 'pub', '-1', '--max-wait-time-secs', '0.2', '/nobody', 'std_msgs/msg/String'))
    assert result.code == 0
    assert "publisher: beginning loop\npublishing #1: std_msgs.msg.String(data='x 1')\n" \
        in result.out
    assert select.select([server.stdout], [], [], 30)[0], 'the message did not arrive'
    assert server.stdout.readline() == 'HEARD x 1\n'
    assert nobody.code == 1
    assert 'Waiting for at least 1 matching subscription(s)...' in nobody.out


def test_services_are_called(ros2_each, server):
    listed, kind, info, result, wrong = ros2_each(
        ('service', 'list'), ('service', 'type', '/cli/switch'),
        ('service', 'info', '/cli/switch'),
        ('service', 'call', '/cli/switch', 'std_srvs/srv/SetBool', '{data: 12}'),
        ('service', 'call', '/cli/switch', 'std_srvs/srv/SetBool', '{datum: 1}'))
    assert '/cli/switch\n' in listed.out and kind.out == 'std_srvs/srv/SetBool\n'
    assert info.out.startswith('Type: std_srvs/srv/SetBool\nClients count: ')
    assert info.out.endswith('\nServices count: 1\n')
    assert result.code == 0
    assert result.out.endswith(
        'requester: making request: std_srvs.srv.SetBool_Request(data=True)\n\n'
        "response:\nstd_srvs.srv.SetBool_Response(success=True, message='done')\n\n")
    assert wrong.code == 1 and "no attribute 'datum'" in wrong.err


def test_actions_are_listed_and_goals_sent(ros2_each, server):
    listed, info, goal = ros2_each(
        ('action', 'list', '-t'), ('action', 'info', '/cli/count'),
        ('action', 'send_goal', '--feedback', '/cli/count', 'test_msgs/action/Fibonacci',
         '{order: 4}'))
    assert listed.out == '/cli/count [test_msgs/action/Fibonacci]\n'
    assert 'Action servers: 1\n    /cli/server\n' in info.out
    # Feedback may overtake the acceptance.
    assert 'Sending goal:\n     order: 4\n\n' in goal.out
    assert 'Goal accepted with ID: ' in goal.out
    assert 'Feedback:\n    sequence:\n    - 0\n    - 1\n    - 1\n' in goal.out
    assert goal.out.endswith('\n\nGoal finished with status: SUCCEEDED\n')


def test_parameters_are_read(ros2_each, server):
    listed, level, plain, unset, nobody, described, dumped = ros2_each(
        ('param', 'list', '/cli/server'), ('param', 'get', '/cli/server', 'level'),
        ('param', 'get', '--hide-type', '/cli/server', 'group.text'),
        ('param', 'get', '/cli/server', 'nothing'), ('param', 'get', '/nobody', 'x'),
        ('param', 'describe', '/cli/server', 'level'), ('param', 'dump', '/cli/server'))
    assert '  group.text\n  level\n' in listed.out
    assert level.out == 'Integer value is: 5\n' and plain.out == 'hello\n'
    assert unset.code == 1 and 'Parameter not set' in unset.err
    assert nobody.code == 1 and nobody.err == 'Node not found\n'
    assert described.out == (
        'Parameter name: level\n  Type: integer\n  Description: A level\n'
        '  Constraints:\n    Min value: 0\n    Max value: 10\n    Step: 1\n')
    assert dumped.out.startswith(
        '/cli/server:\n  ros__parameters:\n    group:\n      text: hello\n    level: 5\n')


def test_parameters_are_set(ros2, ros2_each, server, tmp_path):
    file, broken_file = tmp_path / 'load.yaml', tmp_path / 'broken.yaml'
    file.write_text('/**:\n  ros__parameters:\n    group:\n      text: loaded\n')
    broken_file.write_text('{broken')
    set_level, refused, loaded, broken = ros2_each(
        ('param', 'set', '/cli/server', 'level', '6'),
        ('param', 'set', '/cli/server', 'level', '60'),
        ('param', 'load', '/cli/server', str(file)),
        ('param', 'load', '/cli/server', str(broken_file)))
    assert set_level.out == 'Set parameter successful\n'
    assert refused.code == 0 and refused.err.startswith('Setting parameter failed: ')
    assert loaded.out == 'Set parameter group.text successful\n'
    assert broken.code == 1 and 'does not parse' in broken.err
    dumped = ros2('param', 'dump', '/cli/server').out
    assert 'text: loaded\n' in dumped and 'level: 6\n' in dumped
