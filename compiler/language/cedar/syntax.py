"""A Cedar policy and its head; what conditions are made of is in ``expression``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from .expression import Condition


class EntityId(NamedTuple):
    """``Type::Path::"id"``; ``offset`` is where it begins in the text."""

    type: str
    id: str
    offset: int = 0


class Scope(NamedTuple):
    """The constraint of a policy on the principal, the action or the resource in its head.

    Attributes:
        entities: What it must equal (``==``), or be in (``in``; one entity unless ``is_set``).
        type: What it must be (``is``), or ``None``.
        is_equal: True if ``entities`` holds the one that it must equal.
        is_set: True if ``in`` is followed by a list.
    """

    entities: tuple[EntityId, ...] = ()
    type: str | None = None
    is_equal: bool = False
    is_set: bool = False


class Policy(NamedTuple):
    """One policy; ``end`` is the offset behind its semicolon, ``rest`` that of the next token, where there is one."""

    annotations: tuple[tuple[str, str], ...]
    effect: Literal["permit", "forbid"]
    principal: Scope
    action: Scope
    resource: Scope
    conditions: tuple[Condition, ...]
    end: int
    rest: int | None = None
