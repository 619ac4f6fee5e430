"""The JSON settings of a client, laid out as the reference's editor leaves them.

An object stays on one line while it fits. Once it is spread over lines it remains so, and the values of members that
follow one another on lines of their own are aligned. The editor adds one server at a time and lays the text out each
time, so the order of the servers shows.

Source: hujson, Format.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TypeAlias

WIDTH = 80


@dataclass(slots=True)
class _Object:
    """An object with the memory of having been spread over lines."""

    members: dict[str, _Node] = field(default_factory=dict)
    spread: bool = False


_Node: TypeAlias = "_Object | str"
"""An object, or a literal as it is written."""


class ClientJson:
    """A settings file that is made up of one object of servers."""

    def __init__(self, key: str) -> None:
        self._servers = _Object()
        self._root = _Object({_literal(key): self._servers})

    def upsert(self, name: str, fields: dict[str, str]) -> None:
        """Add a server, or put it in the place of the one of its name."""
        entry = _Object({_literal(key): _literal(value) for key, value in fields.items()})
        self._servers.members[_literal(name)] = entry
        _measure(entry)
        if not (self._root.spread and self._servers.spread):
            _measure(self._root)

    def text(self) -> str:
        """Write the file."""
        return _write(self._root, 0) + "\n"


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _width(literal: str) -> int:
    return len(literal.encode("utf-8", "surrogatepass"))


def _measure(node: _Object) -> tuple[int, int, bool]:
    """Spread what does not fit; returns the width of the first and last line, and whether there are several.

    Every member is counted with the comma and space after it, the last one too.
    """
    line = 1
    lines: list[int] = []
    for name, value in node.members.items():
        line += _width(name) + 2
        first, last, several = (_width(value), 0, False) if isinstance(value, str) else _measure(value)
        line += first
        if several:
            lines.append(line)
            line = last
        line += 2
    lines.append(line + 1)
    node.spread = node.spread or max(lines) > WIDTH
    if node.spread:
        return 1, 1, True
    return lines[0], lines[-1], len(lines) > 1


def _write(node: _Object, depth: int) -> str:
    if not node.members:
        return "{}"
    inner = depth + node.spread
    values = [value if isinstance(value, str) else _write(value, inner) for value in node.members.values()]
    if not node.spread:
        return "{" + ", ".join(f"{name}: {value}" for name, value in zip(node.members, values, strict=True)) + "}"
    widths = _aligned(list(node.members), values)
    pairs = [
        f"{name}:{' ' * (width - _width(name))} {value}"
        for name, value, width in zip(node.members, values, widths, strict=True)
    ]
    lead = "\n" + "\t" * inner
    return "{" + ",".join(lead + pair for pair in pairs) + "\n" + "\t" * depth + "}"


def _aligned(names: list[str], values: list[str]) -> list[int]:
    """Return the width that each name is padded to: that of the widest in its run of members on one line each."""
    widths = [_width(name) for name in names]
    out = list(widths)
    start = 0
    for i in range(len(values) + 1):
        if i == len(values) or "\n" in values[i]:
            run = widths[start:i]
            out[start:i] = [max(run, default=0)] * len(run)
            start = i + 1
    return out
