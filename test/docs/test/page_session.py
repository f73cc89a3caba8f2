# SPDX-License-Identifier: BSD-3-Clause
"""Runs the blocks of one page as its reader would: in order, in one folder, Ctrl-C before the next simulator."""

import json
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import threading
import time

import rclpy
from blocks import ROOT, SHELL, Block, commands, missing_line, promised

from ambf_msgs.msg import WorldState

# Programs that run until Ctrl-C. Those of one group are not run beside each other.
AMBF = r'^(?:\./ambf exec )?'
SIMULATOR = re.compile(
    AMBF
    + r'(?:ros2 launch (?!.*(?:--show-args|--help|-s\b))|ros2 run ambf_physics_node physics_node\b)|^\./ambf demo\b(?!.*--(?:list|help|seconds))'
)
COMPANION = re.compile(
    AMBF
    + r'ros2 run (?:ambf_render_node render_node|ambf_sensor_nodes \w+|ambf_simulation_interfaces adapter|ambf_device_nodes (?!bag_to)\S+|rclcpp_components component_container)'
)
ENDLESS = re.compile(
    AMBF + r'ros2 (?:topic (?:hz|bw|delay) |topic pub(?!.*\s(?:--once|-1|-t)\s) |topic echo (?!.*--once)|bag record )'
)
# What ./ambf does beside `exec` may set up and build, which a quick test must not.
WHOLE = re.compile(r'^\./ambf (?!exec\b|--help\b|demo --list\b|docs --help\b)')

STATE_TOPIC = 'World/State'


class Failure(AssertionError):
    """A command that did not do what its page says."""


def programs(nodes: list[str]) -> set[str]:
    """The nodes of programs that a page starts: not our own, nor those of `ros2` commands and of their daemon."""
    return {name for name in nodes if name != 'docs_watch' and not name.startswith('_ros2cli')}


class Graph:
    """Looks at the ROS graph of this domain."""

    def __init__(self):
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('docs_watch', context=self.context)
        self.executor = rclpy.executors.SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)

    def close(self):
        self.executor.remove_node(self.node)
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def nodes(self) -> set[str]:
        return programs(self.node.get_node_names())

    def wait(self, condition, process, seconds: float, what: str):
        """Until the condition holds; a process that ends meanwhile is a failure."""
        end = time.monotonic() + seconds
        while not condition():
            if process.poll() is not None:
                raise Failure(f'ended with code {process.returncode} before {what}')
            if time.monotonic() > end:
                raise Failure(f'{what}: not within {seconds:.0f} s')
            self.executor.spin_once(timeout_sec=0.05)

    def wait_for_state(self, process, seconds: float):
        """Until a world tells its state."""
        got, subscriptions = [], {}

        def heard() -> bool:
            for topic, _ in self.node.get_topic_names_and_types():
                if topic.endswith(STATE_TOPIC) and topic not in subscriptions:
                    subscriptions[topic] = self.node.create_subscription(WorldState, topic, got.append, 1)
            return bool(got)

        try:
            self.wait(heard, process, seconds, 'the first state of a world')
        finally:
            for subscription in subscriptions.values():
                self.node.destroy_subscription(subscription)

    def wait_until_empty(self, seconds: float = 90.0):
        """Until no world is left, so that the next one is alone."""
        end = time.monotonic() + seconds
        while any(
            t.endswith(STATE_TOPIC) and self.node.count_publishers(t) for t, _ in self.node.get_topic_names_and_types()
        ):
            if time.monotonic() > end:
                raise Failure('a world is still there after its program ended')
            self.executor.spin_once(timeout_sec=0.05)


def end_process(process, name: str):
    """Ctrl-C, as a person would end it; one that goes on has a defect."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    try:
        process.wait(90)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise Failure(f'`{name}` did not end within 90 s after Ctrl-C') from None
    try:
        os.killpg(process.pid, signal.SIGKILL)  # what it left behind
    except ProcessLookupError:
        pass


class PageSession:
    def __init__(self, folder: pathlib.Path, quick: bool, seconds: float):
        self.folder, self.quick, self.seconds = folder, quick, seconds
        self.cwd, self.output, self.skipped = folder, '', []
        self.environment = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'AMBF_TEST_LONG')}
        self.environment.update(PYTHONUNBUFFERED='1', STATE=str(folder / '.state'))
        # What a command sets is there for the commands behind it, as in the reader's terminal.
        self.restore = 'source "$STATE" >/dev/null 2>&1; set -a'
        self.running: list[tuple[str, str, subprocess.Popen]] = []
        self.python, self.printed = None, None
        self.graph = Graph()
        (folder / 'ambf').symlink_to(ROOT / 'ambf')

    def close(self):
        try:
            self.end_python()
            self.end_running()
        finally:
            self.graph.close()

    def end_running(self, group: str = ''):
        for kind, name, process in reversed(self.running):
            if not group or kind == group:
                end_process(process, name)
        self.running = [entry for entry in self.running if group and entry[0] != group]
        if not group or group == 'simulator':
            self.graph.wait_until_empty()

    def run(self, block: Block):
        if block.mark('file'):
            file = self.folder / block.mark('file')
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text + '\n')
            return
        if block.mark('output') is not None:
            line = missing_line(block.text, self.output)
            if line is not None:
                raise Failure(f'line {block.line}: the page promises\n    {line}\nand the output was\n{self.output}')
            return
        if block.mark('end') is not None:
            self.end_running()
        if block.mark('world'):
            name, *arguments = block.mark('world').split()
            self.start(
                'simulator',
                ' '.join(
                    [
                        'ros2 launch ambf_bringup simulator.launch.py render:=false',
                        f'world:=$(ros2 pkg prefix --share ambf_description)/worlds/{name}/launch.yaml',
                        *arguments,
                    ]
                ),
            )
        if block.mark('start'):
            command = block.mark('start')
            self.start('simulator' if SIMULATOR.match(command) else 'companion', command)
        self.output = ''
        if block.language == 'python':
            self.run_python(block)
        elif block.language in SHELL:
            for command in commands(block.text):
                self.run_command(command, block)

    def run_command(self, command: str, block: Block):
        if WHOLE.match(command) and (self.quick or 'AMBF_OUT' not in os.environ):
            self.skipped.append(f'line {block.line}: {command}')
            return
        if SIMULATOR.match(command):
            self.start('simulator', command)
            return
        if COMPANION.match(command):
            self.start('companion', command)
            return
        endless = ENDLESS.match(command)
        code, output = self.shell(command, 4.0 if endless else self.seconds, bool(endless))
        self.output += output
        fails = block.mark('fails') is not None
        if endless and not output.strip() and ' pub ' not in command and ' record' not in command:
            raise Failure(f'line {block.line}: `{command}` printed nothing')
        if not endless and (code != 0) != fails:
            raise Failure(f'line {block.line}: `{command}` ended with code {code}\n{output[-3000:]}')
        promise = promised(command)
        if promise and promise not in output:
            raise Failure(f'line {block.line}: `{command}` promises "{promise}" and printed\n{output[-3000:]}')

    def shell(self, command: str, seconds: float, endless: bool) -> tuple[int, str]:
        """Run a command; what it exports and the folder that it goes to stay for the next."""
        state = self.folder / '.state'
        state.touch()
        script = f'{self.restore}\n{command}\nstatus=$?\ndeclare -px >"$STATE"; pwd >"$STATE.cwd"; exit $status'
        process = subprocess.Popen(
            ['bash', '-c', script],
            cwd=self.cwd,
            env=self.environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGINT)
            try:
                output, _ = process.communicate(timeout=90)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
                raise Failure(f'`{command}` did not end after Ctrl-C\n{output[-3000:]}') from None
            if not endless:
                raise Failure(f'`{command}` took more than {seconds:.0f} s\n{output[-3000:]}') from None
        cwd = pathlib.Path(f'{state}.cwd')
        if cwd.exists():
            self.cwd = pathlib.Path(cwd.read_text().strip())
        return process.returncode, output

    def start(self, kind: str, command: str):
        """Start a program that goes on until Ctrl-C, and wait until it is there."""
        if kind == 'simulator':
            self.end_running(kind)
        before = self.graph.nodes()
        log = self.folder / f'.log{len(list(self.folder.glob(".log*")))}'
        with log.open('w') as file:
            # `exec`, so that Ctrl-C reaches the program itself.
            script = f'{self.restore}\nexec ' + re.sub(r'\s#.*$', '', command)
            process = subprocess.Popen(
                ['bash', '-c', script],
                cwd=self.cwd,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )
        self.running.append((kind, command, process))
        try:
            if kind == 'simulator':
                self.graph.wait_for_state(process, self.seconds)
            else:
                self.graph.wait(lambda: self.graph.nodes() - before, process, self.seconds, 'its node was there')
        except Failure as failure:
            raise Failure(f'`{command}`: {failure}\n{log.read_text()[-3000:]}') from None

    def run_python(self, block: Block):
        if self.python is None:
            driver = pathlib.Path(__file__).parent / 'python_driver.py'
            self.python = subprocess.Popen(
                [sys.executable, str(driver)],
                cwd=self.cwd,
                env=self.environment,
                text=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self.printed = queue.Queue()
            threading.Thread(target=self.listen, args=(self.python.stdout, self.printed), daemon=True).start()
        self.python.stdin.write(json.dumps({'code': block.text, 'line': block.line}) + '\n')
        self.python.stdin.flush()
        end = time.monotonic() + self.seconds
        result = None
        while result is None:
            try:
                line = self.printed.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                self.end_python(kill=True)
                raise Failure(f'line {block.line}: more than {self.seconds:.0f} s\n{self.output[-3000:]}') from None
            if line is None:
                code = self.python.wait()
                self.python = None
                raise Failure(f'line {block.line}: Python ended with code {code}\n{self.output[-3000:]}')
            if line.startswith('\x01'):
                result = line[1:].rstrip()
            else:
                self.output += line
        failed = result != 'good'
        if failed != (block.mark('fails') is not None):
            raise Failure(f'line {block.line}: {result}\n{self.output[-3000:]}')
        for promise in filter(None, map(promised, block.text.splitlines())):
            if promise not in self.output:
                raise Failure(f'line {block.line}: promises "{promise}" and printed\n{self.output[-3000:]}')

    @staticmethod
    def listen(stream, lines: queue.Queue):
        """Lines of the page's Python as they come; None behind the last."""
        for line in stream:
            lines.put(line)
        lines.put(None)

    def end_python(self, kill: bool = False):
        if self.python is None:
            return
        process, self.python = self.python, None
        if kill:
            os.killpg(process.pid, signal.SIGKILL)
        process.stdin.close()
        try:
            process.wait(90)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise Failure('the Python of this page did not end') from None
