# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 bag record`."""
from __future__ import annotations

import argparse
import datetime
import os

from ros2bag.api import (LOG_LEVELS, check_file_exists, check_not_negative_int, print_error,
                         print_warn, ros_arguments, run_program, service_event_topics)

PRESETS = ['none', 'fastwrite', 'zstd_fast', 'zstd_small']
SAME_NAMES = ('topics', 'topic_types', 'regex', 'exclude_regex', 'exclude_topics', 'exclude_topic_types',
              'compression_mode', 'compression_format', 'include_hidden_topics', 'include_unpublished_topics',
              'ignore_leaf_topics', 'start_paused', 'disable_keyboard_controls')
LISTS = {'services': ('ServiceName', 'services to record'), 'topic-types': ('TopicType', 'topic types to record'),
         'exclude-topic-types': ('ExcludeTopicTypes', 'topic types not being recorded'),
         'exclude-topics': ('Topic', 'topics not being recorded'),
         'exclude-services': ('ServiceName', 'services not being recorded')}


class RecordVerb:
    """Record ROS data to a bag."""

    def add_arguments(self, parser: argparse.ArgumentParser, cli_name: str) -> None:
        """Add the verb's arguments."""
        self._add_selection(parser)
        add = parser.add_argument
        add('-o', '--output', help='Destination of the bagfile to create, defaults to a timestamped '
                                   'folder in the current directory.')
        add('-s', '--storage', default='mcap', choices=['mcap'],
            help="Storage identifier to be used, defaults to '%(default)s'.")
        add('--include-unpublished-topics', action='store_true',
            help='Discover and record topics which have no publisher, with the default QoS.')
        add('--include-hidden-topics', action='store_true', help='Discover and record hidden topics as well.')
        add('--no-discovery', action='store_true', help='Record only topics that are present at startup.')
        add('-p', '--polling-interval', type=int, default=100,
            help='Time in ms between queries of the available topics. Default: %(default)d.')
        add('--ignore-leaf-topics', action='store_true', help='Ignore topics without a subscription.')
        add('--qos-profile-overrides-path', type=check_file_exists,
            help='Path to a yaml file with QoS profiles for specific topics.')
        add('-f', '--serialization-format', default='cdr', choices=['cdr'],
            help='The serialization format in which the messages are saved.')
        add('--max-cache-size', type=check_not_negative_int, default=100 * 1024 * 1024,
            help='Maximum size in bytes of messages in each of the two buffers of the cache. '
                 'Default: %(default)d. With 0 every message is written at once.')
        add('--disable-keyboard-controls', action='store_true', help='Do not read the keyboard.')
        add('--start-paused', action='store_true', help='Start in a paused state.')
        add('--use-sim-time', action='store_true',
            help='Use the time of /clock for the time stamps of messages. Until its first message '
                 'nothing is recorded.')
        add('--node-name', default='rosbag2_recorder',
            help='The name of the recorder node. Default is %(default)s.')
        add('--custom-data', metavar='KEY=VALUE', nargs='*', default=[],
            help='Key=value pairs to be stored in the metadata.')
        add('--log-level', default='info', choices=LOG_LEVELS, help='Logging level.')
        add('--storage-preset-profile', default='none', choices=PRESETS,
            help="none: chunks, not compressed. fastwrite: no chunks and no index. zstd_fast, "
                 "zstd_small: chunks compressed with zstd. Default is '%(default)s'.")
        add('--compression-mode', default='none', choices=['none', 'file', 'message'],
            help='Compress the file when it is complete. For compressed chunks see '
                 '--storage-preset-profile. Default: %(default)s.')
        add('--compression-format', default='', choices=['zstd'],
            help='The compression format. Has no effect without a compression mode.')
        for name in ('queue-size', 'threads', 'threads-priority'):
            add(f'--compression-{name}', type=int, default=0,
                help='Accepted; one file is compressed by one thread.')

    def _add_selection(self, parser: argparse.ArgumentParser) -> None:
        topics = parser.add_mutually_exclusive_group()
        topics.add_argument('topics_positional', default=[], metavar='[Topic ...]', nargs='*',
                            help='Space-delimited list of topics to record. (deprecated)')
        topics.add_argument('--topics', default=[], metavar='Topic', nargs='+',
                            help='Space-delimited list of topics to record.')
        add = parser.add_argument
        for name, (metavar, what) in LISTS.items():
            add(f'--{name}', default=[], metavar=metavar, nargs='+', help=f'Space-delimited list of {what}.')
        add('-a', '--all', action='store_true', help='Record all topics and services (Exclude hidden topic).')
        add('--all-topics', action='store_true', help='Record all topics (Exclude hidden topic).')
        add('--all-services', action='store_true', help='Record all services via service event topics.')
        add('-e', '--regex', default='',
            help='Record only topics and services containing the regular expression.')
        add('--exclude-regex', default='',
            help='Exclude topics and services containing the regular expression.')

    def main(self, *, args: argparse.Namespace) -> str | None:
        """Record until SIGINT or SIGTERM."""
        folder = args.output or datetime.datetime.now().strftime('rosbag2_%Y_%m_%d-%H_%M_%S')
        args.topics = args.topics_positional or args.topics
        error = _complaint(args, folder)
        if error:
            return print_error(error)
        if (args.all or args.all_services) and args.services:
            print(print_warn('--all or --all-services will override --services'))
        if (args.all or args.all_topics) and args.topics:
            print(print_warn('--all or --all-topics will override --topics'))
        if (args.all or args.all_topics or args.all_services) and args.regex:
            print(print_warn('--all, --all-topics or --all-services will override --regex'))
        parameters = {
            'use_sim_time': args.use_sim_time,
            'record.all_topics': args.all or args.all_topics,
            'record.all_services': args.all or args.all_services,
            'record.is_discovery_disabled': args.no_discovery,
            **{f'record.{name}': getattr(args, name) for name in SAME_NAMES},
            'record.services': service_event_topics(args.services),
            'record.exclude_services': service_event_topics(args.exclude_services),
            'record.topic_polling_interval.nsec': args.polling_interval * 10**6,
            'record.qos_profile_overrides_path': args.qos_profile_overrides_path or '',
            'storage.uri': folder,
            'storage.storage_id': args.storage,
            'storage.max_cache_size': args.max_cache_size,
            'storage.storage_preset_profile': args.storage_preset_profile,
            'storage.custom_data': args.custom_data,
        }
        run_program('lib', 'recorder', ros_arguments(parameters, args.node_name, args.log_level))
        return None


def _complaint(args: argparse.Namespace, folder: str) -> str | None:
    """Say what is wrong with the arguments, if anything."""
    everything = args.all or args.all_topics or args.all_services
    if not (everything or args.services or args.topics or args.topic_types or args.regex):
        return ('Need to specify at least one option out of --all, --all-topics, '
                '--all-services, --services, --topics, --topic-types or --regex')
    if args.exclude_regex and not (everything or args.topic_types or args.regex):
        return ('--exclude-regex argument requires either --all, --all-topics, --topic-types, '
                '--all-services or --regex')
    some_topics = args.all or args.all_topics or args.topic_types or args.regex
    if args.exclude_topics and not some_topics:
        return ('--exclude-topics argument requires either --all, --all-topics, --topic-types '
                'or --regex')
    if args.exclude_topic_types and not some_topics:
        return '--exclude-topic-types argument requires either --all, --all-topics or --regex'
    if args.exclude_services and not (args.all or args.all_services or args.regex):
        return '--exclude-services argument requires either --all, --all-services or --regex'
    if os.path.isdir(folder):
        return f"Output folder '{folder}' already exists."
    if args.use_sim_time and args.no_discovery:
        return ('--use-sim-time and --no-discovery both set, but are incompatible settings. '
                'The /clock topic needs to be discovered to record with sim time.')
    if args.compression_format and args.compression_mode == 'none':
        return 'Invalid choice: Cannot specify compression format without a compression mode.'
    return None
