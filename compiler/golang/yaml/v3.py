"""YAML as gopkg.in/yaml.v3 writes it: the configuration of the vMCP process.

Source: gopkg.in/yaml.v3 v3.0.1, Marshal.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..strconv import format_float
from ..value import INT64, SortedMap, as_float
from .block import BlockLayout, document
from .order import natural_order
from .scalar import V3

if TYPE_CHECKING:
    from collections.abc import Iterable


def dump(value: Any) -> str:
    """Return ``value`` as one document with a final line break.

    Args:
        value: Plain data. An object keeps its order (a Go struct), except a ``SortedMap``, which is sorted. An integer
            is written as a Go integer. Convert free-form JSON with ``json_numbers`` first, because Go decodes its
            numbers as float64.
    """
    return document(value, _LAYOUT)


def number(value: float) -> str:
    """Return ``value`` as yaml.v3 writes it: a 64-bit integer in full, any other number as a float64.

    A float64 has an exponent if its magnitude is below 1e-4, or at least 1e6.

    Raises:
        NumberError: ``value`` is an integer out of range of float64.
    """
    if isinstance(value, int):
        if value in INT64:
            return int.__repr__(value)
        value = as_float(value)
    if math.isfinite(value):
        return format_float(value)
    return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"


def _keys(value: dict[str, Any]) -> Iterable[str]:
    return natural_order(value, v3=True) if type(value) is SortedMap else value


_LAYOUT = BlockLayout(V3, _keys, number)
