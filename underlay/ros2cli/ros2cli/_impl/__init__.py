# SPDX-License-Identifier: BSD-3-Clause
"""The commands: for each, one line of help and its verbs.

A verb is given by the module that holds it, imported only when it is used, and one line of help.
In that module `add_<verb>_arguments(parser)` and `run_<verb>(args)` make it up. A command without
verbs has one entry under the empty name.
"""

_TOPIC = 'ros2cli._impl.topic'
_PARAM = 'ros2cli._impl.param'
_COMPONENT = 'ros2cli._impl.component'
_INTERFACE = 'ros2cli._impl.interface'
_PKG = 'ros2cli._impl.pkg'
_ACTION = 'ros2cli._impl.action'
_SERVICE = 'ros2cli._impl.service'
_NODE = 'ros2cli._impl.node'

COMMANDS = {
    'action': ('Various action related sub-commands', {
        'info': (_ACTION, 'Print information about an action'),
        'list': (_ACTION, 'Output a list of action names'),
        'send_goal': (_ACTION, 'Send an action goal'),
        'type': (_ACTION, "Print a action's type"),
    }),
    'bag': ('Various rosbag related sub-commands', None),
    'component': ('Various component related sub-commands', {
        'list': (_COMPONENT, 'Output a list of running containers and components'),
        'load': (_COMPONENT, 'Load a component into a container node'),
        'standalone': (_COMPONENT, 'Run a component into its own standalone container node'),
        'types': (_COMPONENT, 'Output a list of components registered in the ament index'),
        'unload': (_COMPONENT, 'Unload a component from a container node'),
    }),
    'interface': ('Show information about ROS interfaces', {
        'list': (_INTERFACE, 'List all interface types available'),
        'package': (_INTERFACE, 'Output a list of available interface types within one package'),
        'packages': (_INTERFACE, 'Output a list of packages that provide interfaces'),
        'proto': (_INTERFACE, 'Output an interface prototype'),
        'show': (_INTERFACE, 'Output the interface definition'),
    }),
    'launch': ('Run a launch file', {'': ('ros2cli._impl.launch', '')}),
    'node': ('Various node related sub-commands', {
        'info': (_NODE, 'Output information about a node'),
        'list': (_NODE, 'Output a list of available nodes'),
    }),
    'param': ('Various param related sub-commands', {
        'delete': (_PARAM, 'Delete parameter'),
        'describe': (_PARAM, 'Show descriptive information about declared parameters'),
        'dump': (_PARAM, 'Show all of the parameters of a node in a YAML file format'),
        'get': (_PARAM, 'Get parameter'),
        'list': (_PARAM, 'Output a list of available parameters'),
        'load': (_PARAM, 'Load parameter file for a node'),
        'set': (_PARAM, 'Set parameter'),
    }),
    'pkg': ('Various package related sub-commands', {
        'executables': (_PKG, 'Output a list of package specific executables'),
        'list': (_PKG, 'Output a list of available packages'),
        'prefix': (_PKG, 'Output the prefix path of a package'),
        'xml': (_PKG, 'Output the XML of the package manifest or a specific tag'),
    }),
    'run': ('Run a package specific executable', {'': ('ros2cli._impl.run', '')}),
    'service': ('Various service related sub-commands', {
        'call': (_SERVICE, 'Call a service'),
        'find': (_SERVICE, 'Output a list of services of a given type'),
        'info': (_SERVICE, 'Print information about a service'),
        'list': (_SERVICE, 'Output a list of available services'),
        'type': (_SERVICE, "Output a service's type"),
    }),
    'topic': ('Various topic related sub-commands', {
        'bw': ('ros2cli._impl.topic_rates', 'Display bandwidth used by topic'),
        'delay': ('ros2cli._impl.topic_rates',
                  'Display delay of topic from timestamp in header'),
        'echo': ('ros2cli._impl.topic_echo', 'Output messages from a topic'),
        'find': (_TOPIC, 'Output a list of available topics of a given type'),
        'hz': ('ros2cli._impl.topic_rates', 'Print the average publishing rate to screen'),
        'info': (_TOPIC, 'Print information about a topic'),
        'list': (_TOPIC, 'Output a list of available topics'),
        'pub': ('ros2cli._impl.topic_pub', 'Publish a message to a topic'),
        'type': (_TOPIC, "Print a topic's type"),
    }),
}
