"""Processes that take part in a measurement: where they run, what they print, how they end."""
import os
import re
import signal
import subprocess
import tempfile


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
            list(map(str, command)), stdout=self.log, stderr=subprocess.STDOUT, preexec_fn=place)

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
