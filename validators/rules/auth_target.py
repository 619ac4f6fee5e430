"""What authentication is to reach and is given no usable name of: token endpoints, Redis masters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.finding import rule
from ...compiler.diagnostics.placeholder import is_placeholder
from ..auth_server import EMBEDDED
from ..remote_host import PLAIN
from ..rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Finding
    from ...compiler.diagnostics.span import Path
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check

TOKEN_URL = rule(
    "AUT047",
    "unusable-token-url",
    "The token URL of a token exchange is not a URL",
    stage="lint",
    checks="`tokenExchange.tokenUrl` of an MCPExternalAuthConfig that is empty, or no absolute http or https URL.",
    why="Nothing checks it before the first request. Every request that carries a token then fails.",
    example="tokenExchange: {tokenUrl: idp.example.com/token}",
    fix="Write the token endpoint of the provider with its scheme: `https://idp.example.com/token`.",
    source="The token exchange of the proxy, v0.21.0.",
)
MASTER = rule(
    "AUT048",
    "nameless-redis-master",
    "Redis Sentinel storage does not name the master",
    stage="lint",
    checks="`storage.redis.sentinelConfig.masterName` of an MCPExternalAuthConfig that is empty.",
    why="The operator hands it on as it is, and the authorization server does not start, nor does the proxy.",
    example='sentinelConfig: {masterName: "", sentinelAddrs: ["sentinel:26379"]}',
    fix="Write the name that Sentinel knows the master by, often `mymaster`.",
    source="The storage of the embedded authorization server, v0.21.0.",
)
RULES = (TOKEN_URL, MASTER)


@reads("tokenExchange")
def check_token_url(resource: Resource[MCPExternalAuthConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report a token endpoint that cannot be asked."""
    del workspace
    address = resource.spec["tokenExchange"].get("tokenUrl") or ""
    if is_placeholder(address) or _is_absolute(address):
        return
    path: Path = ("spec", "tokenExchange", "tokenUrl")
    message = f'"{address}" is no http or https URL' if address else "the tokenUrl is empty"
    yield resource.finding(TOKEN_URL, path, message)


def _is_absolute(address: str) -> bool:
    if PLAIN.fullmatch(address) is not None:
        return True
    from ...compiler.golang import url

    try:
        parsed = url.parse(address)
    except url.UrlError:
        return False
    return parsed.scheme in {"http", "https"} and bool(parsed.host)


@reads(EMBEDDED)
def check_master(resource: Resource[MCPExternalAuthConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report a Redis master without a name."""
    del workspace
    storage = resource.spec[EMBEDDED].get("storage") or {}
    sentinel = (storage.get("redis") or {}).get("sentinelConfig")
    if storage.get("type") == "redis" and sentinel is not None and not sentinel.get("masterName"):
        path: Path = ("spec", EMBEDDED, "storage", "redis", "sentinelConfig", "masterName")
        yield resource.finding(MASTER, path, "the master that Sentinel is asked for has no name")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPExternalAuthConfig": (check_token_url, check_master)}
