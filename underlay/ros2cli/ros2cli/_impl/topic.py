# SPDX-License-Identifier: BSD-3-Clause
"""`ros2 topic list, info, type, find`."""

from .graph import add_graph_arguments, complete_topics, is_hidden, own_node
from .graph import topic_types, wait_for_topic_types, wait_until_settled


def _full(name: str) -> str:
    return name if name.startswith('/') else '/' + name


def add_list_arguments(parser) -> None:
    add_graph_arguments(parser)
    parser.add_argument('-t', '--show-types', action='store_true',
                        help='Additionally show the topic type')
    parser.add_argument('-c', '--count-topics', action='store_true',
                        help='Only display the number of topics discovered')
    parser.add_argument('--include-hidden-topics', action='store_true',
                        help='Consider hidden topics as well')
    parser.add_argument('-v', '--verbose', action='store_true',
                        help='List full details about each topic')


def _visible_topics(node, include_hidden):
    return sorted((name, types) for name, types in node.get_topic_names_and_types()
                  if include_hidden or not is_hidden(name))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def run_list(args):
    with own_node(args) as node:
        wait_until_settled(node, args)
        topics = _visible_topics(node, args.include_hidden_topics)
        if args.count_topics:
            print(len(topics))
        elif args.verbose:
            print('Published topics:')
            for name, types in topics:
                count = node.count_publishers(name)
                if count:
                    print(f" * {name} [{', '.join(types)}] {_count(count, 'publisher')}")
            print('\nSubscribed topics:')
            for name, types in topics:
                count = node.count_subscribers(name)
                if count:
                    print(f" * {name} [{', '.join(types)}] {_count(count, 'subscriber')}")
            print()
        else:
            for name, types in topics:
                print(f"{name} [{', '.join(types)}]" if args.show_types else name)
    return 0


def add_info_arguments(parser) -> None:
    add_graph_arguments(parser)
    parser.add_argument('topic_name', help="Name of the ROS topic to get info (e.g. '/chatter')"
                        ).completer = complete_topics
    parser.add_argument('-v', '--verbose', action='store_true',
                        help='Prints detailed information like the node name, node namespace, '
                             'topic type, topic type hash, GUID, and QoS Profile of the '
                             'publishers and subscribers to this topic')


def run_info(args):
    with own_node(args) as node:
        topic = _full(args.topic_name)
        if not wait_for_topic_types(node, topic):
            return f"Unknown topic '{args.topic_name}'"
        wait_until_settled(node, args)
        types = topic_types(node, topic)
        lines_end = '\n' if args.verbose else ''
        print(f"Type: {types[0] if len(types) == 1 else types}{lines_end}")
        for title, count, infos in (
                ('Publisher', node.count_publishers, node.get_publishers_info_by_topic),
                ('Subscription', node.count_subscribers, node.get_subscriptions_info_by_topic)):
            print(f'{title} count: {count(topic)}{lines_end}')
            if args.verbose:
                for endpoint in infos(topic):
                    print(f'{endpoint}\n')
    return 0


def add_type_arguments(parser) -> None:
    add_graph_arguments(parser)
    parser.add_argument('topic_name', help="Name of the ROS topic to get type (e.g. '/chatter')"
                        ).completer = complete_topics
    parser.add_argument('--include-hidden-topics', action='store_true',
                        help='Consider hidden topics as well')


def run_type(args):
    with own_node(args) as node:
        types = wait_for_topic_types(node, _full(args.topic_name))
    for name in types:
        print(name)
    return 0 if types else 1


def add_find_arguments(parser) -> None:
    from .interface import complete_messages
    add_graph_arguments(parser)
    parser.add_argument('topic_type', help="Name of the ROS topic type to filter for (e.g. "
                        "'std_msgs/msg/String')").completer = complete_messages
    parser.add_argument('-c', '--count-topics', action='store_true',
                        help='Only display the number of topics discovered')
    parser.add_argument('--include-hidden-topics', action='store_true',
                        help='Consider hidden topics as well')


def run_find(args):
    with own_node(args) as node:
        wait_until_settled(node, args)
        names = [name for name, types in _visible_topics(node, args.include_hidden_topics)
                 if args.topic_type in types]
    if args.count_topics:
        print(len(names))
    else:
        for name in names:
            print(name)
    return 0
