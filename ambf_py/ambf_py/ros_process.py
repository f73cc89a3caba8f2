# SPDX-License-Identifier: BSD-3-Clause
"""What has to be right in a process before it uses ROS: otherwise the middleware hangs, or ends it without a word."""

import os

import rclpy

from ambf_physics_node.transport import transport_environment

from .errors import AmbfError, BadValue

# Domains whose ports exist.
LAST_DOMAIN = 232
_user: int | None = None  # the process that used ROS first


def check_fork():
    """Call it before ROS is used; AmbfError in a process that was forked after its parent had used it.

    A fork copies the middleware without its threads: whatever waits for them waits for ever.
    """
    global _user
    if _user is None:
        _user = os.getpid()
    elif _user != os.getpid():
        raise AmbfError(
            'this process was forked from one that had used ROS, which does not work: start it anew, e.g. '
            'AsyncVectorEnv(..., context="spawn") or multiprocessing.get_context("spawn")'
        )


def check_domain(domain_id: int | None = None) -> int:
    """The domain that is meant: the given one, or that of the environment; BadValue if there is no such domain."""
    source, value = (
        ('ROS_DOMAIN_ID', os.environ.get('ROS_DOMAIN_ID') or '0') if domain_id is None else ('domain_id', domain_id)
    )
    try:
        found = int(value)
    except (TypeError, ValueError):
        found = -1
    if not 0 <= found <= LAST_DOMAIN or isinstance(value, float) and found != value:
        raise BadValue(f'{source}: found {value!r}, expected a whole number from 0 to {LAST_DOMAIN}')
    return found


def choose_transport():
    """Call it before a context of our own is made: this process then talks as the simulator does.

    Shared memory that killed programs left can delay the start of the next one, by two seconds. Who has started ROS
    already, or has chosen a transport in the environment, keeps what there is.
    """
    if not rclpy.ok():
        os.environ.update(transport_environment())
