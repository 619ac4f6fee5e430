"""Find the paths that a template reads from its data, and the functions that it calls.

Paths are followed as far as the text determines them: through dotted names, ``$``, variables, ``with``, ``range``,
``index`` with constant keys, and template calls.
"""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ...diagnostics.budget import cache_by_text
from ...diagnostics.named_tuple import NamedTuple
from . import node as tree
from .node import Chain, Command, Identifier, Node, Pipe, Template, Term, VariableNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

DataPath: TypeAlias = tuple[str, ...]
"""Names from the root of the data. ``EACH`` stands for the items of a list or map."""

EACH: Final = "[]"

UNKNOWN: Final = object()
"""The ``constant`` of an `Argument` that is not a constant."""

_MAX_PATH: Final = 32
"""Maximum length of a followed path, because a template that calls itself could lengthen a path forever."""
_MAX_DEPTH: Final = 40
"""Maximum nesting of pipelines, because the walk is recursive."""
_MAX_CALLS: Final = 1000
"""Maximum number of followed template calls, because templates may call each other any number of times."""
_LAZY: Final = frozenset({"and", "or"})
_TOLERANT: Final = frozenset({"and", "or", "not", "eq", "ne"})


class DataReference(NamedTuple):
    """A read of the data in a template.

    Attributes:
        offset: Offset in code points.
        conditional: True if the path is only read under a condition or within a loop.
        tolerant: True if a missing value is harmless, because it counts as false, empty or unequal.
    """

    path: DataPath
    offset: int
    conditional: bool = False
    tolerant: bool = False


class Argument(NamedTuple):
    """An argument of a function. If none of the attributes is set, nothing is known about the argument.

    Attributes:
        function: Name of the function whose result the argument is.
    """

    path: DataPath | None = None
    constant: Any = UNKNOWN
    function: str | None = None


class FunctionCall(NamedTuple):
    """A call of a function. ``arguments`` includes the value that a pipe passes as the last argument."""

    name: str
    offset: int
    arguments: tuple[Argument, ...]
    conditional: bool = False


class Usage:
    """All references and calls of a template.

    Attributes:
        references: References in the order of the text. Bodies of definitions come last.
        calls: Function calls in the same order.
        complete: False if references or calls are missing, because the template is nested too deeply or calls too many
            others.
    """

    def __init__(self, *, complete: bool = True) -> None:
        self.references: list[DataReference] = []
        self.calls: list[FunctionCall] = []
        self.complete = complete


@cache_by_text(4096)
def usage(template: Template) -> Usage:
    """Return the references and function calls in the body of a template and in the definitions that it calls."""
    return _ReferenceFinder(template).run()


def argument(pipe: Pipe) -> Argument:
    """Return the path, constant or function that gives the value of a pipeline. Dot is the root of the data."""
    walk = _ReferenceFinder(Template("", "", ()))
    return walk.pipeline(pipe, conditional=False, tolerant=False)


@cache_by_text(4096)
def field_chains(template: Template) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Return names and offset of every chain such as ``.a.b``. Like the vMCP server, ignore what dot is there."""
    return tuple(_field_chains(template))


def calls_without_value(template: Template) -> Iterator[tree.TemplateCall]:
    """Yield each ``{{template "name"}}`` without a pipeline, also in control structures and definitions."""
    waiting: list[Any] = [*template.nodes, *chain(*template.defined.values())]
    for node in waiting:  # grows during the loop
        if isinstance(node, tree.TemplateCall) and node.pipe is None:
            yield node
        elif isinstance(node, tree.If | tree.With | tree.Range):
            waiting += [*node.body, *node.otherwise]


def _field_chains(template: Template) -> Iterator[tuple[tuple[str, ...], int]]:
    stack: list[Any] = [template.nodes, *template.defined.values()]
    while stack:
        match stack.pop():
            case tree.FieldNode(offset=offset, names=names):
                yield names, offset
            case Chain(offset=offset, term=term, names=names):
                yield names, offset
                stack.append(term)
            case Pipe(commands=commands):
                stack.append(commands)
            case Command(terms=terms):
                stack.append(terms)
            case tree.If() | tree.With() | tree.Range() as node:
                stack += [node.pipe, node.body, node.otherwise]
            case tree.ActionNode(pipe=pipe) | tree.TemplateCall(pipe=pipe):
                stack.append(pipe)
            case tuple() as several if type(several) is tuple:
                stack.extend(several)


class _Scope:
    """The path that each variable refers to, or ``None`` if the text does not determine it."""

    def __init__(self, root: DataPath | None) -> None:
        self._names: list[str] = ["$"]
        self._paths: dict[str, list[DataPath | None]] = {"$": [root]}

    def __len__(self) -> int:
        return len(self._names)

    def get(self, name: str) -> DataPath | None:
        paths = self._paths.get(name)
        return paths[-1] if paths else None

    def declare(self, name: str, path: DataPath | None) -> None:
        self._names.append(name)
        self._paths.setdefault(name, []).append(path)

    def assign(self, name: str) -> None:
        """Make the path of an assigned variable unknown, because the assignment may be conditional."""
        if paths := self._paths.get(name):
            paths[-1] = None

    def forget(self, length: int) -> None:
        while len(self._names) > length:
            self._paths[self._names.pop()].pop()


class _Frame:
    """The nodes of a body that are still to be visited, with the value of dot and the state to restore after the body.

    Attributes:
        conditional: True if the body is only executed under a condition or in a loop.
        declared: Number of variables that are declared before the body.
    """

    def __init__(self, nodes: Iterator[Node], dot: DataPath | None, *, conditional: bool, declared: int) -> None:
        self.nodes = nodes
        self.dot = dot
        self.conditional = conditional
        self.declared = declared


class _ReferenceFinder:
    def __init__(self, template: Template) -> None:
        self.template = template
        self.out = Usage()
        self.dot: DataPath | None = ()
        self.scope = _Scope(())
        self.depth = 0
        self.todo: list[tuple[str, DataPath | None, bool]] = []

    def run(self) -> Usage:
        self._walk(self.template.nodes, conditional=False)
        seen = set(self.todo)
        at = 0
        while at < len(self.todo):
            name, self.dot, conditional = self.todo[at]
            at += 1
            self.scope = _Scope(self.dot)
            before = len(self.todo)
            self._walk(self.template.defined.get(name, ()), conditional=conditional)
            new_calls = [call for call in dict.fromkeys(self.todo[before:]) if call not in seen]
            self.todo[before:] = new_calls
            seen.update(new_calls)
            if at > _MAX_CALLS:
                self.out.complete = False
                break
        return self.out

    def _walk(self, nodes: Sequence[Node], *, conditional: bool) -> None:
        stack = [_Frame(iter(nodes), self.dot, conditional=conditional, declared=len(self.scope))]
        while stack:
            frame = stack[-1]
            node = next(frame.nodes, None)
            if node is None:
                stack.pop()
                self.dot = stack[-1].dot if stack else self.dot
                self.scope.forget(frame.declared)
                continue
            self.dot = frame.dot
            stack += self._node(node, conditional=frame.conditional)
            self.dot = stack[-1].dot

    def _node(self, node: Node, *, conditional: bool) -> Iterable[_Frame]:
        """Walk the expressions of a node. Return its bodies in reverse order, because the caller uses a stack."""
        declared = len(self.scope)
        match node:
            case tree.ActionNode(pipe=pipe):
                self.pipeline(pipe, conditional=conditional, tolerant=False)
            case tree.TemplateCall(name=name, pipe=pipe):
                dot = None
                if pipe is not None:
                    dot = self.pipeline(pipe, conditional=conditional, tolerant=True).path
                self.todo.append((name, dot, conditional))
            case tree.If(pipe=pipe, body=body, otherwise=otherwise):
                self.pipeline(pipe, conditional=conditional, tolerant=True)
                return self._bodies(self.dot, body, otherwise, declared)
            case tree.With(pipe=pipe, body=body, otherwise=otherwise):
                path = self.pipeline(pipe, conditional=conditional, tolerant=True).path
                return self._bodies(path, body, otherwise, declared)
            case tree.Range(pipe=pipe, body=body, otherwise=otherwise):
                path = self.pipeline(pipe, conditional=conditional, tolerant=True).path
                element = self._below(path, EACH)
                self._loop_variables(pipe, element)
                return self._bodies(element, body, otherwise, declared)
        return ()

    def _bodies(
        self, dot: DataPath | None, body: Sequence[Node], otherwise: Sequence[Node], declared: int
    ) -> Iterable[_Frame]:
        inside = len(self.scope)
        return (
            _Frame(iter(otherwise), self.dot, conditional=True, declared=declared),
            _Frame(iter(body), dot, conditional=True, declared=inside),
        )

    def _loop_variables(self, pipe: Pipe, element: DataPath | None) -> None:
        if not pipe.variables or pipe.assigns:
            return
        self.scope.forget(len(self.scope) - len(pipe.variables))
        for name in pipe.variables[:-1]:
            self.scope.declare(name, None)
        self.scope.declare(pipe.variables[-1], element)

    def _below(self, path: DataPath | None, *names: str) -> DataPath | None:
        if path is None or len(path) + len(names) > _MAX_PATH:
            return None
        return (*path, *names)

    # Expressions.

    def pipeline(self, pipe: Pipe, *, conditional: bool, tolerant: bool) -> Argument:
        """Record the references and calls of a pipeline, and return the path, constant or function of its value."""
        self.depth += 1
        result = Argument()
        if self.depth > _MAX_DEPTH:
            self.out.complete = False
        else:
            piped: Argument | None = None
            for command, follower in zip_longest(pipe.commands, pipe.commands[1:]):
                lenient = tolerant if follower is None else _function(follower) in _TOLERANT
                result = piped = self._command(command, piped, conditional=conditional, tolerant=lenient)
        for name in pipe.variables:
            if pipe.assigns:
                self.scope.assign(name)
            else:
                self.scope.declare(name, result.path)
        self.depth -= 1
        return result

    def _command(self, command: Command, piped: Argument | None, *, conditional: bool, tolerant: bool) -> Argument:
        first, *rest = command.terms
        if not isinstance(first, Identifier):
            for term in rest:
                self._term(term, conditional=conditional, tolerant=True)
            return self._term(first, conditional=conditional, tolerant=tolerant)
        if first.name == "index" and rest and (path := self._indexed(rest)) is not None:
            self._read(path, rest[0].offset, conditional=conditional, tolerant=tolerant)
            arguments = [self._argument_only(term) for term in rest]
            result = Argument(path=path)
        else:
            arguments = []
            for place, term in enumerate(rest):
                lazy = first.name in _LAZY and place > 0
                kind = self._term(term, conditional=conditional or lazy, tolerant=tolerant or first.name in _TOLERANT)
                arguments.append(kind)
            result = Argument(function=first.name)
        if piped is not None:
            arguments.append(piped)
        self.out.calls.append(FunctionCall(first.name, first.offset, tuple(arguments), conditional))
        return result

    def _indexed(self, terms: Sequence[Term]) -> DataPath | None:
        base = self._path(terms[0])
        names = [term.value for term in terms[1:] if isinstance(term, tree.String)]
        if base is None or len(names) != len(terms) - 1:
            return None
        return self._below(base, *names)

    def _path(self, term: Term) -> DataPath | None:
        match term:
            case tree.FieldNode(names=names):
                return self._below(self.dot, *names)
            case VariableNode(name=name, names=names):
                return self._below(self.scope.get(name), *names)
            case tree.Dot():
                return self.dot
        return None

    def _argument_only(self, term: Term) -> Argument:
        if isinstance(term, tree.String):
            return Argument(constant=term.value)
        return Argument(path=self._path(term))

    def _term(self, term: Term, *, conditional: bool, tolerant: bool) -> Argument:
        match term:
            case tree.FieldNode() | VariableNode() | tree.Dot():
                path = self._path(term)
                self._read(path, term.offset, conditional=conditional, tolerant=tolerant)
                return Argument(path=path)
            case tree.Bool(value=value) | tree.Number(value=value) | tree.String(value=value):
                return Argument(constant=value)
            case tree.Nil():
                return Argument(constant=None)
            case Identifier(name=name, offset=offset):
                self.out.calls.append(FunctionCall(name, offset, (), conditional))
                return Argument(function=name)
            case Pipe():
                return self.pipeline(term, conditional=conditional, tolerant=tolerant)
            case Chain(offset=offset, term=inner, names=names):
                base = self._term(inner, conditional=conditional, tolerant=True).path
                path = self._below(base, *names)
                if path is not None:
                    self._replace_last(path, offset, conditional=conditional, tolerant=tolerant)
                return Argument(path=path)
        return Argument()

    def _replace_last(self, path: DataPath, offset: int, *, conditional: bool, tolerant: bool) -> None:
        """Record a reference to ``path``, in place of the last reference if its path is a prefix of ``path``."""
        references = self.out.references
        if references and references[-1].path == path[: len(references[-1].path)]:
            offset = references.pop().offset
        self._read(path, offset, conditional=conditional, tolerant=tolerant)

    def _read(self, path: DataPath | None, offset: int, *, conditional: bool, tolerant: bool) -> None:
        if path is not None:
            self.out.references.append(DataReference(path, offset, conditional, tolerant))


def _function(command: Command) -> str:
    first = command.terms[0]
    return first.name if isinstance(first, Identifier) else ""
