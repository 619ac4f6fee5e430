"""The quick way through a YAML text: for what nearly all files consist of.

The tree is made in C and read once; nothing of it is kept. Whatever is out of the ordinary, a fault of the text
included, is left to the exact way (`tree`, `data`), which reads the text anew and knows the places.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from yaml.nodes import MappingNode, ScalarNode

from .bound import MAX_DEPTH, MAX_DOCUMENTS, MAX_NODES, may_be_deep
from .meaning import KEYS, VALUES, Unusual
from .parser import BoundedNodeParser, NodeParser, YAMLError
from .scalar import NULLS

if TYPE_CHECKING:
    from yaml.nodes import Node

    from .meaning import Keys, Values
    from .scalar import Dialect

_TAG: Final = r"!(?<![^\s\[\]{},:?-]!)"  # compiled when a text first has an exclamation mark


def read_quickly(text: str, dialect: Dialect) -> list[Any]:
    """Return the data of each document of ``text`` that is not empty.

    Raises:
        Unusual: The exact way has to read the text.
    """
    if is_unusual(text):
        raise Unusual
    values, keys = VALUES[dialect], KEYS[dialect]
    out: list[Any] = []
    try:
        parser = NodeParser(text) if len(text) <= MAX_NODES else BoundedNodeParser(text)
        while parser.check_node():
            root = parser.get_node()
            if root.__class__ is not ScalarNode:
                out.append(_data(root, values, keys, 1))
            elif root.style or root.value not in NULLS:
                out.append(root.value if root.style else values[root.value])
    except (YAMLError, UnicodeError, StopIteration):
        raise Unusual from None
    if len(out) > MAX_DOCUMENTS:
        raise Unusual
    return out


def is_unusual(text: str) -> bool:
    """Return whether ``text`` may hold tags, aliases, directives and signs that only the exact way reads."""
    return (
        ("&" in text and "*" in text)
        or ("!" in text and re.search(_TAG, text) is not None)
        or ("%" in text and (text[0] == "%" or "\n%" in text or "\r%" in text))
        or ("\\" in text and "\\/" in text)
        or ("?" in text and ("[" in text or "{" in text))
        or "\ufeff" in text
        or may_be_deep(text)
    )


def _data(node: Node, values: Values, keys: Keys, depth: int) -> Any:
    """Build the data of a list or mapping; places are not looked at."""
    if depth > MAX_DEPTH:
        raise Unusual
    content = node.value
    if node.__class__ is not MappingNode:
        return [
            (item.value if item.style else values[item.value])
            if item.__class__ is ScalarNode
            else _data(item, values, keys, depth + 1)
            for item in content
        ]
    out: dict[str, Any] = {}
    for key, value in content:
        if key.__class__ is not ScalarNode:
            raise Unusual
        name = key.value
        if not key.style:
            name = keys[name]
        if value.__class__ is ScalarNode:
            text = value.value
            out[name] = text if value.style else values[text]
        else:
            out[name] = _data(value, values, keys, depth + 1)
    if len(out) != len(content):
        raise Unusual
    return out
