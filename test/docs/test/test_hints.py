# SPDX-License-Identifier: BSD-3-Clause
"""Each line that `./ambf demo` prints for copying is a command that exists, with a message that exists.

That they do what they say is tried with a running world in test_commands.py.
"""

import functools
import importlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest
import yaml
from blocks import ROOT, commands

from ambf_msgs.msg import JointMode, RigidBodyCmd, WorldState

sys.path.insert(0, str(ROOT / 'setup'))
import demo

TYPE = re.compile(r'(\w+)/(msg|srv)/(\w+)')
DRIVEN = demo.DRIVE.format(topic='/ambf/env/psm/baselink', joint='baselink-yawlink', value=0.3, mode=demo.POSITION)
TEXT = demo.HINTS.format(state='/ambf/env/psm/baselink/State', drive=DRIVEN)
LINES = [line for line in commands(TEXT) if line.startswith('./ambf')]


def message_of(words: list):
    """The type that a command names, filled with the values behind it; None where it names none."""
    for word, values in zip(words, words[1:]):
        found = TYPE.fullmatch(word)
        if found:
            kind = getattr(importlib.import_module(f'{found[1]}.{found[2]}'), found[3])
            message = kind.Request() if found[2] == 'srv' else kind()
            for name, value in yaml.safe_load(values).items():
                assert name in message.get_fields_and_field_types(), f'{word} has no field {name}'
                setattr(message, name, value)  # which fails for a value of another type
            return message
    return None


@functools.cache
def help_of(*command: str) -> str:
    assert shutil.which(command[0])
    done = subprocess.run([*command, '--help'], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_command_of_the_hints_is_looked_at():
    assert len(LINES) == TEXT.count('./ambf') == 8


@pytest.mark.parametrize('line', LINES)
def test_the_command_and_its_options_exist(line):
    words = shlex.split(line, comments=True)
    assert words[:2] == ['./ambf', 'exec']
    said = help_of(*words[2:5])
    for option in [word for word in words if word.startswith('-')]:
        assert re.search(rf'(^|[\s,[]){re.escape(option)}\b', said, re.MULTILINE), f'{option}: {said}'


@pytest.mark.parametrize('line', LINES)
def test_the_messages_have_these_fields(line):
    message = message_of(shlex.split(line, comments=True))
    assert (message is not None) == ('{' in line)
    if isinstance(message, RigidBodyCmd):
        assert message.cartesian_cmd_type == RigidBodyCmd.TYPE_NONE


def test_the_numbers_mean_what_is_said():
    assert (demo.POSITION, demo.VELOCITY) == (JointMode.POSITION, JointMode.VELOCITY)
    modes = {
        line.rpartition('# ')[2]: message_of(shlex.split(line, comments=True)).mode
        for line in LINES
        if 'SetWorldMode' in line
    }
    assert modes == {'lock-step': WorldState.MODE_LOCKSTEP, 'real time': WorldState.MODE_REALTIME}
