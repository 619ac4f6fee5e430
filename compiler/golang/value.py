"""Plain data as Go holds it: which objects are maps, and what free-form numbers are."""

from __future__ import annotations

from typing import Any, Final

from .strconv import NumberError

INT64: Final = range(-(1 << 63), 1 << 63)
"""The integers that Go holds as such; what lies beyond is decoded as a float64."""


class SortedMap(dict[str, Any]):
    """An object that is a ``map`` in Go, so that every writer sorts its keys; a plain dict is a struct, as given.

    Each writer has its own order: JSON sorts by bytes, YAML sorts as people count (``a9`` before ``a10``).
    """

    __slots__ = ()


class RawJson:
    """A JSON text that Go keeps as it is written: numbers, escapes and repeated keys stay.

    Args:
        text: One value, which a JSON decoder has accepted.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def sorted_maps(value: Any) -> Any:
    """Copy ``value`` with every object marked as a Go map."""
    if isinstance(value, dict):
        return SortedMap({key: sorted_maps(child) for key, child in value.items()})
    if isinstance(value, (list, tuple)):
        return [sorted_maps(child) for child in value]
    return value


def json_numbers(value: Any) -> Any:
    """Copy free-form JSON as Go decodes it into ``any``: every number a float64, every object a map.

    Raises:
        NumberError: a number is beyond float64, which Go refuses to decode.
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
        NumberError: there is none.
    """
    try:
        return float(number)
    except OverflowError:
        text = f"an integer of {number.bit_length()} bits"
        raise NumberError(text, "a 64-bit float", out_of_range=True) from None
