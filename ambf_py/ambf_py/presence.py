# SPDX-License-Identifier: BSD-3-Clause
"""Who offers the world: whether a simulator is there, whether it is the one that is meant, and the only one."""

import time
from collections.abc import Callable

from ambf_msgs.srv import GetWorldMode

from .calls import LOOK_PERIOD, ServiceCalls
from .errors import AmbfError, SimulatorGone
from .view import WorldView

# How long a second simulator, which may be a dead one that the graph still lists, is asked for an answer [s].
SECOND_ANSWER = 2.0
# One that did not answer is asked again after this long: it may have been starting, on a busy machine [s].
SILENT_FOR = 10.0


class Presence:
    """Looks at the graph for simulators of one world."""

    def __init__(self, node, calls: ServiceCalls, view: WorldView, base: str, alive: Callable[[], str | None]):
        self.topic = f'{base}/World/Manifest'
        self._node, self._calls, self._view, self._base, self._alive = node, calls, view, base, alive
        self._one_lives: frozenset = frozenset()  # publishers of which all but one did not answer
        self._ask_again_at = 0.0

    def _place(self) -> str:
        return f'ROS_DOMAIN_ID {self._node.context.get_domain_id()}'

    def _check(self, deadline: float, missing: Callable[[], str]):
        """SimulatorGone with the reason why nothing more is to be waited for."""
        reason = self._alive()
        if reason is None and time.monotonic() >= deadline:
            reason = missing()
        if reason is not None:
            raise SimulatorGone(reason)

    def wait_for_manifest(self, timeout: float, given_node: bool):
        """Until a first world is here."""
        deadline = time.monotonic() + timeout
        spun = ', and does the executor of the given node spin' if given_node else ''
        while not self._view.wait_for_manifest(0, min(LOOK_PERIOD, max(0.0, deadline - time.monotonic()))):
            self._check(
                deadline,
                lambda: (
                    f"no world on '{self.topic}' within {timeout:g} s: is the physics node "
                    f'running, in {self._place()} and this namespace{spun}?'
                ),
            )

    def wait_for_node(self, name: str, timeout: float):
        """Until the simulator whose node is called so is in the graph."""
        deadline = time.monotonic() + timeout
        while all(info.node_name != name for info in self._node.get_publishers_info_by_topic(self.topic)):
            self._check(deadline, lambda: f"no simulator '{name}' in {self._place()} within {timeout:g} s")
            time.sleep(0.01)

    def check_alone(self):
        """AmbfError where two simulators answer: both would take the steps, and either's answer would count."""
        if self._node.count_publishers(self.topic) < 2:
            return
        seen = frozenset(tuple(info.endpoint_gid) for info in self._node.get_publishers_info_by_topic(self.topic))
        if seen == self._one_lives and time.monotonic() < self._ask_again_at:
            return
        request = GetWorldMode.Request()
        if self._calls.count_answers(GetWorldMode, 'get_mode', request, SECOND_ANSWER) > 1:
            raise AmbfError(
                f"more than one simulator offers '{self._base}/World' in {self._place()}: end the others, "
                'or give each its own domain_id or namespace'
            )
        self._one_lives, self._ask_again_at = seen, time.monotonic() + SILENT_FOR
