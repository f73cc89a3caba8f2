# SPDX-License-Identifier: BSD-3-Clause
"""The committed files are what the generator writes, and worlds refer to files that exist."""

import os
import shutil
import subprocess
import sys

import adf_mechanism as am
import pytest

GENERATE = am.PACKAGE / 'scripts' / 'generate.py'


def test_generator_would_write_the_committed_files_byte_for_byte(tmp_path):
    """Compares a copy with one changed and one foreign file: these two differ, and nothing else."""
    for folder in ('adf', 'arms', 'meshes', 'tools', 'worlds'):
        shutil.copytree(am.PACKAGE / folder, tmp_path / folder)
    with open(tmp_path / 'worlds' / 'colors.yaml', 'a') as victim:
        victim.write('# one line more\n')
    (tmp_path / 'meshes' / 'psm' / 'stray.obj').write_text('')
    run = subprocess.run(
        [sys.executable, '-B', GENERATE, '--check', '--output', tmp_path], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert run.stderr.splitlines() == [
        'differs: worlds/colors.yaml',
        'differs: meshes/psm/stray.obj (nothing generates it)',
    ]


@pytest.mark.parametrize('path', am.LAUNCH_FILES, ids=lambda p: p.parent.name)
def test_launch_files_refer_to_files_that_exist(path):
    launch = am.load(path)
    world = am.load(path.parent / launch['world config'])
    files = [launch['color config'], launch['input devices config'], world['environment']]
    for name in files + launch['multibody configs']:
        assert (path.parent / name).is_file(), name
    for key in world['lights'] + world['cameras']:
        assert key in world


def test_placed_models_have_namespaces_of_their_own():
    for path in am.LAUNCH_FILES:
        launch = am.load(path)
        seen = set()
        for name in launch['multibody configs']:
            data = am.load(path.parent / name)
            for key in data.get('bodies') or []:
                full = data['namespace'] + key
                assert full not in seen, f'{path}: {full}'
                seen.add(full)


def adf_tool() -> str | None:
    """Path of the `adf` tool, from the path or from a prefix of the environment."""
    places = [p + '/lib/ambf_adf' for p in os.environ.get('AMENT_PREFIX_PATH', '').split(':') if p]
    return shutil.which('adf') or shutil.which('adf', path=':'.join(places) or None)


def test_adf_check_has_nothing_to_say():
    tool = adf_tool()
    if not tool:
        pytest.skip('the adf tool (package ambf_adf) is not built; nothing to check with')
    # Descriptions of arms and of who leads them are no ADF files.
    others = ('arms.yaml', 'teleoperation.yaml')
    files = [p for f in ('adf', 'worlds') for p in sorted((am.PACKAGE / f).rglob('*.yaml')) if p.name not in others]
    run = subprocess.run([tool, 'check', *files], capture_output=True, text=True, check=False)
    said = run.stdout + run.stderr
    assert run.returncode == 0, said
    assert '(0 errors, 0 warnings)' in said.splitlines()[-1], said
