"""A Cedar policy and its head. The syntax tree of conditions is in ``expression``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ...diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from .expression import PolicyCondition


class EntityId(NamedTuple):
    """The type and the id of an entity, as in ``Type::Path::"id"``. ``offset`` is its position in the policy."""

    type: str
    id: str
    offset: int = 0


class PolicyScope(NamedTuple):
    """The constraint of a policy on the principal, the action or the resource in its head.

    Attributes:
        entities: Right-hand side of ``==`` or ``in``. Has several entities only if ``is_set``.
        type: Type after ``is``; ``None`` without ``is``.
        is_equal: True for ``==``.
        is_set: True for ``in`` with a list.
    """

    entities: tuple[EntityId, ...] = ()
    type: str | None = None
    is_equal: bool = False
    is_set: bool = False


class Policy(NamedTuple):
    """A parsed policy: its annotations, effect, head and conditions. Offsets count code points.

    Attributes:
        end: Offset after the semicolon.
        rest: Offset of the next token, or ``None`` if no token follows the policy.
    """

    annotations: tuple[tuple[str, str], ...]
    effect: Literal["permit", "forbid"]
    principal: PolicyScope
    action: PolicyScope
    resource: PolicyScope
    conditions: tuple[PolicyCondition, ...]
    end: int
    rest: int | None = None
