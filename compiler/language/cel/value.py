"""Values of expressions: plain data, and what stands for the types that plain data lacks.

Plain are ``None``, ``bool``, ``int``, ``float``, ``str``, ``bytes``, lists and dictionaries; durations and timestamps
are in ``clock``.
"""

from __future__ import annotations

from typing import Final

LARGEST: Final = (1 << 63) - 1
SMALLEST: Final = -(1 << 63)
LARGEST_UNSIGNED: Final = (1 << 64) - 1


class CelError(Exception):
    """An expression has no value here: CEL's own outcome, not a fault of the program."""


class Unsigned(int):
    """CEL's ``uint``."""


class TypeName:
    """A type as a value: what ``type(x)`` returns."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeName) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)
