"""Records as the reference's programs hold them: decoded by the generated table of Go types, and written again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.golang.shape import Decoder, Encoder, Misfit
from mcpcfg.compiler.golang.value import SortedMap
from mcpcfg.schemas._shapes import STRUCTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcpcfg.compiler.source import Path


def decode(value: Any, name: str) -> tuple[dict[str, Any], list[Misfit], list[Path]]:
    """Read a record of the Go type ``name``: the record, what Go refuses, and the keys that it skips."""
    decoder = Decoder(STRUCTS)
    record: dict[str, Any] = decoder.decode(value, ("struct", name))
    return record, decoder.misfits, decoder.unknown


def encode(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Write a record of the Go type ``name`` as plain data, in the order of its fields."""
    out: dict[str, Any] = _ENCODER.encode(record, ("struct", name))
    return out


def zero(name: str) -> dict[str, Any]:
    """Give an empty record of the Go type ``name``."""
    out: dict[str, Any] = Decoder(STRUCTS).zero(("struct", name))
    return out


def field_names(name: str) -> list[str]:
    """Give the keys of the Go type ``name``."""
    return [key for key, _, _ in STRUCTS[name]]


def _write_tool(tool: Mapping[str, Any], encoder: Encoder) -> Any:
    """Write a tool: the reference makes a map of it, with the schema of the result only where it has a type."""
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


_ENCODER = Encoder(STRUCTS, writers={"HeldTool": _write_tool})
