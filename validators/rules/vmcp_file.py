"""Rules about vMCP configuration files that are used without the operator, by ``vmcp serve``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault import below
from ...compiler.diagnostics.fault_to_finding import finding_of
from ...compiler.diagnostics.plain import listed, mapping, value_at
from ...compiler.emit.vmcpconfig import AUTH_SERVER_FILE
from ...compiler.records.schema.check import check_schema
from ...compiler.toolhive.auth_server import DEFAULT_UPSTREAM
from ...compiler.toolhive.release import EXPLICIT_PROVIDER_SINCE, METRICS_PORT_SINCE, holds
from ...compiler.vmcp import backend
from ...compiler.vmcp.load import UNKNOWN_FIELD, load
from ...compiler.vmcp.operational import duration
from ...compiler.vmcp.rate_limit import limit_faults
from ...compiler.vmcp.start import start_faults
from ...compiler.vmcp.strategy import ambiguous_providers, outgoing_faults, provider_faults
from ...compiler.vmcp.validate import config_faults
from ...compiler.vmcp.workflow.lint.faults import lint_faults
from ...compiler.vmcp.workflow.model import read
from ..placeholder import has_placeholder, is_unfilled
from ..rule import rule
from ..workflow import follows, is_decisive

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from ...compiler.diagnostics.fault import Fault
    from ...compiler.reading.document import Document
    from ...compiler.toolhive.machine import Environment
    from ...compiler.vmcp.load import LoadedConfig
    from ..rule import Finding, Path

AUTH_SERVER = "authserver"
"""The input kind of the file ``AUTH_SERVER_FILE``."""

VARIABLE = rule(
    "VMC122 environment-variable-needed",
    "lint",
    "A vMCP configuration file relies on an environment variable that must be set where the process runs",
    severity="info",
)
OUTSIDE = rule(
    "VMC231 unusual-vmcp-value", "lint", "A value in a vMCP configuration file is outside the range of its field"
)
UNREAD = rule(
    "VMC242 unread-metrics-port",
    "lint",
    "A vMCP configuration file states where metrics are served, which only proxies read",
    since=METRICS_PORT_SINCE,
    verified=(METRICS_PORT_SINCE,),
)


def check_file(
    document: Document, side_files: Mapping[str, Sequence[Document]], environment: Environment
) -> list[Finding]:
    """Return the findings about a vMCP configuration file, except those at unknown values.

    A finding is an error if ``vmcp validate`` or ``vmcp serve`` refuses the file because of it, otherwise a lint.

    Args:
        side_files: Other files of the process by input kind, such as its authorization server file.
        environment: Settings of the project, with the judging release.
    """
    release = environment.profile.judging_release
    loaded = load(document, release)
    providers = _providers(document, side_files.get(AUTH_SERVER, ()))
    findings = [
        finding_of(document, fault, stage=fault.stage or "process")
        for fault in (*loaded.faults, *_later_faults(document, loaded, providers, release))
    ]
    if not loaded.faults:
        findings += _outside(document, [finding.path or () for finding in findings])
    telemetry = mapping(document.data).get("telemetry")
    for field in ("prometheusPort", "metricsOnTransportPort"):
        if not loaded.faults and field in mapping(telemetry):
            message = f"the process does not read {field}: it serves metrics on its main port"
            path = ("telemetry", field)
            findings.append(document.finding(UNREAD, path, message, hint="remove it", on="key"))
    for variable in loaded.variables:
        message = f'the variable "{variable.name}" must be set where the process runs'
        hint = "set it in the environment of vmcp serve, for example from a Secret"
        findings.append(document.finding(VARIABLE, variable.path, message, hint=hint))
    return [finding for finding in findings if not _is_unknown(document, finding.path or ())]


def _is_unknown(document: Document, path: Path) -> bool:
    value = value_at(document.data, path)
    return is_unfilled(value) if path[:1] == ("compositeTools",) else has_placeholder(value)


def _providers(document: Document, servers: Sequence[Document]) -> list[str] | None:
    """Return the upstream providers in the authorization server file of the same folder, or ``None`` without one."""
    folder = os.path.dirname(document.file)
    for server in servers:
        if os.path.split(server.file) == (folder, AUTH_SERVER_FILE) and isinstance(server.data, dict):
            return [
                mapping(upstream).get("name") or DEFAULT_UPSTREAM for upstream in listed(server.data.get("upstreams"))
            ]
    return None


def _later_faults(
    document: Document, loaded: LoadedConfig, providers: Sequence[str] | None, release: str
) -> Iterator[Fault]:
    """Yield the faults that the process only finds after it has loaded the file.

    If the file does not load, faults that a fault of loading may cause are left out.
    """
    if not loaded.faults:
        yield from _faults(loaded.config, providers, release)
        return
    gaps = [fault.path for fault in loaded.faults]
    holders = {fault.path[:-1] for fault in loaded.faults if fault.rule is UNKNOWN_FIELD}
    # Outside of composite tools, whether a value is right often depends on its neighbors.
    neighbors = {gap[:-1] for gap in gaps if len(gap) > 1 and gap[0] != "compositeTools"}
    decided = {
        fault.path[:2]
        for fault in loaded.faults
        if fault.path[:1] == ("compositeTools",) and (fault.rule is UNKNOWN_FIELD or is_decisive(fault.path))
    }
    for fault in (*config_faults(loaded.config, release), *start_faults(loaded.config, release)):
        # An unknown field may be misspelled, so its object seems to lack the intended field.
        is_lacking = fault.path[:-1] in holders and value_at(document.data, fault.path) is None
        if not (is_lacking or fault.path[:-1] in neighbors or fault.path[:2] in decided or follows(fault.path, gaps)):
            yield fault


def _faults(config: Mapping[str, Any], providers: Sequence[str] | None, release: str) -> Iterator[Fault]:
    refused = config_faults(config, release)
    yield from refused
    yield from start_faults(config, release)
    if config.get("rateLimiting") is not None:
        yield from limit_faults(config["rateLimiting"])
    if holds(EXPLICIT_PROVIDER_SINCE, None, release):
        yield from ambiguous_providers(config, providers or ())
    yield from outgoing_faults(config)
    yield from provider_faults(config, providers)
    yield from backend.backend_faults(config)
    if refused:
        return
    for i, tool in enumerate(config.get("compositeTools") or ()):
        yield from below(("compositeTools", i), lint_faults(read(tool)))


def _outside(document: Document, places: Sequence[Path]) -> Iterator[Finding]:
    """Yield findings for values that only the published schema refuses, and that no finding is at, around or inside."""
    for breach in check_schema(document.data, "vmcp"):
        if any(breach.path[: len(place)] == place[: len(breach.path)] for place in places):
            continue
        message = f"{breach.path[-1]}: {breach.message}" if breach.path else breach.message
        value = value_at(document.data, breach.path)
        if breach.kind == "text" and duration(value) < 0:
            message = f"{breach.path[-1]} is {value}, less than zero"
        hint = "remove it, or write a value that the schema allows"
        yield document.finding(OUTSIDE, breach.path, message, hint=hint)
