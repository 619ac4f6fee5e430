"""The syntax tree of a template.

Offsets count code points from the start of the template. As in Go, trees may be nested ten thousand levels deep: walk
them with an explicit stack instead of recursion, and do not compare them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping


class _Node:
    """A node at an offset. Nodes are plain classes, because the definition of a tuple class takes 0.1 ms at start."""

    __slots__ = ("offset",)

    def __init__(self, offset: int) -> None:
        self.offset = offset


class Text(_Node):
    """Literal text between actions, after trim markers are applied."""

    __slots__ = ("text",)

    def __init__(self, offset: int, text: str) -> None:
        self.offset = offset
        self.text = text


class FieldNode(_Node):
    """``.a.b``: names looked up in dot."""

    __slots__ = ("names",)

    def __init__(self, offset: int, names: tuple[str, ...]) -> None:
        self.offset = offset
        self.names = names


class VariableNode(_Node):
    """``$x.a.b``: a variable (``name`` begins with ``$``) and names looked up in it."""

    __slots__ = ("name", "names")

    def __init__(self, offset: int, name: str, names: tuple[str, ...]) -> None:
        self.offset = offset
        self.name = name
        self.names = names


class Chain(_Node):
    """``(pipeline).a.b`` or ``function.a``: names looked up in the value of another term."""

    __slots__ = ("names", "term")

    def __init__(self, offset: int, term: Pipe | Identifier, names: tuple[str, ...]) -> None:
        self.offset = offset
        self.term = term
        self.names = names


class Identifier(_Node):
    """The name of a function."""

    __slots__ = ("name",)

    def __init__(self, offset: int, name: str) -> None:
        self.offset = offset
        self.name = name


class Dot(_Node):
    """Dot: ``.`` alone."""

    __slots__ = ()


class Nil(_Node):
    """``nil``."""

    __slots__ = ()


class Bool(_Node):
    """``true`` or ``false``."""

    __slots__ = ("value",)

    def __init__(self, offset: int, value: bool) -> None:  # noqa: FBT001 - the value is all that a literal has
        self.offset = offset
        self.value = value


class Number(_Node):
    """A number, or a character as its code point. ``value`` is ``None`` if the number is valid but exceeds ``int``."""

    __slots__ = ("value",)

    def __init__(self, offset: int, value: complex | None) -> None:
        self.offset = offset
        self.value = value


class String(_Node):
    """A string constant."""

    __slots__ = ("value",)

    def __init__(self, offset: int, value: str) -> None:
        self.offset = offset
        self.value = value


Term: TypeAlias = "FieldNode | VariableNode | Chain | Identifier | Dot | Nil | Bool | Number | String | Pipe"


class Command(_Node):
    """A term and its arguments, separated by spaces."""

    __slots__ = ("terms",)

    def __init__(self, offset: int, terms: tuple[Term, ...]) -> None:
        self.offset = offset
        self.terms = terms


class Pipe(_Node):
    """Commands joined by ``|``. Each gets the value of the previous one as its last argument.

    Attributes:
        variables: Names of the variables that the pipeline declares or assigns, with ``$``.
        assigns: True if the variables are assigned (``=``), False if they are declared (``:=``).
    """

    __slots__ = ("assigns", "commands", "variables")

    def __init__(
        self, offset: int, variables: tuple[str, ...], commands: tuple[Command, ...], *, assigns: bool
    ) -> None:
        self.offset = offset
        self.variables = variables
        self.assigns = assigns
        self.commands = commands


class ActionNode(_Node):
    """A pipeline whose value is printed unless it declares variables."""

    __slots__ = ("pipe",)

    def __init__(self, offset: int, pipe: Pipe) -> None:
        self.offset = offset
        self.pipe = pipe


class _Control(_Node):
    """A control structure with its pipeline, its body, and the nodes after its ``else``."""

    __slots__ = ("body", "otherwise", "pipe")

    def __init__(self, offset: int, pipe: Pipe, body: tuple[Node, ...], otherwise: tuple[Node, ...]) -> None:
        self.offset = offset
        self.pipe = pipe
        self.body = body
        self.otherwise = otherwise


class If(_Control):
    """``{{if}}``. An ``else if`` is an ``If`` that is the only node of ``otherwise``."""

    __slots__ = ()


class With(_Control):
    """``{{with}}``. In the body, dot is the value of the pipeline."""

    __slots__ = ()


class Range(_Control):
    """``{{range}}``. In the body, dot is the element."""

    __slots__ = ()


class TemplateCall(_Node):
    """``{{template "name" pipeline}}``, or the call that ``{{block}}`` implies."""

    __slots__ = ("name", "pipe")

    def __init__(self, offset: int, name: str, pipe: Pipe | None) -> None:
        self.offset = offset
        self.name = name
        self.pipe = pipe


class Break(_Node):
    """``{{break}}``."""

    __slots__ = ()


class Continue(_Node):
    """``{{continue}}``."""

    __slots__ = ()


Node: TypeAlias = "Text | ActionNode | If | With | Range | TemplateCall | Break | Continue"


class Template:
    """A parsed template.

    Attributes:
        name: Name with which the template can call itself.
        nodes: Top-level nodes.
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
