# SPDX-License-Identifier: BSD-3-Clause
"""The world dies, comes back, shares a container with two adapters: whoever calls gets an answer."""

import signal

import pytest
from action_msgs.msg import GoalStatus
from composition_interfaces.srv import LoadNode
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from simulation_interfaces.msg import EntityInfo, Resource, Result, SimulationState, SpawnResult
from standard_client import SNAKE, Client, adapter, at, ball, model_file, physics_node, program

S = SimulationState


def test_calls_are_answered_when_the_world_is_gone_and_work_when_it_is_back():
    with Client(adapter()) as sim:
        (standard,) = sim.processes
        for kind, fields in {
            'GetEntities': {},
            'GetSimulationState': {},
            'ResetSimulation': {},
            'StepSimulation': {},
            'GetCurrentWorld': {},
            'DeleteEntity': {'entity': 'floor'},
            'SetSimulationState': {'state': S(state=S.STATE_PLAYING)},
            'LoadWorld': {'world_resource': Resource(uri='launch.yaml')},
            'SpawnEntity': {'name': 'x', 'entity_resource': ball()},
        }.items():
            answer = sim(kind, **fields).result
            assert answer.result == Result.RESULT_OPERATION_FAILED and 'no world answers' in answer.error_message, kind
        assert sim('GetSimulatorFeatures').features.features

        # A world that ends: a call that waits for it says so, and the next one, too.
        sim.start(physics_node('pendulum.yaml', 'floor.yaml'))
        sim.wait_for_world()
        assert 'floor' in sim.entities()
        assert sim.set_state(S.STATE_PAUSED) == Result.RESULT_OK
        goal = sim.simulate_for_ever()
        sim.end(sim.processes.pop())
        done = sim.wait(goal.get_result_async())
        assert done.status == GoalStatus.STATUS_ABORTED
        assert done.result.result.result == Result.RESULT_OPERATION_FAILED
        sim.wait_for(lambda: sim('GetEntities').result.result == Result.RESULT_OPERATION_FAILED, 'end')

        # A world that is killed stays in the graph for a while: nothing tells, and it does not answer.
        sim.start(physics_node('pendulum.yaml'))
        sim.wait_for_world()
        assert sim.entities() == ['pendulum', 'pendulum/support', 'pendulum/bob']
        sim.set_state(S.STATE_PAUSED)
        sim.ok('SetEntityInfo', entity='pendulum', info=EntityInfo(tags=['old']))
        endless = sim.send('StepSimulation', steps=2**63)
        sim.wait_for(lambda: sim.time() > 0.0, 'progress')
        sim.end(sim.processes.pop(), signal.SIGKILL)
        assert sim('GetEntities').result.result == Result.RESULT_OPERATION_FAILED
        sim.start(physics_node('pendulum.yaml', 'floor.yaml'))
        ended = sim.wait(endless).result
        assert ended.result == Result.RESULT_OPERATION_FAILED and 'no world answers' in ended.error_message
        sim.wait_for_world()
        assert 'floor' in sim.entities()
        assert sim.ok('GetEntityInfo', entity='pendulum').info.tags == [], 'another world, of which nothing was said'

        # The adapter ends while steps are under way and a call waits.
        sim.set_state(S.STATE_PAUSED)
        sim.simulate_for_ever()
        sim.send('GetEntities')
        sim.processes.remove(standard)
        assert sim.end(standard) == 0, sim.output()


def parameter(name: str, value) -> Parameter:
    kinds = {
        str: ('string_value', ParameterType.PARAMETER_STRING),
        list: ('string_array_value', ParameterType.PARAMETER_STRING_ARRAY),
    }
    field, kind = kinds[type(value)]
    return Parameter(name=name, value=ParameterValue(type=kind, **{field: value}))


def test_two_adapters_and_their_world_share_one_thread():
    with Client([program('rclcpp_components', 'component_container'), '--ros-args', '-r', '__node:=one']) as sim:
        loader = sim.node.create_client(LoadNode, '/one/_container/load_node')
        assert loader.wait_for_service(60.0)

        def load(**fields):
            answer = sim.wait(loader.call_async(LoadNode.Request(**fields)))
            assert answer.success, answer.error_message

        load(
            package_name='ambf_physics_node',
            plugin_name='ambf_physics::PhysicsNode',
            parameters=[parameter('models', [model_file('pendulum.yaml')]), parameter('mode', 'lockstep')],
        )
        standard = dict(
            package_name='ambf_simulation_interfaces', plugin_name='ambf_simulation_interfaces::AdapterNode'
        )
        load(**standard)
        load(
            node_name='second',
            remap_rules=[f'{name}:=b/{name}' for name in [*SNAKE.values(), 'simulate_steps']],
            **standard,
        )
        sim.wait_for_world()
        assert sim.state() == sim.state('b/') == S.STATE_PAUSED
        sim.ok('StepSimulation', steps=5)
        sim.ok('StepSimulation', 'b/', steps=500)
        assert sim.time() == pytest.approx(0.505, abs=1e-9)
        sent = [
            sim.send('SpawnEntity', prefix, name='one', entity_resource=ball(), initial_pose=at(0, 0, 5))
            for prefix in ('', 'b/')
        ]
        assert sorted(sim.wait(future).result.result for future in sent) == [
            Result.RESULT_OK,
            SpawnResult.NAME_NOT_UNIQUE,
        ]
        goal = sim.simulate_for_ever()
        assert sim.set_state(S.STATE_STOPPED, 'b/') == Result.RESULT_OK
        assert sim.wait(goal.get_result_async()).status == GoalStatus.STATUS_ABORTED
        assert sim.state() == sim.state('b/') == S.STATE_STOPPED
        assert 'one' not in sim.entities()
