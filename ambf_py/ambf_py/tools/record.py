# SPDX-License-Identifier: BSD-3-Clause
"""Records a user study: subject, study, start and stop, with a timer that is recorded, too.

Start begins a bag named <date>_<subject>_<study>; the timer on /ambf/study/timer starts and stops with it, so that the
length of a trial is in the bag even where the clocks of its messages differ.
"""

import argparse
import datetime
import math
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

import rclpy
from std_msgs.msg import Float64, String

from ..errors import AmbfError
from ..ros_process import check_domain
from ..simulator import start_child

# The trial's own, which are always recorded.
STUDY = ['/ambf/study/timer', '/ambf/study/event']
# A Python list, as in the original study tool: edit it, or give --topics.
TOPICS = ['/clock', '/ambf/env/World/Snapshot', '/ambf/env/World/Manifest', *STUDY]


def folder_name(subject: str, study: str, now: datetime.datetime) -> str:
    """Date first, so that folders sort by time; only characters that every file system takes."""
    for what, text in (('subject', subject), ('study', study)):
        if not re.fullmatch(r'[\w.-]+', text):
            raise ValueError(f"{what}: found '{text}', expected letters, digits, '.', '-' or '_'")
    return f'{now:%Y-%m-%d_%H-%M-%S}_{subject}_{study}'


class Timer:
    """Publishes the seconds since the start, and what happened, while a trial runs."""

    def __init__(self, rate: float = 10.0):
        self._context = rclpy.Context()
        rclpy.init(context=self._context)
        self._node = rclpy.create_node('ambf_record', context=self._context)
        self._timer = self._node.create_publisher(Float64, '/ambf/study/timer', 10)
        self._event = self._node.create_publisher(String, '/ambf/study/event', 10)
        self._rate = rate
        self._running = threading.Event()
        self._thread: threading.Thread | None = None
        self.elapsed = 0.0

    def wait_for_recorder(self, bag: subprocess.Popen, timeout: float = 30.0):
        """Until the recorder listens to the timer; TimeoutError says why it does not."""
        deadline = time.monotonic() + timeout
        while self._timer.get_subscription_count() == 0 or self._event.get_subscription_count() == 0:
            if bag.poll() is not None:
                raise TimeoutError(f'the recorder ended with code {bag.returncode}; see its messages above')
            if time.monotonic() > deadline:
                raise TimeoutError(f'the recorder did not listen to the timer within {timeout:g} s')
            time.sleep(0.02)

    def start(self):
        begin = time.monotonic()
        self._running.set()
        self._event.publish(String(data='start'))

        def run():
            while self._running.is_set():
                self.elapsed = time.monotonic() - begin
                self._timer.publish(Float64(data=self.elapsed))
                time.sleep(1.0 / self._rate)

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def stop(self):
        if self._running.is_set():
            self._running.clear()
            self._thread.join()
            self._timer.publish(Float64(data=self.elapsed))
            self._event.publish(String(data='stop'))
            time.sleep(0.2)  # the recorder takes the last messages

    def close(self):
        self.stop()
        self._node.destroy_node()
        rclpy.shutdown(context=self._context)


def start_bag(folder: pathlib.Path, topics: Sequence[str]) -> subprocess.Popen:
    """`ros2 bag record` in a session of its own: Ctrl+C ends the trial first, and then the recorder."""
    ros2 = shutil.which('ros2')
    if ros2 is None:
        raise FileNotFoundError("the program 'ros2' is not on the path: source the workspace first")
    return start_child(
        [ros2, 'bag', 'record', '-o', str(folder), '--topics', *topics],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def wait_for_enter():
    """Until Enter or Ctrl+C is pressed; without a terminal only the latter stops."""
    try:
        try:
            input('recording; press Enter to stop ')
        except EOFError:
            print('there is nobody to press Enter: Ctrl+C (SIGINT) stops', flush=True)
            threading.Event().wait()
    except KeyboardInterrupt:
        pass


def record(
    subject: str, study: str, output: pathlib.Path, topics: Sequence[str], duration: float | None = None
) -> pathlib.Path:
    """One trial; ends after `duration` [s], or when Enter is pressed."""
    folder = output / folder_name(subject, study, datetime.datetime.now())
    if duration is not None and not 0.0 <= duration < math.inf:
        raise ValueError(f'duration: found {duration}, expected seconds, 0 or more')
    check_domain()
    output.mkdir(parents=True, exist_ok=True)
    timer, bag = Timer(), None
    try:
        bag = start_bag(folder, list(dict.fromkeys([*topics, *STUDY])))
        timer.wait_for_recorder(bag)
        timer.start()
        if duration is None:
            wait_for_enter()
        else:
            time.sleep(duration)
        timer.stop()
    finally:
        timer.close()
        if bag is not None:
            bag.send_signal(signal.SIGINT)
            try:
                bag.wait(15.0)
            except subprocess.TimeoutExpired:
                bag.kill()
    return folder


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog='ambf-record', description=__doc__.splitlines()[0])
    parser.add_argument('subject', help="identifier of the subject, e.g. 's03'")
    parser.add_argument('study', help="kind of study, e.g. 'peg_transfer'")
    parser.add_argument('--output', type=pathlib.Path, default=pathlib.Path('.'))
    parser.add_argument('--topics', nargs='*', default=TOPICS, help="besides the trial's own timer and events")
    parser.add_argument('--duration', type=float, help='seconds; without it, until Enter is pressed')
    args = parser.parse_args(arguments)
    try:
        folder = record(args.subject, args.study, args.output, args.topics, args.duration)
    except (ValueError, OSError, AmbfError) as error:
        print(f'ambf-record: {error}', file=sys.stderr)
        return 1
    print(f'recorded {folder}')
    return 0
