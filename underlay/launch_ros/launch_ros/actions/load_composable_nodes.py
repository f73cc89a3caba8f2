# SPDX-License-Identifier: BSD-3-Clause
"""Nodes into running containers."""

import threading
from typing import Any, Dict, List, Optional, Union

import launch.logging
from launch.action import Action
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from ..descriptions import ComposableNode
from ..parameter_descriptions import Parameter
from ..ros_adapters import get_ros_node
from ..utilities import evaluate_parameters, make_namespace_absolute, prefix_namespace
from ..utilities import to_parameters_list

# How often a wait looks up whether it is still worth while, in seconds.
_POLL_SECONDS = 0.5


class LoadComposableNodes(Action):
    """Loads nodes into a container, one after the other; the container may start later."""

    def __init__(
        self, *,
        composable_node_descriptions: List[ComposableNode],
        target_container: Union[SomeSubstitutionsType, Action],
        **kwargs,
    ) -> None:
        super().__init__(**kwargs)
        if not isinstance(target_container, Action):
            target_container = normalize_to_list_of_substitutions(target_container)
        self.__descriptions = list(composable_node_descriptions)
        self.__target_container = target_container
        self.__logger = launch.logging.get_logger(__name__)

    def execute(self, context) -> None:
        """Execute the action."""
        if isinstance(self.__target_container, Action):
            container = self.__target_container.node_name
        else:
            container = perform_substitutions(context, self.__target_container)
        # Evaluated here, because the scope this action stands in ends before the loading.
        wishes = [self.__evaluate(context, description) for description in self.__descriptions
                  if description.condition() is None or
                  description.condition().evaluate(context)]
        if wishes:
            context.add_completion_future(context.asyncio_loop.run_in_executor(
                None, self.__load, context, container, wishes))

    def __evaluate(self, context, description: ComposableNode) -> Dict[str, Any]:
        def perform(substitutions) -> str:
            return '' if substitutions is None else perform_substitutions(context, substitutions)
        namespace = prefix_namespace(context.launch_configurations.get('ros_namespace'),
                                     perform(description.node_namespace) or None)
        rules = list(context.launch_configurations.get('ros_remaps', []))
        rules += [(perform(source), perform(target))
                  for source, target in description.remappings or ()]
        shared = [Parameter(*item) if isinstance(item, tuple) else item
                  for item in context.launch_configurations.get('global_params', [])]
        from ..utilities import normalize_parameters
        parameters = normalize_parameters(shared) + (description.parameters or [])
        return {
            'package_name': perform(description.package),
            'plugin_name': perform(description.node_plugin),
            'node_name': perform(description.node_name),
            'node_namespace': make_namespace_absolute(namespace) if namespace else '',
            'remap_rules': [f'{source}:={target}' for source, target in rules],
            'parameters': evaluate_parameters(context, parameters),
            'extra_arguments': evaluate_parameters(context, description.extra_arguments or []),
        }

    def __load(self, context, container: str, wishes: List[Dict[str, Any]]) -> None:
        try:
            self.__load_in_sequence(context, container, wishes)
        except Exception:
            # The shutdown takes the node away that the loading uses.
            if not context.is_shutdown:
                raise
            self.__logger.warning(f"Abandoning loading into '{container}', due to shutdown.")

    def __load_in_sequence(self, context, container: str, wishes: List[Dict[str, Any]]) -> None:
        try:
            from composition_interfaces.srv import LoadNode
        except ImportError as exc:
            raise RuntimeError(f'nodes cannot be loaded into {container}: {exc}') from exc
        client = get_ros_node(context).create_client(LoadNode, f'{container}/_container/load_node')
        while not client.wait_for_service(timeout_sec=_POLL_SECONDS):
            reason = self.__reason_to_give_up(context)
            if reason:
                self.__logger.warning(
                    f"Abandoning wait for the '{client.srv_name}' service, {reason}.")
                return
        for wish in wishes:
            request = LoadNode.Request(**{
                key: value for key, value in wish.items()
                if key not in ('parameters', 'extra_arguments')})
            request.parameters = to_parameters_list(
                context, wish['node_name'], wish['node_namespace'], wish['parameters'])
            request.extra_arguments = to_parameters_list(
                context, wish['node_name'], wish['node_namespace'], wish['extra_arguments'])
            response = self.__call(context, client, request)
            if response is None:
                return
            self.__report(container, wish, response)

    def __reason_to_give_up(self, context) -> Optional[str]:
        if context.is_shutdown:
            return 'due to shutdown'
        target = self.__target_container
        if isinstance(target, Action):
            future = target.get_asyncio_future()
            if future is not None and future.done():
                return 'because the container has ended'
        return None

    def __call(self, context, client, request) -> Any:
        answered = threading.Event()
        future = client.call_async(request)
        future.add_done_callback(lambda _: answered.set())
        while not answered.wait(_POLL_SECONDS):
            reason = self.__reason_to_give_up(context)
            if reason:
                self.__logger.warning(
                    f"Abandoning wait for the '{client.srv_name}' service response, {reason}.")
                client.remove_pending_request(future)
                return None
        if future.exception() is not None:
            self.__logger.error(f'Error while calling {client.srv_name}: {future.exception()}')
            return None
        return future.result()

    def __report(self, container: str, wish: Dict[str, Any], response: Any) -> None:
        if not response.success:
            name = wish['node_name'] or wish['plugin_name']
            self.__logger.error(
                f"Failed to load node '{name}' of type '{wish['plugin_name']}' in container "
                f"'{container}': {response.error_message}")
            return
        self.__logger.info(f"Loaded node '{response.full_node_name}' in container '{container}'")
