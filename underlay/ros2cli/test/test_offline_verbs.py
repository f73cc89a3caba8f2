# SPDX-License-Identifier: BSD-3-Clause
import statistics
import subprocess
import sys
import time


def test_help_and_missing_verbs_exit_zero(ros2):
    for arguments in ((), ('--help',), ('topic',)):
        result = ros2(*arguments)
        assert result.code == 0 and 'Commands:' in result.out
        assert result.out.startswith('usage: ros2')


USAGE_ERRORS = [
    (('nonsense',), "invalid choice: 'nonsense'"),
    (('topic', 'nonsense'), "invalid choice: 'nonsense'"),
    (('topic', 'list', '--nonsense'), 'unrecognized arguments: --nonsense'),
    (('topic', 'echo'), 'the following arguments are required: topic_name'),
]


def test_usage_errors_exit_two(ros2_each):
    results = ros2_each(*(arguments for arguments, _ in USAGE_ERRORS))
    for result, (_, message) in zip(results, USAGE_ERRORS):
        assert result.code == 2 and result.err.startswith('usage: ros2') and message in result.err


def test_help_does_not_import_the_client_library(environment):
    code = ("import sys; sys.argv = ['ros2', '--help']\n"
            'from ros2cli.cli import main\n'
            'try: main()\nexcept SystemExit: pass\n'
            "print('LOADED', [name for name in ('rclpy', 'yaml', 'numpy') if name in sys.modules])")
    out = subprocess.run([sys.executable, '-c', code], env=environment, text=True,
                         capture_output=True).stdout
    assert out.endswith('LOADED []\n')


def test_help_costs_at_most_one_and_a_half_imports_of_rclpy(environment):
    def seconds(*command):
        start = time.monotonic()
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - start
    help_code = "import sys; sys.argv = ['ros2', '-h']; from ros2cli.cli import main; main()"
    pairs = [(seconds(sys.executable, '-c', help_code),
              seconds(sys.executable, '-c', 'import rclpy')) for _ in range(5)]
    assert statistics.median(ours / theirs for ours, theirs in pairs) <= 1.5


def test_packages_and_their_programs(ros2, package):
    package.add_program('program', '#!/bin/sh\nexit 0\n')
    assert 'sample\n' in ros2('pkg', 'list').out
    assert ros2('pkg', 'prefix', 'sample').out == f'{package.prefix}\n'
    assert ros2('pkg', 'prefix', '--share', 'sample').out == f'{package.prefix}/share/sample\n'
    assert 'sample program\n' in ros2('pkg', 'executables', 'sample').out
    assert ros2('pkg', 'xml', 'sample', '-t', 'version').out == '1.2.3\n'
    unknown = ros2('pkg', 'prefix', 'no_such_package')
    assert (unknown.code, unknown.err) == (1, 'Package not found\n')


def test_components_in_the_index(ros2, package):
    assert 'sample\n  sample::Node\n' in ros2('component', 'types').out
    assert ros2('component', 'types', 'sample').out == 'sample::Node\n'


def test_interfaces_are_listed_and_shown(ros2):
    listed = ros2('interface', 'list').out
    assert listed.startswith('Messages:\n') and '    std_msgs/msg/String\n' in listed
    assert 'Services:\n' in listed and '    test_msgs/action/Fibonacci\n' in listed
    assert ros2('interface', 'show', 'geometry_msgs/msg/Twist').out == (
        '# This expresses velocity in free space broken into its linear and angular parts.\n\n'
        'Vector3  linear\n\tfloat64 x\n\tfloat64 y\n\tfloat64 z\n'
        'Vector3  angular\n\tfloat64 x\n\tfloat64 y\n\tfloat64 z\n')
    assert ros2('interface', 'show', '-', text='std_msgs/msg/Bool\n').out.endswith('bool data\n')
    assert 'std_srvs/srv/SetBool\n' in ros2('interface', 'package', 'std_srvs').out
    assert 'std_srvs\n' in ros2('interface', 'packages', '--only-srvs').out
    assert ros2('interface', 'proto', 'std_msgs/msg/Int32').out == '"data: 0\n"\n'
    unknown = ros2('interface', 'show', 'std_msgs/msg/Nothing')
    assert unknown.code == 1 and 'std_msgs/msg/Nothing' in unknown.err


def test_run_passes_arguments_and_exit_code(ros2, package):
    package.add_program('say', '#!/bin/sh\necho "$@"; exit 3\n')
    package.add_program('die', '#!/bin/sh\nkill -SEGV $$\n')
    said = ros2('run', 'sample', 'say', '--ros-args', '-p', 'a:=1')
    assert said.code == 3
    assert said.out == '--ros-args -p a:=1\n[ros2run]: Process exited with failure 3\n'
    assert ros2('run', '--prefix', 'echo run', 'sample', 'say').out.startswith('run /')
    assert '[ros2run]: Segmentation fault' in ros2('run', 'sample', 'die').out
    assert ros2('run', 'sample', 'nothing').err == 'No executable found\n'
    assert ros2('run', 'no_such_package', 'x').err == "Package 'no_such_package' not found\n"


def test_wrong_types_are_named(ros2_each):
    for result in ros2_each(('topic', 'pub', '/x', 'std_msgs/msg/Nothing'),
                            ('service', 'call', '/x', 'nonsense')):
        assert result.code == 1 and 'type is invalid' in result.err


def test_values_out_of_range_are_refused(ros2_each):
    for result in ros2_each(
            ('topic', 'pub', '/x', 'std_msgs/msg/UInt8', '{data: -1}'),
            ('topic', 'pub', '/x', 'std_msgs/msg/UInt8', '{data: text}'),
            ('topic', 'pub', '/x', 'std_msgs/msg/UInt8', '[1]')):
        assert result.code == 1 and 'Traceback' not in result.err
