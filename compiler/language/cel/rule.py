"""Expressions as functions: rules of the CRDs, users' own rules, role mapping matchers."""

from __future__ import annotations

import keyword
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from ..fault import FaultError
from . import arithmetic, runtime, types
from .checker import Checked, check
from .overloads import MIXED_ORDERINGS, OF_API_SERVER, OVERLOADS, Overload
from .parser import parse
from .syntax import Message, children
from .transpile import python_expression, python_function
from .types import CLAIMS, Type
from .value import CostError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ...diagnostics.fault import Flaw
    from .syntax import Node

MAX_MATCHER_BYTES = 10_000
"""Longer matchers are refused by the process that reads them."""

STEPS = 100_000
"""What one evaluation of a user's rule may cost: items looked at, and characters and items put together."""

STEPS_TOGETHER = 1_000_000
"""What all evaluations of a project's own rules may cost together: some five seconds."""

_CHARACTERS = 256
"""Of a text that is looked through, for a step."""

_BEYOND_PYTHON = (ArithmeticError, ValueError, RecursionError, MemoryError)
"""What a value raises that Python cannot represent, as a year after 9999: what Go makes of it is unknown."""

_TIMESTAMP = "google.protobuf.Timestamp"
SELF = Type("map", (types.STRING, types.DYN))


def to_python(expression: str, name: str, *, self_type: Type = SELF) -> str:
    """Write ``def name(self)`` for a rule of a CRD; its namespace must hold ``runtime`` as ``cel``.

    The function returns a ``bool`` and raises ``CelError`` where the rule has no value.

    Args:
        expression: The rule.
        name: The name of the function.
        self_type: What the rule stands at: an object by default.

    Raises:
        FaultError: cel-go would refuse the rule, or its value is no boolean.
    """
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(f"{name!r} cannot be the name of a function")
    root, checked = _checked_tree(expression, {"self": self_type}, OVERLOADS | OF_API_SERVER)
    body = python_expression(expression, root, {"self": "self"}, {"self": self_type.kind}, checked.bound)
    return python_function(name, ("self",), body)


def compile_rule(
    expression: str, variables: Iterable[str] = ("self",), together: Allowance | None = None
) -> Callable[..., bool]:
    """Make a function of a user's own rule; it takes the values of ``variables`` by name.

    The values may be any plain data. The function returns a ``bool``, or raises ``CelError`` where the rule has no
    value, costs more than ``STEPS``, or more than is left of what rules may cost ``together``.

    Raises:
        FaultError: The rule does not read or type-check, or its value cannot be a boolean; with the places.
    """
    declared = dict.fromkeys(variables, types.DYN)
    root, checked = _checked_tree(expression, declared)
    return _function(expression, root, checked, dict.fromkeys(declared, "dyn"), together)


class Library(NamedTuple):
    """Functions beside those of the standard library.

    Attributes:
        functions: Their signatures; those of a known name add to what it takes.
        call: Takes the name of one and its arguments, a receiver first.
        most: Returns the most steps that a call may cost, from the name and the arguments.
    """

    functions: Mapping[str, tuple[Overload, ...]]
    call: Callable[..., Any]
    most: Callable[..., int]

    def all_functions(self) -> dict[str, tuple[Overload, ...]]:
        """Return the signatures of all functions, those of the standard library among them."""
        out = dict(OVERLOADS)
        for more in (MIXED_ORDERINGS, self.functions):
            for name, overloads in more.items():
                out[name] = (*out.get(name, ()), *overloads)
        return out


def compile_typed(
    expression: str,
    variables: Mapping[str, Type],
    library: Library,
    *,
    fields: Callable[[str], Mapping[str, Type]],
    result: Type = types.BOOL,
    together: Allowance | None = None,
) -> Callable[..., Any]:
    """Make a function of an expression over values that a schema describes; it takes them by name.

    The function raises ``CelError`` where the expression has no value: ``CostError`` where that took too long to find.

    Args:
        expression: The expression, with the optional syntax and comparisons between kinds of numbers.
        variables: The type of each value.
        library: What it may call beside the standard library.
        fields: Returns the fields of an object of the schema, by the name of its type.
        result: What the expression must be.
        together: What several expressions may cost together.

    Raises:
        FaultError: It does not read or type-check, or needs what is not evaluated here.
    """
    functions = library.all_functions()
    root = parse(expression, frozenset(name for name in functions if "." in name))
    checked = check(expression, root, variables, functions, fields)
    if checked.faults:
        raise FaultError(expression, checked.faults)
    if checked.result.kind not in (result.kind, "dyn", "any"):
        raise FaultError.at(expression, 0, f"it must give a {result}, and gives {checked.result}")
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Message):
            raise FaultError.at(expression, node.offset, f"the message {node.name} is not evaluated here")
        waiting += children(node)
    kinds = {name: "map" if one.kind in ("object", "map") else one.kind for name, one in variables.items()}
    plain = {name: kind if kind in _SURE else "dyn" for name, kind in kinds.items()}
    return _evaluator(expression, root, checked, plain, _Budget(together, library), truth=result == types.BOOL)


_SURE = frozenset({"map", "string"})
"""Kinds of which a variable surely is where its type is such; numbers are compared with those of other kinds too."""


def matcher_faults(expression: str) -> list[Flaw]:
    """Report why the role mapper would not compile ``expression``, a matcher over ``claims``; empty: it would.

    The mapper does not ask for a boolean: a matcher of another type compiles, and never matches
    (see ``matcher_type``).
    """
    try:
        return list(_matcher(expression)[1].faults)
    except FaultError as error:
        return list(error.faults)


def matcher_problem(expression: str) -> str | None:
    """Return why a process would not compile a matcher, as a clause with the place; ``None`` if it would."""
    for fault in matcher_faults(expression):
        line, column = fault.position(expression)
        return f"does not compile at {line}:{column}: {fault.message}"
    return None


def matcher_type(expression: str) -> str | None:
    """Return the type of a matcher's value, by its CEL name; ``None`` where it does not compile."""
    try:
        _, checked = _matcher(expression)
    except FaultError:
        return None
    return None if checked.faults else str(checked.result)


def compile_matcher(expression: str) -> Callable[..., bool]:
    """Make a function of a matcher; it takes ``claims`` by name, with every number a ``float``.

    The function raises ``CelError`` where the matcher has no value or one that is no boolean: the mapper goes on then.

    Raises:
        FaultError: The mapper would not compile it.
    """
    root, checked = _matcher(expression)
    if checked.faults:
        raise FaultError(expression, checked.faults)
    return _function(expression, root, checked, {"claims": "map"})


def _matcher(expression: str) -> tuple[Node, Checked]:
    length = len(expression.encode("utf-8", "replace"))
    if length > MAX_MATCHER_BYTES:
        message = f"the matcher has {length} bytes, {MAX_MATCHER_BYTES} at most"
        raise FaultError.at(expression, 0, message)
    root = parse(expression)
    return root, check(expression, root, {"claims": CLAIMS})


def _checked_tree(
    expression: str, variables: Mapping[str, Type], functions: Mapping[str, tuple[Overload, ...]] = OVERLOADS
) -> tuple[Node, Checked]:
    root = parse(expression)
    checked = check(expression, root, variables, functions)
    if checked.faults:
        raise FaultError(expression, checked.faults)
    if checked.result.kind not in ("bool", "dyn", "any"):
        raise FaultError.at(expression, 0, f"a rule must give a bool, this one gives {checked.result}")
    return root, checked


def _function(
    expression: str, root: Node, checked: Checked, kinds: Mapping[str, str], together: Allowance | None = None
) -> Callable[..., bool]:
    evaluate = _evaluator(expression, root, checked, kinds, _Budget(together))

    def rule(**values: Any) -> bool:
        return bool(evaluate(**values))

    return rule


def _evaluator(
    expression: str, root: Node, checked: Checked, kinds: Mapping[str, str], budget: _Budget, *, truth: bool = True
) -> Callable[..., Any]:
    names = {name: f"p_{name}" for name in kinds}
    body = python_expression(expression, root, names, kinds, checked.bound, truth=truth)
    source = python_function("rule", tuple(names.values()), body)
    namespace: dict[str, Any] = {"cel": budget, "__builtins__": {"len": len}}
    exec(compile(source, "<rule>", "exec"), namespace)  # noqa: S102 - our own templates, see transpile
    made = namespace["rule"]

    def evaluate(**values: Any) -> Any:
        budget.begin()
        try:
            return made(**{names[name]: value for name, value in values.items()})
        except _BEYOND_PYTHON as error:
            raise UnsupportedError(f"this is not evaluated here: {error}") from None

    return evaluate


class Allowance:
    """Steps that the evaluations of several rules may take together."""

    def __init__(self, steps: int = STEPS_TOGETHER) -> None:
        self.steps = self.left = steps


class _Budget:
    """Stands in for ``runtime`` and counts what an evaluation costs, alone and together with others."""

    def __init__(self, together: Allowance | None, library: Library | None = None) -> None:
        self.left = STEPS
        self._together = together or Allowance(sys.maxsize)
        self._library = library

    def begin(self) -> None:
        """Begin an evaluation, which takes a step itself."""
        self.left = STEPS
        self.spend(1)

    def __getattr__(self, name: str) -> Any:
        return getattr(runtime, name)

    def spend(self, cost: int) -> None:
        self.left -= cost
        if self.left < 0:
            raise CostError(f"the rule costs more than {STEPS} steps")
        self._together.left -= cost
        if self._together.left < 0:
            raise CostError(f"the custom rules cost more than {self._together.steps} steps together")

    def matches(self, value: Any, pattern: Any) -> bool:
        if isinstance(value, str) and isinstance(pattern, str):
            from ...golang.regexp import MOST_WORK, PatternError, compile_pattern

            self.spend(len(pattern))
            with suppress(PatternError):
                self.spend(compile_pattern(pattern).work(value) * STEPS // MOST_WORK)
        return runtime.matches(value, pattern)

    def library(self, name: str, *values: Any) -> Any:
        assert self._library is not None  # nothing else is declared where there is none
        self.spend(self._library.most(name, *values))
        return self._library.call(name, *values)

    def time_part(self, name: str, value: Any, *zone: Any) -> int:
        """Return a part of a time: the API server takes it in UTC, cel-go by itself in the zone that was written."""
        is_in_utc = self._library is not None and not zone and runtime.type_of(value).name == _TIMESTAMP
        return runtime.time_part(name, value, *(("UTC",) if is_in_utc else zone))

    def contains(self, value: Any, part: Any) -> bool:
        if isinstance(value, str):
            self.spend(len(value) // _CHARACTERS)
        return runtime.contains(value, part)

    def each(self, value: Any) -> Iterable[Any]:
        for item in runtime.each(value):
            self.spend(1)
            yield item

    def pairs(self, value: Any) -> Iterable[tuple[Any, Any]]:
        for pair in runtime.pairs(value):
            self.spend(1)
            yield pair

    def add(self, left: Any, right: Any) -> Any:
        total = arithmetic.add(left, right)
        if isinstance(total, str | bytes | list):
            self.spend(len(total))
        return total

    def equal(self, left: Any, right: Any) -> bool:
        if isinstance(left, list | dict):
            self.spend(weight(left, self.left))
        return runtime.equal(left, right)

    def within(self, value: Any, container: Any) -> bool:
        if isinstance(container, list):
            self.spend(len(container) if not isinstance(value, list | dict) else weight(container, self.left))
        return runtime.within(value, container)


def weight(value: Any, most: int) -> int:
    """Return how many values are in ``value``; counting stops above ``most``."""
    waiting, count = [value], 0
    while waiting and count <= most:
        part = waiting.pop()
        count += 1
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            waiting += part.values()
    return count
