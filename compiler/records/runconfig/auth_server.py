"""Find the values of an embedded authorization server that keep its process from starting.

A proxy has the server in its run configuration. A virtual server has it in a separate file, ``authserver-config.yaml``,
which its process reads as YAML.

Source: toolhive 0.21.0 and 0.44.0, packages authserver, authserver/runner, authserver/server, authserver/storage and
authserver/upstream.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault, below
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...diagnostics.version import RECORDED
from ...golang.decoder import Decoder
from ...toolhive.auth_client import (
    actor_matchers,
    delegate_audience_faults,
    delegate_scope_faults,
    delegation_faults,
    document_faults,
    grant_address_faults,
    grant_audience_faults,
    grant_resource_faults,
    incomplete_delegate_faults,
    issuer_url_faults,
    parameter_faults,
    redirect_faults,
    repeated_delegate_faults,
    repeated_issuer_faults,
    scope_faults,
    transport_faults,
    unbounded_grant_faults,
    unbounded_issuer_faults,
    unregistered_redirect_faults,
)
from ...toolhive.auth_server import (
    DEFAULT_UPSTREAM,
    ENDPOINTS,
    lacks_openid,
    refused_addresses,
    refused_issuers,
    refused_lifespans,
)
from ...toolhive.endpoint import audience_fault, registration_fault
from ...toolhive.release import NEWEST_MODELLED, holds
from ..shape import types_of
from ..unknown_key import decoding_faults
from .auth_server_storage import storage_faults
from .lint import IGNORED
from .middleware import UNDECODABLE, UNKNOWN_FIELD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ...diagnostics.span import Path

AUDIENCE = rule(
    "RUN024 auth-server-audience-refused",
    "process",
    "The embedded authorization server has no valid audience to issue tokens for",
    verified=RECORDED,
)
CLIENTS = rule(
    "RUN063 auth-server-clients-refused",
    "process",
    "The client settings of the embedded authorization server are refused",
    since="0.27.2",
    verified=("0.27.2", "0.44.0"),
)
TRUSTED_ISSUER = rule(
    "RUN064 trusted-issuer-unusable",
    "process",
    "A trusted issuer of the embedded authorization server is refused",
    since="0.42.1",
    verified=("0.42.1", "0.44.0"),
)

AUTH_SERVER_URL = rule(
    "RUN020 auth-server-url-refused",
    "process",
    "The issuer of the embedded authorization server is refused",
    verified=RECORDED,
)
UPSTREAM = rule("RUN021 auth-server-upstream-refused", "process", "An upstream provider is refused", verified=RECORDED)
UPSTREAM_URL = rule(
    "RUN022 auth-server-upstream-url-refused",
    "process",
    "An address of an upstream provider is refused",
    verified=RECORDED,
)
LIFESPAN = rule(
    "RUN023 auth-server-lifespan-refused", "process", "The lifespan of a token is refused", verified=RECORDED
)


CLIENT_CHECKS = (
    (transport_faults, CLIENTS),
    (unregistered_redirect_faults, CLIENTS),
    (redirect_faults, CLIENTS),
    (repeated_delegate_faults, CLIENTS),
    (incomplete_delegate_faults, CLIENTS),
    (delegate_scope_faults, CLIENTS),
    (delegate_audience_faults, CLIENTS),
    (scope_faults, CLIENTS),
    (document_faults, CLIENTS),
    (delegation_faults, LIFESPAN),
    (repeated_issuer_faults, TRUSTED_ISSUER),
    (unbounded_issuer_faults, TRUSTED_ISSUER),
    (issuer_url_faults, TRUSTED_ISSUER),
    (unbounded_grant_faults, TRUSTED_ISSUER),
    (grant_address_faults, TRUSTED_ISSUER),
    (grant_audience_faults, TRUSTED_ISSUER),
    (grant_resource_faults, TRUSTED_ISSUER),
)
_STRUCT = "EmbeddedAuthServerRunConfig"
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\Z")
_CLAIM = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*\Z")
_BLOCKS = {"oidc": "oidc_config", "oauth2": "oauth2_config"}
NO_EMPTY_AUDIENCE_SINCE = "0.43.0"
"""The first release that refuses an empty audience."""


def check_auth_server(data: Any, written: Callable[[Path], str | None], release: str = NEWEST_MODELLED) -> list[Fault]:
    """Return the faults of the authorization server file of a virtual server.

    Args:
        written: Returns the source text of the scalar at a path.
    """
    decoder = Decoder(types_of(release), "yaml", text=written)
    server = decoder.decode(data, ("struct", _STRUCT))
    faults = decoding_faults(_STRUCT, decoder.misfits, decoder.unknown, UNDECODABLE, UNKNOWN_FIELD)
    return faults if decoder.misfits else [*faults, *auth_server_faults(server, is_virtual=True, release=release)]


def auth_server_faults(
    server: Mapping[str, Any], *, is_virtual: bool = False, release: str = NEWEST_MODELLED
) -> Iterator[Fault]:
    """Yield the faults of a decoded embedded authorization server. Paths are relative to ``server``.

    Args:
        server: A decoded ``EmbeddedAuthServerRunConfig``.
        is_virtual: True for a virtual server, which accepts several upstream providers.
    """
    insecure = bool(server.get("insecure_allow_http"))
    if not server["issuer"]:
        yield Fault((), AUTH_SERVER_URL, '"issuer" is missing', "set it to the public address of the server")
    for path, text, why in refused_issuers(server, release):
        hint = "write an https address without a query, a fragment and a trailing slash"
        yield Fault(path, AUTH_SERVER_URL, f"{shown(text)} {why}", hint)
    for path, _, why in refused_lifespans(server["token_lifespans"] or {}):
        yield Fault(("token_lifespans", *path), LIFESPAN, why)
    yield from _upstreams(server["upstreams"] or (), is_virtual=is_virtual, insecure=insecure)
    audiences = server["allowed_audiences"] or ()
    if not audiences:
        yield Fault((), AUDIENCE, "there are no allowed_audiences", "list the public address of the server")
    for number, audience in enumerate(audiences):
        is_missing = not audience and holds(NO_EMPTY_AUDIENCE_SINCE, None, release)
        reason = "is not an audience" if is_missing else audience_fault(audience)
        if reason is not None:
            hint = "write an address such as https://mcp.example.com/mcp"
            yield Fault(("allowed_audiences", number), AUDIENCE, f"{shown(audience)} {reason}", hint)
    yield from _clients(server)
    if server["storage"] is not None:
        yield from below(("storage",), storage_faults(server["storage"], release))


def _clients(server: Mapping[str, Any]) -> Iterator[Fault]:
    for find, broken in CLIENT_CHECKS:
        for flaw in find(server):
            yield flaw.under(broken)
    for path, matcher in actor_matchers(server):
        from ...language.cel.rule import matcher_problem

        problem = matcher_problem(matcher)
        if problem is not None:
            yield Fault(path, TRUSTED_ISSUER, f"the matcher {problem}")


def _upstreams(upstreams: Sequence[Mapping[str, Any]], *, is_virtual: bool, insecure: bool) -> Iterator[Fault]:
    if not upstreams:
        yield Fault((), UPSTREAM, "there is no upstream provider", "add one")
    elif len(upstreams) > 1 and not is_virtual:
        message = f"there are {len(upstreams)} upstream providers, but a proxy takes only one"
        yield Fault(("upstreams", 1), UPSTREAM, message, "keep one, or use a VirtualMCPServer")
    elif len(upstreams) > 1:
        yield from _names(upstreams)
    for number, upstream in enumerate(upstreams):
        yield from below(("upstreams", number), _upstream(upstream, insecure=insecure))


def _names(upstreams: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for number, upstream in enumerate(upstreams):
        name, path = upstream["name"], ("upstreams", number, "name")
        if name in {"", DEFAULT_UPSTREAM}:
            message = f'of several upstream providers each needs a name of its own, other than "{DEFAULT_UPSTREAM}"'
            yield Fault(path if name else path[:-1], UPSTREAM, message, "give it a name of its own")
        elif first.setdefault(name, number) != number:
            message = f"two upstream providers are called {shown(name)}"
            yield Fault(path, UPSTREAM, message, "give each a different name")


def _upstream(upstream: Mapping[str, Any], *, insecure: bool) -> Iterator[Fault]:
    name, kind = upstream["name"], upstream["type"]
    if name and not _NAME.match(name):
        message = f"the name {shown(name)} is not of lower-case letters, digits and hyphens"
        yield Fault(("name",), UPSTREAM, message)
    block = _BLOCKS.get(kind)
    if block is None:
        message = f'{shown(kind)} is neither "oidc" nor "oauth2"' if kind else 'the upstream provider has no "type"'
        yield Fault(("type",) if kind else (), UPSTREAM, message)
        return
    other = next(key for key in _BLOCKS.values() if key != block)
    if upstream[other] is not None:
        message = f'"{other}" is ignored, because the type is {kind}'
        yield Fault((other,), IGNORED, message, "remove it", on_key=True)
    settings = upstream[block]
    if settings is None:
        hint = f"add {block}, or change the type"
        yield Fault((), UPSTREAM, f'an upstream provider of type {kind} has no "{block}"', hint)
        return
    is_insecure = insecure or bool(settings.get("insecure_allow_http"))
    type_faults = _oidc(settings) if kind == "oidc" else _oauth2(settings)
    yield from below((block,), (*_addresses(settings, kind, insecure=is_insecure), *type_faults, *_common(settings)))


def _addresses(settings: Mapping[str, Any], kind: str, *, insecure: bool) -> Iterator[Fault]:
    for key in ENDPOINTS[kind]:
        if not settings[key]:
            yield Fault((), UPSTREAM, f'the upstream provider has no "{key}"', f"set {key}")
    if not settings["redirect_uri"]:
        message = '"redirect_uri" is missing; nothing fills it in'
        yield Fault((), UPSTREAM_URL, message, "write the public URL of the server with /oauth/callback")
    for path, text, reason in refused_addresses(settings, kind, insecure=insecure):
        yield Fault(path, UPSTREAM_URL, f"{shown(text)} {reason}", "write an https address")


def _oidc(settings: Mapping[str, Any]) -> Iterator[Fault]:
    if lacks_openid(settings["scopes"] or ()):
        yield Fault(("scopes",), UPSTREAM, 'the scopes of an OIDC provider lack "openid"', "add openid, or use oauth2")
    if settings["userinfo_override"] is not None:
        message = '"userinfo_override" is ignored: users of OIDC are identified by their ID token'
        yield Fault(("userinfo_override",), IGNORED, message, "remove it", on_key=True)


def _oauth2(settings: Mapping[str, Any]) -> Iterator[Fault]:
    info = settings["userinfo"]
    if info is not None:
        if not info["endpoint_url"]:
            yield Fault(("userinfo",), UPSTREAM_URL, "the endpoint_url is missing", "set endpoint_url")
        if info["http_method"] not in {"", "GET", "POST"}:
            message = f"{shown(info['http_method'])} is neither GET nor POST"
            yield Fault(("userinfo", "http_method"), UPSTREAM, message)
    identity = settings.get("identity_from_token")
    if identity is not None and not identity["subject_path"]:
        message = 'the identity from the token has no "subject_path"'
        yield Fault(("identity_from_token",), UPSTREAM, message, "set subject_path")
    mapping = settings["token_response_mapping"]
    if mapping is not None and not mapping["access_token_path"]:
        message = 'the mapping of the response has no "access_token_path"'
        yield Fault(("token_response_mapping",), UPSTREAM, message, "set access_token_path")


def _common(settings: Mapping[str, Any]) -> Iterator[Fault]:
    for fault in parameter_faults(settings):
        yield Fault(fault.path, UPSTREAM, fault.message, fault.hint, on_key=fault.on_key)
    yield from _registration(settings.get("dcr_config"))
    claim = settings.get("subject_claim") or ""
    if claim and not _CLAIM.match(claim):
        yield Fault(("subject_claim",), UPSTREAM, f"{shown(claim)} is not of letters, digits and underscores")
    if not settings["client_id"] and settings.get("dcr_config") is None:
        yield Fault((), UPSTREAM, 'the upstream provider has no "client_id"', "set client_id")


def _registration(settings: Mapping[str, Any] | None) -> Iterator[Fault]:
    if settings is None:
        return
    keys = [key for key in ("discovery_url", "registration_endpoint") if settings[key]]
    if len(keys) != 1:
        message = 'a registration needs either a "discovery_url" or a "registration_endpoint"'
        yield Fault(("dcr_config",), UPSTREAM, message, "state one of them")
    for key in keys:
        reason = registration_fault(settings[key])
        if reason is not None:
            hint = "write an https address"
            yield Fault(("dcr_config", key), UPSTREAM_URL, f"{shown(settings[key])} {reason}", hint)
