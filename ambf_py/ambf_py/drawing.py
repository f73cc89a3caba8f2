# SPDX-License-Identifier: BSD-3-Clause
"""Small pictures of a world in process, drawn in numpy: for picture strips where no render node runs."""

import pathlib
import struct
import zlib
from collections.abc import Sequence

import numpy as np

from .rotations import transform

LIGHT = np.array([0.4, -0.5, 0.77])
BACKGROUND = np.array([0.93, 0.94, 0.96])


def read_obj(file: str) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n x 3) and triangles (m x 3) of a Wavefront file; polygons become fans."""
    vertices, triangles = [], []
    for line in pathlib.Path(file).read_text().splitlines():
        words = line.split()
        if words[:1] == ['v']:
            vertices.append([float(w) for w in words[1:4]])
        elif words[:1] == ['f']:
            corners = [int(w.split('/')[0]) for w in words[1:]]
            corners = [c - 1 if c > 0 else len(vertices) + c for c in corners]
            triangles += [(corners[0], a, b) for a, b in zip(corners[1:], corners[2:])]
    return np.array(vertices).reshape(-1, 3), np.array(triangles, dtype=int).reshape(-1, 3)


def look_at(eye: Sequence[float], target: Sequence[float]) -> np.ndarray:
    """World to camera: x right, y down, z forward."""
    forward = np.subtract(target, eye)
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right = right / np.linalg.norm(right)
    t = np.eye(4)
    t[:3, :3] = np.stack([right, np.cross(forward, right), forward])
    t[:3, 3] = -t[:3, :3] @ np.asarray(eye, dtype=float)
    return t


class Canvas:
    """A picture with depth."""

    def __init__(self, width: int, height: int, focal: float):
        self.color = np.tile(BACKGROUND, (height, width, 1))
        self._depth = np.full((height, width), np.inf)
        self._focal, self._width, self._height = focal, width, height

    def draw(self, corners: np.ndarray, colors: np.ndarray):
        """Triangles in camera coordinates (m x 3 x 3) with one colour each."""
        seen = (corners[:, :, 2] > 0.01).all(axis=1)
        corners, colors = corners[seen], colors[seen]
        x = corners[:, :, 0] / corners[:, :, 2] * self._focal + self._width / 2
        y = corners[:, :, 1] / corners[:, :, 2] * self._focal + self._height / 2
        left, top = np.floor(x.min(axis=1)).clip(0), np.floor(y.min(axis=1)).clip(0)
        right, bottom = np.ceil(x.max(axis=1)).clip(None, self._width), np.ceil(y.max(axis=1)).clip(None, self._height)
        area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
        for i in np.flatnonzero((right > left) & (bottom > top) & (np.abs(area) > 1e-9)):
            self._fill(
                x[i],
                y[i],
                1.0 / corners[i, :, 2],
                area[i],
                colors[i],
                (int(left[i]), int(right[i]), int(top[i]), int(bottom[i])),
            )

    def _fill(self, x, y, inverse_depth, area, color, box):
        left, right, top, bottom = box
        px = np.arange(left, right)[None, :] + 0.5
        py = np.arange(top, bottom)[:, None] + 0.5
        b1 = ((px - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (py - y[0])) / area
        b2 = ((x[1] - x[0]) * (py - y[0]) - (px - x[0]) * (y[1] - y[0])) / area
        b0 = 1.0 - b1 - b2
        inside = (b0 >= 0) & (b1 >= 0) & (b2 >= 0)
        if not inside.any():
            return
        # 1 / depth is linear on the screen.
        depth = 1.0 / np.maximum(b0 * inverse_depth[0] + b1 * inverse_depth[1] + b2 * inverse_depth[2], 1e-9)
        old = self._depth[top:bottom, left:right]
        nearer = inside & (depth < old)
        old[nearer] = depth[nearer]
        self.color[top:bottom, left:right][nearer] = color

    def pixels(self) -> np.ndarray:
        return (np.clip(self.color, 0.0, 1.0) * 255).astype(np.uint8)


class Picture:
    """Draws the bodies of a task's world from the task's camera."""

    def __init__(self, task, width: int = 320, height: int = 240):
        self._task, self._size = task, (width, height)
        self._meshes: list | None = None

    def draw(self, backend, goal: np.ndarray) -> np.ndarray:
        """height x width x 3, 8 bits."""
        world = backend.worlds[0]
        if self._meshes is None:
            self._meshes = [
                (body, *read_obj(file), scale, np.array(color))
                for body, file, scale, color in world.looks()
                if file.endswith('.obj')
            ]
        poses = world.state()[3]
        view = look_at(*self._task.camera)
        canvas = Canvas(*self._size, focal=1.2 * self._size[0])
        for body, vertices, triangles, scale, color in self._meshes:
            t = transform(poses[body, :7])
            corners = (vertices * scale) @ t[:3, :3].T + t[:3, 3]
            self._draw(canvas, view, corners[triangles], color)
        marker = getattr(self._task, 'marker', None)
        if marker is not None:
            self._draw(canvas, view, octahedron(marker(goal)), np.array([0.9, 0.1, 0.1]))
        return canvas.pixels()

    @staticmethod
    def _draw(canvas: Canvas, view: np.ndarray, corners: np.ndarray, color: np.ndarray):
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-15)
        shade = 0.45 + 0.55 * np.abs(normals @ LIGHT)
        canvas.draw(corners @ view[:3, :3].T + view[:3, 3], shade[:, None] * color)


def octahedron(centre: np.ndarray, radius: float = 0.004) -> np.ndarray:
    """A mark for a point: 8 triangles."""
    x, y, z = np.eye(3) * radius
    return np.array(
        [[centre + sx * x, centre + sy * y, centre + sz * z] for sx in (1, -1) for sy in (1, -1) for sz in (1, -1)]
    )


def write_png(file: str, pixels: np.ndarray):
    """An 8 bit colour picture."""
    height, width, _ = pixels.shape
    lines = b''.join(b'\0' + row.tobytes() for row in np.ascontiguousarray(pixels))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))

    header = struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)
    pathlib.Path(file).write_bytes(
        b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(lines, 9)) + chunk(b'IEND', b'')
    )


def strip(pictures: Sequence[np.ndarray]) -> np.ndarray:
    """Pictures side by side."""
    return np.concatenate(list(pictures), axis=1)
