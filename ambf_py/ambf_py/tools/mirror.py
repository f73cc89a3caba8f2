# SPDX-License-Identifier: BSD-3-Clause
"""mirror_arm: an arm of the world follows another one, real or recorded, joint by joint."""

import argparse
import logging
import signal
import sys
import threading

from ..errors import AmbfError


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='mirror_arm',
        description=__doc__,
        epilog='A real PSM1 and a simulated one have the same topics: give them two domains (--source-domain), or start '
        'the simulated one under another name. A recording is a source as well: ros2 bag play.',
    )
    parser.add_argument('source', help='arm that is followed, e.g. /real/PSM1')
    parser.add_argument('follower', help='arm that follows, e.g. /PSM1; it is enabled and homed if it is not')
    parser.add_argument('--source-domain', type=int, help='ROS domain of the source; default: ROS_DOMAIN_ID')
    parser.add_argument('--follower-domain', type=int, help='ROS domain of the follower; default: ROS_DOMAIN_ID')
    parser.add_argument(
        '--speed',
        type=lambda text: [float(part) for part in text.split(',')],
        help='greatest speed of the joints [rad/s, m/s]: one number, or one per joint with commas between them; '
        'default: 3 rad/s, 0.2 m/s for an insertion',
    )
    parser.add_argument('--patience', type=float, default=0.1, help='the follower holds after so much silence [s]')
    parser.add_argument('--rate', type=float, default=200.0, help='of the commands [Hz]')
    parser.add_argument('--no-jaw', action='store_true', help='leave the jaw alone')
    parser.add_argument('--timeout', type=float, default=30.0, help='how long to wait for the two arms [s]')
    return parser


def main(words: list[str] | None = None) -> int:
    given = make_parser().parse_args(words)
    logging.basicConfig(level=logging.INFO, format='mirror_arm: %(message)s', stream=sys.stdout)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        from ..arm import Arm
        from ..mirror import Mirror

        speed = given.speed[0] if given.speed is not None and len(given.speed) == 1 else given.speed
        with Arm(given.follower, timeout=given.timeout, domain_id=given.follower_domain) as follower:
            if not follower.is_enabled():
                follower.enable()
            if not follower.is_homed():
                follower.home()
            logging.info('%s is ready and waits for %s', follower.name, given.source)
            with Arm(given.source, timeout=given.timeout, domain_id=given.source_domain) as source:
                mirror = Mirror(
                    source, follower, speed=speed, patience=given.patience, rate=given.rate, jaw=not given.no_jaw
                )
                mirror.run(stop)
    except (AmbfError, ImportError) as error:
        print(f'mirror_arm: {error}', file=sys.stderr)
        return 1
    return 0
