"""The rule about annotations that are nearly those which the operator or the registry server reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import mapping
from ...compiler.diagnostics.shown import shown
from ...compiler.toolhive.constants import REGISTRY_ANNOTATIONS, RESTART_ANNOTATION, RESTART_STRATEGY_ANNOTATION
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Finding, Path, ProjectRule, Resource, Workspace

NEARLY_KNOWN = rule(
    "IGN014 nearly-known-annotation", "lint", "Nothing reads an annotation that has nearly a known name"
)
_SHORTEST: Final = 8
"""Minimum length of a name whose slip counts. Shorter names of a user's own annotations are similar by chance."""
_READ: Final = {
    "MCPServer": (*REGISTRY_ANNOTATIONS, RESTART_ANNOTATION, RESTART_STRATEGY_ANNOTATION),
    "MCPRemoteProxy": REGISTRY_ANNOTATIONS,
    "VirtualMCPServer": REGISTRY_ANNOTATIONS,
}
"""The annotations that something reads, by kind."""


def find_near_annotations(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each annotation or label of a workload with nearly the name of a known annotation."""
    for kind in _READ:
        resources: list[Resource[Any]] = workspace.of_kind(kind)
        for resource in resources:
            yield from _near_annotations(resource)


def _near_annotations(resource: Resource) -> Iterator[Finding]:
    for field in ("annotations", "labels"):
        for key in mapping(resource.metadata.get(field)):
            if not isinstance(key, str) or is_placeholder(key):
                continue
            known = [resource.profile.spell(name) for name in _READ[resource.kind]]
            path: Path = ("metadata", field, key)
            if field == "labels" and key in known:
                message = f"nothing reads the label {shown(key)}: it is known as an annotation"
                yield resource.finding(NEARLY_KNOWN, path, message, hint="move it to annotations", on="key")
                continue
            if field == "annotations" and resource.kind != "MCPServer" and key in _restarting(resource):
                message = f"nothing reads the annotation {shown(key)} of {resource.kind}: it restarts an MCPServer"
                hint = f"run kubectl rollout restart deployment {resource.name}"
                yield resource.finding(NEARLY_KNOWN, path, message, hint=hint, on="key")
                continue
            meant = None if key in known else _meant(key, known)
            if meant is not None:
                message = f"nothing reads the {field[:-1]} {shown(key)}"
                yield resource.finding(NEARLY_KNOWN, path, message, hint=f'did you mean "{meant}"?', on="key")


def _restarting(resource: Resource) -> list[str]:
    return [resource.profile.spell(name) for name in (RESTART_ANNOTATION, RESTART_STRATEGY_ANNOTATION)]


def _meant(key: str, known: list[str]) -> str | None:
    """Return the known annotation that a key probably means, or ``None``.

    The key has its name and a domain that shares a label with it, or none. Or it has its domain and a slip in the name.
    """
    from ...compiler.diagnostics.suggestion import is_slip

    domain, _, name = key.rpartition("/")
    for each in known:
        right_domain, _, right_name = each.rpartition("/")
        is_ours = not set(domain.split(".")).isdisjoint(right_domain.split(".")[:-1])
        if len(right_name) < _SHORTEST:
            is_ours = is_ours and is_slip(domain.rpartition(".")[0], right_domain.rpartition(".")[0])
        has_name = name == right_name and (is_ours or (not domain and name.startswith("registry-")))
        is_misspelt = domain == right_domain and len(right_name) >= _SHORTEST and is_slip(name, right_name)
        if has_name or is_misspelt:
            return each
    return None


PROJECT_RULES: tuple[ProjectRule, ...] = (find_near_annotations,)
