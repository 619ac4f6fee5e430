"""What is refused in an embedded authorization server: of a virtual server, or of an MCPExternalAuthConfig.

Both hold the same block, and the same code of the started process reads what the operator makes of it. Paths lead from
the block; for something missing, to where it belongs.

Source: fact sheet of the virtual server, sections 3.8 and 7.5; fact sheet of MCPServer, what the started process
refuses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mcpcfg.compiler.kube.fault import shown
from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.compiler.workflow.fault import Fault

from .plain import listed, mapping

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcpcfg.compiler.source import Path

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
DEFAULT_NAME: Final = "default"
BLOCKS: Final = {"oidc": "oidcConfig", "oauth2": "oauth2Config"}


def start_faults(server: Mapping[str, Any]) -> Iterator[Fault]:
    """Find what the started process refuses; its audiences and key files are not part of the block."""
    for field in ("issuer", "authorizationEndpointBaseUrl"):
        url = server.get(field)
        if url or field == "issuer":
            yield from _url((field,), url or "")
    upstreams = listed(server.get("upstreamProviders"))
    for i, upstream in enumerate(upstreams):
        yield from _upstream(("upstreamProviders", i), upstream, alone=len(upstreams) == 1)


def storage_faults(server: Mapping[str, Any]) -> Iterator[Fault]:
    """Find what the operator cannot convert: Redis as the store, but not said which."""
    storage, path = mapping(server.get("storage")), ("storage",)
    if storage.get("type") != "redis":
        return
    redis, place = storage.get("redis"), (*path, "redis")
    if redis is None:
        yield Fault(place, "storage-incomplete", "the storage is redis, but there is no redis block")
        return
    sentinel, user = redis.get("sentinelConfig"), redis.get("aclUserConfig")
    if sentinel is None:
        yield Fault((*place, "sentinelConfig"), "storage-incomplete", "Redis is reached over Sentinel: sentinelConfig")
    elif not sentinel.get("sentinelAddrs") and not sentinel.get("sentinelService"):
        message = "neither sentinelAddrs nor sentinelService says where Sentinel is"
        yield Fault((*place, "sentinelConfig"), "storage-incomplete", message, "set one of them")
    for field in ("usernameSecretRef", "passwordSecretRef"):
        if not mapping(user).get(field):
            message = f"Redis needs a user: {field} is missing"
            yield Fault((*place, "aclUserConfig", field), "storage-incomplete", message)


def _url(path: Path, url: str) -> Iterator[Fault]:
    if is_placeholder(url):
        return
    if fault := url_fault(url):
        yield Fault(path, "server-url", f"{path[-1]} {shown(url)} {fault}")


def url_fault(url: str) -> str | None:
    """Say what is wrong with the URL of an issuer, ``None`` where nothing is."""
    scheme, found, rest = url.partition("://")
    if not found or scheme not in ("http", "https") or not rest:
        return "is not an absolute http or https URL"
    for mark, called in (("?", "a query"), ("#", "a fragment")):
        if mark in rest:
            return f"has {called}"
    if rest.endswith("/"):
        return "ends in a slash"
    host = rest.split("/", 1)[0].rpartition("@")[2]
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if scheme == "http" and name not in LOOPBACK:
        return "is not https, which only localhost need not be"
    return None


def _upstream(path: Path, upstream: Mapping[str, Any], *, alone: bool) -> Iterator[Fault]:
    name, kind = upstream.get("name") or "", upstream.get("type")
    if not alone and name in ("", DEFAULT_NAME):
        message = f'of several upstream providers none may be called "{DEFAULT_NAME}"'
        yield Fault((*path, "name"), "upstream-name", message, "give it a name of its own")
    block = BLOCKS.get(kind) if isinstance(kind, str) else None
    if block is None:
        return
    config = upstream.get(block)
    if config is None:
        message = f"the upstream provider {shown(name)} is of type {kind}, but has no {block}"
        yield Fault((*path, block), "upstream-block", message, f"add {block}, or change the type")
    elif not config.get("redirectUri"):
        message = f"the upstream provider {shown(name)} has no redirectUri"
        hint = "the documented default is filled in nowhere: write RESOURCE-URL/oauth/callback"
        yield Fault((*path, block, "redirectUri"), "upstream-redirect", message, hint)
