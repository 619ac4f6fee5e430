"""The facts of files with variables that Flux fills in: their resources are admitted again, as they come out."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from ..diagnostics.finding import Note
from ..golang.yaml.resolve import resolve_plain
from ..project.substitution import Room, Variable, holds_variable, is_disabled, substituted, substitutions
from ..workspace.resource import SUBSTITUTED
from .facts import admit_document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path, Span
    from ..project.kustomization import Kustomization
    from ..project.substitution import Substitution
    from ..toolhive.profile import Profile
    from ..workspace.resource import Resource
    from .facts import Facts

_ADMITTED = frozenset({"admission", "operator"})


def with_values(
    stated: Sequence[Facts], kustomizations: Sequence[Kustomization], profile: Profile, *, reference: bool
) -> list[Facts]:
    """Return the facts of all files, with variables filled in where it is known what they stand for.

    Args:
        stated: The facts of all files.
        kustomizations: What they have applied, deliveries among them.
        profile: The names that the operator goes by.
        reference: Whether the libraries decide in admission.
    """
    deliveries = [one for facts in stated for one in facts.deliveries]
    known = substitutions(deliveries, kustomizations, partial(_held, _config_maps(stated)))
    if not known:
        return [*stated]
    room = Room()
    return [
        facts
        if (own := known.get(os.path.normpath(facts.file))) is None
        else _filled(facts, own, profile, room, reference=reference)
        for facts in stated
    ]


def _config_maps(stated: Sequence[Facts]) -> dict[str, list[Resource]]:
    found: dict[str, list[Resource]] = {}
    for facts in stated:
        for one in facts.resources:
            if one.kind == "ConfigMap":
                found.setdefault(one.name, []).append(one)
    return found


def _held(config_maps: Mapping[str, Sequence[Resource]], kind: str, name: str) -> Mapping[str, Variable] | None:
    """Return what the ConfigMap of a name holds; what Secrets hold is not looked at, as findings would show it."""
    found = config_maps.get(name, ()) if kind == "ConfigMap" else ()
    if len(found) != 1:
        return None
    data = found[0].entries("data")
    texts = {key: value for key, value in data.items() if isinstance(value, str)}
    return {key: Variable(value, found[0].at(("data", key))) for key, value in texts.items()}


def _filled(facts: Facts, known: Substitution, profile: Profile, room: Room, *, reference: bool) -> Facts:
    resources: list[Resource] = []
    findings: list[Finding] = list(facts.findings)
    for one in facts.resources:
        if not holds_variable(one.data) or is_disabled(one.data):
            resources.append(one)
            continue
        data, places = substituted(one.document.data, known, partial(resolve_plain, v3=False), room)
        document = one.document.with_data(data)
        resource, found = admit_document(document, profile=profile, reference=reference)
        if resource is None:
            resources.append(one)
            continue
        resource.origins = places
        resources.append(resource)
        findings = [other for other in findings if not _is_of(other, one)]
        findings += [_with_origin(other, places, document.prefix) for other in found]
    return facts._replace(resources=resources, findings=findings)


def _is_of(finding: Finding, resource: Resource) -> bool:
    """Return whether admission has reported a finding about a resource."""
    document = resource.document
    return (
        finding.stage in _ADMITTED
        and finding.document == document.index
        and (finding.path or ())[: len(document.prefix)] == document.prefix
    )


def _with_origin(finding: Finding, places: Mapping[Path, Span], prefix: Path) -> Finding:
    origin = places.get((finding.path or ())[len(prefix) :])
    return finding if origin is None else finding._replace(notes=(*finding.notes, Note(SUBSTITUTED, origin)))
