"""Check the keywords of a CRD schema that restrict a value further than its type, such as ``enum`` and ``anyOf``.

A constraint is a pair of keyword and argument. As in JSON Schema, a value satisfies all constraints on other types.
Schemas within ``allOf``, ``anyOf``, ``oneOf`` and ``not`` consist of constraints only, because the API server allows
neither types nor defaults there.

Source: Kubernetes 1.35, k8s.io/kube-openapi: pkg/validation/validate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..golang.regexp import PatternError, compile_pattern
from ..kube.text_format import has_format
from .leaf import as_whole, unless_placeholder
from .violation import Sort, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Constraints: TypeAlias = tuple[tuple[str, Any], ...]

_JSON_TYPES: Final[dict[str, Callable[[Any], bool]]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: (isinstance(value, int) and not isinstance(value, bool)) or as_whole(value) is not None,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}
_WORDS: Final = {"array": "list"}


def breaches(constraints: Constraints, value: Any) -> list[Violation]:
    """Return a fault for each constraint that a value breaks. Faults of a placeholder are marked as unknown."""
    faults: list[Violation] = []
    for word, bound in constraints:
        for fault in _CHECKS[word](bound, value):
            if fault.path:
                faults.append(fault)
            else:
                unless_placeholder(value, fault, faults)
    return faults


def _fits(constraints: Constraints, value: Any) -> bool:
    return not breaches(constraints, value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _type(kind: str, value: Any) -> Iterator[Violation]:
    if not _JSON_TYPES[kind](value):
        yield Violation(Sort.TYPE, [], value, (_WORDS.get(kind, kind), None))


def _enum(allowed: list[Any], value: Any) -> Iterator[Violation]:
    if not any(_same(value, item) for item in allowed):
        yield Violation(Sort.ENUM, [], value, tuple(allowed))


def _same(value: Any, other: Any) -> bool:
    if isinstance(value, bool) or isinstance(other, bool):
        return value is other
    return bool(value == other)


def _minimum(bound: float, value: Any) -> Iterator[Violation]:
    if _is_number(value) and value < bound:
        yield Violation(Sort.TOO_SMALL, [], value, bound)


def _maximum(bound: float, value: Any) -> Iterator[Violation]:
    if _is_number(value) and value > bound:
        yield Violation(Sort.TOO_LARGE, [], value, bound)


def _above(bound: float, value: Any) -> Iterator[Violation]:
    if _is_number(value) and value <= bound:
        yield Violation(Sort.BEYOND, [], value, f"more than {bound}")


def _below(bound: float, value: Any) -> Iterator[Violation]:
    if _is_number(value) and value >= bound:
        yield Violation(Sort.BEYOND, [], value, f"less than {bound}")


def _multiple_of(factor: float, value: Any) -> Iterator[Violation]:
    if not _is_number(value):
        return
    if isinstance(value, int):
        whole = int(factor)  # the API server cuts the fraction off, and nothing is a multiple of 0
        is_multiple = whole > 0 and value % whole == 0
    else:
        is_multiple = factor > 0 and as_whole(value / factor if factor >= 1 else 1 / factor * value) is not None
    if not is_multiple:
        yield Violation(Sort.BEYOND, [], value, f"a multiple of {factor}")


def _sized(kind: type[str | list[Any] | dict[str, Any]], sort: Sort) -> Callable[[int, Any], Iterator[Violation]]:
    """Return a check of the minimum or maximum size of strings, lists or objects.

    Args:
        kind: The Python type to check. Values of other types pass.
        sort: The sort of the fault. The bound is a minimum for ``TOO_SHORT`` and ``TOO_FEW``, else a maximum.
    """
    is_least = sort in (Sort.TOO_SHORT, Sort.TOO_FEW)

    def check(bound: int, value: Any) -> Iterator[Violation]:
        if isinstance(value, kind) and (len(value) < bound if is_least else len(value) > bound):
            yield Violation(sort, [], value, bound)

    return check


def _pattern(pattern: str, value: Any) -> Iterator[Violation]:
    try:
        if isinstance(value, str) and not compile_pattern(pattern).search(value):
            yield Violation(Sort.PATTERN, [], value, pattern)
    except PatternError:
        return  # the definition is reported


def _format(form: str, value: Any) -> Iterator[Violation]:
    if isinstance(value, str) and not has_format(value, form):
        yield Violation(Sort.FORMAT, [], value, form)


def _required(fields: tuple[str, ...], value: Any) -> Iterator[Violation]:
    if isinstance(value, dict):
        yield from (Violation(Sort.MISSING, [], value, field) for field in fields if field not in value)


def _properties(fields: dict[str, Constraints], value: Any) -> Iterator[Violation]:
    if isinstance(value, dict):
        for field, constraints in fields.items():
            if field in value:
                yield from _within(constraints, value[field], field)


def _items(constraints: Constraints, value: Any) -> Iterator[Violation]:
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from _within(constraints, item, i)


def _values(constraints: Constraints, value: Any) -> Iterator[Violation]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _within(constraints, item, key)


def _within(constraints: Constraints, value: Any, step: str | int) -> Iterator[Violation]:
    for fault in breaches(constraints, value):
        fault.path.append(step)
        yield fault


def _all_of(alternatives: tuple[Constraints, ...], value: Any) -> Iterator[Violation]:
    for constraints in alternatives:
        yield from breaches(constraints, value)


def _any_of(alternatives: tuple[Constraints, ...], value: Any) -> Iterator[Violation]:
    if not any(_fits(constraints, value) for constraints in alternatives):
        yield Violation(Sort.ALTERNATIVE, [], value, ("anyOf", 0, len(alternatives), _required_fields(alternatives)))


def _one_of(alternatives: tuple[Constraints, ...], value: Any) -> Iterator[Violation]:
    fitting = sum(_fits(constraints, value) for constraints in alternatives)
    if fitting != 1:
        yield Violation(
            Sort.ALTERNATIVE, [], value, ("oneOf", fitting, len(alternatives), _required_fields(alternatives))
        )


def _not(constraints: Constraints, value: Any) -> Iterator[Violation]:
    if _fits(constraints, value):
        yield Violation(Sort.ALTERNATIVE, [], value, ("not", 1, 1, _required_fields((constraints,))))


def _required_fields(alternatives: tuple[Constraints, ...]) -> tuple[str, ...]:
    """Return the required field of each alternative; empty unless each only requires exactly one field."""
    asked = [
        bound[0]
        for constraints in alternatives
        for word, bound in constraints
        if word == "required" and len(bound) == 1
    ]
    return (
        tuple(asked)
        if len(asked) == len(alternatives) and all(len(constraints) == 1 for constraints in alternatives)
        else ()
    )


_CHECKS: Final[dict[str, Callable[[Any, Any], Iterator[Violation]]]] = {
    "type": _type,
    "enum": _enum,
    "minimum": _minimum,
    "maximum": _maximum,
    "exclusiveMinimum": _above,
    "exclusiveMaximum": _below,
    "multipleOf": _multiple_of,
    "maxLength": _sized(str, Sort.TOO_LONG),
    "minLength": _sized(str, Sort.TOO_SHORT),
    "pattern": _pattern,
    "format": _format,
    "maxItems": _sized(list, Sort.TOO_MANY),
    "minItems": _sized(list, Sort.TOO_FEW),
    "maxProperties": _sized(dict, Sort.TOO_MANY),
    "minProperties": _sized(dict, Sort.TOO_FEW),
    "required": _required,
    "properties": _properties,
    "items": _items,
    "additionalProperties": _values,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
}
