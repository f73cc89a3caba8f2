# SPDX-License-Identifier: BSD-3-Clause
import os

from launch import LaunchDescription
from launch.actions import AppendEnvironmentVariable, DeclareLaunchArgument, EmitEvent
from launch.actions import GroupAction, IncludeLaunchDescription, LogInfo, OpaqueCoroutine
from launch.actions import OpaqueFunction, RegisterEventHandler, ResetLaunchConfigurations
from launch.actions import SetEnvironmentVariable, SetLaunchConfiguration, Shutdown, TimerAction
from launch.actions import UnsetEnvironmentVariable, UnsetLaunchConfiguration
from launch.conditions import IfCondition
from launch.event_handlers import OnExecutionComplete, OnShutdown
from launch.events import Shutdown as ShutdownEvent
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import EnvironmentVariable, LaunchConfiguration, LocalSubstitution
from launch.substitutions import ThisLaunchFileDir


def show(label, *names):
    message = [label]
    for name in names:
        message += [' ', LaunchConfiguration(name, default='unset')]
    return LogInfo(msg=message)


def test_group_restores_configurations_and_environment(run, monkeypatch):
    monkeypatch.setenv('FROM_OUTSIDE', 'a')
    code, out = run(
        SetLaunchConfiguration('x', 'outer'),
        GroupAction([
            SetLaunchConfiguration('x', 'inner'), SetLaunchConfiguration('y', 'inner'),
            AppendEnvironmentVariable('FROM_OUTSIDE', 'b'),
            SetEnvironmentVariable('FROM_INSIDE', '1'),
            show('in', 'x', 'y', 'z'), LogInfo(msg=EnvironmentVariable('FROM_OUTSIDE')),
        ], launch_configurations={'z': 'given'}),
        show('out', 'x', 'y', 'z'),
        LogInfo(msg=EnvironmentVariable('FROM_INSIDE', default_value='not set')),
    )
    assert code == 0
    assert 'in inner inner given' in out and f'a{os.pathsep}b' in out
    assert 'out outer unset unset' in out and 'not set' in out
    assert os.environ['FROM_OUTSIDE'] == 'a'


def test_group_without_forwarding_starts_empty(run):
    _, out = run(
        SetLaunchConfiguration('x', 'outer'),
        GroupAction([show('in', 'x', 'y')], forwarding=False, launch_configurations={'y': '1'}),
        show('out', 'x'))
    assert 'in unset 1' in out and 'out outer' in out


def test_unscoped_group_and_include_leave_their_settings(run):
    included = LaunchDescription([DeclareLaunchArgument('arg'), show('included', 'arg')])
    _, out = run(
        GroupAction([SetLaunchConfiguration('x', '1')], scoped=False),
        IncludeLaunchDescription(included, launch_arguments={'arg': 'value'}.items()),
        show('after', 'x', 'arg'),
        UnsetLaunchConfiguration('x'), ResetLaunchConfigurations({'kept': 'yes'}),
        show('reset', 'x', 'arg', 'kept'))
    assert 'included value' in out and 'after 1 value' in out and 'reset unset unset yes' in out


def test_environment_variables_can_be_removed_and_prepended(run, monkeypatch):
    monkeypatch.setenv('GONE', '1')
    monkeypatch.setenv('LIST', 'b')
    run(UnsetEnvironmentVariable('GONE'),
        AppendEnvironmentVariable('LIST', 'a', prepend=True, separator=';'))
    assert 'GONE' not in os.environ and os.environ['LIST'] == 'a;b'


def test_argument_choices_are_enforced(run):
    argument = DeclareLaunchArgument('mode', default_value='a', choices=['a', 'b'])
    code, out = run(SetLaunchConfiguration('mode', 'c'), argument)
    assert code == 1 and 'provided value "c" is not valid' in out and "['a', 'b']" in out


def test_missing_required_argument_is_refused_before_anything_runs(run):
    inner = LaunchDescription([DeclareLaunchArgument('needed', description='why')])
    outer = LaunchDescription([LogInfo(msg='ran'), IncludeLaunchDescription(inner)])
    code, out = run(IncludeLaunchDescription(outer))
    assert code == 1 and 'ran' not in out
    assert "missing required argument 'needed' (description: 'why'), given: []" in out
    code, out = run(IncludeLaunchDescription(outer, launch_arguments=[('needed', '1')]))
    assert code == 0 and 'ran' in out


def test_arguments_of_includes_and_conditions_are_found():
    inner = LaunchDescription([DeclareLaunchArgument('inner')])
    description = LaunchDescription([
        DeclareLaunchArgument('outer', default_value='1'),
        IncludeLaunchDescription(inner),
        GroupAction([DeclareLaunchArgument('maybe')],
                    condition=IfCondition(LaunchConfiguration('outer'))),
    ])
    arguments = {a.name: a._conditionally_included for a in description.get_launch_arguments()}
    assert arguments == {'outer': False, 'inner': False, 'maybe': True}


def test_condition_false_skips_the_action(run):
    _, out = run(LogInfo(msg='skipped', condition=IfCondition('false')),
                 LogInfo(msg='done', condition=IfCondition('true')))
    assert 'skipped' not in out and 'done' in out


def test_timer_fires_with_the_locals_of_its_file_unless_shut_down(run, tmp_path):
    path = tmp_path / 'timer.launch.py'
    path.write_text('''
from launch import LaunchDescription
from launch.actions import LogInfo, RegisterEventHandler, TimerAction
from launch.event_handlers import OnShutdown
from launch.substitutions import ThisLaunchFileDir
def generate_launch_description():
    return LaunchDescription([
        TimerAction(period='0.05', actions=[LogInfo(msg=['timer ', ThisLaunchFileDir()])]),
        RegisterEventHandler(OnShutdown(on_shutdown=[LogInfo(msg=['end ', ThisLaunchFileDir()])])),
    ])
''')
    code, out = run(IncludeLaunchDescription(PythonLaunchDescriptionSource(str(path))))
    assert code == 0 and f'timer {tmp_path}' in out and f'end {tmp_path}' in out
    code, out = run(TimerAction(period=60.0, actions=[LogInfo(msg='late')]),
                    TimerAction(period=0.01, actions=[Shutdown(reason='test')]))
    assert code == 0 and 'late' not in out


def test_functions_and_coroutines_run_with_the_context(run):
    async def coroutine(context, word):
        LogInfo(msg=word).execute(context)

    def function(context, number, *, word):
        value = LaunchConfiguration('x').perform(context)
        return [LogInfo(msg=f'{value} {number} {word}')]
    _, out = run(SetLaunchConfiguration('x', 'seen'),
                 OpaqueFunction(function=function, args=[1], kwargs={'word': 'w'}),
                 OpaqueCoroutine(coroutine=coroutine, args=['awaited']))
    assert 'seen 1 w' in out and 'awaited' in out


def test_handlers_get_the_event_and_completion_is_announced(run):
    first = LogInfo(msg='first')
    _, out = run(
        RegisterEventHandler(OnExecutionComplete(
            target_action=first, on_completion=[LogInfo(msg='second')])),
        RegisterEventHandler(OnShutdown(on_shutdown=[
            LogInfo(msg=['because ', LocalSubstitution('event.reason')])])),
        first, EmitEvent(event=ShutdownEvent(reason='enough')))
    assert out.index('first') < out.index('second') and 'because enough' in out


def test_exception_names_file_and_line_of_the_launch_file(run, tmp_path):
    path = tmp_path / 'broken.launch.py'
    path.write_text('\n\nimport os\nundefined_name\n')
    code, out = run(IncludeLaunchDescription(PythonLaunchDescriptionSource(str(path))))
    assert code == 1 and f"{path}:4: NameError: name 'undefined_name' is not defined" in out
    assert 'Traceback' not in out
    path.write_text('def generate_launch_description(:\n')
    code, out = run(IncludeLaunchDescription(PythonLaunchDescriptionSource(str(path))))
    assert code == 1 and f'{path}:1: SyntaxError' in out
    path.write_text('\n')
    code, out = run(IncludeLaunchDescription(str(path)))
    assert code == 1 and 'generate_launch_description()' in out
    assert ThisLaunchFileDir().describe() == 'ThisLaunchFileDir()'


def test_every_shutdown_event_reaches_the_handlers(run):
    reasons = []
    code, _ = run(
        RegisterEventHandler(OnShutdown(on_shutdown=lambda event, _: reasons.append(event.reason))),
        TimerAction(period=0.3, actions=[Shutdown(reason='late')], cancel_on_shutdown=False),
        Shutdown(reason='early'))
    assert code == 0 and reasons == ['early', 'late']
