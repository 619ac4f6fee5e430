"""YAML texts as gopkg.in/yaml.v3 writes them: the configuration of the vMCP process.

Source: gopkg.in/yaml.v3 v3.0.1, Marshal.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..strconv import format_float
from ..value import INT64, SortedMap, as_float
from .block import Layout, document
from .order import natural_order
from .scalar import V3

if TYPE_CHECKING:
    from collections.abc import Iterable


def dump(value: Any) -> str:
    """Write ``value`` as one document, with a line break at its end.

    Args:
        value: Plain data. An object keeps its order (a Go struct); a ``SortedMap`` is sorted. An integer is a Go
            integer; free-form JSON has to go through ``json_numbers`` first, for Go holds its numbers as floats.
    """
    return document(value, _LAYOUT)


def number(value: float) -> str:
    """Write a number: an integer in full, a float in ``e`` notation below 1e-4 and from 1e6 on."""
    if isinstance(value, int):
        if value in INT64:
            return int.__repr__(value)
        value = as_float(value)
    if math.isfinite(value):
        return format_float(value)
    return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"


def _keys(value: dict[str, Any]) -> Iterable[str]:
    return natural_order(value, v3=True) if type(value) is SortedMap else value


_LAYOUT = Layout(V3, _keys, number)
