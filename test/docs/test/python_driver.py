# SPDX-License-Identifier: BSD-3-Clause
"""Runs the Python blocks of a page in one interpreter: one block for each line of JSON on the standard input."""

import json
import sys
import traceback

names = {'__name__': '__page__'}
for request in sys.stdin:
    block = json.loads(request)
    try:
        exec(compile('\n' * (block['line'] - 1) + block['code'], 'page', 'exec'), names)
        result = 'good'
    except BaseException:  # noqa: B902  also sys.exit of a block: the page goes on and the test says so
        result = traceback.format_exc().strip().splitlines()[-1]
        traceback.print_exc()
    sys.stderr.flush()
    print(f'\n\x01{result}', flush=True)
