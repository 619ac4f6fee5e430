"""Objects and lists in YAML block style, laid out like go-yaml.

Source: go.yaml.in/yaml/v2 v2.4 and gopkg.in/yaml.v3 v3.0.1, their emitters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from ...diagnostics.named_tuple import NamedTuple
from .scalar import Dialect, key, string

Put: TypeAlias = Callable[[str], None]


class BlockLayout(NamedTuple):
    """The layout of one encoder: its dialect, its order of keys and its notation of numbers.

    Attributes:
        dialect: Style of strings and indentation.
        keys: Returns the keys of an object in the order of writing.
    """

    dialect: Dialect
    keys: Callable[[dict[str, Any]], Iterable[str]]
    number: Callable[[float], str]


def document(value: Any, layout: BlockLayout) -> str:
    """Return ``value`` as one document without markers, with a final line break."""
    out: list[str] = []
    if isinstance(value, dict) and value:
        _mapping(value, 0, "", layout, out.append)
    elif isinstance(value, (list, tuple)) and value:
        _sequence(value, 0, "", layout, out.append)
    else:
        out.append(_leaf(value, 0, layout.dialect.indent, layout))
    return "".join(out)


def _mapping(value: dict[str, Any], indent: int, lead: str, layout: BlockLayout, put: Put) -> None:
    """Write a non-empty object with keys at column ``indent``; ``lead`` is the start of the first key's line."""
    dialect = layout.dialect
    pad = " " * indent
    inner = dialect.child_indent(indent)
    for name in layout.keys(value):
        child = value[name]
        text = key(name, dialect)
        if text is None:
            put(lead + "? " + string(name, len(lead) + 2, inner, dialect))
            _value(child, inner, pad + ":", layout, put)
        elif type(child) is str:
            head = f"{lead}{text}: "
            put(head + string(child, len(head), inner, dialect))
        elif isinstance(child, dict) and child:
            put(f"{lead}{text}:\n")
            _mapping(child, inner, " " * inner, layout, put)
        elif isinstance(child, (list, tuple)) and child:
            put(f"{lead}{text}:\n")
            nested = inner if dialect.v3 else indent
            _sequence(child, nested, " " * nested, layout, put)
        else:
            head = f"{lead}{text}: "
            put(head + _leaf(child, len(head), inner, layout))
        lead = pad


def _sequence(value: Sequence[Any], indent: int, lead: str, layout: BlockLayout, put: Put) -> None:
    pad = " " * indent
    inner = indent + 2
    for child in value:
        _value(child, inner, lead + "-", layout, put)
        lead = pad


def _value(child: Any, inner: int, lead: str, layout: BlockLayout, put: Put) -> None:
    """Write ``child`` after ``lead``. A nested object or list starts on the same line, at column ``inner``."""
    if isinstance(child, dict) and child:
        _mapping(child, inner, lead.ljust(inner), layout, put)
    elif isinstance(child, (list, tuple)) and child:
        _sequence(child, inner, lead.ljust(inner), layout, put)
    else:
        put(f"{lead} {_leaf(child, len(lead) + 1, inner, layout)}")


def _leaf(value: Any, column: int, indent: int, layout: BlockLayout) -> str:
    if isinstance(value, str):
        return string(value, column, indent, layout.dialect)
    if value is None:
        return "null\n"
    if value is True:
        return "true\n"
    if value is False:
        return "false\n"
    if isinstance(value, (int, float)):
        return layout.number(value) + "\n"
    if isinstance(value, dict):
        return "{}\n"
    if isinstance(value, (list, tuple)):
        return "[]\n"
    raise TypeError(f"no YAML form for {type(value).__name__}")
