"""Decode and encode records by the generated table of Go structs."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from ..golang.decoder import Decoder
from ..golang.duration import DurationError, parse_duration
from ..golang.shape import Encoder, Hook, Misfit, MisfitError, StructTable, Types, duration_text
from ..golang.value import SortedMap
from ..toolhive.release import NEWEST_MODELLED, holds
from ._structs import STRUCTS
from .schema.format import is_date_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..diagnostics.span import Path


ZERO_TIME = "0001-01-01T00:00:00Z"
"""The zero value of Go's ``time.Time``, which Go writes for a missing time."""

DEFAULT_WEBHOOK_TIMEOUT = 10_000_000_000
"""The timeout in nanoseconds (10 s) that ToolHive uses for a webhook without a timeout (``DefaultTimeout``)."""

_TIME = r"(?a)(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9})\d*)?(Z|[+-]\d{2}:\d{2})\Z"


def decode(value: Any, name: str, release: str = NEWEST_MODELLED) -> tuple[dict[str, Any], list[Misfit], list[Path]]:
    """Decode a record of the Go type ``name``; return it, the values that Go refuses, and the keys that it skips."""
    decoder = Decoder(types_of(release))
    record: dict[str, Any] = decoder.decode(value, ("struct", name))
    return record, decoder.misfits, decoder.unknown


def encode(record: Mapping[str, Any], name: str, release: str = NEWEST_MODELLED) -> dict[str, Any]:
    """Return a record of the Go type ``name`` as Go writes it: fields in order, without those that Go omits.

    Args:
        record: A decoded record, or plain data in any order. Missing keys are zero, and unknown keys are dropped.
    """
    out: dict[str, Any] = _encoder(release).encode(record, ("struct", name))
    return out


def zero(name: str) -> dict[str, Any]:
    """Return a record of the Go type ``name`` in which every field has its zero value."""
    return TYPES.zero_struct(name)


def _write_tool(tool: Mapping[str, Any], encoder: Encoder) -> Any:
    """Encode a tool like ToolHive, which writes the output schema only if it has a type."""
    out: dict[str, Any] = {"name": tool["name"], "inputSchema": _write_arguments(tool["inputSchema"])}
    if tool["description"]:
        out["description"] = tool["description"]
    if tool["outputSchema"]["type"]:
        out["outputSchema"] = _write_arguments(tool["outputSchema"])
    out["annotations"] = encoder.encode(tool["annotations"], ("struct", "ToolAnnotations"))
    if tool["defer_loading"]:
        out["defer_loading"] = True
    if tool["_meta"] is not None:
        out["_meta"] = tool["_meta"]
    if tool["icons"] is not None:
        out["icons"] = encoder.encode(tool["icons"], ("list", ("struct", "ToolIcon")))
    if tool["execution"] is not None:
        out["execution"] = encoder.encode(tool["execution"], ("struct", "ToolExecution"))
    return SortedMap(out)


def _write_arguments(schema: Mapping[str, Any]) -> SortedMap:
    out: dict[str, Any] = {"type": schema["type"]}
    definitions = schema["$defs"] if schema["$defs"] is not None else schema["definitions"]
    if definitions is not None:
        out["$defs"] = definitions
    out["properties"] = schema["properties"] if schema["properties"] is not None else {}
    out["required"] = schema["required"] or []
    if schema["additionalProperties"] is not None:
        out["additionalProperties"] = schema["additionalProperties"]
    return SortedMap(out)


def _read_duration(value: Any) -> int:
    if not isinstance(value, str):
        raise MisfitError("a duration such as 1m30s")
    return _nanoseconds(value)


def _read_nanoseconds(value: Any) -> int:
    if isinstance(value, str):
        return _nanoseconds(value)
    if value is None:
        return DEFAULT_WEBHOOK_TIMEOUT
    if isinstance(value, bool) or not isinstance(value, int):
        raise MisfitError("a duration such as 10s, or a whole number of nanoseconds")
    return value


def _nanoseconds(text: str) -> int:
    try:
        return parse_duration(text)
    except DurationError:
        raise MisfitError("a duration such as 1m30s") from None


def _read_time(value: Any) -> str:
    if value is None:
        return ZERO_TIME
    match = re.match(_TIME, value) if isinstance(value, str) else None
    if match is None or not is_date_time(match[0]):
        raise MisfitError("a time such as 2025-06-01T00:00:00Z")
    fraction = (match[2] or "").rstrip("0")
    return match[1] + (f".{fraction}" if fraction else "") + ("Z" if match[3] in {"+00:00", "-00:00"} else match[3])


def _unchanged(value: Any) -> Any:
    return value


HOOKS = {
    "duration": Hook(_read_duration, duration_text, zero=0, empty=False),
    # Only the type's own JSON decoder accepts a plain number. In YAML, the library decodes durations.
    "nanoseconds": Hook(_read_nanoseconds, _unchanged, zero=0, decode_yaml=_read_duration),
    "time": Hook(_read_time, _unchanged, zero=ZERO_TIME, empty=False),
}
"""The Go types with their own decoder: durations as text, durations as text or number, and times."""

HOOKS["held-duration"] = HOOKS["duration"]


@cache
def types_of(release: str) -> Types:
    """Return the Go structs with the fields that a release has."""
    return Types(StructTable(STRUCTS, lambda since: holds(since, None, release)), HOOKS)


@cache
def _encoder(release: str) -> Encoder:
    return Encoder(types_of(release), writers={"StoredTool": _write_tool}, stored=True)


TYPES = types_of(NEWEST_MODELLED)
