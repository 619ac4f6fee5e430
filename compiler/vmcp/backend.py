"""Check the backends that a vMCP configuration lists or names, and the tools that composite tools call.

The process starts despite these faults, but the backend, the setting or the composite tool does not work. Therefore all
faults have the stage ``lint``.

Source: docs/operator/virtual-server.md, "Backends of a file" and "Composite tools of a session".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Fault
from ..diagnostics.finding import rule
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, as_question, did_you_mean, nearest
from ..toolhive.constants import DEFAULT_PREFIX_FORMAT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from ..diagnostics.span import Path

UNREACHABLE = rule(
    "VMC229 unreachable-backend", "lint", "A backend that a vMCP configuration file lists can never be reached"
)
UNKNOWN_WORKLOAD = rule("VMC212 unknown-workload", "lint", "A setting names a backend that the group does not have")
UNROUTABLE = rule(
    "VMC218 unroutable-composite-tool", "lint", "A composite tool calls a tool that no member of the group can have"
)

TRANSPORTS: Final = ("sse", "streamable-http")
PLACEHOLDER: Final = "{workload}"
"""The placeholder for the backend's name in a prefix format."""


def backend_faults(config: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield faults for backends that no session reaches, and for names of backends and tools that do not exist.

    Args:
        config: A configuration as ``load`` returns it. Names are only checked if the names of all ``backends`` are
            known. Without ``backends``, the process discovers them.
    """
    backends = listed(config.get("backends"))
    names: dict[str, int] = {}
    for i, backend in enumerate(backends):
        yield from _reachability_faults(("backends", i), mapping(backend), names)
    if not names or len(names) < len(backends) or any(is_placeholder(name) for name in names):
        return
    for path, name in named_backends(config):
        if name and name not in names and not is_placeholder(name):
            hint = did_you_mean(name, names, likeness=VAGUE)
            message = f"{shown(name)} is not one of the backends"
            yield Fault(path, UNKNOWN_WORKLOAD, message, hint, "lint", on_key=path[-1] == name)
    prefixes = tool_prefixes(mapping(config.get("aggregation")), names)
    for i, tool in enumerate(listed(config.get("compositeTools"))):
        for path, name in called_tools(tool):
            match = nearest(name.partition(".")[0], names) if "." in name else None
            if not is_routable(name, names, prefixes or (() if match else None)):
                message = f"no backend has a tool {shown(name)}: the composite tool is not offered"
                yield Fault(("compositeTools", i, *path), UNROUTABLE, message, as_question(match), "lint")


def _reachability_faults(path: Path, backend: Mapping[str, Any], names: dict[str, int]) -> Iterator[Fault]:
    name, address, transport = (backend.get(field) or "" for field in ("name", "url", "transport"))
    if not name:
        yield _unreachable_fault((*path, "name"), f"backend {path[-1]} has no name", "choose any unused name")
    elif names.setdefault(name, int(path[-1])) != path[-1]:
        message = f"two backends are called {shown(name)}: one of them is not served"
        yield _unreachable_fault((*path, "name"), message, "give each a different name")
    if not address:
        yield _unreachable_fault(
            (*path, "url"), f"the backend {shown(name)} has no url", "write it as https://HOST/mcp"
        )
    elif not is_placeholder(address) and (fault := _address_fault(address)):
        message = f"the url {shown(address)} of the backend {shown(name)} {fault}"
        yield _unreachable_fault((*path, "url"), message, "write it as https://HOST/mcp")
    if transport not in TRANSPORTS and not is_placeholder(transport):
        transports = " or ".join(TRANSPORTS)
        message = f"the transport of the backend {shown(name)} is {shown(transport)}"
        hint = did_you_mean(transport, TRANSPORTS, likeness=VAGUE) or f"write {transports}"
        yield _unreachable_fault(
            (*path, "transport"), message if transport else f"the backend {shown(name)} has no transport", hint
        )


def _address_fault(address: str) -> str | None:
    from ..toolhive.endpoint import remote_fault  # slow to import, and few configurations need it

    return remote_fault(address)


def _unreachable_fault(path: Path, message: str, hint: str) -> Fault:
    return Fault(path, UNREACHABLE, message, hint, "lint")


def named_backends(config: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield the names of backends that settings refer to, with their paths in the configuration."""
    aggregation: Mapping[str, Any] = mapping(config.get("aggregation"))
    for i, entry in enumerate(listed(aggregation.get("tools"))):
        yield ("aggregation", "tools", i, "workload"), mapping(entry).get("workload") or ""
    if aggregation.get("conflictResolution") == "priority":
        path: Path = ("aggregation", "conflictResolutionConfig", "priorityOrder")
        for i, name in enumerate(listed(mapping(aggregation.get("conflictResolutionConfig")).get("priorityOrder"))):
            yield (*path, i), name
    for name in mapping(mapping(config.get("outgoingAuth")).get("backends")):
        yield ("outgoingAuth", "backends", name), name
    for name in mapping(mapping(mapping(config.get("operational")).get("timeouts")).get("perWorkload")):
        yield ("operational", "timeouts", "perWorkload", name), name


def called_tools(tool: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield the names of the tools that a composite tool calls, with their paths in the composite tool."""
    for i, step in enumerate(listed(tool.get("steps"))):
        kind, inner = step.get("type") or "tool", step.get("step")
        if kind == "tool" and isinstance(step.get("tool"), str):
            yield ("steps", i, "tool"), step["tool"]
        elif kind == "forEach" and isinstance(inner, dict) and isinstance(inner.get("tool"), str):
            yield ("steps", i, "step", "tool"), inner["tool"]


def tool_prefixes(aggregation: Mapping[str, Any], names: Collection[str]) -> tuple[str, ...] | None:
    """Return the prefix of the tools of each backend in ``names``, or ``None`` if tools keep their names."""
    if (aggregation.get("conflictResolution") or "prefix") != "prefix":
        return None
    form = mapping(aggregation.get("conflictResolutionConfig")).get("prefixFormat") or DEFAULT_PREFIX_FORMAT
    return tuple(form.replace(PLACEHOLDER, name) for name in names)


def is_routable(name: str, names: Collection[str], prefixes: Sequence[str] | None) -> bool:
    """Return whether a tool may belong to a backend in ``names``.

    If ``prefixes`` is ``None``, tools keep their names, so any tool may belong to a backend.
    """
    workload, dot, _ = name.partition(".")
    if (dot and workload in names) or not name or is_placeholder(name):
        return True
    return prefixes is None or name.startswith(tuple(prefixes))
