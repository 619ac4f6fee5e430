"""What is refused in an embedded authorization server: of a virtual server, or of an MCPExternalAuthConfig.

Both hold the same block, and the same code of the started process reads what the operator makes of it. Paths lead from
the block; for something missing, to where it belongs.

Source: docs/operator/virtual-server.md, "Embedded authorization server"; docs/operator/proxy.md, "What it refuses at
start".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Fault
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.version import RELEASE
from ..toolhive.auth_client import document_faults
from ..toolhive.endpoint import (
    as_allowed,
    endpoint_fault,
    is_hostless,
    issuer_fault,
    redirect_fault,
    upstream_fault,
    userinfo_fault,
)
from ..toolhive.lifetime import lifespan_fault
from ..toolhive.release import DEFAULT_REDIRECT_SINCE, holds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnostics.span import Path
    from ..toolhive.lifetime import Token

DEFAULT_NAME: Final = "default"
BLOCKS: Final = {"oidc": "oidcConfig", "oauth2": "oauth2Config"}
ENDPOINTS: Final = {"oidc": ("issuerUrl",), "oauth2": ("authorizationEndpoint", "tokenEndpoint")}
SHORTEST_SECRET: Final = 32
"""Bytes of an HMAC secret, without the white space around it."""

_HTTPS: Final = "write an https address"
_TOKENS: Final[dict[str, Token]] = {
    "accessTokenLifespan": "access",
    "refreshTokenLifespan": "refresh",
    "authCodeLifespan": "code",
}


def start_faults(server: Mapping[str, Any], release: str = RELEASE, resource_url: str = "") -> Iterator[Fault]:
    """Find what the started process refuses; its audiences and key files are not part of the block.

    Args:
        server: The block.
        release: The release whose process it is.
        resource_url: Of the workload that embeds the server, where it is known: from v0.23.0 on users are sent back
            to a place below it where an upstream provider states no other.
    """
    insecure, cimd = server.get("insecureAllowHTTP") is True, mapping(server.get("cimd"))
    life = cimd.get("cacheFallbackTtl")
    for field in ("issuer", "authorizationEndpointBaseUrl"):
        url = server.get(field)
        if url or field == "issuer":
            yield from _url((field,), as_allowed(url or "", insecure=insecure), release)
    yield from _lifespans(mapping(server.get("tokenLifespans")))
    for fault in document_faults({"cimd": {"enabled": cimd.get("enabled"), "cache_fallback_ttl": life}}):
        message = f"cacheFallbackTtl: {fault.message}"
        yield Fault(("cimd", "cacheFallbackTtl"), "token-lifespan", message)
    upstreams = listed(server.get("upstreamProviders"))
    for i, upstream in enumerate(upstreams):
        is_alone = len(upstreams) == 1
        for fault in _upstream(("upstreamProviders", i), upstream, alone=is_alone, insecure=insecure):
            if fault.code != "upstream-redirect" or not holds(DEFAULT_REDIRECT_SINCE, None, release):
                yield fault
            elif reason := _default_redirect(resource_url, upstream, insecure=insecure):
                yield fault._replace(code="upstream-url", message=reason, hint=f"write {fault.path[-1]}, as https://…")
    storage = mapping(server.get("storage"))
    sentinel = mapping(storage.get("redis")).get("sentinelConfig")
    if storage.get("type") == "redis" and isinstance(sentinel, dict) and not sentinel.get("masterName"):
        path = ("storage", "redis", "sentinelConfig", "masterName")
        message = "the master that Sentinel is asked for has no name"
        yield Fault(path, "redis-master", message, "set masterName")


def storage_faults(server: Mapping[str, Any]) -> Iterator[Fault]:
    """Find what the operator cannot convert: Redis as the store, without an address."""
    storage, path = mapping(server.get("storage")), ("storage",)
    if storage.get("type") != "redis":
        return
    redis, place = storage.get("redis"), (*path, "redis")
    if redis is None:
        yield Fault(
            place,
            "storage-incomplete",
            "the storage is redis, but there is no redis block",
            "write redis, or type: memory",
        )
        return
    sentinel, user = redis.get("sentinelConfig"), redis.get("aclUserConfig")
    if redis.get("addr"):
        pass  # a single Redis, or a cluster
    elif sentinel is None:
        yield Fault((*place, "sentinelConfig"), "storage-incomplete", "Redis is reached over Sentinel: sentinelConfig")
    elif not sentinel.get("sentinelAddrs") and not sentinel.get("sentinelService"):
        message = "neither sentinelAddrs nor sentinelService states where Sentinel is"
        yield Fault((*place, "sentinelConfig"), "storage-incomplete", message, "set one of them")
    if not mapping(user).get("passwordSecretRef"):  # the name of the user may be missing in later releases
        message = "Redis needs a user: passwordSecretRef is missing"
        yield Fault((*place, "aclUserConfig", "passwordSecretRef"), "storage-incomplete", message)


def _default_redirect(resource_url: str, upstream: Mapping[str, Any], *, insecure: bool) -> str | None:
    """Return why users cannot be sent back to the place that is filled in, as a clause with it."""
    url = f"{resource_url.rstrip('/')}/oauth/callback"
    config = mapping(upstream.get(BLOCKS[str(upstream.get("type"))]))
    if not resource_url or is_placeholder(resource_url):
        return None
    fault = redirect_fault(url, insecure=insecure or config.get("insecureAllowHTTP") is True)
    name = shown(upstream.get("name") or "")
    return f"the redirectUri {shown(url)}, filled in for the upstream provider {name}, {fault}" if fault else None


def _url(path: Path, url: str, release: str) -> Iterator[Fault]:
    if is_placeholder(url):
        return
    if fault := issuer_fault(url, release=release):
        hint = "write an https address without query, fragment and slash at its end"
        yield Fault(path, "server-url", f"{path[-1]} {shown(url)} {fault}", hint)


def _lifespans(lifespans: Mapping[str, Any]) -> Iterator[Fault]:
    for field, token in _TOKENS.items():
        text = lifespans.get(field) or ""
        if text and not is_placeholder(text) and (fault := lifespan_fault(token, text)):
            yield Fault(("tokenLifespans", field), "token-lifespan", f"{field}: {fault}")


def _upstream(path: Path, upstream: Mapping[str, Any], *, alone: bool, insecure: bool) -> Iterator[Fault]:
    name, kind = upstream.get("name") or "", upstream.get("type")
    if not alone and name in ("", DEFAULT_NAME):
        message = f'of several upstream providers none may be called "{DEFAULT_NAME}"'
        yield Fault((*path, "name"), "upstream-name", message, "choose a name of its own")
    block = BLOCKS.get(kind) if isinstance(kind, str) else None
    if block is None:
        return
    config = upstream.get(block)
    if config is None:
        message = f"the upstream provider {shown(name)} is of type {kind}, but has no {block}"
        yield Fault((*path, block), "upstream-block", message, f"add {block}, or change the type")
        return
    is_insecure = insecure or config.get("insecureAllowHTTP") is True
    yield from _endpoints((*path, block), name, config, ENDPOINTS[str(kind)], insecure=is_insecure)
    redirect = config.get("redirectUri") or ""
    place = (*path, block, "redirectUri")
    if not redirect:
        message = f"the upstream provider {shown(name)} has no redirectUri"
        hint = "the documented default is filled in nowhere: write RESOURCE-URL/oauth/callback"
        yield Fault(place, "upstream-redirect", message, hint)
    elif not is_placeholder(redirect) and (fault := redirect_fault(redirect, insecure=is_insecure)):
        message = f"redirectUri {shown(redirect)} of the upstream provider {shown(name)} {fault}"
        yield Fault(place, "upstream-url", message, "write https://…/oauth/callback")


def _endpoints(
    path: Path, name: str, config: Mapping[str, Any], fields: tuple[str, ...], *, insecure: bool
) -> Iterator[Fault]:
    """Find addresses of a provider that are reached without TLS, and a client without id."""
    of_provider = f"of the upstream provider {shown(name)}"
    for field in fields:
        url = config.get(field)
        if not isinstance(url, str) or is_placeholder(url):
            continue
        allowed = as_allowed(url, insecure=insecure)
        is_asked = field == "issuerUrl"  # where anything but http cannot be asked
        if fault := (
            endpoint_fault(allowed)
            if is_asked
            else upstream_fault(allowed, insecure=insecure, is_read=field == "tokenEndpoint")
        ):
            yield Fault((*path, field), "upstream-url", f"{field} {shown(url)} {of_provider} {fault}", _HTTPS)
        elif is_hostless(url):
            # The process starts, and cannot reach it.
            yield Fault((*path, field), "upstream-host", f"{field} {shown(url)} {of_provider} names no host", _HTTPS)
    users = mapping(config.get("userInfo")).get("endpointUrl") if "tokenEndpoint" in fields else None
    if isinstance(users, str) and not is_placeholder(users) and (fault := userinfo_fault(users)):
        place = (*path, "userInfo", "endpointUrl")
        yield Fault(place, "upstream-url", f"endpointUrl {shown(users)} {of_provider} {fault}", _HTTPS)
    if config.get("clientId") == "":
        message = f"the upstream provider {shown(name)} has an empty clientId"
        yield Fault((*path, "clientId"), "upstream-url", message, "write the id that the provider has for the client")
