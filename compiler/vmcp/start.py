"""What only the start of the vMCP server refuses, beyond the validator: ``vmcp serve`` goes on to build its parts.

The configuration is in the shape that ``validate`` takes. Composite tools have a module of their own
(``compiler/workflow/serve.py``), and so has the embedded authorization server.

Source: docs/operator/virtual-server.md, "Start".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Flaw
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, did_you_mean
from ..diagnostics.version import RELEASE
from ..golang.strconv import NumberError, parse_float
from ..toolhive.audit_event import EVENT_TYPES
from ..toolhive.connection import collector_fault, key_prefix_fault, redis_fault
from ..toolhive.constants import TOKEN_TYPE_URN, TOKEN_TYPES
from ..toolhive.release import OPTIMIZER_GUARDED_SINCE, holds
from .validate import duration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path

_BUCKETS: Final = ("shared", "perUser")
_TYPE: Final = r"[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*"
MOST_TOOLS_TO_RETURN: Final = 50
EMBEDDING_PROVIDERS: Final = ("tei", "openai")
"""What embeddings may be asked of; the first where nothing is stated."""


def start_faults(config: Mapping[str, Any], release: str = RELEASE) -> list[Flaw]:
    """Find everything that the start of a release refuses; empty when it passes. Every fault is marked ``process``."""
    authz = mapping(mapping(config.get("incomingAuth")).get("authz"))
    return [
        *_policies(authz),
        *_entities(authz),
        *(_guarded_optimizer(authz, config.get("optimizer")) if holds(OPTIMIZER_GUARDED_SINCE, None, release) else ()),
        *_rate_limits(mapping(config.get("sessionStorage")), config.get("rateLimiting")),
        *_priority_order(mapping(config.get("aggregation"))),
        *_composite_tools(listed(config.get("compositeTools"))),
        *_optimizer(mapping(config.get("optimizer"))),
        *_audit(mapping(config.get("audit"))),
        *_session_storage(mapping(config.get("sessionStorage"))),
        *(_telemetry(mapping(config["telemetry"])) if config.get("telemetry") is not None else ()),
    ]


def _policies(authz: Mapping[str, Any]) -> Iterator[Flaw]:
    policies = listed(authz.get("policies")) if authz.get("type") == "cedar" else []
    if not policies:
        return
    from ..language.cedar.policy import policy_faults

    for i, policy in enumerate(policies):
        for fault in policy_faults(policy)[:1]:
            path = ("incomingAuth", "authz", "policies", i)
            line, column = fault.position(policy)
            message = f"policy {i} does not parse: {fault.message} (line {line}, column {column})"
            yield Flaw(path, "policy-syntax", message, None, "process", fault.offset)


def _entities(authz: Mapping[str, Any]) -> Iterator[Flaw]:
    group = authz.get("groupEntityType") or ""
    if authz.get("type") == "cedar" and group and re.fullmatch(_TYPE, group) is None and not is_placeholder(group):
        path, message = ("incomingAuth", "authz", "groupEntityType"), f"{shown(group)} is not the name of a Cedar type"
        yield Flaw(path, "entities-syntax", message, "write letters, digits and _, such as Group", "process")
    text = authz.get("entitiesJson") or ""
    if authz.get("type") != "cedar" or not text or text == "[]":
        return
    from ..language.cedar.entities import entities_faults

    for fault in entities_faults(text)[:1]:
        path = ("incomingAuth", "authz", "entitiesJson")
        yield Flaw(path, "entities-syntax", f"the entities cannot be read: {fault.message}", fault.hint, "process")


def _guarded_optimizer(authz: Mapping[str, Any], optimizer: Any) -> Iterator[Flaw]:
    """Find policies that the tools of the optimizer would go past."""
    if authz.get("type") == "cedar" and listed(authz.get("policies")) and optimizer is not None:
        message = "the optimizer cannot be combined with authorization, whose policies do not cover its tools"
        hint = "remove the optimizer, or the policies"
        yield Flaw(("optimizer",), "optimizer-authorization", message, hint, "process", on_key=True)


def _rate_limits(storage: Mapping[str, Any], limits: Any) -> Iterator[Flaw]:
    if limits is not None and not (storage.get("provider") == "redis" and storage.get("address")):
        message, hint = "rate limits are counted in Redis", "write sessionStorage with provider redis and its address"
        yield Flaw(("rateLimiting",), "rate-limit-storage", message, hint, "process", on_key=True)


def _priority_order(aggregation: Mapping[str, Any]) -> Iterator[Flaw]:
    if aggregation.get("conflictResolution") != "priority":
        return
    order = mapping(aggregation.get("conflictResolutionConfig")).get("priorityOrder")
    for i, name in enumerate(listed(order)):
        if not name:
            path = ("aggregation", "conflictResolutionConfig", "priorityOrder", i)
            yield Flaw(path, "priority-order-empty", f"entry {i} of priorityOrder is empty", None, "process")


def _composite_tools(tools: Sequence[Mapping[str, Any]]) -> Iterator[Flaw]:
    if not tools:
        return
    from ..workflow.model import read
    from ..workflow.serve import serving_faults

    for i, tool in enumerate(tools):
        for fault in serving_faults(read(tool)):
            yield fault._replace(path=("compositeTools", i, *fault.path))


def _optimizer(optimizer: Mapping[str, Any]) -> Iterator[Flaw]:
    path: Path = ("optimizer",)
    most = optimizer.get("maxToolsToReturn", 0)
    if not 0 <= most <= MOST_TOOLS_TO_RETURN:
        message = f"maxToolsToReturn is {most}, not between 1 and {MOST_TOOLS_TO_RETURN}"
        yield Flaw((*path, "maxToolsToReturn"), "optimizer-range", message, None, "process")
    for field, top in (("hybridSearchSemanticRatio", 1), ("semanticDistanceThreshold", 2)):
        text = optimizer.get(field)
        if not text:
            continue
        try:
            value = parse_float(text)
        except NumberError:
            yield Flaw((*path, field), "optimizer-range", f"{field} {shown(text)} is not a number", None, "process")
            continue
        if value < 0 or value > top:  # no number (NaN) is neither
            yield Flaw(
                (*path, field), "optimizer-range", f"{field} is {text}, not between 0 and {top}", None, "process"
            )

    yield from _embedding_provider(path, optimizer)


def _embedding_provider(path: Path, optimizer: Mapping[str, Any]) -> Iterator[Flaw]:
    """Find what OpenAI's interface needs; before 0.32.0 there is no provider to choose."""
    from ..toolhive.header import canonical, is_restricted, name_fault

    provider, headers = optimizer.get("embeddingProvider") or EMBEDDING_PROVIDERS[0], optimizer.get("embeddingHeaders")
    if provider not in EMBEDDING_PROVIDERS:
        message = f"there is no embeddingProvider {shown(provider)}"
        meant = did_you_mean(provider, EMBEDDING_PROVIDERS, likeness=VAGUE) or "write tei or openai"
        yield Flaw((*path, "embeddingProvider"), "embedding-provider", message, meant, "process")
    if provider != "openai":
        if headers:
            message = f"embeddingHeaders are for the embeddingProvider openai, not for {provider}"
            yield Flaw((*path, "embeddingHeaders"), "embedding-provider", message, "remove them", "process")
        return
    for name in mapping(headers):
        why = None if is_restricted(name) else name_fault(name)  # those that a proxy sets may be sent there
        if canonical(name) == "Authorization":
            why = "it holds the key of the service"
        if why is not None:
            message = f"the header {shown(name)} cannot be sent to the service: {why}"
            yield Flaw((*path, "embeddingHeaders", name), "embedding-provider", message, "remove it", "process")
    for field, what in (("embeddingService", "the address"), ("embeddingModel", "the model")):
        if not optimizer.get(field):
            message = f"embeddingProvider is openai, and {field} is missing"
            yield Flaw((*path, field), "embedding-provider", message, f"write {what} of the service", "process")


def _audit(audit: Mapping[str, Any]) -> Iterator[Flaw]:
    path: Path = ("audit",)
    if audit.get("maxDataSize", 0) < 0:
        message = f"maxDataSize is {audit['maxDataSize']}, which is below zero"
        yield Flaw((*path, "maxDataSize"), "audit-data-size", message, None, "process")
    depth = audit.get("maxDelegationDepth", 1)
    if depth < 1:
        message = f"maxDelegationDepth is {depth}, not 1 or more"
        yield Flaw((*path, "maxDelegationDepth"), "audit-data-size", message, "remove it, or write 10", "process")
    for field in ("eventTypes", "excludeEventTypes"):
        for i, name in enumerate(listed(audit.get(field))):
            if name not in EVENT_TYPES:
                hint = did_you_mean(name, EVENT_TYPES, likeness=VAGUE)
                message = f"there is no event type {shown(name)}"
                yield Flaw((*path, field, i), "audit-event-type", message, hint, "process")


def _session_storage(storage: Mapping[str, Any]) -> Iterator[Flaw]:
    provider = storage.get("provider") or ""
    if provider.lower() not in ("", "memory") and provider != "redis":
        message = f"sessions cannot be kept in {shown(provider)}; the process knows memory and redis"
        hint = did_you_mean(provider, ("memory", "redis"), likeness=VAGUE)
        yield Flaw(("sessionStorage", "provider"), "session-provider", message, hint, "process")
    if provider != "redis":
        return
    address, prefix = storage.get("address") or "", storage.get("keyPrefix") or ""
    if fault := redis_fault(address):
        message = f"the address of Redis {shown(address)} {fault}" if address else f"the address of Redis {fault}"
        hint = "write HOST:PORT, such as redis:6379"
        yield Flaw(("sessionStorage", "address"), "session-address", message, hint, "process")
    if fault := key_prefix_fault(prefix):
        message, hint = f"keyPrefix {shown(prefix)} {fault}", "add a colon at its end"
        yield Flaw(("sessionStorage", "keyPrefix"), "session-prefix", message, hint, "process")


def _telemetry(telemetry: Mapping[str, Any]) -> Iterator[Flaw]:
    endpoint, path = telemetry.get("endpoint") or "", ("telemetry", "endpoint")
    if not telemetry.get("serviceName"):
        message, hint = "telemetry has no serviceName", "write one: the name of the server"
        yield Flaw(("telemetry", "serviceName"), "telemetry-service", message, hint, "process")
    if not endpoint:
        return
    if not telemetry.get("tracingEnabled") and not telemetry.get("metricsEnabled"):
        message = "telemetry has an endpoint, but neither tracingEnabled nor metricsEnabled is true"
        yield Flaw(path, "telemetry-signals", message, "enable one of the two, or remove the endpoint", "process")
    elif telemetry.get("metricsEnabled") and (fault := collector_fault(endpoint)):
        message = f"the telemetry endpoint {shown(endpoint)} {fault}"
        yield Flaw(path, "telemetry-endpoint", message, "write HOST:PORT, such as otel-collector:4318", "process")


def limit_faults(limits: Mapping[str, Any]) -> Iterator[Flaw]:
    """Find buckets of ``rateLimiting`` that never hold a token."""
    holders: list[tuple[Path, Any]] = [(("rateLimiting",), limits)]
    holders += [(("rateLimiting", "tools", i), tool) for i, tool in enumerate(listed(limits.get("tools")))]
    for path, key, bucket in ((path, key, mapping(holder).get(key)) for path, holder in holders for key in _BUCKETS):
        if bucket is None:
            continue
        most, period = bucket.get("maxTokens", 0), bucket.get("refillPeriod") or "0s"
        if most < 1:
            message, hint = f"maxTokens is {most}, so no request is let through", "write 1 or more"
            yield Flaw((*path, key, "maxTokens"), "rate-limit-bucket", message, hint, "process")
        if duration(period) <= 0 and not is_placeholder(period):
            message, hint = f"the refillPeriod {shown(period)} is not positive", "write a time such as 1m"
            yield Flaw((*path, key, "refillPeriod"), "rate-limit-bucket", message, hint, "process")


def ambiguous_providers(config: Mapping[str, Any], providers: Sequence[str]) -> Iterator[Flaw]:
    """Find strategies for which the process does not choose one of several upstream providers, from 0.34.0 on.

    Source: ``DefaultSubjectProviderName`` in ``pkg/vmcp/auth/types/defaults.go``, v0.34.0.
    """
    for path, strategy in strategies(config) if len(providers) > 1 else ():
        xaa = strategy.get("xaa")
        if strategy.get("type") == "xaa" and xaa is not None and not xaa.get("subjectProviderName"):
            message = "xaa names no subjectProviderName, and the authorization server has several upstream providers"
            hint = f"set subjectProviderName to one of: {', '.join(map(shown, providers))}"
            yield Flaw((*path, "xaa", "subjectProviderName"), "provider-ambiguous", message, hint, "process")


def outgoing_faults(config: Mapping[str, Any]) -> Iterator[Flaw]:
    """Find strategies towards backends that cannot work."""
    for path, strategy in strategies(config):
        yield from strategy_faults(strategy, path)


def provider_faults(config: Mapping[str, Any], providers: Sequence[str] | None) -> Iterator[Flaw]:
    """Find tokens of upstream providers that no request has; every fault is marked ``lint``.

    They come with clients that authenticate by OIDC, and from providers that the embedded authorization server knows.

    Args:
        config: A configuration.
        providers: The names of the upstream providers; ``None`` where the authorization server is not known.
    """
    incoming: Mapping[str, Any] = mapping(config.get("incomingAuth"))
    kind = incoming.get("type")
    is_anonymous = kind in ("anonymous", "local")
    for path, name in _named_providers(config):
        if is_anonymous:
            message = f"clients that are {kind} have no token of an upstream provider"
            yield Flaw(path, "provider-missing", message, "authenticate them with oidc", "lint")
        elif providers is not None and name not in providers:
            message = f"the authorization server has no upstream provider {shown(name)}"
            yield Flaw(path, "provider-missing", message, did_you_mean(name, providers, likeness=VAGUE), "lint")


def _named_providers(config: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    for path, strategy in strategies(config):
        for block, field in (("upstreamInject", "providerName"), ("tokenExchange", "subjectProviderName")):
            if name := mapping(strategy.get(block)).get(field):
                yield (*path, block, field), name
    if name := mapping(mapping(config.get("incomingAuth")).get("authz")).get("primaryUpstreamProvider"):
        yield ("incomingAuth", "authz", "primaryUpstreamProvider"), name


def strategies(config: Mapping[str, Any]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield the strategies towards backends, with their places."""
    outgoing = mapping(config.get("outgoingAuth"))
    if outgoing.get("default") is not None:
        yield ("outgoingAuth", "default"), outgoing["default"]
    for name, strategy in mapping(outgoing.get("backends")).items():
        yield ("outgoingAuth", "backends", name), mapping(strategy)


def strategy_faults(strategy: Mapping[str, Any], path: Path = ()) -> Iterator[Flaw]:
    """Find what every request, or the start, fails on in the strategy at ``path``.

    The backends concerned are lost, the virtual server may go on: the faults are marked ``lint``.
    """
    exchange, header = mapping(strategy.get("tokenExchange")), mapping(strategy.get("headerInjection"))
    secret = "clientSecret" if exchange.get("clientSecret") else "clientSecretEnv"
    if exchange.get(secret) and not exchange.get("clientId"):
        message = "the token exchange has a client secret, but no clientId"
        yield Flaw((*path, "tokenExchange", secret), "token-exchange-client", message, "set clientId", "lint")
    inject = strategy.get("upstreamInject")
    if strategy.get("type") == "upstream_inject" and inject is not None and not inject.get("providerName"):
        message = "the upstream provider whose token is to be injected is not named"
        yield Flaw((*path, "upstreamInject", "providerName"), "provider-missing", message, None, "lint")
    token_type = exchange.get("subjectTokenType") or ""
    if token_type and token_type.removeprefix(TOKEN_TYPE_URN) not in TOKEN_TYPES:
        message = f"unknown token type {shown(token_type)}"
        hint = did_you_mean(token_type, TOKEN_TYPES, likeness=VAGUE) or f"one of {', '.join(TOKEN_TYPES)}"
        yield Flaw((*path, "tokenExchange", "subjectTokenType"), "token-type", message, hint, "lint")
    name, value = header.get("headerName") or "", header.get("headerValue") or ""
    if name and not _is_header_name(name) and not is_placeholder(name):
        message = f"{shown(name)} cannot be the name of an HTTP header"
        yield Flaw((*path, "headerInjection", "headerName"), "header-invalid", message, None, "lint")
    if any(c in value for c in "\r\n\0"):
        message = "the value of the header holds a line break"
        yield Flaw((*path, "headerInjection", "headerValue"), "header-invalid", message, None, "lint")


def _is_header_name(name: str) -> bool:
    """Return whether a name is a token of HTTP (RFC 9110, section 5.6.2)."""
    return all(c.isascii() and (c.isalnum() or c in "!#$%&'*+-.^_`|~") for c in name)
