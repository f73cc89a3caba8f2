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
