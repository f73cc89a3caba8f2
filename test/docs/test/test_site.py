# SPDX-License-Identifier: BSD-3-Clause
"""What `./ambf docs` makes: its check finds what leads nowhere, and the pages of the C++ API have what headers declare."""

import os
import pathlib
import subprocess
import sys

import pytest
from blocks import ROOT

sys.path.insert(0, str(ROOT / 'setup' / 'docs'))
import check_site

HEADER = """#pragma once
namespace wheels
{
/// Twice of it [m].
double twice(double length);

/// A spring.
struct Spring
{
  double stiffness = 1.0;  ///< of the spring [N/m]
  /// What it pushes with.
  double force(double way) const { return -stiffness * way; }
};

namespace detail
{
int hidden();
}
}  // namespace wheels
"""


def docs(*arguments: str) -> subprocess.CompletedProcess:
    # The tests' own environment is not the tools'.
    environment = {k: v for k, v in os.environ.items() if k not in ('PYTHONPATH', 'VIRTUAL_ENV')}
    command = ['bash', str(ROOT / 'ambf'), 'docs', *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def problems(site: pathlib.Path, body: str) -> list[str]:
    (site / 'index.html').write_text(f'<html><body>{body}</body></html>')
    return check_site.problems(site)


@pytest.fixture
def site(tmp_path):
    (tmp_path / 'other.html').write_text('<h1 id="top">Other</h1>')
    (tmp_path / 'there.png').write_bytes(b'')
    return tmp_path


GOOD = '<a href="other.html#top">x</a> <a href="https://example.org">x</a> <img src="there.png"> <a href="#here">x</a>'


@pytest.mark.parametrize(
    'body, found',
    [
        ('<p id="here"></p>' + GOOD, []),
        ('<a href="absent.html">x</a>', ['index.html: absent.html leads nowhere']),
        ('<a href="other.html#bottom">x</a>', ['index.html: other.html#bottom: no such place on that page']),
        ('<img src="absent.png">', ['index.html: absent.png leads nowhere']),
        (
            '<img src="https://example.org/a.png">',
            ['index.html: https://example.org/a.png is fetched from the network'],
        ),
        ('<script src="//example.org/a.js">', ['index.html: //example.org/a.js is fetched from the network']),
    ],
    ids=['good', 'dead link', 'dead place', 'missing picture', 'far picture', 'far script'],
)
def test_what_leads_nowhere_is_found(site, body, found):
    assert problems(site, body) == found


def test_the_check_fails_and_says_how_many(site, capsys):
    problems(site, '<img src="absent.png">')
    assert check_site.main(site) == 1
    said = capsys.readouterr()
    assert said.err == 'error: index.html: absent.png leads nowhere\n' and said.out.startswith('1 dead links')
    problems(site, '')
    assert check_site.main(site) == 0


def test_a_sheet_that_fetches_from_the_network_is_found(site):
    (site / 'a.css').write_text('@import "https://example.org/a.css";')
    assert problems(site, '') == ['a.css: fetches from the network']


@pytest.fixture(scope='module')
def tools() -> str:
    """The interpreter that has the tools of the site; the first run installs them."""
    done = docs('--tools')
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_declarations_of_headers_are_on_the_page_of_their_library(tools, tmp_path):
    header = tmp_path / 'src' / 'wheels' / 'include' / 'wheels' / 'spring.hpp'
    header.parent.mkdir(parents=True)
    header.write_text(HEADER)
    program = (
        'import pathlib, cpp_api\n'
        f'here = pathlib.Path({str(tmp_path)!r})\n'
        "assert cpp_api.write_pages(here / 'src', here / 'pages') == ['wheels']"
    )
    environment = {'PATH': os.environ['PATH'], 'PYTHONPATH': str(ROOT / 'setup' / 'docs')}
    done = subprocess.run([tools, '-B', '-c', program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / 'pages' / 'wheels.md').read_text()
    assert '## `wheels/spring.hpp`' in page
    assert '```cpp\ndouble twice(double length);\n```\n\nTwice of it \\[m\\].' in page
    assert '### struct `Spring`\n\nA spring.' in page
    assert '| `double stiffness = 1.0` | of the spring \\[N/m\\] |' in page
    assert '```cpp\ndouble force(double way) const;\n```\n\nWhat it pushes with.' in page
    assert 'hidden' not in page


@pytest.mark.skipif(os.environ.get('AMBF_TEST_LONG') != '1', reason='builds the whole site; runs with --long')
def test_the_site_leads_nowhere_astray():
    done = docs('--check')
    assert done.returncode == 0, done.stderr
    assert '0 dead links' in done.stdout
