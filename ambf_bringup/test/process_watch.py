# SPDX-License-Identifier: BSD-3-Clause
"""The processes of the launch that a test runs in."""

import os
import re


def process_of(program: str, node: str = '') -> int | None:
    """Process number of a program, by the end of its path, that this launch has started; None: there is none.

    `node`: only the process of the node with that name.
    """
    for folder in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{folder}/cmdline') as file:
                command = file.read()
            with open(f'/proc/{folder}/status') as file:
                status = file.read()
        except OSError:
            continue
        parent = int(re.search(r'PPid:\s+(\d+)', status).group(1))
        if f'lib/{program}' in command and f'__node:={node}' in command and parent == os.getpid():
            return int(folder)
    return None
