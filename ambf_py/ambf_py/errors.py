# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong, each with a text that says what, where and what to do."""


class AmbfError(Exception):
    """Any error of this package."""


class UnknownObject(AmbfError, LookupError):
    """No object has this name; the text offers the nearest ones."""


class AmbiguousName(AmbfError, LookupError):
    """Several objects fit this name; the text lists them."""


class BadValue(AmbfError, ValueError):
    """A value of the wrong length, not finite, or out of range."""


class SpaceMismatch(BadValue):
    """An action or observation space does not fit the model."""


class UnknownInModel(SpaceMismatch, UnknownObject):
    """A task names something that its world does not have."""


class AmbiguousInModel(SpaceMismatch, AmbiguousName):
    """A task gives a name that fits several things of its world."""


class SimulatorGone(AmbfError, ConnectionError):
    """No simulator answers; the call may be repeated when it is back."""


class StepRefused(AmbfError, RuntimeError):
    """The world did not take the step; `code` is one of StepWorld's codes."""

    def __init__(self, message: str, code: int = 0):
        super().__init__(message)
        self.code = code


class NotJoined(StepRefused):
    """Another agent steps this world: join it first."""


class Refused(AmbfError, RuntimeError):
    """The simulator answered that it would not do this."""


class ArmError(AmbfError):
    """Any error of an arm on CRTK topics."""


class UnknownArm(ArmError, LookupError):
    """Nobody publishes the topics of this arm; the text lists the arms that are there."""


class ArmSilent(ArmError, ConnectionError):
    """The arm says nothing (any more), or not what was asked for."""


class NobodyListens(ArmError, ConnectionError):
    """Nobody reads this command: a recording is played, or the arm's program has ended."""


class NotEnabled(ArmError, RuntimeError):
    """The arm is DISABLED, PAUSED or in FAULT."""


class NotHomed(NotEnabled):
    """The arm is not homed: it does not know where it is."""


class ArmRefused(ArmError, RuntimeError):
    """The arm answered that it would not do this."""


class ArmTimeout(ArmError, TimeoutError):
    """The arm did not do in time what it was asked for."""
