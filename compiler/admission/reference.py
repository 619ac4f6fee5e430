"""Check objects with the libraries jsonschema and cel-python, as a reference for the generated checks.

jsonschema applies the JSON Schema of the release. Formats, list types and CEL rules are checked here, the rules by
cel-python. Patterns have the meaning of RE2, as in Go. The faults equal those of ``shape.py``, but finding them takes a
thousand times as long.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from ..golang.regexp import compile_pattern
from ..kube.objectmeta import metadata_faults
from ..kube.text_format import has_format
from ..language.cel.reference import compile_reference
from ..language.cel.value import CelError
from .leaf import as_whole, unless_placeholder
from .list_type import repeated
from .reference_store import Store
from .shape import pruned
from .table import checks_of, rule_of
from .violation import Sort, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..toolhive.profile import Profile

    SchemaOf: TypeAlias = Callable[[str, str], dict[str, Any] | None]

_WIDTHS = {"int32": 2**31, "int64": 2**63}
"""The first integer that does not fit, by format."""
_TYPES = {"array": "list"}
"""The names of types in the table that differ from JSON Schema, by their JSON Schema name."""
_SORTS = {
    "type": Sort.TYPE,
    "enum": Sort.ENUM,
    "maxLength": Sort.TOO_LONG,
    "minLength": Sort.TOO_SHORT,
    "pattern": Sort.PATTERN,
    "minimum": Sort.TOO_SMALL,
    "maximum": Sort.TOO_LARGE,
    "format": Sort.FORMAT,
    "minItems": Sort.TOO_FEW,
    "maxItems": Sort.TOO_MANY,
}
"""Sorts of faults by keyword, in the order of the API server. Only the first fault of a value is reported."""
_FIRST = {sort: i for i, sort in enumerate((*_SORTS.values(), Sort.WIDTH))}


def judge(kind: str, data: dict[str, Any], profile: Profile, faults: list[Violation], schema_of: SchemaOf) -> Any:
    """Check an object by jsonschema and cel-python. Append its faults, and return the object as it would be stored.

    Args:
        schema_of: Returns the JSON Schema of a kind in a release.
    """
    release = profile.judging_release
    schema, validator = _validator(kind, release, schema_of)
    store = Store(schema, checks_of(profile).checks, faults)
    stored = store.stored(data)
    if "metadata" in stored and metadata_faults(data):
        faults.append(Violation(Sort.METADATA, ["metadata"], data["metadata"]))
    faults_found = [fault for error in validator.iter_errors(stored) for fault in _faults(error, release)]
    # Unknown fields first: what was meant by one is then not missing.
    first_faults = sorted(_first_of_each_place(faults_found), key=lambda fault: fault.sort is not Sort.UNKNOWN)
    status_faults = [fault for fault in first_faults if fault.path[-1:] == ["status"]]
    for fault in (*(fault for fault in first_faults if fault.path[-1:] != ["status"]), *pruned(status_faults)):
        fault.path = store.written(fault.path)
        unless_placeholder(fault.path[0] if fault.sort is Sort.UNKNOWN else fault.value, fault, faults)
    return store.pruned(stored)


def _first_of_each_place(faults: list[Violation]) -> list[Violation]:
    best: dict[Any, Violation] = {}
    others = []
    for fault in faults:
        if fault.sort not in _FIRST:
            others.append(fault)
            continue
        best_so_far = best.get(tuple(fault.path))
        if best_so_far is None or _FIRST[fault.sort] < _FIRST[best_so_far.sort]:
            best[tuple(fault.path)] = fault
    wrong_types = {path for path, fault in best.items() if fault.sort is Sort.TYPE}
    return [*best.values(), *(fault for fault in others if tuple(fault.path) not in wrong_types)]


def _faults(error: ValidationError, release: str) -> Iterator[Violation]:
    path = list(reversed(error.absolute_path))
    value: Any = error.instance
    schema: Any = error.schema
    expected_value: Any = error.validator_value
    word = str(error.validator)
    if word == "additionalProperties":
        fields = tuple(schema.get("properties", ()))
        yield from (Violation(Sort.UNKNOWN, [key, *path], value[key], fields) for key in value if key not in fields)
    elif word == "required":
        yield Violation(Sort.MISSING, path, value, error.message)
    elif word == "format" and not isinstance(value, str):
        yield Violation(Sort.WIDTH, path, value, expected_value)
    elif word == "type" and expected_value == "string" and "format" in schema and isinstance(value, list):
        yield Violation(Sort.WIDTH, path, value, "string")  # the API server skips the type of a list here
    elif word == "type":
        expected = _TYPES.get(str(expected_value), str(expected_value))
        yield Violation(Sort.TYPE, path, value, (expected, ("", tuple(schema.get("required", ())))))
    elif word == "enum" and not isinstance(value, str):
        return  # its type is wrong already
    elif word in _SORTS:
        detail = tuple(expected_value) if word == "enum" else expected_value
        yield Violation(_SORTS[word], path, value, detail)
    elif word in ("uniqueItems", "x-kubernetes-list-map-keys"):
        keys = () if word == "uniqueItems" else tuple(expected_value)
        yield from (
            Violation(Sort.DUPLICATE, [i, *path], value[i], (first, keys)) for i, first in repeated(value, keys)
        )
    else:
        text, message = expected_value
        yield Violation(Sort.RULE, path, value, rule_of(text, message, release))


def _required(_: Any, names: list[str], value: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        yield from (ValidationError(name) for name in names if name not in value)


def _pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not compile_pattern(pattern).search(value):
        yield ValidationError("pattern")


def _format(_: Any, name: str, value: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not has_format(value, name):
        yield ValidationError("format")
    limit = _WIDTHS.get(name)
    if limit is None or isinstance(value, bool):
        return
    if isinstance(value, float) or (isinstance(value, int) and not -limit <= value < limit):
        yield ValidationError("format")


def _unique(_: Any, __: bool, value: Any, ___: Any) -> Iterator[ValidationError]:  # noqa: FBT001 - jsonschema's call
    if isinstance(value, list) and repeated(value, ()):
        yield ValidationError("uniqueItems")


def _list_map(_: Any, keys: list[str], value: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(value, list) and repeated(value, tuple(keys)):
        yield ValidationError("x-kubernetes-list-map-keys")


def _rules(_: Any, rules: list[dict[str, str]], value: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, dict) or (schema.get("type") == "string" and isinstance(value, str)):
        for rule in rules:
            if not _holds(rule["rule"], value):
                yield ValidationError(rule["rule"], validator_value=(rule["rule"], rule["message"]))


def _is_integer(_: Any, value: Any) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return -_WIDTHS["int64"] <= value < _WIDTHS["int64"]
    return as_whole(value) is not None


_Validator: Any = extend(  # type: ignore[no-untyped-call] # jsonschema declares no types
    Draft202012Validator,
    {
        "required": _required,
        "pattern": _pattern,
        "format": _format,
        "uniqueItems": _unique,
        "x-kubernetes-list-map-keys": _list_map,
        "x-kubernetes-validations": _rules,
    },
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)


@lru_cache
def _validator(kind: str, release: str, schema_of: SchemaOf) -> tuple[dict[str, Any], Any]:
    schema = dict(schema_of(kind, release) or {})
    schema["properties"] = schema["properties"] | {"metadata": {}}  # judged by the rules of Kubernetes itself
    del schema["$id"]  # relative: nothing is to be looked up
    return schema, _Validator(schema)


_compiled = lru_cache(compile_reference)


def _holds(rule: str, value: Any) -> bool:
    try:
        return bool(_compiled(rule)(self=value))
    except (CelError, TypeError, AttributeError):  # cel-python lets some out where a value has another type
        return False
