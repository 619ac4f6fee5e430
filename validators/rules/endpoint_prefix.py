"""Rules about endpoint prefixes that are not URL paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.shown import shown
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpremoteproxy import MCPRemoteProxySpec
    from ...compiler.models.mcpserver import MCPServerSpec
    from ..rule import Check, Finding, Resource, Workspace

RELATIVE_PREFIX = rule("URL003 relative-endpoint-prefix", "lint", "The prefix of endpoints does not begin with a slash")


@reads("endpointPrefix")
def check_prefix(resource: Resource[MCPServerSpec | MCPRemoteProxySpec], _: Workspace) -> Iterator[Finding]:
    """Report an ``endpointPrefix`` that is not an absolute path."""
    prefix = resource.spec["endpointPrefix"]
    if prefix and not prefix.startswith("/") and not is_placeholder(prefix):
        message = f"endpointPrefix {shown(prefix)} does not begin with a slash"
        yield resource.finding(RELATIVE_PREFIX, ("spec", "endpointPrefix"), message, hint=f'write "/{prefix}"')


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check_prefix,), "MCPRemoteProxy": (check_prefix,)}
