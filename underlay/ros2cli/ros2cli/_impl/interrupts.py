# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C while the program starts.

An exception that Ctrl-C raises in the middle of an import may be lost in a callback of the import
system, and otherwise ends in a traceback of somebody else's module. So long as nothing is there
to be cleaned up, the signal ends the program by itself.
"""

import signal


def let_interrupts_end_the_program() -> None:
    """Take Python's handler away, if it is there."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def let_interrupts_raise() -> None:
    """Put Python's handler back: from here on there is something to clean up."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
