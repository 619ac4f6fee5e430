"""Find faults that the validator accepts, but that ``vmcp serve`` refuses when it starts the server.

The configuration has the form that ``validate`` expects. ``workflow/serve.py`` checks composite tools, and
``auth_server.py`` the embedded authorization server.

Source: docs/operator/virtual-server.md, "Start".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..diagnostics.fault import Fault, below
from ..diagnostics.finding import rule
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, did_you_mean
from ..diagnostics.version import RECORDED
from ..toolhive.audit_event import EVENT_TYPES
from ..toolhive.cedar_rule import ENTITY_TYPE
from ..toolhive.connection import REDIS_BLOCK, collector_fault, key_prefix_fault, redis_fault
from ..toolhive.release import NEWEST_MODELLED, OPTIMIZER_GUARDED_SINCE, holds
from .aggregation import RESOLUTION
from .optimizer import guard_faults, optimizer_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path

AUDIT = rule("VMC115 audit-refused", "process", "An audit setting is not valid", verified=RECORDED)
POLICY = rule(
    "VMC118 virtual-server-policy-refused",
    "process",
    "A Cedar policy of a virtual server does not parse",
    unmodelled="all",
    verified=RECORDED,
)
PINNED = rule(
    "VMC244 pinned-provider-without-login",
    "process",
    "Policies use the claims of an upstream provider, but clients do not log in",
    since="0.49.0",
    verified=("0.49.0", "0.51.4"),
)
SESSION_STORAGE = rule(
    "VMC230 session-storage-refused",
    "process",
    "The vMCP process refuses the configuration of its session storage",
    verified=RECORDED,
)
TELEMETRY = rule(
    "VMC233 vmcp-telemetry-refused",
    "process",
    "The vMCP process refuses its telemetry configuration",
    verified=RECORDED,
)


def start_faults(config: Mapping[str, Any], release: str = NEWEST_MODELLED) -> list[Fault]:
    """Return the faults that the process of a release refuses when it starts. Every fault has the stage ``process``."""
    authz = mapping(mapping(config.get("incomingAuth")).get("authz"))
    return [
        *_policies(authz),
        *_entities(authz),
        *(_pinned_provider(config, authz) if holds(PINNED.since, None, release) else ()),
        *(guard_faults(authz, config.get("optimizer")) if holds(OPTIMIZER_GUARDED_SINCE, None, release) else ()),
        *_rate_limits(mapping(config.get("sessionStorage")), config.get("rateLimiting")),
        *_priority_order(mapping(config.get("aggregation"))),
        *_composite_tools(listed(config.get("compositeTools"))),
        *optimizer_faults(mapping(config.get("optimizer"))),
        *_audit(mapping(config.get("audit"))),
        *_session_storage(mapping(config.get("sessionStorage"))),
        *(_telemetry(mapping(config["telemetry"])) if config.get("telemetry") is not None else ()),
    ]


def _policies(authz: Mapping[str, Any]) -> Iterator[Fault]:
    policies = listed(authz.get("policies")) if authz.get("type") == "cedar" else []
    if not policies:
        return
    from ..language.cedar.policy import policy_faults

    for i, policy in enumerate(policies):
        for fault in policy_faults(policy)[:1]:
            path = ("incomingAuth", "authz", "policies", i)
            line, column = fault.position(policy)
            message = f"policy {i} does not parse: {fault.message} (line {line}, column {column})"
            yield Fault(path, POLICY, message, fault.hint, "process", fault.offset)


def _entities(authz: Mapping[str, Any]) -> Iterator[Fault]:
    group = authz.get("groupEntityType") or ""
    if (
        authz.get("type") == "cedar"
        and group
        and re.fullmatch(ENTITY_TYPE, group) is None
        and not is_placeholder(group)
    ):
        path, message = ("incomingAuth", "authz", "groupEntityType"), f"{shown(group)} is not the name of a Cedar type"
        yield Fault(path, POLICY, message, "write letters, digits and _, such as Group", "process")
    text = authz.get("entitiesJson") or ""
    if authz.get("type") != "cedar" or not text or text == "[]":
        return
    from ..language.cedar.entities import entities_faults

    for fault in entities_faults(text)[:1]:
        path = ("incomingAuth", "authz", "entitiesJson")
        yield Fault(path, POLICY, f"the entities cannot be read: {fault.message}", fault.hint, "process")


def _pinned_provider(config: Mapping[str, Any], authz: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault if policies read the claims of an upstream provider, but no client logs in there."""
    kind = mapping(config.get("incomingAuth")).get("type")
    if authz.get("type") == "cedar" and authz.get("primaryUpstreamProvider") and kind in {"anonymous", "local"}:
        message = f"policies use the claims of an upstream provider, but with type {kind} no client logs in there"
        hint = "remove primaryUpstreamProvider, or set incomingAuth.type: oidc"
        path = ("incomingAuth", "authz", "primaryUpstreamProvider")
        yield Fault(path, PINNED, message, hint, "process")


def _rate_limits(storage: Mapping[str, Any], limits: Any) -> Iterator[Fault]:
    if limits is not None and not (storage.get("provider") == "redis" and storage.get("address")):
        message, hint = "rate limits are counted in Redis", f"write {REDIS_BLOCK}"
        yield Fault(("rateLimiting",), SESSION_STORAGE, message, hint, "process", on_key=True)


def _priority_order(aggregation: Mapping[str, Any]) -> Iterator[Fault]:
    if aggregation.get("conflictResolution") != "priority":
        return
    order = mapping(aggregation.get("conflictResolutionConfig")).get("priorityOrder")
    for i, name in enumerate(listed(order)):
        if not name:
            path = ("aggregation", "conflictResolutionConfig", "priorityOrder", i)
            yield Fault(path, RESOLUTION, f"entry {i} of priorityOrder is empty", None, "process")


def _composite_tools(tools: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    if not tools:
        return
    from .workflow.model import read
    from .workflow.serve import serving_faults

    for i, tool in enumerate(tools):
        yield from below(("compositeTools", i), serving_faults(read(tool)))


def _audit(audit: Mapping[str, Any]) -> Iterator[Fault]:
    path: Path = ("audit",)
    if audit.get("maxDataSize", 0) < 0:
        message = f"maxDataSize is {audit['maxDataSize']}, which is below zero"
        yield Fault((*path, "maxDataSize"), AUDIT, message, None, "process")
    depth = audit.get("maxDelegationDepth", 1)
    if depth < 1:
        message = f"maxDelegationDepth is {depth}, not 1 or more"
        yield Fault((*path, "maxDelegationDepth"), AUDIT, message, "remove it, or write 10", "process")
    for field in ("eventTypes", "excludeEventTypes"):
        for i, name in enumerate(listed(audit.get(field))):
            if name not in EVENT_TYPES:
                hint = did_you_mean(name, EVENT_TYPES, likeness=VAGUE)
                message = f"there is no event type {shown(name)}"
                yield Fault((*path, field, i), AUDIT, message, hint, "process")


def _session_storage(storage: Mapping[str, Any]) -> Iterator[Fault]:
    provider = storage.get("provider") or ""
    if provider.lower() not in ("", "memory") and provider != "redis":
        message = f"sessions cannot be kept in {shown(provider)}; the process knows memory and redis"
        hint = did_you_mean(provider, ("memory", "redis"), likeness=VAGUE) or "write redis"
        yield Fault(("sessionStorage", "provider"), SESSION_STORAGE, message, hint, "process")
    if provider != "redis":
        return
    address, prefix = storage.get("address") or "", storage.get("keyPrefix") or ""
    if fault := redis_fault(address):
        message = f"the address of Redis {shown(address)} {fault}" if address else f"the address of Redis {fault}"
        hint = "write HOST:PORT, such as redis:6379"
        yield Fault(("sessionStorage", "address"), SESSION_STORAGE, message, hint, "process")
    if fault := key_prefix_fault(prefix):
        message, hint = f"keyPrefix {shown(prefix)} {fault}", "add a colon at its end"
        yield Fault(("sessionStorage", "keyPrefix"), SESSION_STORAGE, message, hint, "process")


def _telemetry(telemetry: Mapping[str, Any]) -> Iterator[Fault]:
    endpoint, path = telemetry.get("endpoint") or "", ("telemetry", "endpoint")
    if not telemetry.get("serviceName"):
        message, hint = "telemetry has no serviceName", "write one: the name of the server"
        yield Fault(("telemetry", "serviceName"), TELEMETRY, message, hint, "process")
    if not endpoint:
        return
    if not telemetry.get("tracingEnabled") and not telemetry.get("metricsEnabled"):
        message = "telemetry has an endpoint, but neither tracingEnabled nor metricsEnabled is true"
        yield Fault(path, TELEMETRY, message, "enable one of the two, or remove the endpoint", "process")
    elif telemetry.get("metricsEnabled") and (fault := collector_fault(endpoint)):
        message = f"the telemetry endpoint {shown(endpoint)} {fault}"
        yield Fault(path, TELEMETRY, message, "write HOST:PORT, such as otel-collector:4318", "process")
