"""Rules about values of the operator's charts that have no effect, or an unexpected one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...compiler.diagnostics.placeholder import is_placeholder, is_placeholder_key
from ...compiler.diagnostics.plain import value_at
from ...compiler.diagnostics.shown import shown
from ...compiler.golang.yaml.resolve import resolve_plain
from ...compiler.toolhive.chart import CONTROLLERS, DEFINITIONS, TYPE_WORDS, chart_values, ever_read
from ...compiler.toolhive.release import holds, release_key
from ...compiler.workspace.chart_release import chart_releases
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...compiler.toolhive.chart import ChartValue
    from ...compiler.workspace.chart_release import ChartRelease
    from ...compiler.workspace.values_source import ChartValues
    from ..rule import Finding, Path, ProjectRule, Resource, Workspace

UNREAD = rule("CHT001 unread-chart-value", "lint", "The operator's chart does not read a value", unmodelled="all")
WRONG_TYPE = rule(
    "CHT002 chart-value-of-wrong-type",
    "lint",
    "A value of the operator's chart has another type than the chart takes",
    unmodelled="all",
)
FAILING = rule(
    "CHT003 failing-chart-values", "lint", "The operator's chart fails with these values", verified=("0.41.0", "0.44.0")
)
UNWATCHED = rule("CHT004 unwatched-resources", "lint", "The operator does not look at resources of the project")
SWITCHED_OFF = rule(
    "CHT007 switched-off-definitions", "lint", "The chart of the definitions leaves out a kind that the project uses"
)
_RECONCILED: Final = ("MCPServer", "MCPRemoteProxy", "VirtualMCPServer", "MCPRegistry", "MCPGroup")
_MIGRATES_SINCE: Final = "0.41.0"
"""The first release whose chart has the storage version migrator, which needs the whole cluster."""
_SCOPE: Final = ("operator", "rbac", "scope")
_NAMESPACES: Final = ("operator", "rbac", "allowedNamespaces")


def find_chart_values(workspace: Workspace) -> Iterator[Finding]:
    """Yield findings about the values of the operator's charts, once for values that several releases use."""
    releases = chart_releases(workspace)
    seen: set[tuple[object, ...]] = set()
    for chart_release in releases:
        for values in chart_release.values:
            place = (*values.source.declared_at, values.path, values.outer_keys)
            if place not in seen:
                seen.add(place)
                yield from _value_faults(chart_release, values)
    installing = _installing([chart_release for chart_release in releases if not chart_release.is_of_crds], workspace)
    for chart_release in installing:
        if chart_release.is_whole:
            yield from _failing(chart_release)
            yield from _unwatched(chart_release, workspace) if len(installing) == 1 else ()
    definitions = _installing([chart_release for chart_release in releases if chart_release.is_of_crds], workspace)
    if len(definitions) == 1 and definitions[0].is_whole:
        yield from _left_out(definitions[0], workspace)


def _installing(releases: Sequence[ChartRelease], workspace: Workspace) -> list[ChartRelease]:
    """Return one chart release for each installing object. It is not whole if an overlay may change the values."""
    pinned = {chart_release.pin[0].declared_at for chart_release in releases if chart_release.source.kind != "Chart"}
    installing = {
        chart_release.source.declared_at: chart_release
        for chart_release in reversed(releases)
        if chart_release.source.kind != "Chart" or chart_release.pin[0].declared_at not in pinned
    }
    return [
        chart_release._replace(is_whole=chart_release.is_whole and not _is_altered(chart_release, workspace))
        for chart_release in installing.values()
    ]


def _is_altered(chart_release: ChartRelease, workspace: Workspace) -> bool:
    files = {chart_release.source.document.file, *(values.source.document.file for values in chart_release.values)}
    return workspace.context.may_alter(files)


def _value_faults(chart_release: ChartRelease, values: ChartValues) -> Iterator[Finding]:
    known_values = chart_values(chart_release.release, is_of_crds=chart_release.is_of_crds)
    for path, name, value in _stated(values.data, known_values) if known_values else ():
        known_value = known_values.get(name)
        inside = known_value.type if known_value is not None else "mapping" if _has_parts(name, known_values) else ""
        if not inside:
            message = f"the chart {chart_release.chart} of release {chart_release.release} does not read {shown(name)}"
            yield values.finding(
                UNREAD, path, message, hint=_replacement_hint(chart_release, name, known_values), on="key"
            )
        elif _is_wrong(inside, value):
            message = f"{name} is {shown(value)}, but the chart takes {TYPE_WORDS[inside]} there"
            yield values.finding(WRONG_TYPE, path, message)


def _stated(values: Mapping[str, Any], known_values: Mapping[str, ChartValue]) -> Iterator[tuple[Path, str, Any]]:
    """Yield the path, the dotted name and the content of each stated value that is to be compared with the chart's.

    A mapping is yielded as a whole only if the chart reads it as a whole or does not know it. Empty values, ``global``
    and keys for YAML anchors are left out.
    """
    waiting: list[tuple[Path, Any]] = [((), values)]
    while waiting:
        above, holder = waiting.pop()
        for key, value in holder.items():
            path: Path = (*above, key)
            name = ".".join(map(str, path))
            is_anchor = not isinstance(key, str) or key.startswith(("_", "x-")) or is_placeholder_key(key)
            if is_anchor or path == ("global",) or value in (None, "", {}, []):
                continue
            if name not in known_values and isinstance(value, dict) and _has_parts(name, known_values):
                waiting.append((path, value))
            else:
                yield path, name, value


def _has_parts(name: str, known_values: Mapping[str, ChartValue]) -> bool:
    return any(other.startswith(f"{name}.") for other in known_values)


def _is_wrong(wanted: str, value: Any) -> bool:
    if isinstance(value, str) and is_placeholder(value):
        return False
    stated = "mapping" if isinstance(value, dict) else "list" if isinstance(value, list) else "single"
    if wanted == "boolean" and isinstance(value, str):
        return value.lower() in {"false", "no", "off"}
    if wanted == "integer" and stated == "single":  # the templates write it without quotes
        number = resolve_plain(value.strip() or "~", v3=False) if isinstance(value, str) else value
        return not (number is None or type(number) is int or (isinstance(number, float) and number.is_integer()))
    return stated != (wanted if wanted in {"mapping", "list"} else "single")


def _replacement_hint(chart_release: ChartRelease, name: str, known_values: Mapping[str, ChartValue]) -> str:
    before = ever_read(name, is_of_crds=chart_release.is_of_crds)
    if before is not None:
        is_later = before.since is not None and release_key(chart_release.release) < release_key(before.since)
        return f"charts read it from {before.since} on" if is_later else f"charts do not read it since {before.until}"
    match = _similar_value(name, known_values)
    return f'did you mean "{match}"?' if match is not None else "remove it"


def _similar_value(name: str, known_values: Mapping[str, ChartValue]) -> str | None:
    """Return the probable known value: with the same last name the one nearest to the root, or the most similar."""
    from ...compiler.diagnostics.suggestion import nearest

    last = name.rpartition(".")[2]
    alike = sorted((other.count("."), other) for other in known_values if other.endswith(f".{last}"))
    is_clear = len(alike) == 1 or (len(alike) > 1 and alike[0][0] < alike[1][0])
    return alike[0][1] if is_clear else nearest(name, known_values)


def _failing(chart_release: ChartRelease) -> Iterator[Finding]:
    values = chart_release.merged()
    if (
        chart_values(chart_release.release, is_of_crds=False)
        and holds(_MIGRATES_SINCE, None, chart_release.release)
        and value_at(values, _SCOPE) == "namespace"
        and value_at(values, ("operator", "features", "storageVersionMigrator")) in (None, True)
    ):
        message = "the chart fails with the scope namespace, unless features.storageVersionMigrator is false"
        hint = "add operator.features.storageVersionMigrator: false"
        yield chart_release.stating(_SCOPE).finding(FAILING, _SCOPE, message, hint=hint)


def _unwatched(chart_release: ChartRelease, workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each used namespace that the operator does not watch, and each used, disabled controller."""
    reached = [
        each for each in _resources(workspace) if not workspace.in_different_clusters(each, chart_release.source)
    ]
    values = chart_release.merged()
    allowed = value_at(values, _NAMESPACES)
    is_known = isinstance(allowed, list) and not any(is_placeholder(str(each)) for each in allowed)
    if value_at(values, _SCOPE) == "namespace" and is_known and allowed:
        outside = {each.namespace: each for each in reversed(reached) if each.namespace not in (None, *allowed)}
        for namespace, resource in sorted(outside.items(), key=lambda item: str(item[0])):
            message = f"the operator does not watch namespace {shown(namespace)}, which has resources"
            notes = (resource.note(f'{resource.kind} "{resource.name}" is there'),)
            hint = f"add {namespace} to allowedNamespaces"
            yield chart_release.stating(_NAMESPACES).finding(UNWATCHED, _NAMESPACES, message, hint=hint, notes=notes)
    known_values = chart_values(chart_release.release, is_of_crds=False)
    for feature, kind in CONTROLLERS.items():
        path = ("operator", "features", feature)
        lost = next((each for each in reached if each.kind == kind), None)
        if ".".join(path) in known_values and value_at(values, path) is False and lost is not None:
            message = f"the controller of {kind} is switched off, and the project has resources of that kind"
            notes = (lost.note(f'{kind} "{lost.name}" is one'),)
            yield chart_release.stating(path).finding(UNWATCHED, path, message, hint="switch it on", notes=notes)


def _left_out(chart_release: ChartRelease, workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each kind that the project uses although ``crds.install`` disables its CRD.

    If all CRDs are disabled, nothing is yielded, because they are then installed by other means.
    """
    known_values, values = chart_values(chart_release.release, is_of_crds=True), chart_release.merged()
    switches = {name: value_at(values, ("crds", "install", name)) for name in DEFINITIONS}
    if all(value is False for value in switches.values()):
        return  # the CRDs are then installed by other means
    reached = [
        each for each in _resources(workspace) if not workspace.in_different_clusters(each, chart_release.source)
    ]
    for name, value in switches.items():
        path = ("crds", "install", name)
        lost = next((each for each in reached if each.kind in DEFINITIONS[name]), None)
        if ".".join(path) in known_values and value is False and lost is not None:
            message = f"the definition of {lost.kind} is not installed, and the project has resources of that kind"
            notes = (lost.note(f'{lost.kind} "{lost.name}" is one'),)
            yield chart_release.stating(path).finding(SWITCHED_OFF, path, message, hint="remove it", notes=notes)


def _resources(workspace: Workspace) -> Sequence[Resource]:
    read: list[Resource] = [resource for kind in _RECONCILED for resource in workspace.of_kind(kind)]
    return [resource for resource in read if resource.document.file not in workspace.context.unapplied]


PROJECT_RULES: tuple[ProjectRule, ...] = (find_chart_values,)
