# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of an episode: drawn by the render node where it is installed, else small ones in numpy."""

import contextlib
import pathlib
import tempfile

import numpy as np

from .backends import OverRos
from .env import AmbfEnv
from .errors import AmbfError
from .rollout import run
from .simulator import Renderer, executable
from .task import Task

CAMERA = """adf version: "1.0"
bodies: [{bodies}]
joints: []
cameras: [CAMERA studio]
namespace: /ambf/env/studio/
CAMERA studio:
  name: studio
  namespace: cameras/
  location: {{x: {eye[0]}, y: {eye[1]}, z: {eye[2]}}}
  look at: {{x: {target[0]}, y: {target[1]}, z: {target[2]}}}
  up: {{x: 0.0, y: 0.0, z: 1.0}}
  clipping plane: {{near: 0.01, far: 20.0}}
  field view angle: 0.6
  visible: {window}
  publish image: true
  publish image interval: 1
  publish image resolution: {{width: {width}, height: {height}}}
"""
MARK = """BODY mark:
  name: mark
  shape: SPHERE
  geometry: {{radius: 0.003}}
  mass: 0.0
  passive: true
  collision groups: []
  collision mesh: ''
  location:
    position: {{x: {point[0]}, y: {point[1]}, z: {point[2]}}}
    orientation: {{r: 0.0, p: 0.0, y: 0.0}}
  color rgba: {{r: 0.9, g: 0.1, b: 0.1, a: 1.0}}
"""


def can_render() -> bool:
    """Whether a render node is installed."""
    try:
        executable('ambf_render_node', 'render_node')
        executable('ambf_physics_node', 'physics_node')
        return True
    except AmbfError:
        return False


def describe(task: Task, goal: np.ndarray, width: int, height: int, window: bool = False) -> str:
    """A model that holds a camera where the task wants it, and a mark where its goal is a point."""
    eye, target = task.camera
    mark = getattr(task, 'marker', None)
    text = CAMERA.format(
        bodies='' if mark is None else 'BODY mark',
        eye=eye,
        target=target,
        width=width,
        height=height,
        window='true' if window else 'false',
    )
    return text if mark is None else text + MARK.format(point=mark(goal))


class Photographer:
    """Looks on while a policy runs, and takes pictures at some of the steps."""

    def __init__(self, moments: set[int]):
        self._moments = moments
        self.pictures: list[np.ndarray] = []

    def __call__(self, env: AmbfEnv, step: int | None):
        if step is None or step in self._moments:
            self.pictures.append(env.render())


def photograph(
    task: Task,
    make_policy,
    seed: int,
    count: int = 5,
    width: int = 320,
    height: int = 240,
    rendered: bool | None = None,
    domain_id: int | None = None,
) -> tuple[list[np.ndarray], bool]:
    """`count` pictures evenly over the episode of this seed, and whether it was solved."""
    env = AmbfEnv(task, render_mode='rgb_array')
    length = run(env, make_policy(task), [seed])[0].steps
    look = Photographer({int(round(m)) for m in np.linspace(0, length - 1, count - 1)})
    with contextlib.ExitStack() as stack:
        if can_render() if rendered is None else rendered:
            goal = env.episodes.goal[0].copy()
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            file = pathlib.Path(folder) / 'studio.yaml'
            file.write_text(describe(task, goal, width, height))
            env = stack.enter_context(contextlib.closing(RenderedEnv(task, str(file), domain_id)))
        outcome = run(env, make_policy(task), [seed], look)[0]
        look(env, None)
    return look.pictures, outcome.success


class RenderedEnv(AmbfEnv):
    """The task through ROS with a camera of its own, and a render node beside it."""

    def __init__(self, task: Task, studio: str, domain_id: int | None, window: bool = False):
        self._renderer = Renderer(domain_id, headless=not window)
        models, task.models = task.models, (*task.models, studio)
        try:
            super().__init__(task, 'ros', 'rgb_array', domain_id=domain_id, timeout=60.0)
        except Exception:
            self._renderer.stop()
            raise
        finally:
            task.models = models
        assert isinstance(self._backend, OverRos)
        self._backend.camera = 'cameras/studio'

    def move_mark(self):
        """The mark to where the goal is now."""
        marker = getattr(self.task, 'marker', None)
        if marker is not None:
            self._backend.place({'studio/mark': np.array([*marker(self.episodes.goal[0]), 0.0, 0.0, 0.0, 1.0])})

    def close(self):
        super().close()
        self._renderer.stop()
