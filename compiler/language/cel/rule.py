"""Compile expressions to functions: rules of CRDs, users' rules, and matchers of role mappings."""

from __future__ import annotations

import keyword
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ...diagnostics.named_tuple import NamedTuple
from ..fault import FaultError
from . import arithmetic, runtime, types
from .checker import Checked, check
from .overloads import API_SERVER_FUNCTIONS, MIXED_ORDERINGS, OVERLOADS, Overload
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
"""The maximum bytes of a matcher. The process refuses a longer one (toolhive-core: ``DefaultMaxExpressionLength``)."""

STEPS = 100_000
"""The budget of an evaluation of a user's rule. Each visited item, copied item and copied character costs a step.

So many steps take about half a second.
"""

STEPS_TOGETHER = 1_000_000
"""The budget of all evaluations of a project's rules. So many steps take about five seconds."""

_CHARACTERS = 256
"""The number of searched characters that cost one step, because Python searches them in the time of a step."""

_BEYOND_PYTHON = (ArithmeticError, ValueError, RecursionError, MemoryError)
"""Exceptions for values that Python cannot represent, such as years after 9999. Go's result is unknown."""

_TIMESTAMP = "google.protobuf.Timestamp"
SELF = Type("map", (types.STRING, types.DYN))


def to_python(expression: str, name: str, *, self_type: Type = SELF) -> str:
    """Return the source of an assignment that makes ``name`` a function of ``self`` for a rule of a CRD.

    The function returns a ``bool``, or raises ``CelError`` if the rule fails with an error. The namespace of the
    function must contain the module ``runtime`` as ``cel``.

    Args:
        self_type: The type of the value that the rule belongs to; an object by default.

    Raises:
        FaultError: cel-go would refuse the rule, or its value is not a boolean.
        ValueError: ``name`` is not a valid function name in Python.
    """
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(f"{name!r} cannot be the name of a function")
    root, checked = _checked_tree(expression, {"self": self_type}, OVERLOADS | API_SERVER_FUNCTIONS)
    body = python_expression(expression, root, {"self": "self"}, {"self": self_type.kind}, checked.bound)
    return f"{name} = cel.rule(lambda self: {body})\n"


def compile_rule(
    expression: str, variables: Iterable[str] = ("self",), together: Allowance | None = None
) -> Callable[..., bool]:
    """Return a function that evaluates a user's rule. It takes the values of ``variables`` by name.

    The values may be any plain data. The function returns a ``bool``, or raises ``CelError`` if the rule fails with an
    error, costs more than ``STEPS``, or exceeds ``together``, the budget that several rules share.

    Raises:
        FaultError: The rule does not parse or type-check, or its value cannot be a boolean.
    """
    declared = dict.fromkeys(variables, types.DYN)
    root, checked = _checked_tree(expression, declared)
    return _function(expression, root, checked, dict.fromkeys(declared, "dyn"), together)


class Library(NamedTuple):
    """Functions in addition to the standard library.

    Attributes:
        functions: The signatures. They extend functions of the same name.
        call: Takes the name of a function and its arguments, a receiver first, and returns the result.
        max_steps: Takes the arguments of ``call``, and returns the maximum number of steps that the call costs.
    """

    functions: Mapping[str, tuple[Overload, ...]]
    call: Callable[..., Any]
    max_steps: Callable[..., int]

    def all_functions(self) -> dict[str, tuple[Overload, ...]]:
        """Return the signatures of all functions, including the standard library and `MIXED_ORDERINGS`."""
        out = dict(OVERLOADS)
        for table in (MIXED_ORDERINGS, self.functions):
            for name, overloads in table.items():
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
    """Return a function that evaluates an expression over values with a schema. It takes the values by name.

    The function raises ``CelError`` if the expression fails, and ``CostError`` if it takes too long.

    Args:
        expression: The expression. Optional syntax and comparisons of different number types are allowed.
        library: The functions in addition to the standard library.
        together: The budget that several expressions share.

    Raises:
        FaultError: The expression does not parse or type-check, or uses an unsupported feature.
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
    kinds = {
        name: "map" if variable_type.kind in ("object", "map") else variable_type.kind
        for name, variable_type in variables.items()
    }
    plain = {name: kind if kind in _SURE else "dyn" for name, kind in kinds.items()}
    return _evaluator(expression, root, checked, plain, _Budget(together, library), truth=result == types.BOOL)


_SURE = frozenset({"map", "string"})
"""Kinds of declared types that every value certainly has. A number may have another number type than declared."""


def matcher_faults(expression: str) -> list[Flaw]:
    """Return the faults for which the role mapper would not compile a matcher over ``claims``; empty if it would.

    The mapper also compiles matchers that are not boolean. They never match (see ``matcher_type``).
    """
    try:
        return list(_matcher(expression)[1].faults)
    except FaultError as error:
        return list(error.faults)


def matcher_problem(expression: str) -> str | None:
    """Return why a process would not compile a matcher, as a clause with line and column, or ``None`` if it would."""
    for fault in matcher_faults(expression):
        line, column = fault.position(expression)
        return f"does not compile at {line}:{column}: {fault.message}"
    return None


def matcher_type(expression: str) -> str | None:
    """Return the CEL name of the type of a matcher, or ``None`` if it does not compile."""
    try:
        _, checked = _matcher(expression)
    except FaultError:
        return None
    return None if checked.faults else str(checked.result)


def compile_matcher(expression: str) -> Callable[..., bool]:
    """Return a function that evaluates a matcher. It takes ``claims`` by name, in which every number is a ``float``.

    The function raises ``CelError`` if the matcher fails or is not boolean. The mapper then tries the next matcher.

    Raises:
        FaultError: The mapper would not compile the matcher.
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
    rule_function = namespace["rule"]

    def evaluate(**values: Any) -> Any:
        budget.begin()
        try:
            return rule_function(**{names[name]: value for name, value in values.items()})
        except _BEYOND_PYTHON as error:
            raise UnsupportedError(f"this is not evaluated here: {error}") from None

    return evaluate


class Allowance:
    """A budget of steps that the evaluations of several rules share."""

    def __init__(self, steps: int = STEPS_TOGETHER) -> None:
        self.steps = self.left = steps


class _Budget:
    """Replaces ``runtime`` in generated code to count the steps of each evaluation and of all evaluations together."""

    def __init__(self, together: Allowance | None, library: Library | None = None) -> None:
        self.left = STEPS
        self._together = together or Allowance(sys.maxsize)
        self._library = library

    def begin(self) -> None:
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
        assert self._library is not None  # without a library, the checker accepts no such function
        self.spend(self._library.max_steps(name, *values))
        return self._library.call(name, *values)

    def time_part(self, name: str, value: Any, *zone: Any) -> int:
        """Return a part of a timestamp or duration, such as its hours.

        With a library, the default zone of a timestamp is UTC, as in the API server. Without a library, it is the
        offset in the text of the timestamp.
        """
        is_in_utc = self._library is not None and not zone and runtime.type_of(value).name == _TIMESTAMP
        return runtime.time_part(name, value, *(("UTC",) if is_in_utc else zone))

    def contains(self, value: Any, part: Any) -> bool:
        if isinstance(value, str):
            self.spend(len(value) // _CHARACTERS)
        return runtime.contains(value, part)

    def split(self, value: Any, separator: Any) -> list[str]:
        if isinstance(value, str):
            self.spend(len(value))
        return runtime.split(value, separator)

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
    """Return the number of values in ``value``, including itself. Counting stops once the number exceeds ``most``."""
    waiting, count = [value], 0
    while waiting and count <= most:
        part = waiting.pop()
        count += 1
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            waiting += part.values()
    return count
