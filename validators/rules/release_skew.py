"""The operator and its CRDs, installed at different releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.toolhive.release import have_other_schemas
from ...compiler.workspace.chart_release import FILES, chart_releases
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.workspace.chart_release import ChartRelease
    from ..rule import Check, Finding, Path, ProjectRule, Workspace

SKEW = rule(
    "CHT005",
    "operator-and-crds-of-two-releases",
    "The operator and its CRDs are installed at releases with different CRDs",
    stage="lint",
    checks="The version at which a HelmRelease of Flux, an Application of Argo CD, a HelmChart of k3s, a helmfile or"
    " the dependency of a chart installs the operator's chart, if the chart of its CRDs is installed in the same"
    " cluster at another version, with other CRDs; of a helmfile or a chart, in the same file. Versions that are"
    " ranges, and those that an overlay may change, keep it silent.",
    why="With older CRDs the API server drops, or refuses, fields that the operator reads, and kinds are missing that"
    " it watches. With newer ones it stores what the operator does not know.",
    example="""
        kind: HelmRelease
        spec: {chart: {spec: {chart: toolhive-operator, version: 0.44.0}}}
        ---
        kind: HelmRelease
        spec: {chart: {spec: {chart: toolhive-operator-crds, version: 0.34.0}}}
        """,
    fix="Install both charts at one version, the CRDs first.",
    source="The charts of the operator, which are released together; their CRDs, v0.21.0 to v0.45.0.",
)


def find_skew(workspace: Workspace) -> Iterator[Finding]:
    """Yield the operators beside which no CRDs of their release are installed, but some of another."""
    releases = chart_releases(workspace)
    crds = [one for one in releases if one.is_of_crds]
    reported: set[tuple[str, int, Path]] = set()
    for one in releases:
        beside = [other for other in crds if _is_beside(one, other, workspace)]
        differ = [have_other_schemas(one.release, other.release) for other in beside]
        place = (one.pin[0].document.file, one.pin[0].document.index, one.pin[1])
        if not one.is_of_crds and differ and all(differ) and place not in reported:
            reported.add(place)
            if not _is_altered(one, beside[0], workspace):
                yield _finding(one, beside[0])


def _is_beside(one: ChartRelease, other: ChartRelease, workspace: Workspace) -> bool:
    """Return whether two charts are surely for one cluster; a file installs its charts when somebody runs Helm."""
    if {one.source.kind, other.source.kind}.isdisjoint(FILES):
        return not workspace.are_apart(one.source, other.source)
    return one.source.document.file == other.source.document.file


def _finding(one: ChartRelease, other: ChartRelease) -> Finding:
    source, path = one.pin
    message = f"the operator is installed at {one.release}, but its CRDs at {other.release}"
    notes = (other.pin[0].note("the version of the CRDs is here", other.pin[1]),)
    return source.finding(SKEW, path, message, hint="install both charts at one version", notes=notes)


def _is_altered(one: ChartRelease, other: ChartRelease, workspace: Workspace) -> bool:
    files = [each.document.file for release in (one, other) for each in (release.source, release.pin[0])]
    return workspace.world.made is not None and bool(workspace.world.made.altering(files))


CHECKS: dict[str, tuple[Check, ...]] = {}
PROJECT_RULES: tuple[ProjectRule, ...] = (find_skew,)
