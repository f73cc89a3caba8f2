# SPDX-License-Identifier: BSD-3-Clause
"""Results of unittest with times and one line for each test."""

import time
import unittest


class TestResult(unittest.TextTestResult):
    """Remembers for each test how long it took."""

    def __init__(self, stream=None, descriptions=None, verbosity=None, **kwargs) -> None:
        super().__init__(stream, descriptions, verbosity)
        self._started = {}
        self.seconds = {}
        self.run_tests = []

    def startTest(self, test) -> None:
        """Note the start."""
        self._started[test] = time.monotonic()
        self.run_tests.append(test)
        super().startTest(test)

    def stopTest(self, test) -> None:
        """Note the time taken."""
        self.seconds[test] = time.monotonic() - self._started.pop(test)
        super().stopTest(test)


class FailResult(unittest.TestResult):
    """The result of a run whose processes failed before the tests could say anything."""

    def __init__(self, test_run=None, message: str = 'Processes under test failed') -> None:
        super().__init__()
        self.message = message
        self.test_run = test_run

    def wasSuccessful(self) -> bool:
        """Return False."""
        return False
