"""Stored values that the operator cannot decode, where CRDs do not describe the type in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.schemas._emission import STRUCTS

from .golang.duration import DurationError, parse_duration
from .golang.shape import Decoder, Hook, MisfitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .golang.shape import Field, Misfit
    from .resource import Resource

SPECS = {
    "VirtualMCPCompositeToolDefinition": "CompositeToolConfig",
    "VirtualMCPServer": "VirtualMCPServerSpec",
}
"""Kind to the Go type of its spec."""


def misfits(resource: Resource) -> list[Misfit]:
    """Give what Go's JSON reader refuses in the spec of a resource; paths lead from the spec."""
    shape = ("struct", SPECS[resource.kind])
    if _plainly_fits(resource.spec, shape):
        return []
    decoder = Decoder(STRUCTS, _HOOKS, judges_only=True, _keys=_KEYS)
    decoder.decode(_whole(resource.spec), shape)
    return decoder.misfits


def _plainly_fits(value: Any, shape: Any) -> bool:
    """Tell whether there is no doubt that Go takes ``value``: nearly all are let pass without a closer look."""
    if isinstance(shape, str):
        plain = _PLAIN.get(shape)
        return plain is not None and plain(value)
    kind, inner = shape
    if kind == "ptr":
        return _plainly_fits(value, inner)
    if kind == "list":
        return isinstance(value, list) and all(_plainly_fits(item, inner) for item in value)
    if not isinstance(value, dict):
        return False
    if kind == "map":
        return all(_plainly_fits(item, inner) for item in value.values())
    shapes = _SHAPES.get(inner)
    if shapes is None:
        shapes = _SHAPES[inner] = {key: shape for key, shape, _ in STRUCTS[inner]}
    for key, item in value.items():  # noqa: SIM110 - all() takes twice as long
        if key not in shapes or not _plainly_fits(item, shapes[key]):
            return False
    return True


def _is_duration(value: Any) -> bool:
    try:
        return isinstance(value, str) and parse_duration(value) is not None
    except DurationError:
        return False


def _is_free(value: Any) -> bool:
    """Tell whether free-form JSON holds no number that a float64 could be too small for."""
    if isinstance(value, dict):
        return all(_is_free(child) for child in value.values())
    if isinstance(value, list):
        return all(_is_free(child) for child in value)
    return not isinstance(value, int) or value.bit_length() < _FEWEST_BITS


_FEWEST_BITS = 64
_PLAIN: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "bool": lambda value: isinstance(value, bool),
    "int": lambda value: type(value) is int and value.bit_length() < _FEWEST_BITS,
    "duration_text": _is_duration,
    "any": _is_free,
}
_SHAPES: dict[str, dict[str, Any]] = {}
"""Shapes of the fields of the structs, looked up once for all resources."""


def _duration(value: Any) -> int:
    if not isinstance(value, str):
        raise MisfitError("a duration such as 30s")
    try:
        return parse_duration(value)
    except DurationError:
        raise MisfitError("a duration of at most 292 years, such as 30s") from None


_KEYS: dict[str, dict[str, Field]] = {}
"""Keys of the structs, looked up once for all resources."""

_HOOKS = {"duration_text": Hook(_duration, lambda value: value, zero=0)}


def _whole(value: Any) -> Any:
    """Give numbers without fraction as integers, as the API server stores them."""
    if isinstance(value, dict):
        return {key: _whole(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_whole(child) for child in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
