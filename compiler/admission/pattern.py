"""Translate patterns from Go (RE2) to Python."""

from __future__ import annotations

import re

_SPACE = "[:space:]"
_CLASSES = {"d": "0-9", "s": r"\t\n\f\r ", "w": "0-9A-Za-z_"}
_CODE = re.compile("x[0-9A-Fa-f]{2}")
_LITERAL = frozenset(r"\.+*?()|[]{}^$-/@")


def compile_re2(pattern: str) -> re.Pattern[str]:
    r"""Compile a pattern with the meaning that it has in RE2.

    Python differs in three ways: ``$`` also matches before a last line break, ``\d``, ``\s`` and ``\w`` match Unicode,
    and ``[:space:]`` does not exist.

    Raises:
        ValueError: The pattern uses syntax that may mean something else in Python.
    """
    out = []
    in_class = False
    position = 0
    while position < len(pattern):
        char = pattern[position]
        position += 1
        if char == "\\":
            escaped = pattern[position : position + 1]
            position += 1
            if escaped in _CLASSES:
                out.append(_CLASSES[escaped] if in_class else f"[{_CLASSES[escaped]}]")
            elif escaped in _LITERAL:
                out.append(f"\\{escaped}")
            elif code := _CODE.match(pattern, position - 1):
                out.append(f"\\{code[0]}")
                position = code.end()
            else:
                raise ValueError(f"\\{escaped} in a pattern: {pattern}")
        elif char == "(" and pattern.startswith("?", position) and not in_class:
            raise ValueError(f"(? in a pattern: {pattern}")
        elif in_class and pattern.startswith(_SPACE, position - 1):
            out.append(r"\t\n\v\f\r ")
            position += len(_SPACE) - 1
        elif char == "$" and not in_class:
            out.append(r"\Z")
        else:
            in_class = char == "[" or (in_class and char != "]")
            out.append(char)
    return re.compile("".join(out))
