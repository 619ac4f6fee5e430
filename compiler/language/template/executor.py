"""Execute a parsed template on plain data like Go's text/template.

Source: Go 1.26 text/template.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ...diagnostics.budget import OF_TEMPLATE, Budget
from ...golang.strconv import quote
from . import node as tree
from .builtin import COMPUTED
from .function import FUNCTIONS, ParameterType
from .node import Chain, Command, Identifier, Node, Pipe, Template, Term, VariableNode
from .printer import MAX_TEXT, sprint
from .value import NO_VALUE, ExecutionError, LimitError, encode, go_type, is_true, sorted_items

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ABSENT: Final = object()
"""Takes the place of the previous command's value for the first command of a pipeline."""

_CHARACTERS: Final = 256
"""Characters that a function reads or writes in one step, because copying them takes as long as any other step."""
_MAX_DEPTH: Final = 60
"""Maximum nesting of actions, parentheses and template calls, because execution is recursive. Go allows 100,000."""


def execute(template: Template, data: Any, *, budget: Budget | None = None) -> str:
    """Return the output of ``template`` for ``data``.

    Args:
        data: Initial dot. See ``value.py`` for its types.
        budget: Budget to share with other templates; otherwise a new one.

    Raises:
        ExecutionError: Go would stop with an error.
        LimitError: The template exceeds a limit of this module.
    """
    run = _Execution(template, data, budget or Budget(OF_TEMPLATE))
    try:
        run.walk(template.nodes)
    except RecursionError:
        raise LimitError("the template is nested too deeply") from None
    return encode("".join(run.out)).decode("utf-8", "replace")


class _Leave(Exception):  # noqa: N818 - a jump, not an error
    """Ends an iteration of a ``range``. ``loop`` is true for ``{{break}}``, which also ends the loop."""

    def __init__(self, *, loop: bool) -> None:
        super().__init__()
        self.loop = loop


@dataclass(slots=True)
class _Slot:
    """A variable or dot. ``boxed`` is true if Go stores the value in an interface, which is no bound for ``slice``."""

    name: str
    value: Any
    boxed: bool = False


class _Execution:
    def __init__(self, template: Template, data: Any, budget: Budget) -> None:
        self.template = template
        self.budget = budget
        self.out: list[str] = []
        self.size = 0
        self.depth = 0
        self.dot = _Slot("", data)
        self.variables = [_Slot("$", data)]
        self.boxed = False  # whether the last evaluated value is boxed

    def write(self, text: str) -> None:
        self.size += len(text)
        if self.size > MAX_TEXT:
            raise ExecutionError("the template prints more than 10 MiB")
        self.out.append(text)

    def _spend(self, steps: int) -> None:
        if not self.budget.grants(steps=steps):
            raise LimitError("the template takes too many steps")

    # Control.

    def walk(self, nodes: Sequence[Node]) -> None:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise LimitError("the template is nested too deeply")
        for node in nodes:
            self._spend(1)
            match node:
                case tree.Text(text=text):
                    self.write(text)
                case tree.ActionNode(pipe=pipe):
                    value = self.pipeline(pipe)
                    if not pipe.variables:
                        self.write(_printed(value))
                case tree.If():
                    self._branch(node, self.dot)
                case tree.With():
                    self._branch(node, None)
                case tree.Range():
                    self._range(node)
                case tree.TemplateCall():
                    self._call(node)
                case tree.Break():
                    raise _Leave(loop=True)
                case tree.Continue():
                    raise _Leave(loop=False)
        self.depth -= 1

    def _branch(self, node: tree.If | tree.With, dot: _Slot | None) -> None:
        mark, outer = len(self.variables), self.dot
        value = self.pipeline(node.pipe)
        if is_true(value):
            self.dot = dot or _Slot("", value)
            self.walk(node.body)
        else:
            self.walk(node.otherwise)
        self.dot = outer
        del self.variables[mark:]

    def _range(self, node: tree.Range) -> None:
        start, outer, depth = len(self.variables), self.dot, self.depth
        value = self.pipeline(node.pipe)
        mark = len(self.variables)
        empty = True
        try:
            for key, element, boxed in self._elements(value, node.pipe):
                empty = False
                self._spend(1)
                self._assign_loop(node.pipe, key, _Slot("", element, boxed))
                self.dot = _Slot("", element, boxed)
                try:
                    self.walk(node.body)
                except _Leave as leave:
                    self.depth = depth
                    if leave.loop:
                        raise
                del self.variables[mark:]
        except _Leave as leave:
            if not leave.loop:
                raise
        self.dot = outer
        if empty:
            self.walk(node.otherwise)
        del self.variables[start:]

    def _elements(self, value: Any, pipe: Pipe) -> Iterator[tuple[Any, Any, bool]]:
        """Yield the key, the value, and whether Go stores the value in an interface, for each iteration of a ``range``.

        The key is ``NO_VALUE`` if the ``range`` counts up to an integer.
        """
        if value is NO_VALUE:
            return
        if isinstance(value, dict):
            for name, child in sorted_items(value):
                yield name, child, True
        elif isinstance(value, list):
            for number, child in enumerate(value):
                yield number, child, True
        elif isinstance(value, int) and not isinstance(value, bool):
            if len(pipe.variables) > 1:
                raise ExecutionError("range over an integer has one variable")
            for number in range(value):
                yield NO_VALUE, number, False
        else:
            raise ExecutionError(f"range cannot go over {go_type(value)}")

    def _assign_loop(self, pipe: Pipe, key: Any, element: _Slot) -> None:
        slots = [_Slot("", key), element][-len(pipe.variables) :] if pipe.variables else []
        for place, slot in enumerate(slots):
            target = self._find(pipe.variables[place]) if pipe.assigns else self.variables[place - len(slots)]
            target.value, target.boxed = slot.value, slot.boxed

    def _call(self, node: tree.TemplateCall) -> None:
        top_nodes = self.template.nodes if node.name == self.template.name else None
        nodes = self.template.defined.get(node.name, top_nodes)
        if nodes is None:
            raise ExecutionError(f"the template {quote(node.name)} is not defined")
        value = NO_VALUE if node.pipe is None else self.pipeline(node.pipe)
        saved = self.dot, self.variables
        self.dot = _Slot("", value)
        self.variables = [_Slot("$", value)]
        self.walk(nodes)
        self.dot, self.variables = saved

    # Pipelines.

    def _find(self, name: str) -> _Slot:
        for slot in reversed(self.variables):
            if slot.name == name:
                return slot
        raise ExecutionError(f"the variable {name} is not defined here")

    def pipeline(self, pipe: Pipe) -> Any:
        """Return the value of a pipeline, and set its variables. A nil interface becomes ``NO_VALUE``."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise LimitError("the template is nested too deeply")
        value: Any = _ABSENT
        for command in pipe.commands:
            self._spend(1)
            value = self._command(command, value)
            if value is None:
                value = NO_VALUE
        for name in pipe.variables:
            if pipe.assigns:
                slot = self._find(name)
                slot.value, slot.boxed = value, False
            else:
                self.variables.append(_Slot(name, value))
        self.boxed = False
        self.depth -= 1
        return value

    def _command(self, command: Command, final: Any) -> Any:
        first = command.terms[0]
        if isinstance(first, Identifier):
            return self._function(first.name, command.terms[1:], final)
        return self._term(first, arguments=len(command.terms) > 1 or final is not _ABSENT)

    def _term(self, term: Term, *, arguments: bool = False) -> Any:
        """Return the value of a term, and set ``boxed`` (see ``_Slot``). ``arguments`` is true if arguments follow.

        Go refuses arguments only at the last field, so arguments are ignored if an earlier field has no value.
        """
        self.boxed = False
        match term:
            case tree.FieldNode(names=names):
                return self._fields(self.dot.value, names, arguments=arguments)
            case VariableNode(name=name, names=names) if names or not arguments:
                slot = self._find(name)
                self.boxed = slot.boxed
                return self._fields(slot.value, names, arguments=arguments)
            case Chain(term=inner, names=names):
                return self._fields(self._term(inner), names, arguments=arguments)
        if arguments:
            raise ExecutionError("only a function takes arguments")
        match term:
            case tree.Dot():
                self.boxed = self.dot.boxed
                return self.dot.value
            case Pipe():
                return self.pipeline(term)
            case Identifier(name=name):
                return self._function(name, (), _ABSENT)
            case tree.Number(value=None):
                raise ExecutionError("the number does not fit into an int")
            case tree.Number() | tree.Bool() | tree.String():
                return term.value
        raise ExecutionError("nil is not a command")

    def _fields(self, value: Any, names: tuple[str, ...], *, arguments: bool) -> Any:
        for place, name in enumerate(names, 1):
            if value is NO_VALUE:
                return NO_VALUE
            if value is None:
                raise ExecutionError(f"the field {name} is looked up in nil")
            if not isinstance(value, dict):
                raise ExecutionError(f"the field {name} is looked up in {go_type(value)}")
            if arguments and place == len(names):
                raise ExecutionError("only a function takes arguments")
            value = value.get(name, NO_VALUE)
            self.boxed = True
        return value

    # Functions.

    def _function(self, name: str, terms: Sequence[Term], final: Any) -> Any:
        signature = FUNCTIONS[name]
        count = len(terms) + (final is not _ABSENT)
        fixed = len(signature.fixed)
        if count < fixed or (signature.rest is None and count > fixed):
            raise ExecutionError(f"{name} takes {fixed} arguments{'' if signature.rest is None else ' or more'}")
        if name in ("and", "or"):
            return self._short_circuit(name, terms, final)
        parameter_types = [*signature.fixed, *[signature.rest or "value"] * (count - fixed)]
        values = []
        for parameter_type, term in zip(parameter_types, terms, strict=False):
            values.append(self._argument(term, parameter_type))
            if name == "slice" and self.boxed and len(values) > 1:
                raise ExecutionError("a bound of slice is an interface")
        if final is not _ABSENT:
            values.append(_converted(final, parameter_types[-1]))
        self.boxed = False
        if name == "call":
            raise ExecutionError("there is no function to call in the data")
        result = COMPUTED[name](*values)
        size = sum([len(text) for text in (result, *values) if isinstance(text, str)])
        if size > MAX_TEXT:
            raise LimitError("the text grows beyond 10 MiB")
        self._spend(size // _CHARACTERS)
        return result

    def _short_circuit(self, name: str, terms: Sequence[Term], final: Any) -> Any:
        value: Any = NO_VALUE
        for term in terms:
            value = self._argument(term, "value")
            if is_true(value) == (name == "or"):
                return value
        return value if final is _ABSENT else final

    def _argument(self, term: Term, parameter_type: ParameterType) -> Any:
        if isinstance(term, tree.Nil):
            if parameter_type == "string":
                raise ExecutionError("nil is given for a text")
            self.boxed = False
            return NO_VALUE if parameter_type == "value" else None
        return _converted(self._term(term), parameter_type)


def _converted(value: Any, parameter_type: ParameterType) -> Any:
    if parameter_type == "any":
        return None if value is NO_VALUE else value
    if parameter_type == "string" and not isinstance(value, str):
        kind = "no value" if value is None or value is NO_VALUE else go_type(value)
        raise ExecutionError(f"{kind} is given for a text")
    return value


def _printed(value: Any) -> str:
    return "<no value>" if value is NO_VALUE else sprint([value])
