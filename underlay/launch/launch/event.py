# SPDX-License-Identifier: BSD-3-Clause
"""What happens while a launch description runs."""


class Event:
    """Something that event handlers can react to."""

    name = 'launch.Event'

    def __init__(self) -> None:
        pass
