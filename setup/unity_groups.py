#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Say which source files may be compiled as one: files that define no name twice.

Usage: unity_groups.py OUTPUT FILE...
       unity_groups.py --refresh BUILD_FOLDER...

Writes OUTPUT, a CMake file with the list `groups` and, for each of them, the list of its files. What a file defines
for itself (in an unnamed namespace, as a static function, as a macro, by a using directive) would meet the same name
of another file in the one unit that is compiled. --refresh looks at the groups of all packages below a build folder and
writes those anew that do not hold any more, before a build; the others stay, so that nothing is compiled for it.
"""

import os
import pathlib
import re
import sys

FILES_PER_GROUP = 8

LITERALS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S
)
DEFINED_TYPE = re.compile(r'\b(?:struct|class|enum|enum\s+class|union|concept)\s+(?:\[\[\w+\]\]\s*)?(\w+)')
ALIAS = re.compile(r'\busing\s+(\w+)\s*=')
NAMED_BEFORE_PARENTHESIS = re.compile(r'(\w+|operator\s*\S+)\s*\(')
NAMED_VARIABLE = re.compile(r'(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=|\{|;|$)')


def statements_of(text: str):
    """(in an unnamed namespace, text) of the declarations that stand in a namespace, without their bodies."""
    stack, start, depth_of_body = [], 0, 0
    for match in re.finditer(r'[{};]', text):
        sign, position = match.group(), match.start()
        if depth_of_body:
            depth_of_body += {'{': 1, '}': -1}.get(sign, 0)
            if depth_of_body == 0:
                start = position + 1
            continue
        head = text[start:position]
        if sign == '{':
            namespace = re.search(r'\bnamespace\b\s*([\w:]*)\s*$', head)
            if namespace or re.search(r'\bextern\s*$', head):
                stack.append(bool(namespace) and not namespace.group(1))
                start = position + 1
            else:
                yield any(stack), head + '{'
                depth_of_body = 1
        elif sign == '}':
            if stack:
                stack.pop()
            start = position + 1
        else:
            yield any(stack), head + ';'
            start = position + 1


def name_of(statement: str) -> set:
    """The name that a declaration introduces."""
    plain = re.sub(r'^\s*#[^\n]*(?:\\\n[^\n]*)*', '', statement, flags=re.M)
    plain = re.sub(r'\btemplate\s*<[^{;]*?>\s*(?=\w)', '', plain).strip()
    for pattern in (DEFINED_TYPE, ALIAS):
        match = pattern.search(plain)
        if match:
            return {match.group(1)}
    match = NAMED_BEFORE_PARENTHESIS.search(plain) or NAMED_VARIABLE.search(plain)
    return {match.group(1)} if match else set()


def own_names(text: str) -> set:
    """The names that only this file may know."""
    macros = set(re.findall(r'^\s*#\s*define\s+(\w+)', text, re.M)) - set(
        re.findall(r'^\s*#\s*undef\s+(\w+)', text, re.M)
    )
    # Xlib's headers define None, Success, Status and their like as macros.
    macros |= set(re.findall(r'^\s*#\s*include\s*<(X11/\w+)', text, re.M))
    # A file that replaces the allocator is not to meet the headers that declare it.
    macros |= set(re.findall(r'\b(posix_memalign|operator (?:new|delete))\s*\(', text))
    names = {'#' + name for name in macros}
    plain = LITERALS.sub(' ', text)
    plain = re.sub(r'^\s*#[^\n]*(?:\\\n[^\n]*)*', '', plain, flags=re.M)
    for unnamed, statement in statements_of(plain):
        directive = re.match(r'\s*using\s+namespace\s+([\w:]+)', statement)
        if directive:
            names.add('using ' + directive.group(1))
        alias = re.match(r'\s*namespace\s+(\w+)\s*=', statement)
        if alias:
            names.add(alias.group(1))
        elif unnamed or re.match(r'\s*static\b', statement):
            names |= name_of(statement)
        elif re.match(r'\s*using\s+\w+\s*=', statement):
            names |= name_of(statement)
    return names


def names_of_files(files: list) -> dict:
    return {file: own_names(pathlib.Path(file).read_text(encoding='utf-8', errors='replace')) for file in files}


def stands_alone(names: set) -> bool:
    """A directive or a macro reaches into every file behind it."""
    return any(name.startswith(('using ', '#')) for name in names)


def groups_of(files: list) -> list:
    """As few groups as hold all files, with about the same amount of text in each."""
    names = names_of_files(files)
    rest = [file for file in files if not stands_alone(names[file])]
    count = max(2 if len(rest) > 3 else 1, -(-len(rest) // FILES_PER_GROUP))
    groups = [[] for _ in range(count)]
    taken, sizes = [set() for _ in range(count)], [0] * count
    for file in sorted(rest, key=lambda f: (-len(names[f]), f)):
        free = [i for i in range(len(groups)) if not taken[i] & names[file]]
        if free:
            index = min(free, key=lambda i: sizes[i])
        else:
            index = len(groups)
            groups.append([])
            taken.append(set())
            sizes.append(0)
        groups[index].append(file)
        taken[index] |= names[file]
        sizes[index] += os.path.getsize(file) + 4000
    return [sorted(group) for group in groups if len(group) > 1]


def holds(groups: list) -> bool:
    """Whether the files of each group still define no name twice."""
    for group in groups:
        taken = set()
        for names in names_of_files(group).values():
            if stands_alone(names) or taken & names:
                return False
            taken |= names
    return True


def write(output: pathlib.Path, files: list):
    # A source file of several targets has one group name: the target's name keeps them apart.
    groups = {f'{output.stem}_{i}': group for i, group in enumerate(groups_of(files))}
    text = '# ' + ';'.join(files) + '\nset(groups ' + ' '.join(groups) + ')\n'
    for name, group in groups.items():
        text += f'set({name}\n' + ''.join(f'  "{file}"\n' for file in group) + ')\n'
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text)


def refresh(output: pathlib.Path, files: list = None):
    """Write the groups, unless those that are there are of the same files and hold."""
    old = output.read_text() if output.exists() else ''
    listed = old.partition('\n')[0][2:].split(';')
    files = files or listed
    groups = [re.findall(r'"(.*)"', part) for part in old.split('set(')[2:]]
    if not all(map(os.path.exists, files)) or (old and listed == files and holds(groups)):
        return
    write(output, files)


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    if sys.argv[1] == '--refresh':
        for folder in sys.argv[2:]:
            for output in sorted(pathlib.Path(folder).glob('*/ambf_unity_groups/*.cmake')):
                refresh(output)
    else:
        refresh(pathlib.Path(sys.argv[1]), sys.argv[2:])
    return 0


if __name__ == '__main__':
    sys.exit(main())
