"""Find out whether a check may have read an unknown value: a placeholder, or a value that admission refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..compiler.diagnostics.placeholder import UNKNOWN
from ..compiler.diagnostics.shown import sanitized

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..compiler.diagnostics.finding import Finding
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace


def with_dots(finding: Finding) -> Finding:
    """Return the finding with ``…`` for placeholders that mcpcfg inserted, because the user did not write them."""
    message, hint = finding.message, finding.hint or ""
    if UNKNOWN not in message and UNKNOWN not in hint:
        return finding
    dotted_hint = sanitized(hint.replace(UNKNOWN, "…")) if hint else None
    return finding._replace(message=sanitized(message.replace(UNKNOWN, "…")), hint=dotted_hint)


def reaches_unknown(resource: Resource, workspace: Workspace) -> bool:
    """Return whether a check of a resource may have read an unknown value, in the resource or in a related one.

    Related are the targets of references, the members of groups, and the resources that refer to the resource.
    """
    seen = {id(resource)}
    waiting = [resource, *(reference.source for reference in workspace.referrers(resource))]
    seen.update(map(id, waiting))
    while waiting:
        current = waiting.pop()
        if current.has_unknown_values:
            return True
        for other in _next(current, workspace):
            if id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)
    return False


def _next(resource: Resource, workspace: Workspace) -> Iterator[Resource]:
    for reference in workspace.references(resource):
        if reference.target is not None:
            yield reference.target
    if resource.kind == "MCPGroup":
        yield from workspace.members(resource)
