# SPDX-License-Identifier: BSD-3-Clause
"""A demo is built from what it runs; everything else is added to the same folders later."""

import argparse
import subprocess
import sys

from conftest import CHECKOUT


def packages(*arguments) -> set:
    text = subprocess.run(
        [sys.executable, CHECKOUT / 'setup' / 'packages.py', *arguments], check=True, capture_output=True, text=True
    ).stdout
    return {line.split('/')[-1] for line in text.split()}


def test_a_demo_needs_its_nodes_only():
    demo = packages('ws', 'demo') | packages('underlay', 'demo')
    assert {
        'ambf_physics_node',
        'ambf_render_node',
        'ambf_bringup',
        'ambf_description',
        'ambf_msgs',
        'rclcpp',
        'rclcpp_components',
        'launch_ros',
        'ros2cli',
    } <= demo
    assert (
        not {
            'conformance',
            'bench',
            'ambf_device_nodes',
            'simulation_interfaces',
            'example_interfaces',
            'rosbag2_transport',
            'launch_testing',
        }
        & demo
    )
    assert demo < packages('ws', 'all') | packages('underlay', 'all')


def test_arms_are_built_for_demos_whose_hands_move_them():
    arms = {'ambf_arm_nodes', 'ambf_arms', 'crtk_msgs'}

    def built(*arguments) -> set:
        return arms & (packages('ws', 'demo', *arguments) | packages('underlay', 'demo', *arguments))

    assert built() == built('peg_transfer') == built('render:=false') == built('--video', 'hands.mp4') == arms
    assert built('boxes') == arms and not built('peg_transfer', 'hands:=none')


def test_devices_are_built_for_demos_whose_arms_people_lead():
    assert 'ambf_device_nodes' in packages('ws', 'demo', 'hands:=gamepad')
    assert 'ambf_device_nodes' not in packages('ws', 'demo')


def test_the_set_up_knows_which_demos_have_hands():
    code = 'import demo, packages; assert list(demo.DEMOS) == packages.WITH_HANDS and demo.DEFAULT == packages.WITH_HANDS[0]'
    subprocess.run([sys.executable, '-B', '-c', code], check=True, cwd=CHECKOUT / 'setup')


def test_arguments_add_what_they_start():
    assert {'rosbag2_transport', 'ros2bag'} <= packages('underlay', 'demo', 'boxes', 'record:=folder')
    assert 'ambf_simulation_interfaces' in packages('ws', 'demo', 'simulation_interfaces:=true')
    assert 'ambf_simulation_interfaces' not in packages('ws', 'demo', 'simulation_interfaces:=false')


def built_with_tests(machine) -> list:
    return ['ON' if '-DBUILD_TESTING=ON' in call else 'OFF' for call in machine.calls('colcon')]


def test_tests_are_added_once_and_stay(machine):
    # The fake demo script ends at once: python3 of the fake environment is the real one, without a ROS.
    machine.run('demo')
    assert built_with_tests(machine) == ['OFF', 'OFF']
    machine.run('demo')
    assert built_with_tests(machine) == ['OFF', 'OFF'], 'the second time there is nothing to do'
    assert machine.run('build')[0] == 0
    assert built_with_tests(machine) == ['OFF', 'OFF', 'ON', 'ON']
    machine.run('demo')
    assert built_with_tests(machine) == ['OFF', 'OFF', 'ON', 'ON'], 'everything holds the demo too'


def test_a_package_that_others_take_where_it_is_there_has_them_look_again(machine):
    jazzy = machine.prefix('jazzy', '28.1.5')
    sourced = {'AMENT_PREFIX_PATH': str(jazzy), 'ROS_DISTRO': 'jazzy'}
    noted = machine.out / 'ws' / 'optional'
    assert machine.run('build', **sourced)[0] == 0
    assert noted.read_text().split() == ['crtk_msgs'], 'which the workspace builds itself'
    (jazzy / 'share' / 'control_msgs').mkdir()
    (jazzy / 'share' / 'control_msgs' / 'package.xml').write_text('')
    assert machine.run('build', **sourced)[0] == 0
    assert noted.read_text().split() == ['control_msgs', 'crtk_msgs'] and len(machine.calls('colcon')) == 2
    assert machine.run('build', **sourced)[0] == 0
    assert len(machine.calls('colcon')) == 2, 'nothing has changed'


def test_a_stock_ros_gets_the_messages_of_arms(machine):
    """No distribution has them; without them there are no arms, and nothing moves in the first demo."""
    jazzy = machine.prefix('jazzy', '28.1.5')
    sourced = {'AMENT_PREFIX_PATH': str(jazzy), 'ROS_DISTRO': 'jazzy'}
    machine.run('demo', **sourced)
    machine.run('build', **sourced)
    assert ['underlay/crtk_msgs' in call for call in machine.calls('colcon')] == [True, True]
    (jazzy / 'share' / 'crtk_msgs').mkdir()
    (jazzy / 'share' / 'crtk_msgs' / 'package.xml').write_text('')
    machine.run('build', **sourced)
    assert 'underlay/crtk_msgs' not in machine.calls('colcon')[2], 'those that are sourced are taken'


def test_without_arms_another_demo_is_shown_only_where_nobody_asked_for_them(capsys):
    sys.path.insert(0, str(CHECKOUT / 'setup'))
    import demo

    def chosen(who='scripted', **given):
        args = argparse.Namespace(**{'name': demo.DEFAULT, 'is_named': False, 'once': False, 'video': None, **given})
        return demo.without_arms(args, who), args.name

    assert chosen() == ('', demo.GRIPPERS[0])
    assert 'docs/tasks/stock_ros.md' in capsys.readouterr().out
    for problem, name in (chosen(is_named=True), chosen(once=True), chosen(video='a.mp4'), chosen(who='gamepad')):
        assert 'hands:=none' in problem and name == demo.DEFAULT


def test_wrong_arguments_are_refused_before_the_build(machine):
    code, text = machine.run('demo', 'no_such_demo')
    assert code == 2 and 'no demo' in text
    code, text = machine.run('demo', 'boxes', 'render=false')
    assert code == 2 and 'name:=value' in text
    code, text = machine.run('build', 'ambf_adf')
    assert code == 2
    code, text = machine.run('build', '--unity', 'perhaps')
    assert code == 2
    assert not machine.calls('colcon')


def test_unity_is_remembered_for_each_package(machine):
    assert machine.run('build')[0] == 0
    code, text = machine.run('build', '--unity', 'off', 'ambf_adf')
    assert code == 0, text
    assert (machine.out / 'ws/build/ambf_adf/ambf_unity').read_text().strip() == 'OFF'
    assert not (machine.out / 'ws/build/ambf_msgs/ambf_unity').exists()
    assert len(machine.calls('colcon')) == 4
    assert machine.run('build', '--unity', 'off', 'ambf_adf')[0] == 0
    assert len(machine.calls('colcon')) == 4, 'nothing has changed'
    code, text = machine.run('build', '--unity', 'off', 'ambf_adff')
    assert code == 1 and "no package 'ambf_adff'" in text
