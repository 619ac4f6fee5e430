"""Rules about an operator and CRDs of different releases."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from ...compiler.toolhive.release import have_other_schemas
from ...compiler.workspace.chart_release import FILES, chart_releases
from ...compiler.workspace.pin_patch import applied_releases, pin_patches
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.workspace.chart_release import ChartRelease
    from ..rule import Finding, Path, ProjectRule, Workspace

SKEW = rule(
    "CHT005 operator-and-crds-of-two-releases",
    "lint",
    "The operator and its CRDs are installed at releases with different CRDs",
)


def find_skew(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each installed operator if all CRDs that the project installs are of other releases."""
    releases = chart_releases(workspace)
    crds = [chart_release for chart_release in releases if chart_release.is_of_crds]
    patches = [*pin_patches(workspace.context.others)] if crds else []
    reported: set[tuple[str, int, Path]] = set()
    for chart_release in releases:
        others = [other for other in crds if _share_cluster(chart_release, other, workspace)]
        applied, *beside = (
            applied_releases(each, patches, workspace.context.layout) for each in (chart_release, *others)
        )
        is_known = bool(applied) and all(beside)
        differ = [have_other_schemas(*pair) for other in beside for pair in product(applied, other)]
        place = (chart_release.pin[0].document.file, chart_release.pin[0].document.index, chart_release.pin[1])
        if not chart_release.is_of_crds and is_known and differ and all(differ) and place not in reported:
            reported.add(place)
            if not _is_altered(chart_release, others[0], workspace):
                yield _finding(chart_release, others[0], sorted(applied), sorted(beside[0]))


def _share_cluster(chart_release: ChartRelease, other: ChartRelease, workspace: Workspace) -> bool:
    """Return whether two charts are installed in the same cluster.

    A chart in a file that a user installs with Helm is only compared with charts of the same file.
    """
    if {chart_release.source.kind, other.source.kind}.isdisjoint(FILES):
        return not workspace.in_different_clusters(chart_release.source, other.source)
    return chart_release.source.document.file == other.source.document.file


def _finding(chart_release: ChartRelease, other: ChartRelease, applied: list[str], beside: list[str]) -> Finding:
    source, path = chart_release.pin
    message = f"the operator is installed at {' or '.join(applied)}, but its CRDs at {' or '.join(beside)}"
    notes = (other.pin[0].note("the version of the CRDs is here", other.pin[1]),)
    return source.finding(SKEW, path, message, hint="install both charts at one version", notes=notes)


def _is_altered(chart_release: ChartRelease, other: ChartRelease, workspace: Workspace) -> bool:
    files = [each.document.file for release in (chart_release, other) for each in (release.source, release.pin[0])]
    return workspace.context.may_alter(files)


PROJECT_RULES: tuple[ProjectRule, ...] = (find_skew,)
