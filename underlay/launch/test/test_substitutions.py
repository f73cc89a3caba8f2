# SPDX-License-Identifier: BSD-3-Clause
import os

import pytest

from launch import LaunchContext
from launch.conditions import IfCondition, InvalidConditionExpressionError, UnlessCondition
from launch.conditions import LaunchConfigurationEquals, LaunchConfigurationNotEquals
from launch.substitutions import AllSubstitution, AndSubstitution, AnonName, AnySubstitution
from launch.substitutions import Command, EnvironmentVariable, EqualsSubstitution, FileContent
from launch.substitutions import FindExecutable, IfElseSubstitution, LaunchConfiguration
from launch.substitutions import NotEqualsSubstitution, NotSubstitution, OrSubstitution
from launch.substitutions import PathJoinSubstitution, PythonExpression, SubstitutionFailure
from launch.substitutions import TextSubstitution, ThisLaunchFile, ThisLaunchFileDir
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


@pytest.fixture
def context():
    context = LaunchContext()
    context.launch_configurations.update(name='arm', flag='true', number='3')
    return context


def test_launch_configuration_gives_value_default_or_failure(context):
    assert LaunchConfiguration('name').perform(context) == 'arm'
    assert LaunchConfiguration('other', default=5).perform(context) == '5'
    assert LaunchConfiguration('other', default=[LaunchConfiguration('name'), 1]).perform(
        context) == 'arm1'
    with pytest.raises(SubstitutionFailure, match="'other' does not exist"):
        LaunchConfiguration('other').perform(context)


def test_path_join_takes_nested_sequences(context):
    joined = PathJoinSubstitution(['/a', LaunchConfiguration('name'),
                                   [LaunchConfiguration('name'), '.launch.py']])
    assert joined.perform(context) == '/a/arm/arm.launch.py'


def test_python_expression_sees_math_and_named_modules(context):
    expression = PythonExpression(["'", LaunchConfiguration('name'), "' == 'arm'"])
    assert expression.perform(context) == 'True'
    assert PythonExpression('math.floor(2.5) + floor(1.5)').perform(context) == '3'
    assert PythonExpression('os.path.sep', ['os']).perform(context) == os.path.sep
    with pytest.raises(SubstitutionFailure, match='ZeroDivisionError'):
        PythonExpression('1 / 0').perform(context)


def test_booleans_combine(context):
    assert NotSubstitution('false').perform(context) == 'true'
    assert AndSubstitution('true', LaunchConfiguration('flag')).perform(context) == 'true'
    assert OrSubstitution('0', 'off').perform(context) == 'false'
    assert AnySubstitution('false', 'True').perform(context) == 'true'
    assert AllSubstitution('true', '1', 'off').perform(context) == 'false'
    with pytest.raises(SubstitutionFailure):
        NotSubstitution('perhaps').perform(context)


@pytest.mark.parametrize('left, right, equal', [
    ('a', 'a', True), ('a', 'b', False), ('3', 3.0, True), (True, 'true', True), (1, 'x', False)])
def test_equality_knows_numbers_booleans_and_texts(context, left, right, equal):
    assert EqualsSubstitution(left, right).perform(context) == str(equal).lower()
    assert NotEqualsSubstitution(left, right).perform(context) == str(not equal).lower()


def test_if_else_performs_only_the_chosen_branch(context):
    chosen = IfElseSubstitution(LaunchConfiguration('flag'), 'yes', LaunchConfiguration('none'))
    assert chosen.perform(context) == 'yes'


def test_command_fails_on_exit_code_and_on_stderr(context):
    assert Command(['echo ', LaunchConfiguration('name')]).perform(context) == 'arm\n'
    with pytest.raises(SubstitutionFailure, match='failed'):
        Command('false').perform(context)
    loud = 'sh -c "echo out; echo err >&2"'
    with pytest.raises(SubstitutionFailure, match='err'):
        Command(loud).perform(context)
    assert Command(loud, on_stderr='ignore').perform(context) == 'out\n'
    assert Command(loud, on_stderr='capture').perform(context) == 'out\nerr\n'
    with pytest.raises(SubstitutionFailure, match='could not be run'):
        Command('/no/such/program').perform(context)


def test_files_programs_and_environment(context, tmp_path, monkeypatch):
    path = tmp_path / 'text'
    path.write_text('content')
    monkeypatch.setenv('A_VARIABLE', 'value')
    assert FileContent(path).perform(context) == 'content'
    assert FindExecutable('sh').perform(context).endswith('/sh')
    assert EnvironmentVariable('A_VARIABLE').perform(context) == 'value'
    assert EnvironmentVariable('NOT_SET', default_value='d').perform(context) == 'd'
    with pytest.raises(SubstitutionFailure, match="'no_such_program' not found"):
        FindExecutable('no_such_program').perform(context)
    with pytest.raises(SubstitutionFailure, match="'NOT_SET' does not exist"):
        EnvironmentVariable('NOT_SET').perform(context)


def test_anonymous_name_is_the_same_for_the_same_beginning(context):
    first = AnonName('node').perform(context)
    assert first.startswith('node_') and first == AnonName('node').perform(context)
    assert first != AnonName('other').perform(context)


def test_this_launch_file_fails_in_a_script(context):
    for substitution in (ThisLaunchFile(), ThisLaunchFileDir()):
        with pytest.raises(SubstitutionFailure, match='outside of a launch file'):
            substitution.perform(context)


def test_normalization_refuses_what_is_no_text(context):
    parts = normalize_to_list_of_substitutions(['a', TextSubstitution(text='b')])
    assert perform_substitutions(context, parts) == 'ab'
    with pytest.raises(TypeError, match='bool'):
        normalize_to_list_of_substitutions([True])


def test_conditions_know_true_false_one_and_zero_only(context):
    assert IfCondition(LaunchConfiguration('flag')).evaluate(context)
    assert IfCondition('1').evaluate(context) and not IfCondition('FALSE').evaluate(context)
    assert UnlessCondition('0').evaluate(context)
    assert LaunchConfigurationEquals('name', 'arm').evaluate(context)
    assert LaunchConfigurationNotEquals('name', 'leg').evaluate(context)
    with pytest.raises(InvalidConditionExpressionError, match="got 'yes'"):
        IfCondition('yes').evaluate(context)
