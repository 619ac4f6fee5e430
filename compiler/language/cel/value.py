"""Values of expressions: plain data, and what stands for the types that plain data lacks.

Plain are ``None``, ``bool``, ``int``, ``float``, ``str``, ``bytes``, lists and dictionaries; durations and timestamps
are in ``clock``.
"""

from __future__ import annotations

from typing import Any, Final

LARGEST: Final = (1 << 63) - 1
SMALLEST: Final = -(1 << 63)
LARGEST_UNSIGNED: Final = (1 << 64) - 1


class CelError(Exception):
    """An expression has no value here: CEL's own outcome, not a fault of the program."""


class CostError(CelError):
    """An evaluation was ended, as it took too long: what it would have come to is unknown."""


class UnsupportedError(CelError):
    """An expression needs what is not evaluated here: what it would have come to is unknown."""


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


class Optional:
    """A value that may be missing; what is selected of it may be too."""

    __slots__ = ("items",)

    type_name = "optional_type"

    def __init__(self, *items: Any) -> None:
        self.items = items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Optional) and self.items == other.items

    def __hash__(self) -> int:
        return hash(self.items)

    def __getitem__(self, key: Any) -> Optional:
        """Return what the value has under a key or at a position, if there is a value, and if that has it."""
        if not self.items:
            return self
        (value,) = self.items
        if isinstance(value, Optional):
            return value[key]
        if isinstance(value, dict):
            return Optional(value[key]) if key in value else Optional()
        if not isinstance(value, list):
            return Optional()  # nothing is below it, so nothing is there
        if type(key) not in (int, float, Unsigned) or abs(key) > LARGEST or key != int(key):
            raise CelError("no such overload: nothing to select from")
        return Optional(value[int(key)]) if 0 <= key < len(value) else Optional()


def text_of(value: Any) -> str:
    """Return a value that must be a string.

    Raises:
        CelError: It is none.
    """
    if isinstance(value, str):
        return value
    raise CelError("no such overload: not a string")
