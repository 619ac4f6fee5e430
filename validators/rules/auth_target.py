"""Rules about token endpoints that cannot be requested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ..remote_host import PLAIN
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

TOKEN_URL = rule("AUT047 unusable-token-url", "lint", "The token URL of a token exchange is not a URL")


@reads("tokenExchange")
def check_token_url(resource: Resource[MCPExternalAuthConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report a token endpoint whose URL cannot be requested."""
    address = resource.spec["tokenExchange"].get("tokenUrl") or ""
    if is_placeholder(address) or _is_absolute(address):
        return
    path: Path = ("spec", "tokenExchange", "tokenUrl")
    message = f'"{address}" is not an http or https URL' if address else "the tokenUrl is empty"
    yield resource.finding(TOKEN_URL, path, message, hint="write the token endpoint of the provider, https://…")


def _is_absolute(address: str) -> bool:
    if PLAIN.fullmatch(address) is not None:
        return True
    from ...compiler.golang import url

    try:
        parsed = url.parse(address)
    except url.UrlError:
        return False
    return parsed.scheme in {"http", "https"} and bool(parsed.host)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPExternalAuthConfig": (check_token_url,)}
