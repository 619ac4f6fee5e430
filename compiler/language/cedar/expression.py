"""Syntax tree of the conditions of a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from ...diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from .syntax import EntityId, Policy

Variable: TypeAlias = Literal["principal", "action", "resource", "context"]


class Constant(NamedTuple):
    """A boolean, an integer or a string."""

    value: bool | int | str


class Entity(NamedTuple):
    """An entity, such as ``Action::"call_tool"``."""

    entity: EntityId


class Name(NamedTuple):
    """One of the four variables of a request."""

    name: Variable


class Operation(NamedTuple):
    """An operator with its operands: ``!``, ``if``, ``||``, ``&&``, ``==``, ``-``, and ``neg`` for a leading minus."""

    operator: str
    operands: tuple[Node, ...]


class Attribute(NamedTuple):
    """``operand.name`` or ``operand["name"]``, or ``operand has name`` if ``test`` is true."""

    operand: Node
    name: str
    test: bool
    offset: int


class Like(NamedTuple):
    """``operand like pattern``; ``None`` in the pattern is the wildcard."""

    operand: Node
    pattern: tuple[str | None, ...]


class Is(NamedTuple):
    """``operand is type``, or ``operand is type in within``."""

    operand: Node
    type: str
    within: Node | None


class ExtensionCall(NamedTuple):
    """A call of a function, or of a method whose receiver is the first argument."""

    name: str
    args: tuple[Node, ...]
    method: bool


class Set(NamedTuple):
    """A set such as ``[a, b]``."""

    items: tuple[Node, ...]


class Record(NamedTuple):
    """A record such as ``{a: b}``."""

    members: tuple[tuple[str, Node], ...]


Node: TypeAlias = Constant | Entity | Name | Operation | Attribute | Like | Is | ExtensionCall | Set | Record


class PolicyCondition(NamedTuple):
    """``when { body }`` or ``unless { body }``."""

    kind: Literal["when", "unless"]
    body: Node


def depth(policy: Policy) -> int:
    """Return the maximum nesting depth of the expressions in the conditions; 0 without conditions."""
    depths: dict[int, int] = {}
    for node in parts(policy):
        below = (depths[id(child)] for child in children(node))
        depths[id(node)] = 1 + max(below, default=0)
    return max(depths.values(), default=0)


def parts(policy: Policy) -> list[Node]:
    """Return all expressions of the conditions without duplicates, each after its children.

    An expression may have two parents, because ``a has b.c`` becomes two tests that share the operand ``a``.
    """
    nodes: list[Node] = []
    seen: set[int] = set()
    waiting = [(condition.body, False) for condition in reversed(policy.conditions)]
    while waiting:
        node, are_children_done = waiting.pop()
        if are_children_done:
            nodes.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(children(node))]
    return nodes


def children(node: Node) -> tuple[Node, ...]:
    """Return the direct children of ``node`` in the order of the text."""
    match node:
        case Operation(operands=parts) | ExtensionCall(args=parts) | Set(items=parts):
            return parts
        case Attribute(operand=operand) | Like(operand=operand):
            return (operand,)
        case Is(operand=operand, within=within):
            return (operand,) if within is None else (operand, within)
        case Record(members=members):
            return tuple(value for _, value in members)
        case _:
            return ()
