"""Stored values that the operator cannot decode, where CRDs do not describe the type in full."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ...schemas._vmcp_structs import OPAQUE, STRUCTS
from ..golang.duration import DurationError, parse_duration
from ..golang.json_shape import JsonDecoder
from ..golang.shape import INT32, Hook, MisfitError, Types
from ..golang.strconv import NumberError
from ..golang.value import json_numbers

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from ..golang.shape import Misfit
    from ..workspace.resource import Resource

    _Look: TypeAlias = "Callable[[Any], bool]"

SPECS = {
    "VirtualMCPCompositeToolDefinition": "CompositeToolConfig",
    "VirtualMCPServer": "VirtualMCPServerSpec",
}
"""Kind to the Go type of its spec."""


def misfits(resource: Resource) -> list[Misfit]:
    """Return what Go's JSON reader refuses in the spec of a resource; paths lead from the spec."""
    shape = ("struct", SPECS[resource.kind])
    fits = _quick_look(shape, described=True)
    if fits is None or fits(resource.spec):
        return []
    decoder = JsonDecoder(_TYPES, judges_only=True)
    decoder.decode(_whole(resource.spec), shape)
    return decoder.misfits


@cache
def _quick_look(shape: Any, *, described: bool) -> _Look | None:
    """Return what tells whether there is no doubt that Go takes a value: nearly all pass without a closer look.

    ``None`` where there never is any: what the CRD describes is of the right type, and only numbers and durations can
    be out of range.
    """
    if isinstance(shape, str):
        return None if described and shape in _SETTLED_BY_TYPE else _PLAIN.get(shape, _is_doubtful)
    kind, inner = shape
    if kind == "struct":
        return _look_at_described(inner) if described else partial(_is_plain_struct, {}, inner)
    look = _quick_look(inner, described=described)
    if look is None or kind == "ptr":
        return look
    if kind == "list":
        return lambda value: isinstance(value, list) and all(map(look, value))
    return lambda value: isinstance(value, dict) and all(map(look, value.values()))


def _look_at_described(name: str) -> _Look | None:
    looks: list[tuple[str, _Look]] = []
    for key, shape, _ in STRUCTS[name]:
        look = _quick_look(shape, described=(name, key) not in OPAQUE)
        if look is not None:
            looks.append((key, look))
    keys = frozenset(key for key, _, _ in STRUCTS[name])
    return partial(_is_plain_where_open, keys, tuple(looks)) if looks else None


def _is_plain_where_open(keys: frozenset[str], looks: tuple[tuple[str, _Look], ...], value: Any) -> bool:
    """Return whether those fields of a struct fit that are to be looked at, and are all spelled as Go has them."""
    if not isinstance(value, dict) or not keys.issuperset(value):
        return False
    for key, look in looks:  # noqa: SIM110 - a generator takes longer than most looks
        if key in value and not look(value[key]):
            return False
    return True


def _is_plain_struct(looks: dict[str, _Look | None], name: str, value: Any) -> bool:
    """Return whether all fields of a struct fit; ``looks`` are what tells it of each."""
    if not looks:  # filled when first asked: structs hold themselves
        looks.update({key: _quick_look(shape, described=False) for key, shape, _ in STRUCTS[name]})
    if not isinstance(value, dict):
        return False
    for key, item in value.items():
        look = looks.get(key)
        if look is None or not look(item):
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
    """Return whether free-form JSON holds no number that a float64 could be too small for."""
    values = [value]
    for item in values:  # which grows by what is within
        if isinstance(item, str):
            continue
        if isinstance(item, dict):
            values += item.values()
        elif isinstance(item, list):
            values += item
        elif isinstance(item, int) and item.bit_length() >= _FEWEST_BITS:
            return False
    return True


_FEWEST_BITS = 64
_SETTLED_BY_TYPE = ("string", "bool", "raw")
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
    """Return numbers without fraction as integers, as the API server stores them."""
    if isinstance(value, dict):
        return {key: _whole(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_whole(child) for child in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
