#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Build the documentation: the pages of docs/, the READMEs of the packages, and the API from headers and docstrings."""

import argparse
import functools
import http.server
import os
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = pathlib.Path(os.environ.get('AMBF_OUT', ROOT / '.ambf')).absolute() / 'docs'
PAGES, SITE = OUT / 'pages', OUT / 'site'

# Folders that hold output, or nothing for readers.
SKIPPED = {'.ambf', '.git', 'build', 'install', 'log', '__pycache__', 'node_modules', 'fuzz'}
# [text](target) and ![text](target), also with a title behind the target.
LINK = re.compile(r'!?\[[^\]]*\]\(([^)\s]+)(?:\s+"[^"]*")?\)')
FENCE = re.compile(r'^( *)(```+|~~~+).*?^\1\2`*~* *$', re.MULTILINE | re.DOTALL)


def markdown_files() -> list[pathlib.Path]:
    """Every page of the source tree, relative to its root."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if f not in SKIPPED)
        found += [pathlib.Path(folder, f).relative_to(ROOT) for f in sorted(files) if f.endswith('.md')]
    return found


def local_targets(text: str) -> list[str]:
    """Files that a page links to or shows, without those in code blocks and elsewhere on the network."""
    text = re.sub(r'`[^`\n]*`', '', FENCE.sub('', text))
    targets = (m.group(1).split('#')[0] for m in LINK.finditer(text))
    return [t for t in targets if t and not re.match(r'[a-z]+:', t)]


def stage_pages() -> None:
    """Copy pages and what they link to, at the places that they have in the source tree: links stay as they are."""
    shutil.rmtree(PAGES, ignore_errors=True)
    for page in markdown_files():
        target = PAGES / page
        target.parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / page).read_text(encoding='utf-8')
        target.write_text(text, encoding='utf-8')
        for link in local_targets(text):
            source = (ROOT / page).parent / link
            if source.is_file() and source.suffix != '.md' and ROOT in source.resolve().parents:
                copy = PAGES / os.path.relpath(source.resolve(), ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, copy)
    shutil.copyfile(HERE / 'site.css', PAGES / 'site.css')


def package_pages() -> list[dict]:
    """The READMEs of packages, by name."""
    readmes = [p for p in markdown_files() if p.name == 'README.md' and (ROOT / p.parent / 'package.xml').is_file()]
    own = [p for p in readmes if p.parts[0] != 'underlay']
    return [{p.parent.name: str(p)} for p in sorted(own, key=lambda p: p.parent.name)]


def configuration(strict: bool):
    import cpp_api
    import message_pages
    import python_api
    from mkdocs.config import load_config

    os.environ.update(
        AMBF_DOCS_PAGES=str(PAGES),
        AMBF_DOCS_SITE=str(SITE),
        AMBF_DOCS_PYTHON=str(ROOT / 'ambf_py'),
        AMBF_DOCS_DOCTEST=str(HERE / 'doctest_blocks.py'),
    )
    cpp = cpp_api.write_pages(ROOT / 'src', PAGES / 'api' / 'cpp')
    python_api.write_page(ROOT / 'ambf_py' / 'ambf_py', PAGES / 'api' / 'python.md')
    message_pages.write_page(ROOT / 'ambf_msgs', PAGES / 'api' / 'messages.md')
    config = load_config(str(HERE / 'mkdocs.yml'), strict=strict)
    for part in config['nav']:
        if 'Packages' in part:
            part['Packages'] = package_pages()
        if 'API' in part:
            part['API'][1] = {'C++': [{name: f'api/cpp/{name}.md'} for name in cpp]}
    return config


def build(strict: bool) -> int:
    from mkdocs.commands.build import build as mkdocs_build
    from mkdocs.exceptions import Abort

    stage_pages()
    try:
        mkdocs_build(configuration(strict))
    except Abort as error:
        print(f'ambf docs: {error}', file=sys.stderr)
        return 1
    return 0


def serve(port: int) -> int:
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(SITE))
    handler.log_message = lambda *_: None
    try:
        server = http.server.ThreadingHTTPServer(('127.0.0.1', port), handler)
    except OSError as error:
        print(
            f'ambf docs: port {port} cannot be used ({error.strerror}); name another: --serve {port + 1}',
            file=sys.stderr,
        )
        return 1
    print(f'http://127.0.0.1:{server.server_port}  (Ctrl-C ends it)', flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog='./ambf docs', description=__doc__)
    parser.add_argument(
        '--check', action='store_true', help='fail on dead links, missing pictures and anything that needs the network'
    )
    parser.add_argument(
        '--serve',
        type=int,
        nargs='?',
        const=8000,
        metavar='PORT',
        help='serve the site on this machine (default port: 8000)',
    )
    args = parser.parse_args()
    import logging

    logging.basicConfig(level=logging.WARNING, format='%(levelname)s: %(message)s')
    code = build(strict=args.check)
    if code == 0 and args.check:
        import check_site

        code = check_site.main(SITE)
    if code == 0:
        print(f'{SITE / "index.html"}: {sum(1 for _ in SITE.rglob("*.html"))} pages')
    if code == 0 and args.serve is not None:
        return serve(args.serve)
    return code


if __name__ == '__main__':
    sys.exit(main())
