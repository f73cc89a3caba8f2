"""What is to be executed."""

from .executable import Executable

__all__ = ['Executable']
