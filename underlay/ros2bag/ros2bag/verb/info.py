# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 bag info`."""
from __future__ import annotations

import argparse

from ros2bag.api import add_standard_reader_args, run_program


class InfoVerb:
    """Print information about a bag to the screen."""

    def add_arguments(self, parser: argparse.ArgumentParser, cli_name: str) -> None:
        """Add the verb's arguments."""
        add_standard_reader_args(parser)
        parser.add_argument('-t', '--topic-name', action='store_true',
                            help='Only display topic names.')
        parser.add_argument('-v', '--verbose', action='store_true',
                            help='Display request/response information for services.')

    def main(self, *, args: argparse.Namespace) -> None:
        """Print."""
        options = (['-t'] if args.topic_name else []) + (['-v'] if args.verbose else [])
        options += ['-s', args.storage] if args.storage else []
        run_program('libexec', 'bag_info', [*options, '--', args.bag_path])
