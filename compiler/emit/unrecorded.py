"""Find the parts of the compiled output that no recording confirms, and those that it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.version import RECORDED
from ..toolhive.release import holds, release_key
from .change import CHANGES
from .output_change import BACKEND

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .output_change import OutputChange


def recorded_releases(target: str) -> tuple[str, ...]:
    """Return the releases whose output for a target was recorded, oldest first."""
    return RECORDED[:1] if target in BACKEND else RECORDED


def unrecorded_changes(
    workspace: Workspace, resources: Iterable[Resource[Any]], target: str
) -> dict[str, tuple[str, ...]]:
    """Return, for each unrecorded release of the resources, the changes that make its compiled output uncertain.

    The changes are newer than the last recorded release before the unrecorded release, so they are only known from the
    operator's source. Each text has the name of a change and its first release. A tuple is empty if no known change
    affects the resources of the release.
    """
    changes_by_release: dict[str, dict[OutputChange, None]] = {}
    for resource in resources:
        release = resource.release
        recorded = [
            recorded_release for recorded_release in recorded_releases(target) if holds(recorded_release, None, release)
        ]
        if release in recorded:
            continue
        release_changes = changes_by_release.setdefault(release, {})
        for change in CHANGES:
            is_shown = target in change.targets and resource.is_judged(since=change.since)
            is_shown = is_shown and not holds(change.since, None, recorded[-1])
            if is_shown and change not in release_changes and resource.kind in change.kinds:
                release_changes |= {change: None} if change.concerns(workspace, resource) else {}
    return {
        release: tuple([_shown(recorded_release) for recorded_release in CHANGES if recorded_release in changes])
        for release, changes in sorted(
            changes_by_release.items(), key=lambda recorded_release: release_key(recorded_release[0])
        )
    }


def missing_parts(
    workspace: Workspace, resources: Iterable[Resource[Any]], target: str, release: str
) -> tuple[str, ...]:
    """Return a sentence for each part that the output of a release lacks, because no source describes it exactly."""
    used = [resource for resource in resources if resource.release == release]
    return tuple(
        change.missing
        for change in CHANGES
        if change.missing and target in change.targets and holds(change.since, None, release)
        if any(resource.kind in change.kinds and change.concerns(workspace, resource) for resource in used)
    )


def _shown(change: OutputChange) -> str:
    return f"{change.name} ({change.since}{'' if change.is_compiled else ', not compiled'})"
