"""What scalars become on their way through Go's YAML reader, and then through JSON where Kubernetes reads.

Source: sigs.k8s.io/yaml v1.6.0 over go.yaml.in/yaml/v2 v2.4.2 (Kubernetes), gopkg.in/yaml.v3 v3.0.1 (vMCP).
"""

from __future__ import annotations

import math
from typing import Any, Final, Literal, TypeAlias

from ..golang.yaml.resolve import NULLS, resolve_plain, resolve_tagged

__all__ = ["MEANINGFUL_FIRST", "NULLS", "Dialect", "json_number", "key_text", "plain", "tagged"]

Dialect: TypeAlias = Literal["kubernetes", "vmcp"]

MEANINGFUL_FIRST: Final = frozenset("0123456789+-.~yYnNtTfFoO") | {""}
"""How an unquoted scalar begins that may be anything but text; the empty string is null."""

_INT64: Final = range(-(1 << 63), 1 << 63)
_WORDS_FOR_FLOATS: Final = {"+Inf": ".inf", "-Inf": "-.inf", "NaN": ".nan"}


def plain(text: str, dialect: Dialect) -> Any:
    """Resolve an unquoted scalar without a tag.

    Floats keep their type, ``.inf`` and ``.nan`` too; see `json_number` for what Kubernetes makes of them.
    """
    return resolve_plain(text, v3=dialect == "vmcp")


def tagged(tag: str, text: str, dialect: Dialect) -> Any:
    """Resolve a scalar under a core tag, such as ``int``.

    Raises:
        ValueError: The text does not fit the tag.
    """
    return resolve_tagged(text, tag, v3=dialect == "vmcp")


def json_number(value: float) -> int | float:
    """Return the number that is left of a float once Kubernetes has written it as JSON and read it again.

    ``1.0`` and ``1e3`` are written without a point and come back as integers. Negative zero stays what it is.
    """
    if not value.is_integer() or abs(value) >= 1e21 or (value == 0 and math.copysign(1, value) < 0):
        return value
    from ..golang.strconv import format_plain

    number = int(format_plain(value))
    return number if number in _INT64 else value


def key_text(value: Any) -> str | None:
    """Write a resolved key as the JSON key that Kubernetes makes of it; ``None`` where it makes none.

    Source: convertToJSONableObject of sigs.k8s.io/yaml, which formats floats in 32 bits.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value in _INT64 else None
    if isinstance(value, float):
        from ..golang.strconv import format_float

        written = format_float(_shortened(value))
        return _WORDS_FOR_FLOATS.get(written, written)
    return None


def _shortened(value: float) -> float:
    """Return the float with the fewest digits that is the same as ``value`` in 32 bits."""
    import struct

    try:
        packed = struct.pack("f", value)
    except OverflowError:
        return math.copysign(math.inf, value)
    if not math.isfinite(value):
        return value
    (narrow,) = struct.unpack("f", packed)
    return next(short for digits in range(9) if struct.pack("f", short := float(f"{narrow:.{digits}e}")) == packed)
