# SPDX-License-Identifier: BSD-3-Clause
"""Pages of the C++ API: the public headers of the libraries below src/, their declarations and `///` comments."""

import pathlib
import re

import tree_sitter
import tree_sitter_cpp

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))
RECORDS = {'class_specifier', 'struct_specifier', 'union_specifier'}
HIDDEN_NAMESPACES = {'detail', 'internal'}


def text_of(node) -> str:
    return node.text.decode('utf-8')


def comment_text(node) -> str:
    """What a `///` comment says; indentation inside it (formulas) is kept."""
    return re.sub(r'^///<? ?', '', text_of(node))


def is_doc(node) -> bool:
    return node.type == 'comment' and text_of(node).startswith('///')


def is_trailing(node) -> bool:
    return is_doc(node) and text_of(node).startswith('///<')


def documented(nodes):
    """Pairs of a declaration and its comment: `///` lines before it, or `///<` behind it."""
    pending, result = [], []
    behind = False
    for node in nodes:
        if is_trailing(node) and result:
            result[-1][1].append(comment_text(node))
            behind = True
        elif is_doc(node):
            # A `///<` comment goes on in plain `///` lines that stand in its column.
            if behind and node.start_point.column > 4 and not pending:
                result[-1][1].append(comment_text(node))
            else:
                pending.append(comment_text(node))
                behind = False
        elif node.type == 'comment':
            pending, behind = [], False
        elif node.type in (';', '{', '}'):
            continue
        else:
            result.append((node, pending))
            pending, behind = [], False
    return result


def paragraphs(lines: list[str]) -> str:
    """Comment lines as Markdown: indented ones are formulas, `/// ` alone separates paragraphs."""
    out, code = [], False
    for line in lines:
        formula = line.startswith('  ') and line.strip()
        if formula and not code:
            out.append('\n```')
        if code and not formula:
            out.append('```\n')
        code = bool(formula)
        out.append(line if formula else escape(line))
    if code:
        out.append('```')
    return '\n'.join(out).strip()


def escape(text: str) -> str:
    return re.sub(r'(?<!`)([<*_|\[\]])(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)', r'\\\1', text)


def cell(lines: list[str]) -> str:
    return escape(' '.join(line.strip() for line in lines if line.strip()))


def signature(node) -> str:
    """The declaration without its body, its initialisers and the blanks between lines."""
    source = text_of(node)
    cut = len(source.encode('utf-8'))
    for child in descendants(node):
        if child.type in ('compound_statement', 'field_initializer_list', 'try_statement'):
            cut = min(cut, child.start_byte - node.start_byte)
    source = source.encode('utf-8')[:cut].decode('utf-8').strip()
    source = re.sub(r'//.*', '', source)
    source = re.sub(r'\[\[gnu::visibility[^\]]*\]\]\s*', '', source)
    return re.sub(r'\s+', ' ', source).rstrip(';').replace('( ', '(').strip()


def descendants(node):
    for child in node.children:
        yield child
        if child.type not in RECORDS:
            yield from descendants(child)


def is_function(node) -> bool:
    return node.type == 'function_definition' or any(
        c.type in ('function_declarator', 'operator_cast')
        for c in descendants(node)
        if c.type != 'parameter_declaration'
    )


def record_of(node):
    """The class, struct or enum that a declaration defines, if it does."""
    for candidate in [node, *node.children]:
        if candidate.type in RECORDS | {'enum_specifier'} and candidate.child_by_field_name('body'):
            return candidate
    return None


def public_members(record):
    """Members that users may name, without friends and deleted functions."""
    public = record.type != 'class_specifier'
    nodes = []
    for node in record.child_by_field_name('body').children:
        if node.type == 'access_specifier':
            public = text_of(node).startswith('public')
        elif public and node.type not in ('friend_declaration', ':'):
            nodes.append(node)
    hidden = ('= delete', 'operator=', '~')
    return [(n, d) for n, d in documented(nodes) if not any(h in signature(n) for h in hidden)]


def enum_table(record) -> str:
    rows = [
        f'| `{signature(n)}` | {cell(d)} |'
        for n, d in documented(record.child_by_field_name('body').children)
        if n.type == 'enumerator'
    ]
    return '\n| value | |\n|---|---|\n' + '\n'.join(rows) + '\n'


def record_page(node, record, doc, level: int, prefix: str = '') -> str:
    name = prefix + text_of(record.child_by_field_name('name')) if record.child_by_field_name('name') else 'unnamed'
    kind = record.type.split('_')[0]
    out = f'\n{"#" * level} {kind} `{name}`\n\n{paragraphs(doc)}\n'
    if node.type == 'template_declaration':
        head = text_of(node).split('{')[0].strip()
        out += f'\n```cpp\n{re.sub(chr(10), " ", head)}\n```\n'
    bases = [text_of(c).lstrip(': ') for c in record.children if c.type == 'base_class_clause']
    out += f'\nDerived from `{bases[0].replace("public ", "")}`.\n' if bases else ''
    if record.type == 'enum_specifier':
        return out + enum_table(record)
    fields, functions, nested = [], [], []
    for member, comment in public_members(record):
        inner = record_of(member)
        if inner is not None:
            nested.append(record_page(member, inner, comment, min(level + 1, 6), name + '::'))
        elif is_function(member):
            functions.append(f'\n```cpp\n{signature(member)};\n```\n\n{paragraphs(comment)}\n')
        else:
            fields.append(f'| `{signature(member)}` | {cell(comment)} |'.replace('||', '\\|\\|'))
    if fields:
        out += '\n| member | |\n|---|---|\n' + '\n'.join(fields) + '\n'
    return out + ''.join(functions) + ''.join(nested)


def declarations(node):
    """Declarations of a file in all of its namespaces, with their comments."""
    for child, doc in documented(node.children):
        if child.type == 'namespace_definition':
            name = child.child_by_field_name('name')
            if name is not None and text_of(name).split('::')[-1] not in HIDDEN_NAMESPACES:
                yield from declarations(child.child_by_field_name('body'))
        elif child.type == 'linkage_specification':
            yield from declarations(child)
        else:
            yield child, doc


def header_page(file: pathlib.Path, shown: str) -> str:
    out = ''
    for node, doc in declarations(PARSER.parse(file.read_bytes()).root_node):
        record = record_of(node)
        if record is not None:
            out += record_page(node, record, doc, 3)
        elif node.type in (
            'declaration',
            'function_definition',
            'alias_declaration',
            'template_declaration',
            'type_definition',
        ):
            out += f'\n```cpp\n{signature(node)};\n```\n\n{paragraphs(doc)}\n'
    return f'\n## `{shown}`\n{out}' if out else ''


def library_page(library: pathlib.Path) -> str:
    includes = library / 'include'
    headers = sorted(includes.rglob('*.hpp'))
    body = ''.join(header_page(h, str(h.relative_to(includes))) for h in headers)
    readme = f'[Its README](../../src/{library.name}/README.md) says what it is for and shows an example.'
    return f'# `{library.name}`\n\nMade from the public headers, in the namespace `{library.name}`. {readme}\n{body}'


def write_pages(libraries: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """One page for each library; the names of the libraries."""
    folder.mkdir(parents=True, exist_ok=True)
    names = sorted(p.name for p in libraries.iterdir() if (p / 'include').is_dir())
    for name in names:
        (folder / f'{name}.md').write_text(library_page(libraries / name), encoding='utf-8')
    return names
