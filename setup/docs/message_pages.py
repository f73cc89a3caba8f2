# SPDX-License-Identifier: BSD-3-Clause
"""The page of the messages and services: every field with its unit, frame and sentence, read from the interface files."""

import dataclasses
import pathlib
import re

START = """# Messages and services

Made from the files of `ambf_msgs`. [Its README](../ambf_msgs/README.md) says how units and frames are written and what they mean;
[the manual of the physics node](../docs/physics_node.md) says which topics and services have these types.
"""
KINDS = {'msg': 'Messages', 'srv': 'Services', 'action': 'Actions'}
PARTS = {'msg': [''], 'srv': ['Request', 'Reply'], 'action': ['Goal', 'Result', 'Feedback']}

TYPE = r'(?P<type>[A-Za-z][\w/]*(?:<=\d+)?(?:\[(?:<=)?\d*\])?)'
# `=` makes a constant; what stands there without it is what the field has at first.
DECLARATION = re.compile(TYPE + r'\s+(?P<name>[A-Za-z]\w*)\s*(?:=\s*(?P<value>\S.*?)|(?P<default>\S.*?))?\s*$')
ANNOTATION = re.compile(r'(?:\[(?P<unit>[^\]]*)\]\s*)?(?:\{(?P<frame>[^}]*)\}\s*)?(?P<text>.*)', re.DOTALL)


@dataclasses.dataclass
class Field:
    """A line of an interface file: a field, or where it has a value a constant."""

    type: str
    name: str
    value: str | None = None
    comment: str = ''

    @property
    def base(self) -> str:
        """The type of one element."""
        return re.split(r'[\[<]', self.type)[0]

    @property
    def is_array(self) -> bool:
        return '[' in self.type

    @property
    def unit(self) -> str:
        return ANNOTATION.match(self.comment)['unit'] or ''

    @property
    def frame(self) -> str:
        return ANNOTATION.match(self.comment)['frame'] or ''

    @property
    def text(self) -> str:
        return ANNOTATION.match(self.comment)['text'].strip()


@dataclasses.dataclass
class Interface:
    """A file: what it is about, and the lines of each of its parts; a text among them is a remark of its own."""

    name: str
    kind: str
    about: str
    parts: list[list[Field | str]]

    def fields(self) -> list[Field]:
        return [line for part in self.parts for line in part if isinstance(line, Field) and line.value is None]


def read_line(text: str) -> Field:
    match = DECLARATION.match(text)
    if not match:
        raise ValueError(f"found '{text.strip()}', expected a type and a name")
    return Field(match['type'], match['name'], match['value'])


def read_interface(file: pathlib.Path) -> Interface:
    """Comments in the first column before all lines are about the file, later ones are remarks; indented ones go on."""
    interface = Interface(file.stem, file.suffix[1:], '', [[]])
    about: list[str] = []
    for number, line in enumerate(file.read_text(encoding='utf-8').splitlines(), 1):
        lines = interface.parts[-1]
        declaration, mark, comment = line.partition('#')
        comment = comment.strip()
        if declaration.strip() == '---':
            interface.parts.append([])
        elif declaration.strip():
            try:
                lines.append(read_line(declaration))
            except ValueError as error:
                raise ValueError(f'{file}:{number}: {error}') from None
            lines[-1].comment = comment
        elif not mark:
            continue
        elif declaration and lines and isinstance(lines[-1], Field):
            lines[-1].comment += ' ' + comment
        elif len(interface.parts) == 1 and not lines:
            about.append(comment)
        else:
            lines.append(comment)
    interface.about = ' '.join(about)
    return interface


def read_package(package: pathlib.Path) -> list[Interface]:
    """All interfaces of a package, messages first, in the order of their names."""
    return [read_interface(file) for kind in KINDS for file in sorted((package / kind).glob(f'*.{kind}'))]


def escape(text: str, names: dict[str, str]) -> str:
    """Text as Markdown in a table: code stays code, names of interfaces become links."""
    parts = re.split(r'(`[^`]*`)', text)
    for i in range(0, len(parts), 2):
        part = re.sub(r'([\\*_\[\]|])', r'\\\1', parts[i]).replace('&', '&amp;').replace('<', '&lt;')
        parts[i] = re.sub(
            r'(?<![\w/])([A-Z]\w+)(?![\w/])', lambda m: link(m[1], names) if m[1] in names else m[1], part
        )
    return ''.join(parts)


def link(name: str, names: dict[str, str]) -> str:
    return f'[{name}](#{names[name]})'


def type_cell(field: Field, names: dict[str, str]) -> str:
    if field.base not in names:
        return f'`{field.type}`'
    return link(field.base, names) + (f'`{field.type[len(field.base) :]}`' if field.is_array else '')


def part_table(lines: list[Field | str], names: dict[str, str]) -> str:
    rows, constants = '', ''
    for line in lines:
        if isinstance(line, str):
            rows += f'| | | | | *{escape(line, names)}* |\n'
        elif line.value is not None:
            constants += f'| `{line.name}` | {line.value} | {escape(line.comment, names)} |\n'
        else:
            cells = (f'`{word}`' if word else '' for word in (line.unit, line.frame))
            rows += f'| `{line.name}` | {type_cell(line, names)} | {" | ".join(cells)} | {escape(line.text, names)} |\n'
    out = f'\n| field | type | unit | frame | |\n|---|---|---|---|---|\n{rows}' if rows else ''
    return out + (f'\n| constant | value | |\n|---|---|---|\n{constants}' if constants else '')


def interface_text(interface: Interface, names: dict[str, str]) -> str:
    out = f'\n### {interface.name}\n\n{escape(interface.about, names)}\n'
    for title, lines in zip(PARTS[interface.kind], interface.parts):
        out += f'\n{title}:\n' if title and lines else ''
        out += part_table(lines, names)
    return out


def write_page(package: pathlib.Path, file: pathlib.Path) -> None:
    interfaces = read_package(package)
    # As MkDocs names the place of a heading.
    names = {interface.name: interface.name.lower() for interface in interfaces}
    text = START
    for kind, title in KINDS.items():
        ours = [interface for interface in interfaces if interface.kind == kind]
        text += f'\n## {title}\n' if ours else ''
        text += ''.join(interface_text(interface, names) for interface in ours)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding='utf-8')
