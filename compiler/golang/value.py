"""Plain data that distinguishes what Go distinguishes: maps and structs, raw JSON, integers and float64."""

from __future__ import annotations

from typing import Any, Final

from .strconv import NumberError

INT64: Final = range(-(1 << 63), 1 << 63)
"""The integers that fit into 64 bits. Decoders of JSON turn larger integers into float64."""


class SortedMap(dict[str, Any]):
    """An object that is a ``map`` in Go, so writers sort its keys. A plain dict is a struct and keeps its order.

    Each writer has its own order: JSON sorts by bytes, YAML sorts numbers within keys naturally (``a9`` before
    ``a10``).
    """

    __slots__ = ()


class RawJson:
    """A JSON text that Go keeps unchanged, with its numbers, escapes and repeated keys.

    Args:
        text: One value, which a JSON decoder has accepted.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def sorted_maps(value: Any) -> Any:
    """Return a copy of ``value`` in which every object is a ``SortedMap``."""
    if isinstance(value, dict):
        return SortedMap({key: sorted_maps(child) for key, child in value.items()})
    if isinstance(value, (list, tuple)):
        return [sorted_maps(child) for child in value]
    return value


def json_numbers(value: Any) -> Any:
    """Return a copy of free-form JSON as Go decodes it into ``any``: numbers are float64, objects are maps.

    Raises:
        NumberError: A number is out of range of float64, so Go refuses it.
    """
    if isinstance(value, dict):
        return SortedMap({key: json_numbers(child) for key, child in value.items()})
    if isinstance(value, (list, tuple)):
        return [json_numbers(child) for child in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return as_float(value)
    return value


def as_float(number: int) -> float:
    """Return the float64 nearest to ``number``.

    Raises:
        NumberError: The number is out of range of float64.
    """
    try:
        return float(number)
    except OverflowError:
        text = f"an integer of {number.bit_length()} bits"
        raise NumberError(text, "a 64-bit float", out_of_range=True) from None
