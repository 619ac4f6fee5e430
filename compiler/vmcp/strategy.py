"""Find strategies of authentication to backends that the validator accepts, but that cannot work.

Source: docs/operator/virtual-server.md, "Start".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.fault import Fault
from ..diagnostics.finding import rule
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, did_you_mean
from ..toolhive.constants import TOKEN_TYPE_URN, TOKEN_TYPES
from .authentication import OUTGOING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path

STRATEGY = rule(
    "VMC117 auth-strategy-unusable", "lint", "The authentication to a backend passes validation, but cannot work"
)


def ambiguous_providers(config: Mapping[str, Any], providers: Sequence[str]) -> Iterator[Fault]:
    """Yield a fault for each ``xaa`` strategy without ``subjectProviderName`` if there are several upstream providers.

    From v0.34.0 on, the process does not choose a provider. ``providers`` are the names of the providers.

    Source: ``DefaultSubjectProviderName`` in ``pkg/vmcp/auth/types/defaults.go``, v0.34.0.
    """
    for path, strategy in strategies(config) if len(providers) > 1 else ():
        xaa = strategy.get("xaa")
        if strategy.get("type") == "xaa" and xaa is not None and not xaa.get("subjectProviderName"):
            message = "xaa names no subjectProviderName, and the authorization server has several upstream providers"
            hint = f"set subjectProviderName to one of: {', '.join(map(shown, providers))}"
            yield Fault((*path, "xaa", "subjectProviderName"), OUTGOING, message, hint, "process")


def outgoing_faults(config: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of all strategies in ``outgoingAuth``, with paths in the configuration."""
    for path, strategy in strategies(config):
        yield from strategy_faults(strategy, path)


def provider_faults(config: Mapping[str, Any], providers: Sequence[str] | None) -> Iterator[Fault]:
    """Yield a fault for each setting that uses the token of an upstream provider, although no request has such a token.

    Requests have such tokens only if clients use OIDC, and only from providers of the embedded authorization server.
    Every fault has the stage ``lint``.

    Args:
        config: A configuration of the process.
        providers: The names of the upstream providers, or ``None`` if the authorization server is unknown.
    """
    incoming: Mapping[str, Any] = mapping(config.get("incomingAuth"))
    kind = incoming.get("type")
    is_anonymous = kind in ("anonymous", "local")
    for path, name in _named_providers(config):
        if is_anonymous:
            message = f"clients that are {kind} have no token of an upstream provider"
            yield Fault(path, STRATEGY, message, "authenticate them with oidc", "lint")
        elif providers is not None and name not in providers:
            message = f"the authorization server has no upstream provider {shown(name)}"
            yield Fault(path, STRATEGY, message, did_you_mean(name, providers, likeness=VAGUE), "lint")


def _named_providers(config: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    for path, strategy in strategies(config):
        for block, field in (("upstreamInject", "providerName"), ("tokenExchange", "subjectProviderName")):
            if name := mapping(strategy.get(block)).get(field):
                yield (*path, block, field), name
    if name := mapping(mapping(config.get("incomingAuth")).get("authz")).get("primaryUpstreamProvider"):
        yield ("incomingAuth", "authz", "primaryUpstreamProvider"), name


def strategies(config: Mapping[str, Any]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield the path and the content of each strategy in ``outgoingAuth``. The default comes first."""
    outgoing = mapping(config.get("outgoingAuth"))
    if outgoing.get("default") is not None:
        yield ("outgoingAuth", "default"), outgoing["default"]
    for name, strategy in mapping(outgoing.get("backends")).items():
        yield ("outgoingAuth", "backends", name), mapping(strategy)


def strategy_faults(strategy: Mapping[str, Any], path: Path = ()) -> Iterator[Fault]:
    """Yield faults of the strategy at ``path`` that make the start or every request fail.

    Only the affected backends fail, and the virtual server may continue. The faults therefore have the stage ``lint``.
    """
    exchange, header = mapping(strategy.get("tokenExchange")), mapping(strategy.get("headerInjection"))
    secret = "clientSecret" if exchange.get("clientSecret") else "clientSecretEnv"
    if exchange.get(secret) and not exchange.get("clientId"):
        message = "the token exchange has a client secret, but no clientId"
        yield Fault((*path, "tokenExchange", secret), STRATEGY, message, "set clientId", "lint")
    inject = strategy.get("upstreamInject")
    if strategy.get("type") == "upstream_inject" and inject is not None and not inject.get("providerName"):
        message = "the upstream provider whose token is to be injected is not named"
        yield Fault((*path, "upstreamInject", "providerName"), STRATEGY, message, None, "lint")
    token_type = exchange.get("subjectTokenType") or ""
    if token_type and token_type.removeprefix(TOKEN_TYPE_URN) not in TOKEN_TYPES:
        message = f"unknown token type {shown(token_type)}"
        hint = did_you_mean(token_type, TOKEN_TYPES, likeness=VAGUE) or f"one of {', '.join(TOKEN_TYPES)}"
        yield Fault((*path, "tokenExchange", "subjectTokenType"), STRATEGY, message, hint, "lint")
    name, value = header.get("headerName") or "", header.get("headerValue") or ""
    if name and not _is_header_name(name) and not is_placeholder(name):
        message = f"{shown(name)} cannot be the name of an HTTP header"
        yield Fault((*path, "headerInjection", "headerName"), STRATEGY, message, None, "lint")
    if any(c in value for c in "\r\n\0"):
        message = "the value of the header holds a line break"
        yield Fault((*path, "headerInjection", "headerValue"), STRATEGY, message, None, "lint")


def _is_header_name(name: str) -> bool:
    """Return whether a name is an HTTP token (RFC 9110, section 5.6.2)."""
    return all(c.isascii() and (c.isalnum() or c in "!#$%&'*+-.^_`|~") for c in name)
