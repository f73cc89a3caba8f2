# SPDX-License-Identifier: BSD-3-Clause
"""Logging of the launch system: a screen, one log file for all, and files for single processes."""

import datetime
import logging
import os
import socket
from pathlib import Path
from typing import Dict, List, Optional, Tuple, Union

from . import handlers

__all__ = [
    'get_logger', 'get_output_loggers', 'handlers', 'launch_config', 'log_launch_config',
    'reset',
]

_SCREEN_FORMATS = {
    'default': '[{levelname}] [{name}]: {msg}',
    'default_with_timestamp': '{created:.7f} [{levelname}] [{name}]: {msg}',
}
_LOG_FORMAT = '{created:.7f} [{levelname}] [{name}]: {msg}'
# What a process writes is passed on as it is; in the log file the time stands before it.
_PROCESS_SCREEN_FORMAT = '{msg}'
_PROCESS_LOG_FORMAT = '{created:.7f} {msg}'

_PRESETS = {
    'screen': {'both': ['screen']},
    'log': {'both': ['log'], 'stderr': ['screen']},
    'both': {'both': ['log', 'screen']},
    'own_log': {'both': ['log', 'own_log'], 'stdout': ['own_log'], 'stderr': ['own_log']},
    'full': {'both': ['screen', 'log', 'own_log'], 'stdout': ['own_log'], 'stderr': ['own_log']},
}


class _Formatter(logging.Formatter):
    """Formats with braces; `msg` is the message with its arguments."""

    def __init__(self, fmt: str) -> None:
        super().__init__(fmt, style='{', validate=False)

    def format(self, record: logging.LogRecord) -> str:
        fields = dict(record.__dict__, msg=record.getMessage(), message=record.getMessage())
        text = self._fmt.format(**fields)
        if record.exc_info:
            text += '\n' + self.formatException(record.exc_info)
        return text


class LaunchConfig:
    """Where launch logs to, and how much."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all set-up; files and handlers are made anew when next needed."""
        self._log_dir: Optional[str] = None
        self._file_handlers: Dict[str, logging.Handler] = {}
        self._screen_handler: Optional[handlers.StreamHandler] = None
        self._level = logging.INFO
        self.set_screen_format(os.environ.get('OVERRIDE_LAUNCH_SCREEN_FORMAT') or 'default')
        self.set_log_format(os.environ.get('OVERRIDE_LAUNCH_LOG_FORMAT') or 'default')

    @property
    def level(self) -> int:
        """Return the level below which nothing is logged."""
        return self._level

    @level.setter
    def level(self, level: int) -> None:
        self._level = level
        for name in list(logging.root.manager.loggerDict):
            logger = logging.getLogger(name)
            if getattr(logger, '_launch_configured', False):
                logger.setLevel(level)

    @property
    def log_dir(self) -> str:
        """Return the folder of this run's log files; it is made on first use."""
        if self._log_dir is None:
            self.log_dir = _make_unique_log_dir(_base_log_dir())
        return self._log_dir

    @log_dir.setter
    def log_dir(self, value: Union[str, Path]) -> None:
        os.makedirs(value, exist_ok=True)
        self._log_dir = str(value)

    def set_screen_format(self, screen_format: str, *, screen_style: Optional[str] = None) -> None:
        """Set the format of what is logged to the screen."""
        self._screen_formatter = _Formatter(_SCREEN_FORMATS.get(screen_format, screen_format))
        if getattr(self, '_screen_handler', None) is not None:
            self._screen_handler.setFormatter(self._screen_formatter)

    def set_log_format(self, log_format: str, *, log_style: Optional[str] = None) -> None:
        """Set the format of what is logged to the common log file."""
        self._file_formatter = _Formatter(
            _LOG_FORMAT if log_format == 'default' else log_format)
        handler = getattr(self, '_file_handlers', {}).get('launch.log')
        if handler is not None:
            handler.setFormatter(self._file_formatter)

    def get_screen_handler(self) -> logging.Handler:
        """Return the one handler that writes to the screen."""
        if self._screen_handler is None:
            self._screen_handler = handlers.StreamHandler()
            self._screen_handler.setFormatter(self._screen_formatter)
        return self._screen_handler

    def get_log_file_path(self, file_name: str = 'launch.log') -> str:
        """Return the path of a log file of this run."""
        return os.path.join(self.log_dir, file_name)

    def get_log_file_handler(self, file_name: str = 'launch.log') -> logging.Handler:
        """Return the one handler that writes to this file."""
        if file_name not in self._file_handlers:
            handler = handlers.FileHandler(self.get_log_file_path(file_name))
            handler.setFormatter(self._file_formatter)
            self._file_handlers[file_name] = handler
        return self._file_handlers[file_name]


def _base_log_dir() -> str:
    ros_log_dir = os.environ.get('ROS_LOG_DIR')
    if ros_log_dir:
        return os.path.expanduser(ros_log_dir)
    ros_home = os.environ.get('ROS_HOME') or os.path.join('~', '.ros')
    return os.path.join(os.path.expanduser(ros_home), 'log')


def _make_unique_log_dir(base: str) -> str:
    now = datetime.datetime.now().strftime('%Y-%m-%d-%H-%M-%S-%f')
    name = f'{now}-{socket.gethostname()}-{os.getpid()}'
    path, attempt = os.path.join(base, name), 0
    while True:
        try:
            os.makedirs(path)
            return path
        except FileExistsError:
            attempt += 1
            path = os.path.join(base, f'{name}-{attempt}')


launch_config = LaunchConfig()


def reset(*args, **kwargs) -> None:
    """Forget all logging set-up."""
    for logger_name in list(logging.root.manager.loggerDict):
        logger = logging.getLogger(logger_name)
        if getattr(logger, '_launch_configured', False):
            for handler in list(logger.handlers):
                logger.removeHandler(handler)
            logger._launch_configured = False
    launch_config.reset()


def log_launch_config(*, logger: logging.Logger = logging.root) -> None:
    """Say where the log files are and how much is logged."""
    try:
        logger.info(f'All log files can be found below {launch_config.log_dir}')
    except OSError as exc:
        logger.warning(f'There are no log files: {exc}')
    logger.info('Default logging verbosity is set to '
                f'{logging.getLevelName(launch_config.level)}')


def get_logger(name: Optional[str] = None) -> logging.Logger:
    """Return a logger that writes to the screen and to the common log file."""
    logger = logging.getLogger(name)
    if not getattr(logger, '_launch_configured', False):
        logger._launch_configured = True
        logger.propagate = False
        logger.setLevel(launch_config.level)
        for handler in (launch_config.get_screen_handler(), _file_handler_or_none()):
            if handler is not None and handler not in logger.handlers:
                logger.addHandler(handler)
    return logger


def _file_handler_or_none(file_name: str = 'launch.log') -> Optional[logging.Handler]:
    try:
        return launch_config.get_log_file_handler(file_name)
    except OSError:
        return None  # said once, by log_launch_config


def _normalize_output_configuration(config) -> Dict[str, List[str]]:
    if isinstance(config, str):
        if config not in _PRESETS:
            raise ValueError(f"'{config}' is not a valid standard output config "
                             f'i.e. one of: {list(_PRESETS)}')
        config = _PRESETS[config]
    normalized: Dict[str, List[str]] = {'both': [], 'stdout': [], 'stderr': []}
    if not isinstance(config, dict):
        raise ValueError(f"'{config}' is neither one of {list(_PRESETS)} nor a dictionary")
    for source, destinations in config.items():
        if source not in normalized:
            raise ValueError(f"'{source}' is not a valid output source, expected one of "
                             f'{list(normalized)}')
        destinations = [destinations] if isinstance(destinations, str) else list(destinations)
        for destination in destinations:
            if destination not in ('screen', 'log', 'own_log'):
                raise ValueError(f"'{destination}' is not a valid output destination, expected "
                                 "one of ['screen', 'log', 'own_log']")
        normalized[source] = destinations
    return normalized


def get_output_loggers(
    process_name: str, output_config, main_log_file_name: str = 'launch.log',
) -> Tuple[logging.Logger, logging.Logger]:
    """Return the loggers for what a process writes to stdout and to stderr."""
    config = _normalize_output_configuration(output_config)
    loggers = []
    for source in ('stdout', 'stderr'):
        logger = logging.getLogger(f'{process_name}-{source}')
        logger.propagate = False
        logger.setLevel(logging.DEBUG)
        for handler in list(logger.handlers):
            logger.removeHandler(handler)
        destinations = set(config['both']) | set(config[source])
        if 'screen' in destinations:
            screen = launch_config.get_screen_handler()
            screen.setFormatterFor(logger, _Formatter(_PROCESS_SCREEN_FORMAT))
            logger.addHandler(screen)
        names = [main_log_file_name] if 'log' in destinations else []
        if 'own_log' in config['both']:
            names.append(f'{process_name}.log')
        if 'own_log' in config[source]:
            names.append(f'{process_name}-{source}.log')
        for name in names:
            handler = _file_handler_or_none(name)
            if handler is not None:
                handler.setFormatterFor(logger, _Formatter(_PROCESS_LOG_FORMAT))
                logger.addHandler(handler)
        loggers.append(logger)
    return loggers[0], loggers[1]
