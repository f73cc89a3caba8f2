# SPDX-License-Identifier: BSD-3-Clause
"""`./ambf shell` leaves the user where they are, completes words, and shows in the prompt that it is there."""

import os
import pty
import shutil
import subprocess

import pytest
from blocks import ROOT


@pytest.fixture
def shell(tmp_path):
    """Runs lines in the shell of a checkout that has nothing to build; returns what it wrote."""
    checkout, elsewhere, home = tmp_path / 'checkout', tmp_path / 'elsewhere', tmp_path / 'home'
    for folder in (checkout / 'setup', checkout / 'ambf_description' / 'worlds' / 'needle', elsewhere, home):
        folder.mkdir(parents=True)
    for name in ('ambf', 'setup/env.sh', 'setup/shell.bash'):
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
        words, _ = process.communicate(timeout=30)
        os.close(controller)
        os.close(terminal)
        return words.decode()

    run.folder = elsewhere
    return run


def test_the_shell_stays_in_the_callers_folder_and_says_that_it_is_there(shell):
    words = shell('echo "at <$PWD> prompt <$PS1>"')
    assert f'at <{shell.folder}>' in words
    assert 'prompt <(ambf)' in words


def test_the_shell_completes_its_own_words(shell):
    def completed(*words):
        line = ' '.join(words)
        return (
            f'COMP_WORDS=({line} ""); COMP_CWORD={len(words)}; _ambf; echo "{line}: <${{COMPREPLY[*]}}>"; '
            f'complete -p ./ambf'
        )

    words = shell(completed('./ambf'), completed('./ambf', 'demo'), completed('./ambf', 'test'))
    assert 'complete -o default -F _ambf ./ambf' in words
    assert './ambf: <demo test build' in words
    assert 'needle' in words and '--repeat' in words
