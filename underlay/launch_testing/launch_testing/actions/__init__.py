"""Actions of launch tests."""

from .ready import ReadyToTest

__all__ = ['ReadyToTest']
