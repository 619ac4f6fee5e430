"""What only the start of the vMCP server refuses, beyond the validator: ``vmcp serve`` goes on to build its parts.

The configuration is in the shape that ``validate`` takes. Composite tools have a module of their own
(``compiler/workflow/serve.py``), and so has the embedded authorization server.

Source: docs/operator/virtual-server.md, "Start".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Fault
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, did_you_mean
from ..golang.strconv import NumberError, parse_float
from ..toolhive.audit_event import EVENT_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path

MOST_TOOLS_TO_RETURN: Final = 50


def start_faults(config: Mapping[str, Any]) -> list[Fault]:
    """Find everything that the start refuses; empty when it passes. Every fault is marked ``serve``."""
    return [
        *_policies(mapping(mapping(config.get("incomingAuth")).get("authz"))),
        *_priority_order(mapping(config.get("aggregation"))),
        *_composite_tools(listed(config.get("compositeTools"))),
        *_optimizer(mapping(config.get("optimizer"))),
        *_audit(mapping(config.get("audit"))),
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
            yield Fault(path, "policy-syntax", message, None, "process", fault.offset)


def _priority_order(aggregation: Mapping[str, Any]) -> Iterator[Fault]:
    if aggregation.get("conflictResolution") != "priority":
        return
    order = mapping(aggregation.get("conflictResolutionConfig")).get("priorityOrder")
    for i, name in enumerate(listed(order)):
        if not name:
            path = ("aggregation", "conflictResolutionConfig", "priorityOrder", i)
            yield Fault(path, "priority-order-empty", f"entry {i} of priorityOrder is empty", None, "process")


def _composite_tools(tools: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    if not tools:
        return
    from ..workflow.model import read
    from ..workflow.serve import serving_faults

    for i, tool in enumerate(tools):
        for fault in serving_faults(read(tool)):
            yield fault._replace(path=("compositeTools", i, *fault.path))


def _optimizer(optimizer: Mapping[str, Any]) -> Iterator[Fault]:
    path: Path = ("optimizer",)
    most = optimizer.get("maxToolsToReturn", 0)
    if not 0 <= most <= MOST_TOOLS_TO_RETURN:
        message = f"maxToolsToReturn is {most}, not within 1 and {MOST_TOOLS_TO_RETURN}"
        yield Fault((*path, "maxToolsToReturn"), "optimizer-range", message, None, "process")
    for field, top in (("hybridSearchSemanticRatio", 1), ("semanticDistanceThreshold", 2)):
        text = optimizer.get(field)
        if not text:
            continue
        try:
            value = parse_float(text)
        except NumberError:
            yield Fault((*path, field), "optimizer-range", f"{field} {shown(text)} is not a number", None, "process")
            continue
        if not 0 <= value <= top:
            yield Fault(
                (*path, field), "optimizer-range", f"{field} is {text}, not within 0 and {top}", None, "process"
            )


def _audit(audit: Mapping[str, Any]) -> Iterator[Fault]:
    path: Path = ("audit",)
    if audit.get("maxDataSize", 0) < 0:
        message = f"maxDataSize is {audit['maxDataSize']}, less than zero"
        yield Fault((*path, "maxDataSize"), "audit-data-size", message, None, "process")
    for field in ("eventTypes", "excludeEventTypes"):
        for i, name in enumerate(listed(audit.get(field))):
            if name not in EVENT_TYPES:
                hint = did_you_mean(name, EVENT_TYPES, likeness=VAGUE)
                message = f"there is no event type {shown(name)}"
                yield Fault((*path, field, i), "audit-event-type", message, hint, "process")


def outgoing_faults(config: Mapping[str, Any]) -> Iterator[Fault]:
    """Find strategies towards backends that cannot work."""
    outgoing, path = mapping(config.get("outgoingAuth")), ("outgoingAuth",)
    if outgoing.get("default") is not None:
        yield from strategy_faults(outgoing["default"], (*path, "default"))
    for name, strategy in mapping(outgoing.get("backends")).items():
        yield from strategy_faults(mapping(strategy), (*path, "backends", name))


def strategy_faults(strategy: Mapping[str, Any], path: Path = ()) -> Iterator[Fault]:
    """Find what every request, or the start, fails on in the strategy at ``path``.

    The backends concerned are lost, the virtual server may go on: the faults are marked ``lint``.
    """
    exchange, header = mapping(strategy.get("tokenExchange")), mapping(strategy.get("headerInjection"))
    secret = "clientSecret" if exchange.get("clientSecret") else "clientSecretEnv"
    if exchange.get(secret) and not exchange.get("clientId"):
        message = "the token exchange has a client secret, but no clientId to go with it"
        yield Fault((*path, "tokenExchange", secret), "token-exchange-client", message, "set clientId", "lint")
    if strategy.get("type") == "upstream_inject" and not mapping(strategy.get("upstreamInject")).get("providerName"):
        message = "no upstream provider is named whose token is to be injected"
        yield Fault((*path, "upstreamInject", "providerName"), "provider-missing", message, None, "lint")
    name, value = header.get("headerName") or "", header.get("headerValue") or ""
    if name and not _is_header_name(name):
        message = f"{shown(name)} cannot be the name of an HTTP header"
        yield Fault((*path, "headerInjection", "headerName"), "header-invalid", message, None, "lint")
    if any(c in value for c in "\r\n\0"):
        message = "the value of the header holds a line break"
        yield Fault((*path, "headerInjection", "headerValue"), "header-invalid", message, None, "lint")


def _is_header_name(name: str) -> bool:
    """Return whether a name is a token of HTTP (RFC 9110, section 5.6.2)."""
    return all(c.isascii() and (c.isalnum() or c in "!#$%&'*+-.^_`|~") for c in name)
