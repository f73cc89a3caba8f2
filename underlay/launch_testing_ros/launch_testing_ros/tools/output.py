# SPDX-License-Identifier: BSD-3-Clause
"""Output without what the middleware prints."""

from typing import Callable, List, Optional

import launch_testing.tools

_MIDDLEWARE = {'rmw_connextdds': [r'^\d+ RTI', r'^RTI Data Distribution Service']}


def basic_output_filter(
    filtered_prefixes: Optional[List[str]] = None,
    filtered_patterns: Optional[List[str]] = None,
    filtered_rmw_implementation: Optional[str] = None,
) -> Callable[[str], str]:
    """Return a filter that drops lines by prefix, by pattern and of a middleware."""
    import re
    patterns = ['^' + re.escape(prefix) for prefix in filtered_prefixes or ()]
    patterns += list(filtered_patterns or ())
    patterns += _MIDDLEWARE.get(filtered_rmw_implementation, [])
    return launch_testing.tools.basic_output_filter(patterns)
