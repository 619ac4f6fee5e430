"""YAML texts as gopkg.in/yaml.v3 writes them: the configuration of the vMCP process.

Source: gopkg.in/yaml.v3 v3.0.1, Marshal.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from ..strconv import format_float
from ..value import INT64, SortedMap, as_float
from .block import Layout, document
from .order import natural_order
from .scalar import V3, style_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Path: TypeAlias = "tuple[str | int, ...]"

_HEADED = frozenset(" \n\u2028\u2029")  # what makes the library write an indent in the header of a literal text


def dump(value: Any) -> str:
    """Write ``value`` as one document, with a line break at its end.

    Args:
        value: Plain data. An object keeps its order (a Go struct); a ``SortedMap`` is sorted. An integer is a Go
            integer; free-form JSON has to go through ``json_numbers`` first, for Go holds its numbers as floats.
    """
    return document(value, _LAYOUT)


def misread(value: Any) -> list[Path]:
    """Find the texts of an object or list that the library writes but does not read back as they were.

    They have several lines and begin with a space or line break. A first line break is lost; where the text stands in
    a list, or in an object of a list, its header also has a wrong indent, and the library then mostly refuses to
    read the whole document.

    Returns:
        Where they are, in the order of the data.
    """
    return list(_misread(value, 0, ()))


def _misread(value: Any, indent: int, path: Path) -> Iterator[Path]:
    """Go through the data as it is laid out: an object or list begins at column ``indent``."""
    if isinstance(value, dict):
        inner = V3.child_indent(indent)
        children: Iterable[tuple[str | int, Any]] = value.items()
    else:
        inner = indent + 2
        children = enumerate(value)
    for step, child in children:
        if isinstance(child, str):
            headed = child[:1] in _HEADED and "\n" in child and style_of(child, v3=True) == "literal"
            if headed and (child[0] != " " or inner - indent != V3.indent):
                yield (*path, step)
        elif isinstance(child, (dict, list, tuple)):
            yield from _misread(child, inner, (*path, step))


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
