"""Stored values that the operator cannot decode, where CRDs do not describe the type in full."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.golang.duration import DurationError, parse_duration
from mcpcfg.compiler.golang.json_shape import JsonDecoder
from mcpcfg.compiler.golang.shape import INT32, Hook, MisfitError, Types, pointed_to
from mcpcfg.compiler.golang.strconv import NumberError
from mcpcfg.compiler.golang.value import json_numbers
from mcpcfg.schemas._vmcp_structs import STRUCTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpcfg.compiler.golang.shape import Misfit
    from mcpcfg.compiler.resource import Resource

SPECS = {
    "VirtualMCPCompositeToolDefinition": "CompositeToolConfig",
    "VirtualMCPServer": "VirtualMCPServerSpec",
}
"""Kind to the Go type of its spec."""


def misfits(resource: Resource) -> list[Misfit]:
    """Give what Go's JSON reader refuses in the spec of a resource; paths lead from the spec."""
    shape = ("struct", SPECS[resource.kind])
    if _plainly_fitting(shape)(resource.spec):
        return []
    decoder = JsonDecoder(_TYPES, judges_only=True)
    decoder.decode(_whole(resource.spec), shape)
    return decoder.misfits


@cache
def _plainly_fitting(shape: Any) -> Callable[[Any], bool]:
    """Give what tells whether there is no doubt that Go takes a value: nearly all pass without a closer look."""
    if isinstance(shape, str):
        return _PLAIN.get(shape, _is_doubtful)
    kind, inner = shape
    if kind == "ptr":
        return _plainly_fitting(inner)
    if kind == "list":
        fits = _plainly_fitting(inner)
        return lambda value: isinstance(value, list) and all(map(fits, value))
    if kind == "map":
        fits = _plainly_fitting(inner)
        return lambda value: isinstance(value, dict) and all(map(fits, value.values()))
    return partial(_is_plain_struct, {}, inner)


def _is_plain_struct(known: dict[str, tuple[type | None, Callable[[Any], bool]]], name: str, value: Any) -> bool:
    """Tell whether all fields of a struct fit; ``known`` are its fields, each with a type of which all values do."""
    if not known:  # filled when first asked: structs hold themselves
        fields = [(key, pointed_to(shape)) for key, shape, _ in STRUCTS[name]]
        known.update({key: (_ALWAYS_FITTING.get(shape), _plainly_fitting(shape)) for key, shape in fields})
    if not isinstance(value, dict):
        return False
    for key, item in value.items():
        field = known.get(key)
        if field is None or not (type(item) is field[0] or field[1](item)):
            return False
    return True


def _is_doubtful(_: Any) -> bool:
    return False


def _is_duration(value: Any) -> bool:
    try:
        return isinstance(value, str) and parse_duration(value) is not None
    except DurationError:
        return False


def _is_free(value: Any) -> bool:
    """Tell whether free-form JSON holds no number that a float64 could be too small for."""
    values = [value]
    for item in values:  # which grows by what is within
        if isinstance(item, dict):
            values += item.values()
        elif isinstance(item, list):
            values += item
        elif isinstance(item, int) and item.bit_length() >= _FEWEST_BITS:
            return False
    return True


_FEWEST_BITS = 64
_ALWAYS_FITTING: dict[Any, type] = {"string": str, "bool": bool}
_PLAIN: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "bool": lambda value: isinstance(value, bool),
    "int": lambda value: type(value) is int and value.bit_length() < _FEWEST_BITS,
    "int32": lambda value: type(value) is int and value in INT32,
    "duration": _is_duration,
    "json": _is_free,
    "json-map": lambda value: isinstance(value, dict) and _is_free(value),
    "raw": lambda _: True,
}


def _duration(value: Any) -> int:
    if not isinstance(value, str):
        raise MisfitError("a duration such as 30s")
    try:
        return parse_duration(value)
    except DurationError:
        raise MisfitError("a duration of at most 292 years, such as 30s") from None


def _free(value: Any) -> Any:
    try:
        return json_numbers(value)
    except NumberError as error:
        raise MisfitError(error.args[-1]) from None


def _free_object(value: Any) -> Any:
    if value is not None and not isinstance(value, dict):
        raise MisfitError("an object")
    return _free(value)


def _as_it_is(value: Any) -> Any:
    return value


_TYPES = Types(
    STRUCTS,
    {
        "duration": Hook(_duration, _as_it_is, zero=0),
        "json": Hook(_free, _as_it_is),
        "json-map": Hook(_free_object, _as_it_is),
    },
)


def _whole(value: Any) -> Any:
    """Give numbers without fraction as integers, as the API server stores them."""
    if isinstance(value, dict):
        return {key: _whole(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_whole(child) for child in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
