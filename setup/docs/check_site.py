# SPDX-License-Identifier: BSD-3-Clause
"""Check a built site: every link, anchor and picture leads somewhere, and nothing is fetched from elsewhere."""

import html.parser
import pathlib
import sys
import urllib.parse

# Attributes whose target a browser fetches by itself, beside plain links.
FETCHED = {'img': 'src', 'script': 'src', 'link': 'href', 'source': 'src', 'iframe': 'src', 'video': 'src'}


class Page(html.parser.HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.anchors, self.links, self.fetched = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[key] for key in ('id', 'name') if values.get(key))
        if tag == 'a' and values.get('href'):
            self.links.append(values['href'])
        if tag in FETCHED and values.get(FETCHED[tag]) and values.get('rel') != 'canonical':
            self.fetched.append(values[FETCHED[tag]])


def problems(site: pathlib.Path) -> list[str]:
    pages = {file.resolve(): Page(file.read_text(encoding='utf-8')) for file in sorted(site.rglob('*.html'))}
    found = []
    for file, page in pages.items():
        if file.name == '404.html':
            continue  # its links are absolute: they fit the server's root
        where = file.relative_to(site.resolve())
        for target in page.links + page.fetched:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.fetched and parts.scheme != 'data':
                    found.append(f'{where}: {target} is fetched from the network')
                continue
            path = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            path = path / 'index.html' if path.is_dir() else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not path.is_file():
                found.append(f'{where}: {target} leads nowhere')
            elif anchor and path in pages and anchor not in pages[path].anchors:
                found.append(f'{where}: {target}: no such place on that page')
    for sheet in site.rglob('*.css'):
        text = sheet.read_text(encoding='utf-8')
        if '@import' in text or 'url(http' in text or 'url("http' in text:
            found.append(f'{sheet.relative_to(site)}: fetches from the network')
    return found


def main(site: pathlib.Path) -> int:
    found = problems(site)
    for line in found:
        print(f'error: {line}', file=sys.stderr)
    print(f'{len(found)} dead links, missing pictures or fetches from the network')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1])))
