"""Patterns as Go reads them (RE2) to patterns as Python reads them."""

from __future__ import annotations

import re

_SPACE = "[:space:]"
_CLASSES = {"d": "0-9", "s": r"\t\n\f\r ", "w": "0-9A-Za-z_"}
_CODE = re.compile("x[0-9A-Fa-f]{2}")
_LITERAL = frozenset(r"\.+*?()|[]{}^$-/@")


def compile_re2(pattern: str) -> re.Pattern[str]:
    r"""Compile a pattern with RE2's meaning.

    The two differ in ``$``, which for Python also stands before a last line break, and in ``\d``, ``\s`` and ``\w``,
    which for RE2 are ASCII, and in ``[:space:]``, which Python does not have.

    Raises:
        ValueError: The pattern holds something that is not known to mean the same in both.
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
