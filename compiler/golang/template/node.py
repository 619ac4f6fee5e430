"""The parse tree of a template.

Offsets count code points from the start of the template. Trees may be nested ten thousand deep, as in Go: walk them
with a stack of your own, not with recursion, and do not compare them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Text(NamedTuple):
    """Literal text between actions, with what trim markers take off already gone."""

    offset: int
    text: str


class Field(NamedTuple):
    """``.a.b``: names looked up in dot."""

    offset: int
    names: tuple[str, ...]


class Variable(NamedTuple):
    """``$x.a.b``: a variable (``name`` begins with ``$``) and names looked up in it."""

    offset: int
    name: str
    names: tuple[str, ...]


class Chain(NamedTuple):
    """``(pipeline).a.b`` or ``function.a``: names looked up in what another term gives."""

    offset: int
    term: Pipe | Identifier
    names: tuple[str, ...]


class Identifier(NamedTuple):
    """The name of a function."""

    offset: int
    name: str


class Dot(NamedTuple):
    """``.`` alone."""

    offset: int


class Nil(NamedTuple):
    """``nil``."""

    offset: int


class Bool(NamedTuple):
    """``true`` or ``false``."""

    offset: int
    value: bool


class Number(NamedTuple):
    """A number or a character; None stands for an integer that parses and that no ``int`` holds."""

    offset: int
    value: int | float | complex | None


class String(NamedTuple):
    """A quoted text."""

    offset: int
    value: str


Term: TypeAlias = "Field | Variable | Chain | Identifier | Dot | Nil | Bool | Number | String | Pipe"


class Command(NamedTuple):
    """A term and the arguments that follow it, separated by spaces."""

    offset: int
    terms: tuple[Term, ...]


class Pipe(NamedTuple):
    """Commands joined by ``|``; each gets the value of the one before as its last argument.

    Attributes:
        variables: What it declares or assigns, with the ``$``.
        assigns: The variables exist already (``=``), they are not declared (``:=``).
    """

    offset: int
    variables: tuple[str, ...]
    assigns: bool
    commands: tuple[Command, ...]


class Action(NamedTuple):
    """A pipeline whose value is printed, unless it declares variables."""

    offset: int
    pipe: Pipe


class If(NamedTuple):
    """``{{if}}``; an ``else if`` is an If alone in ``otherwise``."""

    offset: int
    pipe: Pipe
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...]


class With(NamedTuple):
    """``{{with}}``: dot is the value inside the body."""

    offset: int
    pipe: Pipe
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...]


class Range(NamedTuple):
    """``{{range}}``: dot is each element in turn inside the body."""

    offset: int
    pipe: Pipe
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...]


class Call(NamedTuple):
    """``{{template "name" pipeline}}``, also what a ``{{block}}`` leaves in its place."""

    offset: int
    name: str
    pipe: Pipe | None


class Break(NamedTuple):
    """``{{break}}``."""

    offset: int


class Continue(NamedTuple):
    """``{{continue}}``."""

    offset: int


Node: TypeAlias = "Text | Action | If | With | Range | Call | Break | Continue"


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A parsed template.

    Attributes:
        text: What was parsed.
        name: What it may call itself by.
        nodes: What runs.
        defined: Bodies of ``{{define}}`` and ``{{block}}`` by name.
    """

    text: str
    name: str
    nodes: tuple[Node, ...]
    defined: Mapping[str, tuple[Node, ...]] = field(default_factory=dict)


LONGEST_KEPT: Final = 1000
"""Code points of a template that is worth to be kept."""

Said = TypeVar("Said")


def kept(function: Callable[[Template], Said]) -> Callable[[Template], Said]:
    """Keep what ``function`` says of short templates: projects have the same few in many places."""
    again = lru_cache(4096)(function)

    @wraps(function)
    def say(template: Template) -> Said:
        return again(template) if len(template.text) <= LONGEST_KEPT else function(template)

    return say
