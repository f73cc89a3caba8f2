# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 bag play`."""
from __future__ import annotations

import argparse

from ros2bag.api import (LOG_LEVELS, add_standard_reader_args, check_file_exists,
                         check_not_negative_float, check_not_negative_int, check_positive_float,
                         ros_arguments, run_program, service_event_topics, split_seconds)

SAME_NAMES = ('read_ahead_queue_size', 'rate', 'loop', 'disable_keyboard_controls', 'start_paused')


class PlayVerb:
    """Play back ROS data from a bag."""

    def add_arguments(self, parser: argparse.ArgumentParser, cli_name: str) -> None:
        """Add the verb's arguments."""
        add = parser.add_argument
        add_standard_reader_args(parser)
        add('--read-ahead-queue-size', type=int, default=1000,
            help='Number of messages read ahead of the playback. Default: %(default)d.')
        add('-r', '--rate', type=check_positive_float, default=1.0,
            help='Rate at which to play back messages. Valid range > 0.0.')
        for word in ('topic', 'service'):
            add(f'--{word}s', default=[], metavar=word, nargs='+',
                help=f'Space-delimited list of {word}s to play.')
            add(f'--exclude-{word}s', default=[], metavar=word, nargs='+',
                help=f'Space-delimited list of {word}s not to play.')
        add('-e', '--regex', default='',
            help='Play only topics and services that match the regular expression.')
        add('-x', '--exclude-regex', default='',
            help='Do not play topics and services that match the regular expression.')
        add('--qos-profile-overrides-path', type=check_file_exists,
            help='Path to a yaml file with QoS profiles for specific topics.')
        add('-l', '--loop', action='store_true',
            help='Start again at the beginning when the end is reached.')
        add('-m', '--remap', default=[], nargs='+', metavar='OLD:=NEW',
            help='Topics to be remapped, as old_topic1:=new_topic1 old_topic2:=new_topic2')
        clock = parser.add_mutually_exclusive_group()
        clock.add_argument('--clock', type=check_positive_float, nargs='?', const=40.0, default=0.0,
                           help='Publish to /clock at this frequency in Hz (40 where none is given), '
                                'to act as a ROS time source; /clock of the bag is not played.')
        clock.add_argument('--clock-topics', default=[], nargs='+',
                           help='Publish to /clock before each message of these topics.')
        clock.add_argument('--clock-topics-all', action='store_true',
                           help='Publish to /clock before each message.')
        add('-d', '--delay', type=check_positive_float, default=0.0,
            help='Sleep this many seconds before playing (each loop).')
        add('--playback-duration', type=float, default=-1.0,
            help='Play this many seconds of the bag; negative for all. Together with '
                 '--playback-until-* the later end counts.')
        until = parser.add_mutually_exclusive_group()
        until.add_argument('--playback-until-sec', type=float, default=-1.0,
                           help='Play until this time stamp, in seconds since the epoch.')
        until.add_argument('--playback-until-nsec', type=int, default=-1,
                           help='Play until this time stamp, in nanoseconds since the epoch.')
        add('--disable-keyboard-controls', action='store_true', help='Do not read the keyboard.')
        add('-p', '--start-paused', action='store_true', help='Start in a paused state.')
        add('--start-offset', type=check_not_negative_float, default=0.0,
            help='Start this many seconds into the bag.')
        add('--wait-for-all-acked', type=check_not_negative_int, default=-1, metavar='TIMEOUT',
            help='At the end wait until all reliable subscribers have acknowledged all messages, at '
                 'most this many milliseconds; 0 waits for ever.')
        add('--disable-loan-message', action='store_true',
            help='Do not publish as loaned messages. They are never used here.')
        add('--log-level', default='info', choices=LOG_LEVELS, help='Logging level.')

    def main(self, *, args: argparse.Namespace) -> None:
        """Play."""
        exclude = list(args.exclude_topics) + (['/clock'] if args.clock > 0 else [])
        until = args.playback_until_nsec
        if args.playback_until_sec >= 0:
            until = round(args.playback_until_sec * 1e9)
        parameters = {
            'storage.uri': args.bag_path,
            'storage.storage_id': args.storage,
            **{f'play.{name}': getattr(args, name) for name in SAME_NAMES},
            'play.topics_to_filter': args.topics,
            'play.services_to_filter': service_event_topics(args.services),
            'play.regex_to_filter': args.regex,
            'play.exclude_topics_to_filter': exclude,
            'play.exclude_services_to_filter': service_event_topics(args.exclude_services),
            'play.exclude_regex_to_filter': args.exclude_regex,
            'play.qos_profile_overrides_path': args.qos_profile_overrides_path or '',
            'play.clock_publish_frequency': float(args.clock),
            'play.clock_publish_on_topic_publish': args.clock_topics_all or bool(args.clock_topics),
            'play.clock_trigger_topics': args.clock_topics,
            **split_seconds('play.delay', args.delay),
            **split_seconds('play.start_offset', args.start_offset),
            **split_seconds('play.playback_duration', max(args.playback_duration, -1.0)),
            'play.playback_until.sec': until // 10**9,
            'play.playback_until.nsec': until % 10**9,
            **split_seconds('play.wait_acked_timeout', args.wait_for_all_acked * 1e-3),
        }
        run_program('lib', 'player', ros_arguments(parameters, log_level=args.log_level, remaps=args.remap))
