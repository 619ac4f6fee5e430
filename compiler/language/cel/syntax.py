"""The tree of a CEL expression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeAlias

LiteralKind: TypeAlias = OneOf["null", "bool", "int", "uint", "double", "string", "bytes"]
MacroName: TypeAlias = OneOf[
    "all",
    "exists",
    "exists_one",
    "map",
    "filter",
    "optMap",
    "optFlatMap",
    "transformList",
    "transformMap",
    "transformMapEntry",
]


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A constant. ``value`` is the Python value; a ``uint`` is a plain ``int`` here."""

    kind: LiteralKind
    value: bool | int | float | str | bytes | None
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Ident:
    """A name. If it begins with a dot, it does not refer to a variable of a macro."""

    name: str
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Select:
    """``operand.field``, or ``has(operand.field)`` if ``test`` is true."""

    operand: Node
    field: str
    test: bool
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A call of a function or an operator, which has cel-go's name: ``_==_``, ``!_``, ``_?_:_``, ``_[_]``, ``@in``."""

    function: str
    target: Node | None
    args: tuple[Node, ...]
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Logic:
    """Two or more operands joined by ``&&`` or ``||``."""

    operator: OneOf["&&", "||"]
    operands: tuple[Node, ...]
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Macro:
    """``over.name(variable, …)`` over items or keys, or ``over.name(variable, second, …)`` over keys and values.

    ``condition`` is the predicate. It is ``None`` for ``map`` and ``transform…`` without the optional predicate.
    """

    name: MacroName
    over: Node
    variable: str
    condition: Node | None
    transform: Node | None
    offset: int
    second: str = ""

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the macro's variables."""
        return (self.variable, self.second) if self.second else (self.variable,)


@dataclass(frozen=True, slots=True, eq=False)
class ListItems:
    """A list such as ``[a, b]``."""

    items: tuple[Node, ...]
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class MapItems:
    """A map such as ``{key: value}``."""

    entries: tuple[tuple[Node, Node], ...]
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """A protocol buffer message such as ``type.name{field: value}``."""

    name: str
    fields: tuple[tuple[str, Node, int], ...]
    offset: int


Node: TypeAlias = Literal | Ident | Select | Call | Logic | Macro | ListItems | MapItems | Message


def children(node: Node) -> tuple[Node, ...]:
    """Return the children of ``node`` in the order of the text."""
    match node:
        case Select(operand=operand):
            return (operand,)
        case Call(target=target, args=args):
            return args if target is None else (target, *args)
        case Logic(operands=operands):
            return operands
        case Macro(over=over, condition=condition, transform=transform):
            return (over, *(part for part in (condition, transform) if part is not None))
        case ListItems(items=items):
            return items
        case MapItems(entries=entries):
            return tuple(part for entry in entries for part in entry)
        case Message(fields=fields):
            return tuple(value for _, value, _ in fields)
        case _:
            return ()
