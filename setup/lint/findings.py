# SPDX-License-Identifier: BSD-3-Clause
"""What lint works on: the files of the checkout, and what was found in them."""

import dataclasses
import hashlib
import pathlib
import subprocess

SKIPPED = {'.ambf', '.git', 'build', 'install', 'log', '__pycache__'}
KINDS = {
    '.cpp': 'c++', '.hpp': 'c++', '.c': 'c++', '.h': 'c++', '.py': 'python', '.cmake': 'cmake', '.sh': 'shell',
    '.bash': 'shell', '.yaml': 'yaml', '.yml': 'yaml', '.cff': 'yaml', '.xml': 'xml', '.md': 'text', '.txt': 'text',
    '.msg': 'interface', '.srv': 'interface', '.action': 'interface', '.toml': 'text', '.css': 'text', '.meta': 'text',
}  # fmt: skip


@dataclasses.dataclass(order=True, frozen=True)
class Finding:
    file: str
    line: int
    rule: str
    what: str
    mended_by_fix: bool = False

    def __str__(self) -> str:
        return f'{self.file}:{self.line}: [{self.rule}] {self.what}'


class Tree:
    """The files that git knows, or would take (not ignored); without git, all that are not made by a build."""

    def __init__(self, root: pathlib.Path, paths: list[str]):
        self.root = root
        self.files = [name for name in list_files(root) if chosen(name, paths)]
        self.kinds = {name: kind_of(root / name) for name in self.files}

    def of_kind(self, *kinds: str) -> list[str]:
        return [name for name in self.files if self.kinds[name] in kinds]

    def text(self, name: str) -> str:
        return (self.root / name).read_text(encoding='utf-8', errors='replace')


def list_files(root: pathlib.Path) -> list[str]:
    # The owner of the folder may be another (containers): the checkout is trusted, nothing of it is run by git here.
    command = ['git', '-c', f'safe.directory={root}', '-C', str(root), 'ls-files', '-z', '-co', '--exclude-standard']
    try:
        listed = subprocess.run(command, capture_output=True, check=True).stdout.decode().split('\0')
        names = [name for name in listed if name]
    except (OSError, subprocess.CalledProcessError):
        found = (path.relative_to(root) for path in root.rglob('*'))
        names = [str(path) for path in found if not SKIPPED.intersection(path.parts)]
    return sorted({name for name in names if (root / name).is_file() and not (root / name).is_symlink()})


def chosen(name: str, paths: list[str]) -> bool:
    return not paths or any(path == '.' or name == path or name.startswith(path + '/') for path in paths)


def kind_of(path: pathlib.Path) -> str:
    if path.name == 'CMakeLists.txt':
        return 'cmake'
    # A template is of the kind of what is made from it.
    suffix = pathlib.Path(path.stem).suffix if path.suffix in ('.in', '.em') else path.suffix
    if suffix:
        return KINDS.get(suffix, '')
    with path.open('rb') as file:
        first = file.readline(80)
    if not first.startswith(b'#!'):
        return 'text' if path.name[:1] != '.' else ''
    return 'python' if b'python' in first else 'shell' if b'sh' in first else ''


class Clean:
    """Remembers which contents a tool found nothing in, so that a second run asks about changed files only."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.known = set(path.read_text().split()) if path.is_file() else set()
        self.used: set[str] = set()

    def key(self, tool: str, file: pathlib.Path, name: str) -> str:
        digest = hashlib.sha256(f'{tool}\0{name}\0'.encode())
        digest.update(file.read_bytes())
        return digest.hexdigest()[:32]

    def save(self, keep_all: bool) -> None:
        """Keep what this run used; with keep_all (a run over part of the tree) the rest, too."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(self.path.name + '.new')
        part.write_text('\n'.join(sorted(self.used | (self.known if keep_all else set()))))
        part.replace(self.path)
