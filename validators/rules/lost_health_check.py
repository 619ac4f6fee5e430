"""Rules about Flux Kustomizations that wait for a resource that does not exist."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.shown import shown
from ...compiler.diagnostics.suggestion import as_question
from ...compiler.workspace.other_kind import health_checks
from ..registry import VERSIONED
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...compiler.diagnostics.span import Path
    from ..rule import Finding, ProjectRule, Resource, Workspace

LOST = rule("REF025 health-check-of-nothing", "lint", "Flux waits for a resource that does not exist")


def find_lost_health_checks(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each health check of a Flux Kustomization whose resource does not exist.

    If the Kustomization has copies, the resource must be missing for each of them.
    """
    if not workspace.context.complete:
        return
    lost: dict[tuple[str, int, Path], list[Finding | None]] = {}
    for source in workspace.context.others:
        if source.kind != "Kustomization":
            continue
        for path, check in health_checks(source.data).items():
            document = source.document
            key = (document.file, document.index, (*document.prefix, *path))
            lost.setdefault(key, []).append(_lost(source, path, check, workspace))
    for findings in lost.values():
        if findings[0] is not None and None not in findings:
            yield findings[0]


def _lost(source: Resource, path: Path, check: Mapping[str, Any], workspace: Workspace) -> Finding | None:
    version, kind, name, namespace = (str(check.get(key) or "") for key in ("apiVersion", "kind", "name", "namespace"))
    if kind not in VERSIONED or version.rpartition("/")[0] != source.profile.api_group or not (name and namespace):
        return None
    context, alike = workspace.context, _possible_resources(kind, name, workspace)
    if is_placeholder(f"{name} {namespace}") or source.document.file in context.unapplied or context.has(kind, name):
        return None
    if any(other.namespace in (None, namespace) or is_placeholder(other.namespace) for other in alike):
        return None
    if not _is_local(source, workspace):
        return None
    near = workspace.nearest(kind, namespace, name)
    hint = (
        f'it is in namespace "{alike[0].namespace}"'
        if alike
        else as_question(near) or "remove the entry, or declare it"
    )
    message = f"{kind} {shown(name)} does not exist in namespace {shown(namespace)}"
    finding = source.finding(LOST, (*path, "namespace" if alike else "name"), message, hint=hint)
    return finding if alike or near is None else finding._replace(meant=(name, near))


def _possible_resources(kind: str, name: str, workspace: Workspace) -> Sequence[Resource]:
    read: Sequence[Resource] = workspace.read_of_kind(kind)
    return [resource for resource in read if resource.name == name or is_placeholder(resource.name)]


def _is_local(source: Resource, workspace: Workspace) -> bool:
    """Return whether everything that a Flux Kustomization applies is surely in its folder of this project."""
    folder = posixpath.normpath(str(source.data["spec"].get("path") or "."))
    context = workspace.context

    def lies_within(resource: Resource) -> bool:
        return folder == "." or f"/{folder}/" in f"/{resource.document.file}"

    if context.may_alter([source.document.file]):
        return False
    is_charted = any(lies_within(other) for other in context.others if other.kind == "HelmRelease")
    return not is_charted and any(resource.kind in VERSIONED for resource in filter(lies_within, workspace.resources))


PROJECT_RULES: tuple[ProjectRule, ...] = (find_lost_health_checks,)
