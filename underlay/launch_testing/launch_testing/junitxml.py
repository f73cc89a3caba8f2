# SPDX-License-Identifier: BSD-3-Clause
"""Results as JUnit XML."""

import xml.etree.ElementTree as ElementTree
from typing import Any, Dict

from .test_result import FailResult


def _case(suite: ElementTree.Element, test: Any, seconds: float) -> ElementTree.Element:
    name = getattr(test, '_testMethodName', str(test))
    return ElementTree.SubElement(suite, 'testcase', {
        'classname': f"{suite.get('name')}.{type(test).__name__}", 'name': name,
        'time': f'{seconds:.3f}'})


def unittestResultsToXml(*, name: str = 'launch_test',
                         test_results: Dict[Any, Any] = {}) -> ElementTree.ElementTree:
    """Return one suite for each run, with the tests of all its classes."""
    root = ElementTree.Element('testsuites', {'name': name})
    totals = {'tests': 0, 'failures': 0, 'errors': 0}
    seconds = 0.0
    for key, results in test_results.items():
        suite = ElementTree.SubElement(root, 'testsuite', {'name': f'{name}.{key}'})
        results = results if isinstance(results, (list, tuple)) else [results]
        counts = {'tests': 0, 'failures': 0, 'errors': 0, 'skipped': 0}
        suite_seconds = 0.0
        for result in results:
            if isinstance(result, FailResult):
                counts['tests'] += 1
                counts['failures'] += 1
                case = ElementTree.SubElement(suite, 'testcase', {
                    'classname': suite.get('name'), 'name': str(key), 'time': '0.000'})
                ElementTree.SubElement(case, 'failure', {'message': result.message})
                continue
            details = {test: ('failure', text) for test, text in result.failures}
            details.update({test: ('error', text) for test, text in result.errors})
            details.update({test: ('skipped', text) for test, text in result.skipped})
            # A class that cannot be set up has an error but no test that ran.
            tests = result.run_tests + [test for test in details if test not in result.run_tests]
            for test in tests:
                taken = result.seconds.get(test, 0.0)
                suite_seconds += taken
                counts['tests'] += 1
                case = _case(suite, test, taken)
                kind, text = details.get(test, (None, ''))
                if kind is not None:
                    counts[{'failure': 'failures', 'error': 'errors'}.get(kind, kind)] += 1
                    message = (text.strip().splitlines() or [''])[-1]
                    ElementTree.SubElement(case, kind, {'message': message}).text = text
        suite.attrib.update({k: str(v) for k, v in counts.items()})
        suite.set('time', f'{suite_seconds:.3f}')
        seconds += suite_seconds
        for total in totals:
            totals[total] += counts[total]
    root.attrib.update({k: str(v) for k, v in totals.items()})
    root.set('time', f'{seconds:.3f}')
    return ElementTree.ElementTree(root)
