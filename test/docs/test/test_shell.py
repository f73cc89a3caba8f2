# SPDX-License-Identifier: BSD-3-Clause
"""`./ambf shell` leaves the user where they are, completes words, and shows in the prompt that it is there."""

import os
import pty
import re
import shutil
import subprocess

import pytest
from blocks import ROOT


@pytest.fixture
def shell(tmp_path):
    """Runs lines in the shell of a checkout that has nothing to build; returns what it wrote."""
    checkout, elsewhere, home = tmp_path / 'checkout', tmp_path / 'elsewhere', tmp_path / 'home'
    for folder in (checkout / 'setup', elsewhere, home):
        folder.mkdir(parents=True)
    for name in ('ambf', 'setup/demo.py', 'setup/env.sh', 'setup/shell.bash'):
        shutil.copy(ROOT / name, checkout / name)
    (checkout / 'setup' / 'steps.sh').write_text(
        'ambf_say() { echo "$@"; }\nambf_build() { cd "$AMBF_ROOT"; AMBF_PYTHON_VERSION=3; VIRTUAL_ENV=/none; }\n'
    )

    def run(*lines: str) -> str:
        controller, terminal = pty.openpty()
        process = subprocess.Popen(
            [checkout / 'ambf', 'shell'],
            cwd=elsewhere,
            stdin=terminal,
            stderr=terminal,
            stdout=subprocess.PIPE,
            env={'PATH': os.environ['PATH'], 'HOME': str(home), 'SHELL': '/bin/bash'},
        )
        os.write(controller, ''.join(f'{line}\n' for line in (*lines, 'exit')).encode())
        words, _ = process.communicate(timeout=120)
        os.close(controller)
        os.close(terminal)
        return words.decode()

    run.folder = elsewhere
    return run


def test_the_shell_stays_in_the_callers_folder_and_says_that_it_is_there(shell):
    words = shell('echo "at <$PWD> prompt <$PS1>"')
    assert f'at <{shell.folder}>' in words
    assert 'prompt <(ambf)' in words


SHOW = 'show() { COMP_WORDS=("$@" ""); COMP_CWORD=$#; _ambf; echo "<$*> ${COMPREPLY[*]}"; }'


def usage() -> dict[str, set]:
    """The commands and their options, as the usage text has them."""
    text = subprocess.run([ROOT / 'ambf', '--help'], capture_output=True, text=True, check=True).stdout
    commands = {}
    for line in text.split('\n\n')[1].splitlines():
        if line[2] != ' ':
            options = commands.setdefault(line.split()[0], set())
        options.update(re.findall('--[a-z]+', line))
    return commands


def test_the_shell_completes_what_the_usage_text_names(shell):
    expected = usage()
    assert {'--jobs', '--werror'} <= expected['test'] and {'--times', '--unity'} <= expected['build']
    words = shell(SHOW, 'complete -p ./ambf', 'show ./ambf', *(f'show ./ambf {command}' for command in expected))
    assert 'complete -o default -F _ambf ./ambf' in words
    completed = {line.split('> ')[0]: line.split('> ')[1].split() for line in words.splitlines() if line[:1] == '<'}
    assert completed['<./ambf'] == list(expected)
    for command, options in expected.items():
        assert {word for word in completed[f'<./ambf {command}'] if word.startswith('--')} >= options, command


def test_the_shell_completes_demos(shell):
    assert {'needle', 'peg_transfer', '--video'} <= set(shell(SHOW, 'show ./ambf demo').split())
