"""Values of expressions: plain data, and classes for types that plain data lacks.

Plain values are ``None``, ``bool``, ``int``, ``float``, ``str``, ``bytes``, lists and dictionaries. Durations and
timestamps are in ``clock``.
"""

from __future__ import annotations

from typing import Any, Final

LARGEST: Final = (1 << 63) - 1
"""The largest ``int`` of CEL, which has 64 bits."""
SMALLEST: Final = -(1 << 63)
LARGEST_UNSIGNED: Final = (1 << 64) - 1
"""The largest ``uint`` of CEL, which has 64 bits."""


class CelError(Exception):
    """An expression fails with an error of CEL."""


class CostError(CelError):
    """An evaluation was stopped because it took too long. Its result is unknown."""


class UnsupportedError(CelError):
    """An expression uses a feature that mcpcfg does not evaluate. Its result is unknown."""


class Unsigned(int):
    """A ``uint`` of CEL."""


class TypeName:
    """A type as a value, as ``type(x)`` returns it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeName) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class Optional:
    """An optional value: ``items`` contains the value, or is empty. A selection from it is optional too."""

    __slots__ = ("items",)

    type_name = "optional_type"

    def __init__(self, *items: Any) -> None:
        self.items = items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Optional) and self.items == other.items

    def __hash__(self) -> int:
        return hash(self.items)

    def __getitem__(self, key: Any) -> Optional:
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
    """Return ``value`` unchanged if it is a string.

    Raises:
        CelError: The value is not a string.
    """
    if isinstance(value, str):
        return value
    raise CelError("no such overload: not a string")
