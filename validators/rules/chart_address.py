"""Rules about the addresses of the operator's charts, and about that of the default Redis in their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import value_at
from ...compiler.diagnostics.shown import shown
from ...compiler.toolhive.connection import redis_fault
from ...compiler.workspace.chart_release import CHART_REFERENCE, FILES, installed_charts
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...compiler.workspace.chart_release import ChartRelease
    from ..rule import Finding, Path, ProjectRule, Workspace

WRONG_REDIS = rule(
    "CHT008 default-redis-without-port",
    "lint",
    "The default Redis in the values of the operator's chart is not a host and a port",
)
SWAPPED = rule("CHT009 swapped-charts", "lint", "A chart of the operator is installed under the name of the other")
_CRDS: Final = ("crd", "crds")
"""Words in the name of a chart release. Either of them stands for the chart of the CRDs."""
_BOTH: Final = ("and", "no", "plus", "skip", "with", "without")
"""Words with which a name does not say that a chart release has the CRDs alone."""
_ADDRESS: Final[Path] = ("operator", "defaultRedis", "addr")
_HOST: Final[Path] = ("global", "redis", "host")
_USUAL_PORT: Final = 6379


def find_chart_addresses(workspace: Workspace) -> Iterator[Finding]:
    """Yield findings about wrong addresses. Values that several chart releases use are reported once."""
    charts = installed_charts(workspace)
    yield from _swapped(charts, workspace)
    seen: set[tuple[object, ...]] = set()
    for chart in charts:
        for finding in _redis_faults(chart) if not chart.is_of_crds else ():
            place = (finding.span, finding.message)
            if place not in seen:
                seen.add(place)
                yield finding


def _redis_faults(chart: ChartRelease) -> Iterator[Finding]:
    """Yield the fault of the address of the default Redis. The chart adds a port to the host of ``global.redis``."""
    values = chart.merged()
    address, host = value_at(values, _ADDRESS), value_at(values, _HOST)
    if _is_stated(address):
        fault = redis_fault(address)
        if fault is not None:
            hint = f"write host:port, such as {address}:{_USUAL_PORT}" if _is_host(address) else "write host:port"
            yield chart.stating(_ADDRESS).finding(WRONG_REDIS, _ADDRESS, f"{shown(address)} {fault}", hint=hint)
    elif address in (None, "") and _is_stated(host) and not _is_host(host):
        message = f"{shown(host)} is not a host, and the chart adds the port to it"
        hint = "write the host alone, and the port in global.redis.port"
        yield chart.stating(_HOST).finding(WRONG_REDIS, _HOST, message, hint=hint)


def _is_stated(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and not is_placeholder(value)


def _is_host(address: str) -> bool:
    return ":" not in address and "/" not in address


def _swapped(charts: Sequence[ChartRelease], workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each chart that has the name of the other one.

    A chart of the definitions with another name only counts if nothing installs the operator under a name of its own.
    """
    installed = [chart for chart in charts if chart.source.kind not in FILES and not _is_altered(chart, workspace)]
    both = {chart.source for chart in charts if chart.is_of_crds} & {c.source for c in charts if not c.is_of_crds}
    installed = [chart for chart in installed if chart.source not in both]
    wrong = [chart for chart in installed if not chart.is_of_crds and _says_crds(chart)]
    is_operator_there = any(not chart.is_of_crds and not _says_crds(chart) for chart in charts)
    wrong += [
        chart
        for chart in installed
        if chart.is_of_crds
        and not _says_crds(chart)
        and (wrong or chart.source.name == chart.chart.removesuffix("-crds"))
        and not is_operator_there
    ]
    for chart in wrong:
        source, path = chart.named
        right = chart.chart.removesuffix("-crds") if chart.is_of_crds else f"{chart.chart}-crds"
        if source.kind == "OCIRepository" and _has_crds_word(source.name) == chart.is_of_crds:
            source, path = chart.source, CHART_REFERENCE
            right = next((each.named[0].name for each in charts if each.chart == right), right)
        stated = str(value_at(source.data, path))
        right = stated[: len(stated) - len(chart.chart)] + right if stated.endswith(f"/{chart.chart}") else right
        message = f"{shown(chart.source.name)} installs the chart {chart.chart}"
        finding = source.finding(SWAPPED, path, message, hint=f'did you mean "{right}"?')
        yield finding._replace(meant=(stated, right))


def _says_crds(chart: ChartRelease) -> bool:
    """Return whether the name of a release, or of an object that contradicts its chart, says that it has the CRDs."""
    named = chart.named[0].name
    return _has_crds_word(
        chart.source.name if _has_crds_word(named) == chart.is_of_crds else f"{chart.source.name}-{named}"
    )


def _has_crds_word(name: str) -> bool:
    words = name.lower().split("-")
    return not set(words).isdisjoint(_CRDS) and set(words).isdisjoint(_BOTH)


def _is_altered(chart: ChartRelease, workspace: Workspace) -> bool:
    files = {chart.source.document.file, chart.named[0].document.file}
    return workspace.context.may_alter(files)


PROJECT_RULES: tuple[ProjectRule, ...] = (find_chart_addresses,)
