"""What is refused in an embedded authorization server: of a virtual server, or of an MCPExternalAuthConfig.

Both hold the same block, and the same code of the started process reads what the operator makes of it. Paths lead from
the block; for something missing, to where it belongs.

Source: docs/operator/virtual-server.md, "Embedded authorization server"; docs/operator/proxy.md, "What it refuses at
start".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Flaw
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.version import RELEASE
from ..toolhive.auth_client import document_faults
from ..toolhive.auth_server import (
    DEFAULT_UPSTREAM,
    ENDPOINTS,
    refused_addresses,
    refused_issuers,
    refused_lifespans,
)
from ..toolhive.endpoint import is_hostless, redirect_fault
from ..toolhive.release import DEFAULT_REDIRECT_SINCE, holds
from .auth_field import BLOCKS, FIELDS, as_read, as_stated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnostics.span import Path

SHORTEST_SECRET: Final = 32
"""Bytes of an HMAC secret, without the white space around it."""

_HTTPS: Final = "write an https address"


def start_faults(server: Mapping[str, Any], release: str = RELEASE, resource_url: str = "") -> Iterator[Flaw]:
    """Find what the started process refuses; its audiences and key files are not part of the block.

    Args:
        server: The block.
        release: The release whose process it is.
        resource_url: Of the workload that embeds the server, where it is known: from v0.23.0 on users are sent back
            to a place below it where an upstream provider states no other.
    """
    insecure, cimd = server.get("insecureAllowHTTP") is True, mapping(server.get("cimd"))
    life = cimd.get("cacheFallbackTtl")
    for path, text, why in refused_issuers(as_read(server), release):
        field, hint = FIELDS[str(path[0])], "write an https address without a query, a fragment and a trailing slash"
        yield Flaw((field,), "server-url", f"{field} {shown(text)} {why}", hint)
    for path, _, why in refused_lifespans(as_read(mapping(server.get("tokenLifespans")))):
        field = FIELDS[str(path[0])]
        yield Flaw(("tokenLifespans", field), "token-lifespan", f"{field}: {why}")
    for fault in document_faults({"cimd": {"enabled": cimd.get("enabled"), "cache_fallback_ttl": life}}):
        message = f"cacheFallbackTtl: {fault.message}"
        yield Flaw(("cimd", "cacheFallbackTtl"), "token-lifespan", message)
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
        message = "the Redis master has no name"
        yield Flaw(path, "redis-master", message, "set masterName")


def storage_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Find what the operator cannot convert: Redis as the store, without an address."""
    storage, path = mapping(server.get("storage")), ("storage",)
    if storage.get("type") != "redis":
        return
    redis, place = storage.get("redis"), (*path, "redis")
    if redis is None:
        yield Flaw(
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
        yield Flaw(
            (*place, "sentinelConfig"), "storage-incomplete", "Redis is reached through Sentinel: sentinelConfig"
        )
    elif not sentinel.get("sentinelAddrs") and not sentinel.get("sentinelService"):
        message = "neither sentinelAddrs nor sentinelService gives the address of Sentinel"
        yield Flaw((*place, "sentinelConfig"), "storage-incomplete", message, "set one of them")
    if not mapping(user).get("passwordSecretRef"):  # the name of the user may be missing in later releases
        message = "Redis needs a user: passwordSecretRef is missing"
        yield Flaw((*place, "aclUserConfig", "passwordSecretRef"), "storage-incomplete", message)


def _default_redirect(resource_url: str, upstream: Mapping[str, Any], *, insecure: bool) -> str | None:
    """Return why users cannot be sent back to the place that is filled in, as a clause with it."""
    url = f"{resource_url.rstrip('/')}/oauth/callback"
    config = mapping(upstream.get(BLOCKS[str(upstream.get("type"))]))
    if not resource_url or is_placeholder(resource_url):
        return None
    fault = redirect_fault(url, insecure=insecure or config.get("insecureAllowHTTP") is True)
    name = shown(upstream.get("name") or "")
    return f"the redirectUri {shown(url)}, filled in for the upstream provider {name}, {fault}" if fault else None


def _upstream(path: Path, upstream: Mapping[str, Any], *, alone: bool, insecure: bool) -> Iterator[Flaw]:
    name, kind = upstream.get("name") or "", upstream.get("type")
    if not alone and name in ("", DEFAULT_UPSTREAM):
        message = f'none of several upstream providers may be named "{DEFAULT_UPSTREAM}"'
        yield Flaw((*path, "name"), "upstream-name", message, "give it a name of its own")
    block = BLOCKS.get(kind) if isinstance(kind, str) else None
    if block is None:
        return
    config = upstream.get(block)
    if config is None:
        message = f"the upstream provider {shown(name)} is of type {kind}, but has no {block}"
        yield Flaw((*path, block), "upstream-block", message, f"add {block}, or change the type")
        return
    if config.get("clientId") == "":
        message = f"the upstream provider {shown(name)} has an empty clientId"
        hint = "write the id that the provider has for the client"
        yield Flaw((*path, block, "clientId"), "upstream-url", message, hint)
    if not config.get("redirectUri"):
        message = f"the upstream provider {shown(name)} has no redirectUri"
        hint = "write RESOURCE-URL/oauth/callback: nothing fills in the documented default"
        yield Flaw((*path, block, "redirectUri"), "upstream-redirect", message, hint)
    is_insecure = insecure or config.get("insecureAllowHTTP") is True
    for fault in _addresses(config, str(kind), f"of the upstream provider {shown(name)}", insecure=is_insecure):
        yield fault._replace(path=(*path, block, *fault.path))


def _addresses(config: Mapping[str, Any], kind: str, of_provider: str, *, insecure: bool) -> Iterator[Flaw]:
    """Find addresses of a provider that are refused, and those that the process cannot reach once it has started."""
    read = as_read(config) | {"userinfo": as_read(mapping(config.get("userInfo")))}
    refused = {one.path: one for one in refused_addresses(read, kind, insecure=insecure)}
    for path, text, reason in refused.values():
        *_, field = stated = as_stated(path)
        hint = "write https://…/oauth/callback" if field == "redirectUri" else _HTTPS
        yield Flaw(stated, "upstream-url", f"{field} {shown(text)} {of_provider} {reason}", hint)
    for key in ENDPOINTS[kind]:
        field, text = FIELDS[key], read.get(key) or ""
        if text and (key,) not in refused and is_hostless(text):
            yield Flaw((field,), "upstream-host", f"{field} {shown(text)} {of_provider} names no host", _HTTPS)
