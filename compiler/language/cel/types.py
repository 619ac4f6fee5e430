"""The types of CEL and when one stands for another.

Source: cel-go v0.28, ``checker/types.go``: assignability with type variables, ``null`` and ``dyn``.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Type(NamedTuple):
    """A type: ``list`` and ``map`` and ``type`` have parameters.

    ``name`` distinguishes variables (``kind`` is ``variable``), messages, objects of a schema and wrappers.
    """

    kind: str
    parameters: tuple[Type, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        """Return the type as CEL's documentation writes it."""
        if self.kind in ("variable", "message"):
            return self.name if self.kind == "message" else "dyn"
        inner = ", ".join(str(parameter) for parameter in self.parameters)
        return f"{self.kind}({inner})" if inner else self.kind


Substitution: TypeAlias = dict[Type, Type]
"""What type variables stand for."""

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
    """Return the type of a value that may be missing."""
    return Type("optional", (value,))


def wrapper_of(scalar: Type) -> Type:
    """Return the type of a protocol buffer wrapper: as its scalar, but it may be null."""
    return Type(scalar.kind, (), "wrapper")


def is_dynamic(given: Type) -> bool:
    """Return whether the value decides at run time."""
    return given.kind in _DYNAMIC


def substitute(known: Substitution, given: Type, *, free_to_dyn: bool) -> Type:
    """Put what is known for the type variables in ``given``; with ``free_to_dyn`` the others become ``dyn``."""
    while given in known:
        given = known[given]
    if given.kind == "variable":
        return DYN if free_to_dyn else given
    if not given.parameters:
        return given
    inner = tuple(substitute(known, parameter, free_to_dyn=free_to_dyn) for parameter in given.parameters)
    return given._replace(parameters=inner)


def assign(known: Substitution, pairs: list[tuple[Type, Type]]) -> Substitution | None:
    """Return the type variables' values where each first type takes each second one; ``None``: it cannot."""
    trial = dict(known)
    return trial if all(_fits(trial, left, right) for left, right in pairs) else None


def most_general(left: Type, right: Type) -> Type:
    """Return the more general of two types that are known to fit."""
    return left if _less_specific(left, right) else right


def _same(left: Type, right: Type) -> bool:
    """Equality, but a wrapper equals its scalar."""
    if left.kind != right.kind or len(left.parameters) != len(right.parameters):
        return False
    if left.kind in ("variable", "message", "object") and left.name != right.name:
        return False
    return all(_same(one, other) for one, other in zip(left.parameters, right.parameters, strict=True))


def _fits(known: Substitution, left: Type, right: Type) -> bool:
    if right.kind == "variable":
        valid, bound = _stands_for(known, left, right)
        if valid or bound:
            return valid
    if left.kind == "variable":
        return _stands_for(known, right, left)[0]
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
        _fits(known, one, other) for one, other in zip(left.parameters, right.parameters, strict=True)
    )


def _stands_for(known: Substitution, given: Type, variable: Type) -> tuple[bool, bool]:
    """Return whether ``variable`` can stand for ``given`` (noted in ``known``), and whether it was bound before."""
    if _same(given, variable):
        return True, True
    bound = known.get(variable)
    if bound is None:
        free = _is_outside(known, variable, given)
        if free:
            known[variable] = given
        return free, False
    if _same(given, bound):
        return True, True
    if not _fits(known, given, bound):
        return False, True
    general = most_general(given, bound)
    if _is_outside(known, variable, general):
        known[variable] = general
    return True, True


def _is_outside(known: Substitution, variable: Type, given: Type) -> bool:
    """Return whether ``variable`` does not occur in ``given``, followed through what is known."""
    if _same(variable, given):
        return False
    if given.kind == "variable":
        return given not in known or _is_outside(known, variable, known[given])
    return all(_is_outside(known, variable, parameter) for parameter in given.parameters)


def _less_specific(left: Type, right: Type) -> bool:
    if is_dynamic(left) or left.kind == "variable":
        return True
    if is_dynamic(right) or right.kind == "variable" or left.kind != right.kind:
        return False
    if left.kind in ("list", "map", "optional"):
        return all(_less_specific(one, other) for one, other in zip(left.parameters, right.parameters, strict=True))
    return left.kind == "type" or _same(left, right)
