# SPDX-License-Identifier: BSD-3-Clause
"""Handlers that format the records of some loggers differently."""

import logging
import sys


class _FormatterPerLogger:

    def setFormatterFor(self, logger: logging.Logger, formatter: logging.Formatter) -> None:
        """Use this formatter for the records of one logger."""
        self.__dict__.setdefault('_formatters', {})[logger.name] = formatter

    def unsetFormatterFor(self, logger: logging.Logger) -> None:
        """Use the common formatter for the records of this logger again."""
        self.__dict__.setdefault('_formatters', {}).pop(logger.name, None)

    def format(self, record: logging.LogRecord) -> str:
        """Format with the logger's own formatter where there is one."""
        own = self.__dict__.get('_formatters', {}).get(record.name)
        return own.format(record) if own is not None else super().format(record)


class StreamHandler(_FormatterPerLogger, logging.StreamHandler):
    """Writes to standard output, whatever that is at the time."""

    def __init__(self) -> None:
        super().__init__(sys.stdout)

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record; a reader that has gone away or a full disk must stop nothing."""
        self.stream = sys.stdout
        try:
            self.stream.write(self.format(record) + '\n')
            self.stream.flush()
        except (OSError, ValueError):
            pass


class FileHandler(_FormatterPerLogger, logging.FileHandler):
    """Writes to a file, opened with the first record."""

    def __init__(self, filename: str) -> None:
        super().__init__(filename, delay=True)

    def handleError(self, record: logging.LogRecord) -> None:
        """Stop writing on a full disk instead of flooding the screen."""
        self.setLevel(logging.CRITICAL + 1)
        print(f'launch: cannot write {self.baseFilename}: {sys.exc_info()[1]}', file=sys.stderr)
