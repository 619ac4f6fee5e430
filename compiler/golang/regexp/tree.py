"""The tree of a regular expression, with what Go limits about it: size, depth, and copies made by counts.

Source: Go 1.26 standard library, regexp/syntax.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .character import Chars

Place: TypeAlias = Literal["text-start", "text-end", "line-start", "line-end", "word-edge", "not-word-edge"]


@dataclass(frozen=True, slots=True)
class One:
    """One character of a set."""

    chars: Chars
    size: int = 1
    depth: int = 1


@dataclass(frozen=True, slots=True)
class At:
    """No character, but a certain place."""

    place: Place
    size: int = 1
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part behind the other; without parts, nothing."""

    parts: tuple[Node, ...]
    size: int
    depth: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    parts: tuple[Node, ...]
    size: int
    depth: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part several times; ``most`` is ``None`` without limit. ``counted`` says that it was written with braces."""

    part: Node
    least: int
    most: int | None
    counted: bool
    size: int
    depth: int


Node: TypeAlias = One | At | Sequence | Choice | Repeat


def sequence(parts: list[Node]) -> Node:
    """Put parts one behind the other."""
    if len(parts) == 1:
        return parts[0]
    return Sequence(tuple(parts), max(1, sum(part.size for part in parts)), 1 + _depth(parts))


def choice(parts: list[Node]) -> Node:
    """Put parts beside each other."""
    if len(parts) == 1:
        return parts[0]
    return Choice(tuple(parts), sum(part.size for part in parts) + len(parts) - 1, 1 + _depth(parts))


def repeat(part: Node, least: int, most: int | None, *, counted: bool) -> Repeat:
    """Let a part occur several times."""
    size = (least + 1) * part.size + 1 if most is None else most * part.size + most - least
    return Repeat(part, least, most, counted, max(1, size), part.depth + 1)


def _depth(parts: Iterable[Node]) -> int:
    return max((part.depth for part in parts), default=0)


def copies_fit(node: Node, most: int) -> bool:
    """Return whether the nested counts stay below ``most`` copies of the innermost part."""
    if isinstance(node, Repeat):
        if node.counted:
            copies = node.least if node.most is None else node.most
            if copies == 0 and node.most == 0:
                return True
            if copies > most:
                return False
            most = most // copies if copies else most
        return copies_fit(node.part, most)
    if isinstance(node, (Sequence, Choice)):
        return all(copies_fit(part, most) for part in node.parts)
    return True
