"""Arguments that cannot work end the launch with words and a code, instead of a simulator without a world."""
import subprocess

import pytest


@pytest.mark.parametrize('composition', ['true', 'false'])
@pytest.mark.parametrize('argument', ['world', 'record'])
def test_a_world_that_is_absent_and_a_recording_that_is_there_end_the_launch(argument, composition, tmp_path):
    value = tmp_path / 'absent.yaml' if argument == 'world' else tmp_path
    launch = subprocess.run(
        ['ros2', 'launch', 'ambf_bringup', 'simulator.launch.py', f'{argument}:={value}',
         f'use_composition:={composition}', 'render:=false'], capture_output=True, text=True, timeout=60)
    assert launch.returncode != 0
    assert f"{argument}: found '{value}'" in launch.stdout + launch.stderr


def test_a_world_that_is_refused_ends_the_composed_launch(tmp_path):
    world = tmp_path / 'launch.yaml'
    world.write_text('world config: ./world.yaml\nmultibody configs: [a.yaml]\n')
    launch = subprocess.run(
        ['ros2', 'launch', 'ambf_bringup', 'simulator.launch.py', f'world:={world}', 'model_indices:=7', 'render:=false'],
        capture_output=True, text=True, timeout=60)
    assert launch.returncode != 0
    assert 'a node was not made' in launch.stdout + launch.stderr
