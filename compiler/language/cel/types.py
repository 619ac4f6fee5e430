"""The types of CEL, and when a value of a type is accepted for another.

Source: cel-go v0.28, ``checker/types.go``: assignability with type variables, ``null`` and ``dyn``.
"""

from __future__ import annotations

from typing import TypeAlias

from ...diagnostics.named_tuple import NamedTuple


class Type(NamedTuple):
    """A type. ``list``, ``map``, ``type`` and ``optional`` have parameters.

    ``name`` distinguishes types of the kinds ``variable``, ``message`` and ``object``, and marks a wrapper.
    """

    kind: str
    parameters: tuple[Type, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        if self.kind in ("variable", "message"):
            return self.name if self.kind == "message" else "dyn"
        inner = ", ".join(str(parameter) for parameter in self.parameters)
        return f"{self.kind}({inner})" if inner else self.kind


Substitution: TypeAlias = dict[Type, Type]
"""The type of each bound type variable."""

DYN, ERROR, NULL, BOOL = Type("dyn"), Type("error"), Type("null"), Type("bool")
INT, UINT, DOUBLE, STRING, BYTES = Type("int"), Type("uint"), Type("double"), Type("string"), Type("bytes")
DURATION, TIMESTAMP, ANY, TYPE = Type("duration"), Type("timestamp"), Type("any"), Type("type")
CLAIMS = Type("map", (STRING, DYN))

_SCALARS = frozenset({"bool", "int", "uint", "double", "string", "bytes", "duration", "timestamp"})
_NULLABLE = frozenset({"message", "any", "duration", "timestamp", "null"})
_DYNAMIC = frozenset({"dyn", "any"})


def list_of(item: Type) -> Type:
    """Return the type of a list of ``item``."""
    return Type("list", (item,))


def map_of(key: Type, value: Type) -> Type:
    """Return the type of a map from ``key`` to ``value``."""
    return Type("map", (key, value))


def optional_of(value: Type) -> Type:
    """Return the type of an optional value of the type ``value``."""
    return Type("optional", (value,))


def wrapper_of(scalar: Type) -> Type:
    """Return the type of a protocol buffer wrapper of ``scalar``, whose values are scalars or null."""
    return Type(scalar.kind, (), "wrapper")


def is_dynamic(given: Type) -> bool:
    """Return whether the type of a value is only known at run time, as for ``dyn``."""
    return given.kind in _DYNAMIC


def substitute(bindings: Substitution, given: Type, *, free_to_dyn: bool) -> Type:
    """Return a type with its bound variables replaced. If ``free_to_dyn``, other variables become ``dyn``."""
    while given in bindings:
        given = bindings[given]
    if given.kind == "variable":
        return DYN if free_to_dyn else given
    if not given.parameters:
        return given
    inner = tuple(substitute(bindings, parameter, free_to_dyn=free_to_dyn) for parameter in given.parameters)
    return given._replace(parameters=inner)


def assign(bindings: Substitution, pairs: list[tuple[Type, Type]]) -> Substitution | None:
    """Return ``bindings``, extended so that the second type of each pair accepts the first; ``None`` if impossible."""
    trial = dict(bindings)
    return trial if all(_fits(trial, left, right) for left, right in pairs) else None


def most_general(left: Type, right: Type) -> Type:
    """Return the more general of two compatible types, such as ``dyn`` for ``dyn`` and ``int``."""
    return left if _less_specific(left, right) else right


def _same(left: Type, right: Type) -> bool:
    """Return whether two types are equal. A wrapper equals its scalar."""
    if left.kind != right.kind or len(left.parameters) != len(right.parameters):
        return False
    if left.kind in ("variable", "message", "object") and left.name != right.name:
        return False
    return all(
        _same(left_parameter, other) for left_parameter, other in zip(left.parameters, right.parameters, strict=True)
    )


def _fits(bindings: Substitution, left: Type, right: Type) -> bool:
    if right.kind == "variable":
        valid, bound = _bind(bindings, left, right)
        if valid or bound:
            return valid
    if left.kind == "variable":
        return _bind(bindings, right, left)[0]
    if is_dynamic(left) or is_dynamic(right) or "error" in (left.kind, right.kind):
        return True
    if "null" in (left.kind, right.kind):
        other = right if left.kind == "null" else left
        return other.kind in _NULLABLE or other.name == "wrapper"
    if left.kind == "type" or left.kind in _SCALARS:
        return left.kind == right.kind
    if left.kind == "message":
        return _same(left, right)
    return left.kind == right.kind and all(
        _fits(bindings, left_parameter, other)
        for left_parameter, other in zip(left.parameters, right.parameters, strict=True)
    )


def _bind(bindings: Substitution, given: Type, variable: Type) -> tuple[bool, bool]:
    """Bind ``variable`` to ``given`` in ``bindings`` if their types are compatible.

    Return whether they are compatible, and whether ``variable`` was bound before or is ``given`` itself.
    """
    if _same(given, variable):
        return True, True
    bound = bindings.get(variable)
    if bound is None:
        is_absent = _is_absent(bindings, variable, given)
        if is_absent:
            bindings[variable] = given
        return is_absent, False
    if _same(given, bound):
        return True, True
    if not _fits(bindings, given, bound):
        return False, True
    general = most_general(given, bound)
    if _is_absent(bindings, variable, general):
        bindings[variable] = general
    return True, True


def _is_absent(bindings: Substitution, variable: Type, given: Type) -> bool:
    if _same(variable, given):
        return False
    if given.kind == "variable":
        return given not in bindings or _is_absent(bindings, variable, bindings[given])
    return all(_is_absent(bindings, variable, parameter) for parameter in given.parameters)


def _less_specific(left: Type, right: Type) -> bool:
    if is_dynamic(left) or left.kind == "variable":
        return True
    if is_dynamic(right) or right.kind == "variable" or left.kind != right.kind:
        return False
    if left.kind in ("list", "map", "optional"):
        return all(
            _less_specific(left_parameter, other)
            for left_parameter, other in zip(left.parameters, right.parameters, strict=True)
        )
    return left.kind == "type" or _same(left, right)
