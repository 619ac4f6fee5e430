"""What is refused in an embedded authorization server: of a virtual server, or of an MCPExternalAuthConfig.

Both hold the same block, and the same code of the started process reads what the operator makes of it. Paths lead from
the block; for something missing, to where it belongs.

Source: fact sheet of the virtual server, sections 3.8 and 7.5; fact sheet of MCPServer, what the started process
refuses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mcpcfg.compiler.golang import url as go_url
from mcpcfg.compiler.golang.duration import DurationError, format_duration, parse_duration
from mcpcfg.compiler.kube.fault import shown
from mcpcfg.compiler.localhost import is_localhost, is_loopback
from mcpcfg.compiler.plain import listed, mapping
from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.compiler.workflow.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcpcfg.compiler.source import Path

DEFAULT_NAME: Final = "default"
BLOCKS: Final = {"oidc": "oidcConfig", "oauth2": "oauth2Config"}
ENDPOINTS: Final = {"oidc": ("issuerUrl",), "oauth2": ("authorizationEndpoint", "tokenEndpoint")}
HOSTLESS: Final = "names no host"
LONGEST_REDIRECT: Final = 2048
SHORTEST_SECRET: Final = 32
"""Bytes of an HMAC secret, without the white space around it."""

_SECOND: Final = 1_000_000_000
_HOUR: Final = 3600 * _SECOND
LIFESPANS: Final = {
    "accessTokenLifespan": (60 * _SECOND, 24 * _HOUR),
    "refreshTokenLifespan": (_HOUR, 30 * 24 * _HOUR),
    "authCodeLifespan": (30 * _SECOND, 600 * _SECOND),
}
"""Shortest and longest life of each token, in nanoseconds; zero counts as not given."""


def start_faults(server: Mapping[str, Any]) -> Iterator[Fault]:
    """Find what the started process refuses; its audiences and key files are not part of the block."""
    for field in ("issuer", "authorizationEndpointBaseUrl"):
        url = server.get(field)
        if url or field == "issuer":
            yield from _url((field,), url or "")
    yield from _lifespans(mapping(server.get("tokenLifespans")))
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
    if fault := resource_fault(url):
        return fault
    parsed = go_url.parse(url)
    if parsed.query:
        return "has a query"
    if parsed.scheme == "http" and not is_localhost(parsed.host):
        return "is not https, which only localhost need not be"
    return "ends in a slash" if url.endswith("/") else None


def resource_fault(url: str) -> str | None:
    """Say why tokens cannot be issued for a URL (RFC 8707), ``None`` where they can."""
    try:
        parsed = go_url.parse(url)
    except go_url.UrlError as error:
        return f"is not a URL: {error}"
    if parsed.scheme not in ("http", "https") or not parsed.host:
        return "is not an absolute http or https URL"
    return "has a fragment" if parsed.fragment else None


def _lifespans(lifespans: Mapping[str, Any]) -> Iterator[Fault]:
    for field, (shortest, longest) in LIFESPANS.items():
        text = lifespans.get(field) or ""
        if not text or is_placeholder(text):
            continue
        path: Path = ("tokenLifespans", field)
        try:
            length = parse_duration(text)
        except DurationError as error:
            yield Fault(path, "token-lifespan", f"{field}: {error}")
            continue
        if length and not shortest <= length <= longest:
            allowed = f"{format_duration(shortest)} to {format_duration(longest)}"
            yield Fault(path, "token-lifespan", f"{field} {shown(text)} is not within {allowed}")


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
        return
    yield from _endpoints((*path, block), name, config, ENDPOINTS[str(kind)])
    redirect = config.get("redirectUri") or ""
    place = (*path, block, "redirectUri")
    if not redirect:
        message = f"the upstream provider {shown(name)} has no redirectUri"
        hint = "the documented default is filled in nowhere: write RESOURCE-URL/oauth/callback"
        yield Fault(place, "upstream-redirect", message, hint)
    elif not is_placeholder(redirect) and (fault := _redirect_fault(redirect)):
        message = f"redirectUri {shown(redirect)} of the upstream provider {shown(name)} {fault}"
        yield Fault(place, "upstream-url", message)


def _endpoints(path: Path, name: str, config: Mapping[str, Any], fields: tuple[str, ...]) -> Iterator[Fault]:
    """Find addresses of a provider that are reached without TLS, and a client without id."""
    places: list[tuple[Path, Any]] = [((*path, field), config.get(field)) for field in fields]
    if "tokenEndpoint" in fields:
        places.append(((*path, "userInfo", "endpointUrl"), mapping(config.get("userInfo")).get("endpointUrl")))
    for place, url in places:
        if isinstance(url, str) and not is_placeholder(url) and (fault := _endpoint_fault(url)):
            # The process starts with an endpoint without host, and cannot reach it; the address about users it refuses.
            code = "upstream-host" if fault == HOSTLESS and place[-1] != "endpointUrl" else "upstream-url"
            yield Fault(place, code, f"{place[-1]} {shown(url)} of the upstream provider {shown(name)} {fault}")
    if config.get("clientId") == "":
        message = f"the upstream provider {shown(name)} has an empty clientId"
        yield Fault((*path, "clientId"), "upstream-url", message)


def _endpoint_fault(url: str) -> str | None:
    try:
        parsed = go_url.parse(url)
    except go_url.UrlError as error:
        return f"is not a URL: {error}"
    if parsed.scheme != "https" and not is_localhost(parsed.host):
        return "is not https, which only localhost need not be"
    return None if parsed.host else HOSTLESS


def _redirect_fault(url: str) -> str | None:
    """Say why a redirect address is refused. Source: RFC 6749, section 3.1.2; RFC 8252, section 8.4."""
    if len(url.encode("utf-8", "replace")) > LONGEST_REDIRECT:
        return f"has more than {LONGEST_REDIRECT} bytes"
    try:
        parsed = go_url.parse(url)
    except go_url.UrlError as error:
        return f"is not a URL: {error}"
    if not parsed.scheme:
        return "is not an absolute URL"
    if parsed.fragment:
        return "has a fragment"
    if parsed.scheme == "https" or (parsed.scheme == "http" and is_loopback(parsed.hostname)):
        return None
    return "is not https, which only a loopback address need not be"
