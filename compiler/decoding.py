"""Stored values that the operator cannot decode, where CRDs do not describe the type in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.schemas._emission import STRUCTS

from .golang.duration import DurationError, parse_duration
from .golang.shape import Decoder, Hook, MisfitError

if TYPE_CHECKING:
    from .golang.shape import Field, Misfit
    from .resource import Resource

SPECS = {
    "VirtualMCPCompositeToolDefinition": "CompositeToolConfig",
    "VirtualMCPServer": "VirtualMCPServerSpec",
}
"""Kind to the Go type of its spec."""


def misfits(resource: Resource) -> list[Misfit]:
    """Give what Go's JSON reader refuses in the spec of a resource; paths lead from the spec."""
    decoder = Decoder(STRUCTS, _HOOKS, judges_only=True, _keys=_KEYS)
    decoder.decode(_whole(resource.spec), ("struct", SPECS[resource.kind]))
    return decoder.misfits


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
