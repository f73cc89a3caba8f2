# SPDX-License-Identifier: BSD-3-Clause
"""ROS 2 nodes as processes."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any, Iterable, List, Optional, Tuple

import launch.logging
from launch.actions.execute_process import ExecuteProcess
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from .._parameter_values import write_parameters_file
from ..parameter_descriptions import Parameter
from ..remap_rule_type import SomeRemapRules
from ..substitutions import ExecutableInPackage
from ..utilities import evaluate_parameters, make_namespace_absolute, normalize_parameters
from ..utilities import normalize_remap_rules, prefix_namespace


class Node(ExecuteProcess):
    """Runs a node's program with its ROS arguments.

    `name` and `namespace` are the node's; `exec_name` names the process in the output.
    Each of `parameters` is a dictionary, the path of a parameter file, or a description from
    launch_ros.parameter_descriptions; later ones win.
    """

    UNSPECIFIED_NODE_NAME = '<node_name_unspecified>'
    UNSPECIFIED_NODE_NAMESPACE = '<node_namespace_unspecified>'

    def __init__(
        self, *,
        executable: SomeSubstitutionsType,
        package: Optional[SomeSubstitutionsType] = None,
        name: Optional[SomeSubstitutionsType] = None,
        namespace: Optional[SomeSubstitutionsType] = None,
        exec_name: Optional[SomeSubstitutionsType] = None,
        parameters: Optional[Any] = None,
        remappings: Optional[SomeRemapRules] = None,
        ros_arguments: Optional[Iterable[SomeSubstitutionsType]] = None,
        arguments: Optional[Iterable[SomeSubstitutionsType]] = None,
        **kwargs,
    ) -> None:
        program = executable if package is None else \
            ExecutableInPackage(package=package, executable=executable)
        cmd = [program, *(arguments or []), '--ros-args', *(ros_arguments or [])]
        super().__init__(cmd=cmd, name=exec_name, **kwargs)
        self.__package = package
        self.__node_executable = executable
        self.__node_name = None if name is None else normalize_to_list_of_substitutions(name)
        self.__node_namespace = (
            None if namespace is None else normalize_to_list_of_substitutions(namespace))
        self.__parameters = [] if parameters is None else normalize_parameters(parameters)
        self.__remappings = [] if remappings is None else normalize_remap_rules(remappings)
        self.__expanded_name: Optional[str] = None
        self.__expanded_namespace: Optional[str] = None
        self.__expanded_remappings: Optional[List[Tuple[str, str]]] = None

    @property
    def node_package(self):
        """Return the package."""
        return self.__package

    @property
    def node_executable(self):
        """Return the program."""
        return self.__node_executable

    @property
    def node_name(self) -> str:
        """Return the node's full name, as far as it is known; only after execution."""
        if self.__expanded_namespace is None and self.__expanded_name is None:
            raise RuntimeError("cannot access 'node_name' before executing action")
        namespace = self.__expanded_namespace or self.UNSPECIFIED_NODE_NAMESPACE
        return f"{namespace.rstrip('/')}/{self.__expanded_name}"

    @property
    def expanded_node_namespace(self) -> Optional[str]:
        """Return the node's namespace, after execution."""
        return self.__expanded_namespace

    @property
    def expanded_remapping_rules(self) -> Optional[List[Tuple[str, str]]]:
        """Return the node's remappings, after execution."""
        return self.__expanded_remappings

    def is_node_name_fully_specified(self) -> bool:
        """Return whether name and namespace of the node are known."""
        return self.UNSPECIFIED_NODE_NAME not in self.node_name and \
            self.UNSPECIFIED_NODE_NAMESPACE not in self.node_name

    def execute(self, context):
        """Execute the action."""
        self._perform_substitutions(context)
        return super().execute(context)

    def _perform_substitutions(self, context) -> None:
        name = None
        if self.__node_name is not None:
            name = perform_substitutions(context, self.__node_name)
            _validate(name, r'[A-Za-z_]\w{0,254}', 'validate_node_name')
        self.__expanded_name = name or self.UNSPECIFIED_NODE_NAME
        given = None
        if self.__node_namespace is not None:
            given = perform_substitutions(context, self.__node_namespace)
        namespace = prefix_namespace(context.launch_configurations.get('ros_namespace'), given)
        if namespace or given is not None:
            namespace = make_namespace_absolute(namespace or '')
            _validate(namespace, r'/|(/[A-Za-z_]\w*)+', 'validate_namespace')
        self.__expanded_namespace = namespace or ''
        rules = list(context.launch_configurations.get('ros_remaps', []))
        rules += [(perform_substitutions(context, source), perform_substitutions(context, target))
                  for source, target in self.__remappings]
        self.__expanded_remappings = rules
        arguments: List[str] = []
        if name is not None:
            arguments += ['-r', f'__node:={name}']
        if namespace:
            arguments += ['-r', f'__ns:={namespace}']
        arguments += self.__parameter_arguments(context)
        for source, target in rules:
            arguments += ['-r', f'{source}:={target}']
        self.process_description.cmd.extend(
            normalize_to_list_of_substitutions(argument) for argument in arguments)

    def __parameter_arguments(self, context) -> List[str]:
        # A file that names the node reaches no other node of the same process; but a program may
        # choose what is not given here.
        section = self.node_name if self.is_node_name_fully_specified() else None
        arguments: List[str] = []
        for item in context.launch_configurations.get('global_params', []):
            path = item if isinstance(item, str) else write_parameters_file(
                {item[0]: item[1]}, None)
            arguments += ['--params-file', path]
        for item in evaluate_parameters(context, self.__parameters):
            if isinstance(item, Path):
                path = str(item)
                if not item.is_file():
                    launch.logging.get_logger('launch_ros.actions.node').warning(
                        f'Parameter file path is not a file: {path}')
                    continue
            elif isinstance(item, Parameter):
                path = write_parameters_file({item.name: item.value}, None)
            elif not item:
                continue
            else:
                path = write_parameters_file(item, section)
            arguments += ['--params-file', path]
        return arguments


def _validate(name: str, usual: str, validator: str) -> None:
    """Raise where rclpy refuses the name; the usual ones are told without its slow import."""
    if not re.fullmatch(usual, name, re.ASCII):
        module = import_module(f'rclpy.{validator}')
        getattr(module, validator)(name)
