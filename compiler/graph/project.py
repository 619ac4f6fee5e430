"""The graph of a checked project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..check.copies import repeat_for_copies
from ..emit.made_service import routes
from .graph import graph

if TYPE_CHECKING:
    from ..check.full import Report
    from .graph import Graph


def project_graph(report: Report, *, all_kinds: bool) -> Graph:
    """Return the graph of a project from the report of its check.

    Args:
        all_kinds: True to include Secrets, ConfigMaps and ServiceAccounts without references to them.
    """
    findings = repeat_for_copies(report.findings, report.found_in)
    routes_of_services = [
        (source, use.path, service.resource, None if use.port is None or service.has(use.port) else "port-missing")
        for source, use, service in routes(report.workspace)
    ]
    return graph(report.workspace, findings, routes=routes_of_services, all_kinds=all_kinds)
