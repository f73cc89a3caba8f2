# SPDX-License-Identifier: BSD-3-Clause
from pathlib import Path

import pytest
import rclpy.node

from launch import LaunchContext
from launch.actions import GroupAction, SetLaunchConfiguration, Shutdown, TimerAction
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution, TextSubstitution
from launch_ros.actions import Node, PushRosNamespace, SetParameter, SetParametersFromFile
from launch_ros.actions import ROSTimer, SetRemap, SetUseSimTime
from launch_ros.descriptions import Parameter, ParameterFile, ParameterValue
from launch_ros.substitutions import FindPackagePrefix, FindPackageShare
from launch_ros.utilities import evaluate_parameters, normalize_parameters, prefix_namespace


def lines(out, word):
    return [line.partition(f'{word} ')[2] for line in out.splitlines() if f'] {word} ' in line]


def test_node_gets_name_namespace_arguments_and_remappings(run, package):
    code, out = run(Node(
        package=package, executable='show_node', name='named', namespace='ns', output='screen',
        arguments=['--own', 'x'], ros_arguments=['--log-level', 'warn'],
        remappings=[('topic', 'other')]))
    assert code == 0
    assert lines(out, 'NODE') == ['/ns/named /ns/other']
    assert lines(out, 'ARGS') == ["['--own', 'x']"]


def test_parameters_of_every_kind_reach_the_node(run, program, tmp_path):
    file = tmp_path / 'p.yaml'
    file.write_text('/**:\n  ros__parameters:\n    from_file: $(var x)\n    both: file\n')
    _, out = run(
        SetLaunchConfiguration('x', '42'),
        Node(executable=program, name='n', output='screen', parameters=[
            {'int': 1, 'text': '5', 'list': [1, 2.5], 'bools': [True, False], 'nested': {'k': 'v'},
             'sub': LaunchConfiguration('x'), 'joined': [LaunchConfiguration('x'), 'abc'],
             'forced': ParameterValue(LaunchConfiguration('x'), value_type=str),
             'xml': '<a b="c">\n: #</a>', 'both': 'dict'},
            ParameterFile(str(file), allow_substs=True),
            Parameter('single', 3.5)]))
    parameters = dict(line.split(' ', 1) for line in lines(out, 'PARAM'))
    expected = {'int': '1', 'text': "'5'", 'list': '[1.0, 2.5]', 'bools': '[True, False]',
                'nested.k': "'v'", 'sub': '42', 'joined': "'42abc'", 'forced': "'42'",
                'xml': repr('<a b="c">\n: #</a>'), 'from_file': '42', 'both': "'file'",
                'single': '3.5'}
    assert {name: parameters[name] for name in expected} == expected


def test_group_remaps_before_the_node_and_the_node_sets_after_the_group(run, program, tmp_path):
    shared = tmp_path / 'shared.yaml'
    shared.write_text('/**:\n  ros__parameters:\n    from_shared: 7\n')
    _, out = run(
        GroupAction([
            PushRosNamespace('a'), PushRosNamespace('b'), SetRemap('topic', 'of_group'),
            SetParameter('p', 1), SetParameter('use_sim_time', True),
            SetParametersFromFile(str(shared)),
            Node(executable=program, name='in', output='screen', parameters=[{'p': 2}],
                 remappings=[('topic', 'of_node')])]),
        Node(executable=program, name='out', output='screen'))
    assert set(lines(out, 'NODE')) == {'/a/b/in /a/b/of_group', '/out /topic'}
    parameters = lines(out, 'PARAM')
    assert 'p 2' in parameters and 'from_shared 7' in parameters
    assert parameters.count('use_sim_time True') == 1
    assert parameters.count('use_sim_time False') == 1


def test_temporary_parameter_files_do_not_name_other_nodes(run, program):
    node = Node(executable=program, name='n', namespace='/ns', parameters=[{'p': 1}])
    run(node)
    assert node.node_name == '/ns/n' and node.is_node_name_fully_specified()
    path = node.cmd[node.cmd.index('--params-file') + 1]
    with open(path) as file:
        assert file.readline() == '/ns/n:\n'


def test_parameters_reach_a_node_that_chooses_its_own_namespace(run, program):
    source = open(program).read().replace("Node('unnamed'", "Node('unnamed', namespace='inner'")
    open(program, 'w').write(source)
    _, out = run(Node(executable=program, name='n', output='screen', parameters=[{'x': 5}]))
    assert lines(out, 'NODE') == ['/inner/n /inner/topic'] and 'x 5' in lines(out, 'PARAM')


def test_missing_parameter_file_is_left_out_with_a_warning(run, program):
    node = Node(executable=program, output='screen', parameters=['/no/such.yaml', {'x': 5}])
    code, out = run(node)
    assert code == 0 and 'Parameter file path is not a file: /no/such.yaml' in out
    assert node.cmd.count('--params-file') == 1 and 'x 5' in lines(out, 'PARAM')


@pytest.mark.parametrize('arguments, message', [
    ({'name': 'my-node'}, 'Invalid node name: node name must not contain'),
    ({'name': ''}, 'Invalid node name: node name must not be empty'),
    ({'namespace': 'a-b'}, 'Invalid namespace: namespace must not contain')])
def test_bad_names_start_nothing(run, program, arguments, message):
    code, out = run(Node(executable=program, output='screen', **arguments))
    assert code == 1 and message in out and lines(out, 'NODE') == []


def test_ros_timer_starts_after_what_stands_beside_it(run, monkeypatch):
    simulated = []
    create_timer = rclpy.node.Node.create_timer

    def create(node, *args, **kwargs):
        simulated.append(node.get_parameter('use_sim_time').value)
        return create_timer(node, *args, **kwargs)
    monkeypatch.setattr(rclpy.node.Node, 'create_timer', create)
    code, _ = run(ROSTimer(period=60.0, actions=[]), SetUseSimTime(True),
                  TimerAction(period=0.2, actions=[Shutdown()]))
    assert code == 0 and simulated == [True]


def test_unknown_package_and_executable_fail_with_their_names(run, package):
    code, out = run(Node(package='no_such_package', executable='x'))
    assert code == 1 and "package 'no_such_package' not found" in out
    code, out = run(Node(package=package, executable='no_such_program'))
    assert code == 1 and "executable 'no_such_program' not found on the libexec directory" in out


def test_packages_are_found(package):
    context = LaunchContext()
    share = PathJoinSubstitution([FindPackageShare(package), 'launch']).perform(context)
    assert share.endswith('/share/shown/launch')
    assert FindPackagePrefix(package).perform(context).endswith('/prefix')


def test_bad_parameters_are_refused_with_a_hint():
    context = LaunchContext()
    context.launch_configurations['xml'] = '<a: b: c>'
    with pytest.raises(TypeError, match="parameter 'p'.*value_type=str"):
        evaluate_parameters(context, normalize_parameters([{'p': LaunchConfiguration('xml')}]))
    with pytest.raises(TypeError, match='uniform type'):
        evaluate_parameters(context, normalize_parameters([{'p': [1, 'a']}]))
    with pytest.raises(TypeError, match="expected 'parameters' to be a list"):
        normalize_parameters({'p': 1})


@pytest.mark.parametrize('value', [TextSubstitution(text='~'), TextSubstitution(text='2024-01-02'), Path('a')])
def test_values_that_no_parameter_can_hold_are_refused(value):
    with pytest.raises(TypeError, match="parameter 'p': Allowed value types are"):
        evaluate_parameters(LaunchContext(), normalize_parameters([{'p': value}]))


def test_empty_text_is_an_empty_string():
    (evaluated,) = evaluate_parameters(
        LaunchContext(), normalize_parameters([{'p': TextSubstitution(text='')}]))
    assert evaluated == {'p': ''}


@pytest.mark.parametrize('base, name, joined', [
    (None, 'a', 'a'), ('/a', 'b', '/a/b'), ('/a', '/b', '/b'), ('/a', '', '/a'), ('/', 'b', '/b')])
def test_namespaces_are_joined_unless_absolute(base, name, joined):
    assert prefix_namespace(base, name) == joined
