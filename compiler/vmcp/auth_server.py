"""Check the embedded authorization server of a virtual server or of an MCPExternalAuthConfig.

Both have the same block, which the same code of the started process reads. Paths are relative to the block. The
fault of a missing field has the path that the field would have.

Source: docs/operator/virtual-server.md, "Embedded authorization server"; docs/operator/proxy.md, "What it refuses at
start".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Fault, below
from ..diagnostics.finding import rule
from ..diagnostics.placeholder import is_placeholder, literal_end
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.version import RECORDED
from ..toolhive.auth_client import document_faults
from ..toolhive.auth_server import (
    DEFAULT_UPSTREAM,
    ENDPOINTS,
    lacks_openid,
    refused_addresses,
    refused_issuers,
    refused_lifespans,
)
from ..toolhive.endpoint import is_hostless, redirect_fault
from ..toolhive.release import DEFAULT_REDIRECT_SINCE, NEWEST_MODELLED, holds
from .auth_field import BLOCKS, FIELDS, as_stated, run_config_keys

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path

URL = rule(
    "EAS001 insecure-auth-server-url",
    "process",
    "The URL of an embedded authorization server is not allowed",
    verified=RECORDED,
)
NAME = rule(
    "EAS002 upstream-called-default", "process", "One of several upstream providers is named default", verified=RECORDED
)
BLOCK = rule(
    "EAS003 upstream-without-config",
    "process",
    "An upstream provider lacks the block that its type requires",
    verified=RECORDED,
)
REDIRECT = rule(
    "EAS004 upstream-without-redirect",
    "process",
    "An upstream provider has no redirectUri",
    until=DEFAULT_REDIRECT_SINCE,
)
UPSTREAM_URL = rule(
    "EAS005 upstream-url-refused", "process", "An address of an upstream provider is not allowed", verified=RECORDED
)
CALLBACK = rule(
    "EAS012 redirect-to-other-path",
    "lint",
    "Users are sent back to a path that an embedded authorization server does not answer",
)
OPENID = rule(
    "EAS013 oidc-upstream-without-openid",
    "process",
    "An upstream provider of type oidc is not asked for the scope openid",
    verified=RECORDED,
)
LIFESPAN = rule(
    "EAS006 token-lifespan-out-of-bounds",
    "process",
    "A token lifespan of an embedded authorization server is out of range",
    verified=RECORDED,
)
MASTER = rule(
    "AUT048 nameless-redis-master", "process", "Redis Sentinel storage does not name the master", verified=RECORDED
)
STORAGE = rule(
    "AUT005 auth-server-without-redis",
    "operator",
    "The Redis storage of an embedded authorization server is incomplete",
)
SHORTEST_SECRET: Final = 32
"""The minimum bytes of an HMAC secret without surrounding white space. The process refuses a shorter secret.

Source: ``MinSecretLength`` of toolhive, package authserver/server/crypto.
"""

_CALLBACK: Final = "/oauth/callback"
_HTTPS: Final = "write an https address"


def start_faults(server: Mapping[str, Any], release: str = NEWEST_MODELLED, resource_url: str = "") -> Iterator[Fault]:
    """Yield the faults of the block that the process refuses when it starts. Audiences and key files are not checked.

    Args:
        server: The ``embeddedAuthServer`` block.
        resource_url: The resource URL of the workload; empty if it is unknown. From v0.23.0 on, an upstream provider
            without a redirect URI gets a path below this URL.
    """
    insecure, cimd = server.get("insecureAllowHTTP") is True, mapping(server.get("cimd"))
    life = cimd.get("cacheFallbackTtl")
    for path, text, why in refused_issuers(run_config_keys(server), release):
        field, hint = FIELDS[str(path[0])], "write an https address without a query, a fragment and a trailing slash"
        yield Fault((field,), URL, f"{field} {shown(text)} {why}", hint)
    for path, _, why in refused_lifespans(run_config_keys(mapping(server.get("tokenLifespans")))):
        field = FIELDS[str(path[0])]
        yield Fault(("tokenLifespans", field), LIFESPAN, f"{field}: {why}")
    for flaw in document_faults({"cimd": {"enabled": cimd.get("enabled"), "cache_fallback_ttl": life}}):
        message = f"cacheFallbackTtl: {flaw.message}"
        yield Fault(("cimd", "cacheFallbackTtl"), LIFESPAN, message)
    upstreams = listed(server.get("upstreamProviders"))
    for i, upstream in enumerate(upstreams):
        is_alone = len(upstreams) == 1
        for fault in _upstream(("upstreamProviders", i), upstream, alone=is_alone, insecure=insecure):
            if fault.rule is not REDIRECT or not holds(DEFAULT_REDIRECT_SINCE, None, release):
                yield fault
            elif reason := _default_redirect(resource_url, upstream, insecure=insecure):
                yield fault._replace(rule=UPSTREAM_URL, message=reason, hint=f"write {fault.path[-1]}, as https://…")
    storage = mapping(server.get("storage"))
    sentinel = mapping(storage.get("redis")).get("sentinelConfig")
    if storage.get("type") == "redis" and isinstance(sentinel, dict) and not sentinel.get("masterName"):
        path = ("storage", "redis", "sentinelConfig", "masterName")
        message = "the Redis master has no name"
        yield Fault(path, MASTER, message, "set masterName")


def storage_faults(server: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of the storage. For Redis, the operator requires an address and a password."""
    storage, path = mapping(server.get("storage")), ("storage",)
    if storage.get("type") != "redis":
        return
    redis, place = storage.get("redis"), (*path, "redis")
    if redis is None:
        yield Fault(place, STORAGE, "the storage is redis, but there is no redis block", "write redis, or type: memory")
        return
    sentinel, user = redis.get("sentinelConfig"), redis.get("aclUserConfig")
    if redis.get("addr"):
        pass  # a single Redis, or a cluster
    elif sentinel is None:
        yield Fault((*place, "sentinelConfig"), STORAGE, "Redis is reached through Sentinel: sentinelConfig")
    elif not sentinel.get("sentinelAddrs") and not sentinel.get("sentinelService"):
        message = "neither sentinelAddrs nor sentinelService gives the address of Sentinel"
        yield Fault((*place, "sentinelConfig"), STORAGE, message, "set one of them")
    if not mapping(user).get("passwordSecretRef"):  # the name of the user may be missing in later releases
        message = "Redis needs a user: passwordSecretRef is missing"
        yield Fault((*place, "aclUserConfig", "passwordSecretRef"), STORAGE, message)


def _default_redirect(resource_url: str, upstream: Mapping[str, Any], *, insecure: bool) -> str | None:
    """Return why the default redirect URI is refused; ``None`` if it is not, or the resource URL is unknown."""
    url = f"{resource_url.rstrip('/')}{_CALLBACK}"
    config = mapping(upstream.get(BLOCKS[str(upstream.get("type"))]))
    if not resource_url or is_placeholder(resource_url):
        return None
    fault = redirect_fault(url, insecure=insecure or config.get("insecureAllowHTTP") is True)
    name = shown(upstream.get("name") or "")
    return f"the redirectUri {shown(url)}, filled in for the upstream provider {name}, {fault}" if fault else None


def _upstream(path: Path, upstream: Mapping[str, Any], *, alone: bool, insecure: bool) -> Iterator[Fault]:
    name, kind = upstream.get("name") or "", upstream.get("type")
    if not alone and name in ("", DEFAULT_UPSTREAM):
        message = f'none of several upstream providers may be named "{DEFAULT_UPSTREAM}"'
        yield Fault((*path, "name"), NAME, message, "give it a name of its own")
    block = BLOCKS.get(kind) if isinstance(kind, str) else None
    if block is None:
        return
    config = upstream.get(block)
    if config is None:
        message = f"the upstream provider {shown(name)} is of type {kind}, but has no {block}"
        yield Fault((*path, block), BLOCK, message, f"add {block}, or change the type")
        return
    if config.get("clientId") == "":
        message = f"the upstream provider {shown(name)} has an empty clientId"
        hint = "write the id that the provider has for the client"
        yield Fault((*path, block, "clientId"), UPSTREAM_URL, message, hint)
    if not config.get("redirectUri"):
        message = f"the upstream provider {shown(name)} has no redirectUri"
        hint = "write RESOURCE-URL/oauth/callback: nothing fills in the documented default"
        yield Fault((*path, block, "redirectUri"), REDIRECT, message, hint)
    elif not _ends_in_callback(config["redirectUri"]):
        message = f"nothing answers at the path of redirectUri {shown(config['redirectUri'])}"
        yield Fault((*path, block, "redirectUri"), CALLBACK, message, f"the path is {_CALLBACK}")
    scopes = listed(config.get("scopes"))
    if kind == "oidc" and lacks_openid(scopes):
        message = f"the scopes of the upstream provider {shown(name)} lack openid"
        yield Fault((*path, block, "scopes"), OPENID, message, _scope_hint(scopes))
    is_insecure = insecure or config.get("insecureAllowHTTP") is True
    yield from below(
        (*path, block), _addresses(config, str(kind), f"of the upstream provider {shown(name)}", insecure=is_insecure)
    )


def _scope_hint(scopes: Sequence[Any]) -> str:
    words = [word for scope in scopes for word in re.split(r"[\s,]+", str(scope))]
    if "openid" in words:
        return "write each scope as an item of its own"
    is_capital = any(word.lower() == "openid" for word in words)
    return "write openid in lower case" if is_capital else "add openid, or use type oauth2"


def _ends_in_callback(address: str) -> bool:
    end = literal_end(address)
    return re.split("[?#]", end)[0].endswith(_CALLBACK) or (end != address and _CALLBACK.endswith(end))


def _addresses(config: Mapping[str, Any], kind: str, of_provider: str, *, insecure: bool) -> Iterator[Fault]:
    read = run_config_keys(config) | {"userinfo": run_config_keys(mapping(config.get("userInfo")))}
    refused = {refusal.path: refusal for refusal in refused_addresses(read, kind, insecure=insecure)}
    for path, text, reason in refused.values():
        *_, field = stated = as_stated(path)
        hint = "write https://…/oauth/callback" if field == "redirectUri" else _HTTPS
        yield Fault(stated, UPSTREAM_URL, f"{field} {shown(text)} {of_provider} {reason}", hint)
    for key in ENDPOINTS[kind]:
        field, text = FIELDS[key], read.get(key) or ""
        if text and (key,) not in refused and is_hostless(text):
            yield Fault((field,), UPSTREAM_URL, f"{field} {shown(text)} {of_provider} names no host", _HTTPS, "lint")
