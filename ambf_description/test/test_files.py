"""The committed files are what the generator writes, and worlds refer to files that exist."""

import os
import shutil
import subprocess
import sys

import pytest

import adf_mechanism as am

GENERATE = am.PACKAGE / "scripts" / "generate.py"


def test_generator_reproduces_the_committed_files_byte_for_byte():
    run = subprocess.run([sys.executable, "-B", GENERATE, "--check"], capture_output=True,
                         text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_generator_notices_a_changed_and_a_foreign_file(tmp_path):
    for folder in ("adf", "meshes", "worlds"):
        shutil.copytree(am.PACKAGE / folder, tmp_path / folder)
    victim = tmp_path / "adf" / "psm.yaml"
    victim.write_text(victim.read_text().replace("mass: 2.0", "mass: 2.1"))
    (tmp_path / "meshes" / "psm" / "stray.obj").write_text("")
    run = subprocess.run([sys.executable, "-B", GENERATE, "--check", "--output", tmp_path],
                         capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "adf/psm.yaml" in run.stderr and "meshes/psm/stray.obj" in run.stderr


@pytest.mark.parametrize("path", am.LAUNCH_FILES, ids=lambda p: p.parent.name)
def test_launch_files_refer_to_files_that_exist(path):
    launch = am.load(path)
    world = am.load(path.parent / launch["world config"])
    files = [launch["color config"], launch["input devices config"], world["environment"]]
    for name in files + launch["multibody configs"]:
        assert (path.parent / name).is_file(), name
    for key in world["lights"] + world["cameras"]:
        assert key in world


def test_placed_models_have_namespaces_of_their_own():
    for path in am.LAUNCH_FILES:
        launch = am.load(path)
        seen = set()
        for name in launch["multibody configs"]:
            data = am.load(path.parent / name)
            for key in data.get("bodies") or []:
                full = data["namespace"] + key
                assert full not in seen, f"{path}: {full}"
                seen.add(full)


def adf_tool() -> str | None:
    """Path of the `adf` tool, from the path or from a prefix of the environment."""
    places = [p + "/lib/ambf_adf" for p in os.environ.get("AMENT_PREFIX_PATH", "").split(":") if p]
    return shutil.which("adf") or shutil.which("adf", path=":".join(places) or None)


def test_adf_check_has_nothing_to_say():
    tool = adf_tool()
    if not tool:
        pytest.skip("the adf tool (package ambf_adf) is not built; nothing to check with")
    run = subprocess.run([tool, "check", am.PACKAGE / "adf", am.PACKAGE / "worlds"],
                         capture_output=True, text=True, check=False)
    said = run.stdout + run.stderr
    assert run.returncode == 0, said
    assert "(0 errors, 0 warnings)" in said.splitlines()[-1], said
