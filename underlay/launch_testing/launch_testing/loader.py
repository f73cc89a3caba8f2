# SPDX-License-Identifier: BSD-3-Clause
"""Test runs from Python modules."""

import functools
import inspect
import unittest
from typing import Any, Callable, Dict, List, Tuple

from .parametrize import runs_of


def _injected(function: Callable, values: Dict[str, Any]) -> Callable:
    """Return the function with those of the values that it takes filled in by name."""
    wanted = {name: values[name] for name in inspect.signature(function).parameters
              if name in values}
    return functools.partial(function, **wanted) if wanted else function


class TestRun:
    """One launch with the tests that run beside it and after it."""

    def __init__(self, name: str, test_description_function: Callable,
                 param_args: Dict[str, Any], pre_shutdown_tests: unittest.TestSuite,
                 post_shutdown_tests: unittest.TestSuite) -> None:
        self.name = name
        self.test_description_function = test_description_function
        self.param_args = param_args
        self.pre_shutdown_tests = pre_shutdown_tests
        self.post_shutdown_tests = post_shutdown_tests

    @property
    def ready_timeout(self) -> float:
        """Return the seconds that getting ready may take."""
        return getattr(
            self.test_description_function, '__ready_to_test_action_timeout__', 15.0)

    @property
    def markers(self) -> Dict[str, Any]:
        """Return the marks on the description, such as `keep_alive`."""
        return getattr(self.test_description_function, '__markers__', {})

    def __str__(self) -> str:
        values = ', '.join(f'{key}={value}' for key, value in self.param_args.items())
        return f'{self.name}[{values}]' if values else self.name

    def normalized_test_description(self, ready_action_func=None) -> Tuple[Any, Dict[str, Any]]:
        """Return launch description and test context."""
        function = self.test_description_function
        arguments = {}
        if ready_action_func is not None and \
                'ready_fn' in inspect.signature(function).parameters:
            arguments['ready_fn'] = ready_action_func
        result = function(**arguments)
        return result if isinstance(result, tuple) else (result, {})

    def bind(self, tests: unittest.TestSuite, injected_attributes: Dict[str, Any],
             injected_args: Dict[str, Any]) -> None:
        """Give attributes to the test cases and arguments to their methods."""
        classes = set()
        for test in _cases(tests):
            for name, value in injected_attributes.items():
                setattr(test, name, value)
            for name in (test._testMethodName, 'setUp', 'tearDown'):
                setattr(test, name, _injected(getattr(test, name), injected_args))
            classes.add(type(test))
        for test_class in classes:
            for name in ('setUpClass', 'tearDownClass'):
                setattr(test_class, name, _injected(getattr(test_class, name), injected_args))


def _cases(suite: unittest.TestSuite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _cases(item)
        else:
            yield item


def _load_suite(module: Any, *, post_shutdown: bool) -> unittest.TestSuite:
    suite = unittest.TestSuite()
    loader = unittest.TestLoader()
    for value in vars(module).values():
        if inspect.isclass(value) and issubclass(value, unittest.TestCase) and \
                value is not unittest.TestCase and value.__module__ == module.__name__ and \
                getattr(value, '__post_shutdown_test__', False) == post_shutdown:
            # A class of its own per run: arguments are bound to it.
            suite.addTests(loader.loadTestsFromTestCase(type(value.__name__, (value,), {
                '__module__': value.__module__, '__qualname__': value.__qualname__})))
    return suite


def LoadTestsFromPythonModule(module: Any, *, name: str = 'launch_tests') -> List[TestRun]:
    """Return the test runs of a module, one for each set of its parameters."""
    if not hasattr(module, 'generate_test_description'):
        raise RuntimeError(f"Test file '{getattr(module, '__file__', module)}' is missing the "
                           "'generate_test_description' function")
    function = module.generate_test_description
    return [TestRun(name, bound, arguments, _load_suite(module, post_shutdown=False),
                    _load_suite(module, post_shutdown=True)) for bound, arguments in runs_of(function)]
