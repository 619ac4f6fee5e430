"""The facts of files with variables that Flux fills in: their resources are admitted again, as they come out."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, TypeAlias

from ..admission.admit import admit_document
from ..diagnostics import file_path
from ..diagnostics.finding import Note
from ..diagnostics.plain import walk
from ..project.substitution import (
    FluxVariable,
    has_variable,
    is_disabled,
    substituted,
    substitution,
    variable_names,
)
from ..reading.document import Place
from ..workspace.resource import SUBSTITUTED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..admission.reference import SchemaOf
    from ..diagnostics.budget import Budget
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..project.alteration import Alteration
    from ..project.placement import DeliveryRoute
    from ..project.substitution import Substitution
    from ..reading.document import Document
    from ..toolhive.profile import Profile
    from ..workspace.resource import Resource
    from .facts import Facts

Admit: TypeAlias = "Callable[[Document, Mapping[Path, Place]], tuple[Resource | None, list[Finding]]]"
"""Admits a document whose values come from other places, by their paths."""
_ADMITTED = frozenset({"admission", "operator"})


class Values:
    """What deliveries put in place of variables, worked out for those of files that hold some.

    Args:
        stated: The facts of all files.
        profile: The names that the operator goes by.
        reference: The schemas by which the libraries decide in admission, where they do.
        budget: That of the project. Values for which it is too small are unknown.
    """

    def __init__(
        self, stated: Sequence[Facts], profile: Profile, *, reference: SchemaOf | None, budget: Budget
    ) -> None:
        self._deliveries = {
            file_path.normpath(f"{one.file}#{one.name}."): one
            for facts in stated
            for one in facts.delivery.controllers
            if one.applied.object_name
        }
        self._held = cache(partial(_held, _config_maps(stated)))
        self._admit = partial(admit_document, profile=profile, reference=reference)
        self._budget = budget
        self._substitutions: dict[tuple[str, tuple[Alteration, ...]], Substitution | None] = {}
        self._variables: dict[str, tuple[tuple[str, ...], int]] = {}
        self._filled: dict[tuple[str, tuple[FluxVariable | None, ...], bool], Facts] = {}

    def of(self, facts: Facts, route: DeliveryRoute) -> Facts:
        """Return the facts of a file as a route applies it: known variables are filled in.

        For routes on which the variables have the same values, the same object is returned.
        """
        known = self._substitution(route)
        if known is None:
            return facts
        if facts.file not in self._variables:
            found = {name for one in facts.resources for name in variable_names(one.data)}
            size = sum(1 for one in facts.resources for _ in walk(one.data)) if found else 0
            self._variables[facts.file] = tuple(sorted(found)), size
        names, size = self._variables[facts.file]
        if not names or not self._budget.grants(facts.file, steps=len(names) * len(known.layers)):
            return facts
        key = (facts.file, tuple(map(known.stated, names)), known.is_complete)
        if key not in self._filled:
            # Each value is copied, and admission looks at it again.
            is_granted = self._budget.grants(facts.file, steps=2 * size)
            self._filled[key] = _filled(facts, known, self._admit, self._budget) if is_granted else facts
        return self._filled[key]

    def _substitution(self, route: DeliveryRoute) -> Substitution | None:
        one = self._deliveries.get(route.delivery)
        if one is None:
            return None
        key = (route.delivery, route.variable_changes)
        if key not in self._substitutions:
            altering = sum(len(each.variables) + len(each.sources or ()) for each in route.variable_changes)
            is_granted = self._budget.grants(one.file, steps=len(one.variables) + len(one.sources) + altering)
            self._substitutions[key] = substitution(one, route.variable_changes, self._held) if is_granted else None
        return self._substitutions[key]


def _config_maps(stated: Sequence[Facts]) -> dict[str, list[Resource]]:
    found: dict[str, list[Resource]] = {}
    for facts in stated:
        for one in facts.resources:
            if one.kind == "ConfigMap":
                found.setdefault(one.name, []).append(one)
    return found


def _held(config_maps: Mapping[str, Sequence[Resource]], kind: str, name: str) -> Mapping[str, FluxVariable] | None:
    """Return what the ConfigMap of a name holds; what Secrets hold is not looked at, as findings would show it."""
    found = config_maps.get(name, ()) if kind == "ConfigMap" else ()
    if len(found) != 1:
        return None
    data = found[0].entries("data")
    texts = {key: value for key, value in data.items() if isinstance(value, str)}
    return {key: FluxVariable(value, Place(found[0].document, ("data", key))) for key, value in texts.items()}


def _filled(facts: Facts, known: Substitution, admit: Admit, budget: Budget) -> Facts:
    resources: list[Resource] = []
    findings: list[Finding] = list(facts.findings)
    for one in facts.resources:
        if not has_variable(one.data) or is_disabled(one.data):
            resources.append(one)
            continue
        data, places = substituted(one.document.data, known, facts.file, budget)
        document = one.document.with_data(data)
        resource, found = admit(document, places)
        if resource is None:
            resources.append(one)
            continue
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


def _with_origin(finding: Finding, places: Mapping[Path, Place], prefix: Path) -> Finding:
    origin = places.get((finding.path or ())[len(prefix) :])
    return finding if origin is None else finding._replace(notes=(*finding.notes, Note(SUBSTITUTED, origin.span)))
