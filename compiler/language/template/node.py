"""The parse tree of a template.

Offsets count code points from the start of the template. Trees may be nested ten thousand deep, as in Go: walk them
with a stack of your own, not with recursion, and do not compare them.
"""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class _Spot:
    """What stands at an offset; no class here is a tuple, of which each would take a tenth of a millisecond to make."""

    __slots__ = ("offset",)

    def __init__(self, offset: int) -> None:
        self.offset = offset


class Text(_Spot):
    """Literal text between actions, with what trim markers take off already gone."""

    __slots__ = ("text",)

    def __init__(self, offset: int, text: str) -> None:
        self.offset = offset
        self.text = text


class Field(_Spot):
    """``.a.b``: names looked up in dot."""

    __slots__ = ("names",)

    def __init__(self, offset: int, names: tuple[str, ...]) -> None:
        self.offset = offset
        self.names = names


class Variable(_Spot):
    """``$x.a.b``: a variable (``name`` begins with ``$``) and names looked up in it."""

    __slots__ = ("name", "names")

    def __init__(self, offset: int, name: str, names: tuple[str, ...]) -> None:
        self.offset = offset
        self.name = name
        self.names = names


class Chain(_Spot):
    """``(pipeline).a.b`` or ``function.a``: names looked up in the value of another term."""

    __slots__ = ("names", "term")

    def __init__(self, offset: int, term: Pipe | Identifier, names: tuple[str, ...]) -> None:
        self.offset = offset
        self.term = term
        self.names = names


class Identifier(_Spot):
    """The name of a function."""

    __slots__ = ("name",)

    def __init__(self, offset: int, name: str) -> None:
        self.offset = offset
        self.name = name


class Dot(_Spot):
    """``.`` alone."""

    __slots__ = ()


class Nil(_Spot):
    """``nil``."""

    __slots__ = ()


class Bool(_Spot):
    """``true`` or ``false``."""

    __slots__ = ("value",)

    def __init__(self, offset: int, value: bool) -> None:  # noqa: FBT001 - the value is all that a literal has
        self.offset = offset
        self.value = value


class Number(_Spot):
    """A number or a character; None stands for an integer that parses and that no ``int`` holds."""

    __slots__ = ("value",)

    def __init__(self, offset: int, value: complex | None) -> None:
        self.offset = offset
        self.value = value


class String(_Spot):
    """A quoted text."""

    __slots__ = ("value",)

    def __init__(self, offset: int, value: str) -> None:
        self.offset = offset
        self.value = value


Term: TypeAlias = "Field | Variable | Chain | Identifier | Dot | Nil | Bool | Number | String | Pipe"


class Command(_Spot):
    """A term and the arguments that follow it, separated by spaces."""

    __slots__ = ("terms",)

    def __init__(self, offset: int, terms: tuple[Term, ...]) -> None:
        self.offset = offset
        self.terms = terms


class Pipe(_Spot):
    """Commands joined by ``|``; each gets the value of the one before as its last argument.

    Attributes:
        variables: What it declares or assigns, with the ``$``.
        assigns: The variables exist already (``=``), they are not declared (``:=``).
    """

    __slots__ = ("assigns", "commands", "variables")

    def __init__(
        self, offset: int, variables: tuple[str, ...], commands: tuple[Command, ...], *, assigns: bool
    ) -> None:
        self.offset = offset
        self.variables = variables
        self.assigns = assigns
        self.commands = commands


class Action(_Spot):
    """A pipeline whose value is printed, unless it declares variables."""

    __slots__ = ("pipe",)

    def __init__(self, offset: int, pipe: Pipe) -> None:
        self.offset = offset
        self.pipe = pipe


class _Control(_Spot):
    """A pipeline that decides what runs."""

    __slots__ = ("body", "otherwise", "pipe")

    def __init__(self, offset: int, pipe: Pipe, body: tuple[Node, ...], otherwise: tuple[Node, ...]) -> None:
        self.offset = offset
        self.pipe = pipe
        self.body = body
        self.otherwise = otherwise


class If(_Control):
    """``{{if}}``; an ``else if`` is an If alone in ``otherwise``."""

    __slots__ = ()


class With(_Control):
    """``{{with}}``: dot is the value inside the body."""

    __slots__ = ()


class Range(_Control):
    """``{{range}}``: dot is each element in turn inside the body."""

    __slots__ = ()


class Call(_Spot):
    """``{{template "name" pipeline}}``, also what a ``{{block}}`` leaves in its place."""

    __slots__ = ("name", "pipe")

    def __init__(self, offset: int, name: str, pipe: Pipe | None) -> None:
        self.offset = offset
        self.name = name
        self.pipe = pipe


class Break(_Spot):
    """``{{break}}``."""

    __slots__ = ()


class Continue(_Spot):
    """``{{continue}}``."""

    __slots__ = ()


Node: TypeAlias = "Text | Action | If | With | Range | Call | Break | Continue"


class Template:
    """A parsed template.

    Attributes:
        text: What was parsed.
        name: What it may call itself by.
        nodes: What runs.
        defined: Bodies of ``{{define}}`` and ``{{block}}`` by name.
    """

    __slots__ = ("defined", "name", "nodes", "text")

    def __init__(
        self, text: str, name: str, nodes: tuple[Node, ...], defined: Mapping[str, tuple[Node, ...]] = {}
    ) -> None:
        self.text = text
        self.name = name
        self.nodes = nodes
        self.defined = defined


LONGEST_KEPT: Final = 1000
"""Code points of a template that is worth to be kept."""

Result = TypeVar("Result")


def kept(function: Callable[[Template], Result]) -> Callable[[Template], Result]:
    """Cache the results of ``function`` for short templates: projects have the same few in many places."""
    again = lru_cache(4096)(function)

    @wraps(function)
    def cached(template: Template) -> Result:
        return again(template) if len(template.text) <= LONGEST_KEPT else function(template)

    return cached
