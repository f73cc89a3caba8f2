# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 bag`: finds the verb and runs it."""
from __future__ import annotations

import argparse

from ros2bag.verb.info import InfoVerb
from ros2bag.verb.play import PlayVerb
from ros2bag.verb.record import RecordVerb

VERBS = {'info': InfoVerb, 'play': PlayVerb, 'record': RecordVerb}


class BagCommand:
    """Various rosbag related sub-commands."""

    def add_arguments(self, parser: argparse.ArgumentParser, cli_name: str) -> None:
        """Add the verbs and their arguments."""
        lines = '\n'.join(f'{name:<8}{verb.__doc__}' for name, verb in VERBS.items())
        group = parser.add_subparsers(
            title='Commands', description=lines, dest='_bag_verb',
            metavar=f'Call `{cli_name} bag <command> -h` for more detailed usage.')
        for name, verb_class in VERBS.items():
            verb = verb_class()
            verb_parser = group.add_parser(name, description=verb_class.__doc__)
            verb.add_arguments(verb_parser, f'{cli_name} bag')
            verb_parser.set_defaults(_bag=verb)

    def main(self, *, parser: argparse.ArgumentParser, args: argparse.Namespace) -> int | str | None:
        """Run the verb; without one, print the help."""
        verb = getattr(args, '_bag', None)
        if verb is None:
            parser.print_help()
            return 0
        return verb.main(args=args)
