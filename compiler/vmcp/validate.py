"""Check a configuration like the validator of the vMCP process, which runs in ``validate`` and at every start.

The configuration is plain data as Go writes it: with defaults, without empty fields, durations in Go's notation. Paths
start at the root of the configuration. The fault of a missing field has the path that the field would have.

Source: docs/operator/virtual-server.md, "The validator".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Fault, below
from ..diagnostics.finding import rule
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.version import RECORDED
from ..toolhive.release import NEWEST_MODELLED, holds
from .aggregation import aggregation_faults
from .authentication import CA_HINT, incoming_faults, is_plain_path, outgoing_faults
from .operational import operation_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path

INCOMPLETE = rule(
    "VMC101 incomplete-vmcp-config",
    "process",
    "The configuration of a virtual server lacks a part that the process requires",
    verified=RECORDED,
)
BACKEND = rule(
    "VMC112 backend-refused",
    "process",
    "A backend has a CA bundle that the process refuses, or an unknown type",
    verified=RECORDED,
)
COMPOSITE_REFERENCE = rule(
    "VMC113 composite-reference-refused",
    "process",
    "References to composite tools are empty or repeated, or two composite tools have the same name",
    verified=RECORDED,
)
PASSTHROUGH = rule(
    "VMC235 restricted-passthrough-header",
    "process",
    "A client's header cannot be passed on to backends",
    since="0.30.0",
    verified=("0.30.0", "0.44.0"),
)

_PARTS: Final = (
    ("name", "the virtual server has no name", None),
    ("groupRef", "no group is named", "set groupRef"),
    (
        "incomingAuth",
        "nothing states how clients authenticate",
        "without authentication, write incomingAuth: {type: anonymous}",
    ),
    ("outgoingAuth", "nothing states how to authenticate to backends", "write outgoingAuth: {source: inline}"),
    ("aggregation", "nothing states how the tools of several backends are aggregated", None),
)
"""Required parts of a configuration, each with the message if it is missing and with a hint."""
CREDENTIALS: Final = ("Authorization", "Cookie")
"""Headers with credentials of the client."""
CREDENTIALS_SINCE: Final = "0.43.0"
"""The first release that refuses to forward `CREDENTIALS`, not only headers that no proxy forwards."""


def config_faults(config: Mapping[str, Any], release: str = NEWEST_MODELLED) -> list[Fault]:
    """Return all faults that the validator refuses.

    The process reports only the first fault of each section. All faults are returned here, because each of them stops
    the process once the others are fixed.

    Args:
        config: The configuration in the form that Go writes.
    """
    return [
        *_missing_part_faults(config),
        *(incoming_faults(config["incomingAuth"]) if config.get("incomingAuth") is not None else ()),
        *(outgoing_faults(config["outgoingAuth"], release) if config.get("outgoingAuth") is not None else ()),
        *(aggregation_faults(config["aggregation"]) if config.get("aggregation") is not None else ()),
        *operation_faults(mapping(config.get("operational")), release),
        *_passthrough_faults(listed(config.get("passthroughHeaders")), release),
        *_backends(listed(config.get("backends"))),
        *_composite_tools(listed(config.get("compositeTools"))),
        *_composite_refs(listed(config.get("compositeToolRefs"))),
    ]


def _missing_part_faults(config: Mapping[str, Any]) -> Iterator[Fault]:
    for part, message, hint in _PARTS:
        if config.get(part) in (None, ""):
            yield Fault((part,), INCOMPLETE, message, hint)


def _passthrough_faults(names: Sequence[Any], release: str) -> Iterator[Fault]:
    if not names:
        return
    from ..toolhive.header import canonical, name_fault

    credentials = CREDENTIALS if holds(CREDENTIALS_SINCE, None, release) else ()
    for number, name in enumerate(names):
        path: Path = ("passthroughHeaders", number)
        if not isinstance(name, str):
            continue
        why = "it holds credentials of the client" if canonical(name) in credentials else name_fault(name)
        if why is not None:
            yield Fault(path, PASSTHROUGH, f"header {shown(name)} cannot be passed on: {why}", "remove it")


def _backends(backends: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    for i, backend in enumerate(backends):
        path: Path = ("backends", i)
        kind, bundle = backend.get("type") or "", backend.get("caBundlePath") or ""
        if kind not in ("", "entry"):
            message = f"the backend has the type {shown(kind)}; it must be entry or none"
            yield Fault((*path, "type"), BACKEND, message, "write entry, or remove type")
        if not bundle:
            continue
        if kind != "entry":
            message = f"backend {shown(backend.get('name') or '')} has a CA bundle, but is not of type entry"
            hint = "write type: entry, or remove caBundlePath"
            yield Fault((*path, "caBundlePath"), BACKEND, message, hint)
        elif not is_plain_path(bundle):
            message = f'the path {shown(bundle)} of the CA bundle is not an absolute path without ".."'
            yield Fault((*path, "caBundlePath"), BACKEND, message, CA_HINT)


def _composite_tools(tools: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    if not tools:
        return
    from .workflow.model import read
    from .workflow.validate import validation_faults

    first: dict[str, int] = {}
    for i, tool in enumerate(tools):
        name = tool.get("name") or ""
        if name and first.setdefault(name, i) != i:
            message = f"two composite tools are called {shown(name)}"
            yield Fault(("compositeTools", i, "name"), COMPOSITE_REFERENCE, message, "rename or remove one")
        yield from below(("compositeTools", i), validation_faults(read(tool)))


def _composite_refs(refs: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for i, ref in enumerate(refs):
        name, path = ref.get("name") or "", ("compositeToolRefs", i, "name")
        if not name:
            yield Fault(
                path, COMPOSITE_REFERENCE, f"reference {i} to a composite tool names none", "name one, or remove it"
            )
        elif first.setdefault(name, i) != i:
            message = f"composite tool {shown(name)} is referred to twice"
            yield Fault(path, COMPOSITE_REFERENCE, message, "remove one of the two")
