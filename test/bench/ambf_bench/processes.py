# SPDX-License-Identifier: BSD-3-Clause
"""Processes that take part in a measurement: where they run, what they print, how they end."""

import itertools
import os
import pathlib
import random
import re
import signal
import subprocess
import tempfile

from ament_index_python.packages import get_package_prefix

_domains = itertools.cycle(random.sample(range(1, 101), 100))


def new_domain() -> str:
    """From here on processes meet in a domain that was not used before: what is left of others is not heard."""
    os.environ['ROS_DOMAIN_ID'] = str(next(_domains))
    return os.environ['ROS_DOMAIN_ID']


def program(name: str, package: str = 'ambf_bench') -> str:
    return str(pathlib.Path(get_package_prefix(package)) / 'lib' / package / name)


def probe(path: str, *args, timeout: float = 900, place=None) -> dict[str, float]:
    """Run a program to its end and read its RESULT lines."""
    done = subprocess.run([path, *map(str, args)], capture_output=True, text=True, timeout=timeout, preexec_fn=place)
    if done.returncode != 0:
        raise RuntimeError(f'{path} {args} failed with {done.returncode}:\n{done.stdout}{done.stderr}')
    return results(done.stdout)


def on_core(index: int):
    """Keeps a process on one core."""
    cores = sorted(os.sched_getaffinity(0))
    return lambda: os.sched_setaffinity(0, {cores[index % len(cores)]})


def results(text: str) -> dict[str, float]:
    """RESULT lines of a probe; a median stands under the result's name."""
    found = {}
    for name, rest in re.findall(r'^RESULT (\S+) (.*)$', text, re.M):
        figures = dict(item.split('=') for item in rest.split())
        found[name] = float(figures.get('p50', figures.get('value', 'nan')))
        found.update({f'{name}.{key}': float(value) for key, value in figures.items()})
    return found


class Background:
    """A process that runs while something is measured."""

    def __init__(self, *command, place=None):
        self.log = tempfile.TemporaryFile('a+')
        self.process = subprocess.Popen(
            list(map(str, command)), stdout=self.log, stderr=subprocess.STDOUT, preexec_fn=place
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def output(self) -> str:
        self.log.seek(0)
        return self.log.read()
