# SPDX-License-Identifier: BSD-3-Clause
"""The files of a dVRK's configuration: JSON with comments, found below a `share` folder."""

import dataclasses
import json
import math
import pathlib
import re
from typing import Any

# A string is kept as it is; a comment becomes blanks, so that lines keep their numbers.
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


class DvrkProblem(Exception):
    """What is wrong with a file, with file and key."""


def without_comments(text: str) -> str:
    return _COMMENT.sub(lambda found: found.group(1) or re.sub(r'[^\n]', ' ', found.group(0)), text)


def read_json(path: pathlib.Path) -> Any:
    """The content; DvrkProblem with line and column where it is no JSON."""
    try:
        # Some editors begin a file with a byte order mark.
        return json.loads(without_comments(path.read_text(encoding='utf-8-sig')))
    except (OSError, UnicodeDecodeError) as error:
        raise DvrkProblem(f'{path}: cannot be read: {error}') from error
    except json.JSONDecodeError as error:
        raise DvrkProblem(f'{path}:{error.lineno}:{error.colno}: no valid JSON: {error.msg}') from error
    except RecursionError as error:
        raise DvrkProblem(f'{path}: lists or maps lie too deep within each other') from error


def plain(key: str) -> str:
    """Keys of before 2.3 are written with dashes."""
    return key.replace('-', '_')


class Block:
    """One map of a file: typed reading, and what nobody asked for is named once."""

    def __init__(self, data: Any, file: pathlib.Path, path: str, notes: 'Notes'):
        self.file, self.path, self.notes = file, path, notes
        if not isinstance(data, dict):
            raise DvrkProblem(f'{self.where()}: found {_short(data)}, expected a map')
        self._data = {plain(key): value for key, value in data.items()}
        dashed = [key for key in data if '-' in key and key not in ('snake-like', 'base-offset', 'reference-arm')]
        if dashed:
            notes.once(f'{file}: keys with dashes are of before 2.3; they are read here, dVRK 2.4 does not')
        self._asked = {'$id', '$version', '$schema'}

    def where(self, key: str = '') -> str:
        path = '/'.join(part for part in (self.path, key) if part)
        return f'{self.file}: {path}' if path else str(self.file)

    def get(self, key: str, *old: str, kind: type | tuple | None = None, default: Any = None) -> Any:
        """Value of a key, or of one of its old names."""
        self._asked.update((key, *old))
        for name in (key, *old):
            if name in self._data:
                value = self._data[name]
                # A truth value is a whole number to Python.
                if kind is not None and (not isinstance(value, kind) or isinstance(value, bool) and kind is not bool):
                    raise DvrkProblem(f'{self.where(name)}: found {_short(value)}, expected {_words(kind)}')
                return value
        return default

    def need(self, key: str, *old: str, kind: type | tuple | None = None) -> Any:
        value = self.get(key, *old, kind=kind)
        if value is None:
            raise DvrkProblem(f'{self.where()}: the key "{key}" is missing')
        return value

    def number(self, key: str, default: float | None = None) -> float | None:
        value = self.get(key, kind=(int, float))
        if value is None:
            return default
        if not math.isfinite(value):
            raise DvrkProblem(f'{self.where(key)}: found {_short(value)}, expected a finite number')
        return float(value)

    def range(self, low: str, high: str) -> tuple[float | None, float | None]:
        """Two limits; DvrkProblem where the lower one is above the other."""
        least, most = self.number(low), self.number(high)
        if least is not None and most is not None and least > most:
            raise DvrkProblem(f'{self.where(low)}: found {least:g}, which is above {high}, {most:g}')
        return least, most

    def block(self, key: str, *old: str) -> 'Block | None':
        value = self.get(key, *old)
        return None if value is None else Block(value, self.file, f'{self.path}/{key}'.lstrip('/'), self.notes)

    def blocks(self, key: str, *old: str) -> list['Block']:
        values = self.get(key, *old, kind=list, default=[])
        return [
            Block(value, self.file, f'{self.path}/{key}[{i}]'.lstrip('/'), self.notes) for i, value in enumerate(values)
        ]

    def ignore(self, *keys: str):
        """Known keys that mean nothing to a simulation."""
        self._asked.update(keys)

    def finish(self):
        for key in self._data:
            if key not in self._asked:
                self.notes.unknown(self.file, self.path, key)


@dataclasses.dataclass
class Notes:
    """What a user should know, each thing once."""

    lines: list[str] = dataclasses.field(default_factory=list)
    _unknown: set[str] = dataclasses.field(default_factory=set)

    def once(self, line: str):
        if line not in self.lines:
            self.lines.append(line)

    def unknown(self, file: pathlib.Path, path: str, key: str):
        if key not in self._unknown:
            self._unknown.add(key)
            self.lines.append(f'{file}: {"/".join(p for p in (path, key) if p)}: a key that means nothing here')


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) < 60 else text[:57] + '...'


def _words(kind: type | tuple) -> str:
    if isinstance(kind, tuple):
        return 'a number'
    return {str: 'a text', list: 'a list', dict: 'a map', bool: 'true or false'}[kind]


class Share:
    """Where files are looked for: here, beside the system file, in `share`, then where the system file says."""

    def __init__(self, system: pathlib.Path, share: pathlib.Path | None):
        if share is not None and not share.is_dir():
            raise DvrkProblem(f"--share: found '{share}', which is no folder")
        self.share = share or _share_above(system) or _installed_share()
        self.folders = [pathlib.Path.cwd(), system.parent]
        if self.share is not None:
            self.folders += [self.share, self.share / 'arm']

    def find(self, name: str, asked_by: str) -> pathlib.Path:
        """Path of a file; DvrkProblem that names who wants it, and where it was looked for."""
        found = self.find_or_none(name)
        if found is None:
            places = ', '.join(dict.fromkeys(str(folder) for folder in self.folders))
            advice = '' if self.share else '; no share folder was found: give one with --share'
            raise DvrkProblem(f"{asked_by}: found '{name}', which is in none of: {places}{advice}")
        return found

    def find_or_none(self, name: str) -> pathlib.Path | None:
        for folder in self.folders:
            path = folder / name
            if path.is_file():
                return path
        return None


def _share_above(system: pathlib.Path) -> pathlib.Path | None:
    """A folder above the system file that has kinematics."""
    for folder in system.resolve().parents:
        if (folder / 'kinematic').is_dir():
            return folder
        if (folder / 'share/kinematic').is_dir():
            return folder / 'share'
    return None


def _installed_share() -> pathlib.Path | None:
    """The package that the dVRK installs its files with."""
    try:
        from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
    except ImportError:
        return None
    try:
        return pathlib.Path(get_package_share_directory('dvrk_config'))
    except PackageNotFoundError:
        return None
