# SPDX-License-Identifier: BSD-3-Clause
"""ambf-replay: the arms of a world in lockstep are asked again what they were asked in a recording, with the same hash each time."""

import argparse
import pathlib
import signal
import sys

from ..errors import AmbfError


def positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"found '{text}', expected a number of steps, 1 or more")
    return int(text)


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='ambf-replay',
        description=__doc__,
        epilog='Start the world that was recorded first: ros2 launch ambf_bringup simulator.launch.py mode:=lockstep world:=... '
        'The bag needs the topics setpoint_js and jaw/setpoint_js of the arms (record:=my_run has them).',
    )
    parser.add_argument('bag', type=pathlib.Path, help='folder or file of the bag')
    parser.add_argument('--arms', metavar='NAMES', help='only these, with commas between them, e.g. PSM1,PSM2')
    parser.add_argument('--steps', type=positive, default=10, help='of the world between two commands (default: 10)')
    parser.add_argument('--namespace', default='', help='of the simulator')
    return parser


def main(words: list[str] | None = None) -> int:
    given = make_parser().parse_args(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        from ..hands.recorded import RecordedArms, read_recording

        arms = [name.strip().strip('/') for name in given.arms.split(',')] if given.arms else None
        recording = read_recording(given.bag, arms)
        seconds = recording.end - recording.begin
        print(f'{", ".join(recording.joints)}: {seconds:.1f} s', flush=True)
        with RecordedArms(recording, namespace=given.namespace) as world:
            told = 0.0
            while not world.over:
                world.tick(given.steps)
                if world.time - recording.begin >= told + 10.0:
                    told = world.time - recording.begin
                    print(f'{told:8.1f} of {seconds:.1f} s', flush=True)
            print(f'hash {world.state.hash:016x} at step {world.state.step}', flush=True)
    except KeyboardInterrupt:
        pass
    except (AmbfError, ImportError) as error:
        print(f'ambf-replay: {error}', file=sys.stderr)
        return 1
    return 0
