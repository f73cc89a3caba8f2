# SPDX-License-Identifier: BSD-3-Clause
"""Unique names."""

import os
import random
import socket
import sys

from ._operands import _OneName


class AnonName(_OneName):
    """Evaluates to a name that no other launch has; the same argument gives the same name."""

    _LABEL = 'AnonName'

    def perform(self, context) -> str:
        """Return the name."""
        name = self._perform_name(context)
        key = 'anon' + name
        if key not in context.launch_configurations:
            context.launch_configurations[key] = self.compute_name(name)
        return context.launch_configurations[key]

    def compute_name(self, id_value: str) -> str:
        """Make a new unique name."""
        host = ''.join(c if c.isalnum() else '_' for c in socket.gethostname())
        return f'{id_value}_{host}_{os.getpid()}_{random.randint(0, sys.maxsize)}'
