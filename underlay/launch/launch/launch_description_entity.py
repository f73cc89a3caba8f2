# SPDX-License-Identifier: BSD-3-Clause
"""What a launch description is made of."""

from typing import List, Optional, Text, Tuple


class LaunchDescriptionEntity:
    """Anything that can be visited by the launch service."""

    def visit(self, context) -> Optional[List['LaunchDescriptionEntity']]:
        """Do what this entity does; return the entities that are to be visited next."""
        raise NotImplementedError(f'{type(self).__name__} does not implement visit()')

    def describe(self) -> Text:
        """Return a short description."""
        return repr(self)

    def describe_sub_entities(self) -> List['LaunchDescriptionEntity']:
        """Return the entities that are certainly visited after this one."""
        return []

    def describe_conditional_sub_entities(
        self,
    ) -> List[Tuple[Text, List['LaunchDescriptionEntity']]]:
        """Return the entities that may be visited, with the condition in words."""
        return []

    def get_asyncio_future(self):
        """Return the future that ends with this entity's work, or None if it is instantaneous."""
        return None
