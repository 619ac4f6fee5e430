"""Lay out the JSON settings of a client like ToolHive's editor.

An object stays on a single line if it fits. An object that spans several lines is never joined again. If consecutive
members have single lines, their values are aligned. The editor adds servers one by one and formats the text each time,
so the layout depends on the order of the servers.

Source: hujson, Format.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TypeAlias

WIDTH = 80
"""The longest line in bytes. hujson breaks a longer object over several lines."""


@dataclass(slots=True)
class _Object:
    """A JSON object that remembers whether it spans several lines."""

    members: dict[str, _Node] = field(default_factory=dict)
    spread: bool = False


_Node: TypeAlias = "_Object | str"
"""An object, or the source text of a literal."""


class ClientJson:
    """A settings file with a single key, whose value is an object of servers."""

    def __init__(self, key: str) -> None:
        self._servers = _Object()
        self._root = _Object({_literal(key): self._servers})

    def upsert(self, name: str, fields: dict[str, str]) -> None:
        """Add the server ``name``, or replace its ``fields`` if it exists, and lay out the file again."""
        entry = _Object({_literal(key): _literal(value) for key, value in fields.items()})
        self._servers.members[_literal(name)] = entry
        _measure(entry)
        if not (self._root.spread and self._servers.spread):
            _measure(self._root)

    def text(self) -> str:
        """Return the text of the file."""
        return _write(self._root, 0) + "\n"


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _width(literal: str) -> int:
    return len(literal.encode("utf-8", "surrogatepass"))


def _measure(node: _Object) -> tuple[int, int, bool]:
    """Mark ``node`` and the objects in it as ``spread`` if they are too wide for one line.

    Return the widths of the first and last line of ``node``, and whether ``node`` spans several lines.

    As in the editor, a comma and a space are counted after every member, even the last.
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
    """Return the width to pad each name to, so the values of consecutive members on single lines are aligned."""
    widths = [_width(name) for name in names]
    out = list(widths)
    start = 0
    for i in range(len(values) + 1):
        if i == len(values) or "\n" in values[i]:
            run = widths[start:i]
            out[start:i] = [max(run, default=0)] * len(run)
            start = i + 1
    return out
