# SPDX-License-Identifier: BSD-3-Clause
"""The reader of pages itself, and what every page must keep to."""

import pytest
from blocks import ROOT, Block, commands, is_slow_page, missing_line, pages, promised, read_blocks

PAGE = """# Title
Text with `ros2 topic list`.

<!-- not run: no robot here -->
```sh
ros2 launch a b.py \\
  x:=1
echo two   # prints two
```

1. In a list:
   ```python
   print(1)
   ```

<!-- output -->
```text
1
...
last ... line
```

<!-- inline -->
| service | `ros2 service list` |
| another | `ros2 node list` and `code` |

`ros2 topic list`
"""


def test_blocks_in_order_with_their_marks():
    blocks = read_blocks(PAGE)
    assert [b.language for b in blocks] == ['sh', 'python', 'text', 'sh', 'sh']
    assert blocks[0].mark('not run') == 'no robot here' and blocks[0].mark('slow') is None
    assert blocks[1] == Block('python', 'print(1)', 12, [])
    assert blocks[2].mark('output') == ''
    assert [b.text for b in blocks[3:]] == ['ros2 service list', 'ros2 node list']


def test_commands():
    assert commands(read_blocks(PAGE)[0].text) == ['ros2 launch a b.py x:=1', 'echo two   # prints two']
    assert commands('# a comment\n\n$ ls') == ['ls']
    assert promised('echo two   # prints two') == 'two' and promised('echo two  # a comment') is None


def test_output_is_compared_in_order():
    assert missing_line('1\n...\nlast ... line', '1\n2\nthe last of all line') is None
    assert missing_line('2\n1', '1\n2') == '1'
    assert missing_line('a...c', 'abd') == 'a...c'


def test_slow_pages():
    assert is_slow_page('<!-- slow -->\n# Title') and not is_slow_page(PAGE)


@pytest.mark.parametrize('page', pages(), ids=str)
def test_every_block_says_what_it_is(page):
    """A block without a language would not be run; say sh, python, or text for a picture."""
    blocks = read_blocks((ROOT / page).read_text(encoding='utf-8'))
    assert [f'{page}:{b.line}' for b in blocks if not b.language] == []


@pytest.mark.parametrize('page', pages(), ids=str)
def test_every_block_that_is_not_run_says_why(page):
    blocks = read_blocks((ROOT / page).read_text(encoding='utf-8'))
    assert [f'{page}:{b.line}' for b in blocks if b.mark('not run') == ''] == []
