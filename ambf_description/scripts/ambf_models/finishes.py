# SPDX-License-Identifier: BSD-3-Clause
"""Materials of what is drawn, and the OBJ, MTL and texture files that carry them."""

import dataclasses
import math
import struct
import zlib

import numpy as np

from . import skins


@dataclasses.dataclass
class Finish:
    """Surface of a part. `shine` is Blinn's exponent; from about 150 on it means polished metal."""

    color: tuple
    gloss: float = 0.5
    shine: int = 60
    texture: str = ''
    repeat: float = 1.0  # metres of a texture's width


FINISHES = {
    'white': Finish((0.88, 0.89, 0.91), 0.6, 70),
    'grey': Finish((0.40, 0.42, 0.46), 0.5, 50),
    'dark': Finish((0.10, 0.105, 0.12), 0.45, 45),
    'steel': Finish((0.66, 0.67, 0.70), 0.9, 220),
    'dark steel': Finish((0.30, 0.31, 0.34), 0.8, 180),
    'brass': Finish((0.83, 0.64, 0.30), 0.9, 200),
    'rubber': Finish((0.055, 0.055, 0.06), 0.1, 8),
    'blue': Finish((0.07, 0.27, 0.62), 0.7, 90),
    'orange': Finish((0.92, 0.42, 0.06), 0.7, 90),
    'yellow': Finish((0.93, 0.73, 0.12), 0.6, 70),
    'glass': Finish((0.02, 0.03, 0.07), 1.0, 400),
    'silicone': Finish((0.89, 0.60, 0.52), 0.35, 25),
    'wound': Finish((0.62, 0.16, 0.14), 0.5, 40),
    'wood': Finish((1.0, 1.0, 1.0), 0.25, 30, 'wood', 0.5),
    'floor': Finish((1.0, 1.0, 1.0), 0.22, 35, 'floor', 1.0),
    'weave': Finish((1.0, 1.0, 1.0), 0.08, 8, 'weave', 0.4),
}


def identifier(name: str) -> str:
    """Name of a material in OBJ and MTL files, which know no spaces."""
    return name.replace(' ', '_')


def mtl_text(up: str = '../') -> str:
    """MTL of all finishes; `up` leads from its folder to that of the models."""
    lines = ['# Written by ambf_description/scripts/generate.py.']
    for name in sorted(FINISHES):
        f = FINISHES[name]
        lines += [
            f'newmtl {identifier(name)}',
            'Kd {:.3f} {:.3f} {:.3f}'.format(*f.color),
            f'Ks {f.gloss:.3f} {f.gloss:.3f} {f.gloss:.3f}',
            f'Ns {f.shine}',
            'd 1.0',
        ]
        if f.texture:
            lines.append(f'map_Kd {up}textures/{f.texture}.png')
    return '\n'.join(lines) + '\n'


def box_mapped(skin: skins.Skin, repeat: float) -> np.ndarray:
    """Texture coordinates by the axis that each vertex faces most."""
    axis = np.argmax(np.abs(skin.normals), axis=1)
    columns = np.array([(1, 2), (0, 2), (0, 1)])[axis]
    rows = np.arange(len(axis))
    return np.column_stack([skin.vertices[rows, columns[:, 0]], skin.vertices[rows, columns[:, 1]]]) / repeat


def short(value: float, digits: int) -> str:
    """Fixed point without trailing zeros and without a negative zero."""
    text = f'{float(value):.{digits}f}'.rstrip('0').rstrip('.')
    return '0' if text in ('-0', '') else text


def drawn_obj(dressed: list, comment: str, library: str = 'finish.mtl') -> str:
    """OBJ of [(skin, finish or None), ...]: places to a micrometre, normals to a thousandth."""
    lines = [f'# {comment}']
    if any(finish for _, finish in dressed):
        lines.append(f'mtllib {library}')
    base, base_uv, current = 1, 1, None
    for skin, finish in sorted(dressed, key=lambda d: d[1] or ''):
        if finish != current:
            lines += [f'g {identifier(finish)}', f'usemtl {identifier(finish)}']
            current = finish
        lines += ['v ' + ' '.join(short(c, 6) for c in row) for row in skin.vertices]
        lines += ['vn ' + ' '.join(short(c, 3) for c in row) for row in skin.normals]
        texture = finish is not None and FINISHES[finish].texture
        if texture:
            uv = box_mapped(skin, FINISHES[finish].repeat) if skin.uv is None else skin.uv
            lines += ['vt ' + ' '.join(short(c, 4) for c in row) for row in uv]
        for face in skin.faces:
            lines.append(
                'f '
                + ' '.join(
                    f'{i + base}/{i + base_uv}/{i + base}' if texture else f'{i + base}//{i + base}' for i in face
                )
            )
        base += len(skin.vertices)
        base_uv += len(skin.vertices) if texture else 0
    return '\n'.join(lines) + '\n'


def png(image: np.ndarray, palette: np.ndarray) -> bytes:
    """PNG with a palette, its rows stored without compression: the same bytes on every machine."""
    height, width = image.shape
    raw = b''.join(b'\0' + row.astype(np.uint8).tobytes() for row in image)
    blocks = [raw[i : i + 65535] for i in range(0, len(raw), 65535)]
    stored = (
        b'\x78\x01'
        + b''.join(struct.pack('<BHH', i == len(blocks) - 1, len(b), 65535 - len(b)) + b for i, b in enumerate(blocks))
        + struct.pack('>I', zlib.adler32(raw))
    )

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))

    return (
        b'\x89PNG\r\n\x1a\n'
        + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 3, 0, 0, 0))
        + chunk(b'PLTE', palette.astype(np.uint8).tobytes())
        + chunk(b'IDAT', stored)
        + chunk(b'IEND', b'')
    )


def noise(size: int, cells_x: int, cells_y: int, seed: int) -> np.ndarray:
    """Smooth noise in -1 .. 1 that repeats at the borders: a grid of hashed values, interpolated."""

    def value(i, j):
        h = (i % cells_y).astype(np.int64) * 374761393 + (j % cells_x) * 668265263 + seed * 974711
        h = (h ^ (h >> 13)) * 1274126177 & 0x7FFFFFFF
        return ((h ^ (h >> 16)) & 0xFFFF) / 32767.5 - 1.0

    y, x = np.meshgrid(np.arange(size) * cells_y / size, np.arange(size) * cells_x / size, indexing='ij')
    i, j = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    fy, fx = y - i, x - j
    fy, fx = fy * fy * (3 - 2 * fy), fx * fx * (3 - 2 * fx)
    top = value(i, j) * (1 - fx) + value(i, j + 1) * fx
    low = value(i + 1, j) * (1 - fx) + value(i + 1, j + 1) * fx
    return top * (1 - fy) + low * fy


def shades(dark: tuple, light: tuple, levels: int) -> np.ndarray:
    """Palette from one colour to another."""
    t = np.linspace(0.0, 1.0, levels)[:, None]
    return np.round(255.0 * ((1 - t) * np.array(dark) + t * np.array(light)))


def to_levels(field: np.ndarray, levels: int) -> np.ndarray:
    """0 .. 1 as index of a palette."""
    return np.clip(np.floor(field * levels), 0, levels - 1)


def wood() -> bytes:
    """Planks of maple along x with fine grain."""
    n, levels = 256, 64
    y = np.arange(n)[:, None] / n
    plank = np.floor(y * 4.0).astype(int)
    shift = np.array([0.0, 0.31, 0.12, 0.47])[plank]
    rings = np.sin(2.0 * math.pi * (6.0 * y + 0.9 * noise(n, 3, 4, 5) + 3.0 * shift))
    grain = 0.5 * noise(n, 6, 128, 2) + 0.35 * noise(n, 16, 200, 3)
    field = 0.60 + 0.10 * rings + 0.20 * grain + 0.12 * (shift - 0.2)
    seam = np.abs((y * 4.0 + 0.5) % 1.0 - 0.5) < 0.012
    return png(
        to_levels(np.where(seam, 0.25 * field, field), levels), shades((0.42, 0.30, 0.20), (0.85, 0.74, 0.58), levels)
    )


def floor() -> bytes:
    """Four tiles of pale stone with speckles."""
    n, levels = 256, 48
    y, x = np.meshgrid(np.arange(n) / n, np.arange(n) / n, indexing='ij')
    tone = np.array([[0.02, -0.02], [-0.03, 0.03]])[np.floor(2 * y).astype(int), np.floor(2 * x).astype(int)]
    speckle = noise(n, 128, 128, 11)
    field = (
        0.68
        + 0.6 * tone
        + 0.05 * noise(n, 5, 5, 7)
        + 0.05 * noise(n, 19, 23, 8)
        + 0.05 * speckle
        - 0.10 * (speckle > 0.78)
    )
    joint = np.minimum(np.abs((2 * x + 0.5) % 1.0 - 0.5), np.abs((2 * y + 0.5) % 1.0 - 0.5)) < 0.007
    return png(to_levels(np.where(joint, 0.50, field), levels), shades((0.22, 0.23, 0.25), (0.74, 0.75, 0.77), levels))


def weave() -> bytes:
    """Gingham: threads that cross, in three shades of red."""
    n, levels = 128, 32
    y, x = np.meshgrid(np.arange(n), np.arange(n), indexing='ij')
    check = 0.5 * (x // 8 % 2) + 0.5 * (y // 8 % 2)
    over = np.where((x + y) % 2 == 0, 0.06, -0.06)
    return png(
        to_levels(np.clip(0.12 + 0.72 * check + over, 0, 0.999), levels),
        shades((0.62, 0.05, 0.08), (0.96, 0.90, 0.86), levels),
    )


def textures() -> dict:
    """Map from file name below meshes/ to bytes."""
    return {'textures/wood.png': wood(), 'textures/floor.png': floor(), 'textures/weave.png': weave()}
