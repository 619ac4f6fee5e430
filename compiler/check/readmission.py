"""Fill in the variables of files that Flux delivers, and admit their resources again with the values."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, TypeAlias

from ..admission.admit import admit_document
from ..diagnostics import file_path
from ..diagnostics.plain import walk
from ..project.substitution import FluxVariable, has_variable, is_disabled, substituted, substitution, variable_names
from ..reading.document import Place
from ..workspace.resource import variable_note

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
"""Admits a document. The mapping has, by path, the places that state values which variables replaced."""
_ADMISSION_STAGES = frozenset({"admission", "operator"})
"""Stages of findings that are replaced if a resource is admitted again."""


class VariableValues:
    """Fills in the variables of files with the values that Flux gives them.

    Args:
        profile: The names and the release of the operator that judges the project.
        reference: The schemas for jsonschema and cel-python, if these libraries judge the files.
        budget: The budget of the project. Values that exceed it are treated as unknown.
    """

    def __init__(
        self, stated: Sequence[Facts], profile: Profile, *, reference: SchemaOf | None, budget: Budget
    ) -> None:
        self._deliveries = {
            file_path.normpath(f"{delivery.file}#{delivery.name}."): delivery
            for facts in stated
            for delivery in facts.delivery.controllers
            if delivery.applied.object_name
        }
        self._variables_of_object = cache(partial(_config_map_variables, _config_maps(stated)))
        self._admit = partial(admit_document, profile=profile, reference=reference)
        self._budget = budget
        self._substitutions: dict[tuple[str, tuple[Alteration, ...]], Substitution | None] = {}
        self._variables_in_file: dict[str, tuple[tuple[str, ...], int]] = {}
        self._filled_facts: dict[tuple[str, tuple[FluxVariable | None, ...], bool], Facts] = {}

    def of(self, facts: Facts, route: DeliveryRoute) -> Facts:
        """Return the facts of a file as a route applies it, with known variables filled in.

        If several routes give the same values to the variables, the same object is returned.
        """
        values = self._substitution(route)
        if values is None:
            return facts
        if facts.file not in self._variables_in_file:
            names_in_file = {name for resource in facts.resources for name in variable_names(resource.data)}
            size = sum(1 for resource in facts.resources for _ in walk(resource.data)) if names_in_file else 0
            self._variables_in_file[facts.file] = tuple(sorted(names_in_file)), size
        names, size = self._variables_in_file[facts.file]
        if not names or not self._budget.grants(facts.file, steps=len(names) * len(values.layers)):
            return facts
        key = (facts.file, tuple(map(values.stated, names)), values.is_complete)
        if key not in self._filled_facts:
            # Filling in copies each value, and admission reads it again.
            is_granted = self._budget.grants(facts.file, steps=2 * size)
            self._filled_facts[key] = _fill_in(facts, values, self._admit, self._budget) if is_granted else facts
        return self._filled_facts[key]

    def _substitution(self, route: DeliveryRoute) -> Substitution | None:
        """Return the values of the variables of a route; ``None`` if it has none, or if they exceed the budget."""
        delivery = self._deliveries.get(route.delivery)
        if delivery is None:
            return None
        key = (route.delivery, route.variable_changes)
        if key not in self._substitutions:
            patched_values = sum(
                len(alteration.variables) + len(alteration.sources or ()) for alteration in route.variable_changes
            )
            is_granted = self._budget.grants(
                delivery.file, steps=len(delivery.variables) + len(delivery.sources) + patched_values
            )
            self._substitutions[key] = (
                substitution(delivery, route.variable_changes, self._variables_of_object) if is_granted else None
            )
        return self._substitutions[key]


def _config_maps(stated: Sequence[Facts]) -> dict[str, list[Resource]]:
    by_name: dict[str, list[Resource]] = {}
    for facts in stated:
        for resource in facts.resources:
            if resource.kind == "ConfigMap":
                by_name.setdefault(resource.name, []).append(resource)
    return by_name


def _config_map_variables(
    config_maps: Mapping[str, Sequence[Resource]], kind: str, name: str
) -> Mapping[str, FluxVariable] | None:
    """Return the variables that a ConfigMap declares, or ``None`` if there is not exactly one ConfigMap of that name.

    Secrets are never read, because findings would show their values.
    """
    candidates = config_maps.get(name, ()) if kind == "ConfigMap" else ()
    if len(candidates) != 1:
        return None
    data = candidates[0].entries("data")
    texts = {key: value for key, value in data.items() if isinstance(value, str)}
    return {key: FluxVariable(value, Place(candidates[0].document, ("data", key))) for key, value in texts.items()}


def _fill_in(facts: Facts, values: Substitution, admit: Admit, budget: Budget) -> Facts:
    """Return the facts of a file with variables filled in, and with findings of the new admission."""
    resources: list[Resource] = []
    findings: list[Finding] = list(facts.findings)
    for unfilled in facts.resources:
        if not has_variable(unfilled.data) or is_disabled(unfilled.data):
            resources.append(unfilled)
            continue
        data, places = substituted(unfilled.document.data, values, facts.file, budget)
        document = unfilled.document.with_data(data)
        resource, new_findings = admit(document, places)
        if resource is None:
            resources.append(unfilled)
            continue
        resources.append(resource)
        findings = [finding for finding in findings if not _is_about(finding, unfilled)]
        findings += [_with_origin(finding, places, document.prefix) for finding in new_findings]
    return facts._replace(resources=resources, findings=findings)


def _is_about(finding: Finding, resource: Resource) -> bool:
    document = resource.document
    return (
        finding.stage in _ADMISSION_STAGES
        and finding.document == document.index
        and (finding.path or ())[: len(document.prefix)] == document.prefix
    )


def _with_origin(finding: Finding, places: Mapping[Path, Place], prefix: Path) -> Finding:
    """Return the finding; if its value comes from a variable, with a note at the origin of the value.

    A finding about a missing field is at the object that lacks the field. The field may be there, with a variable that
    is empty.
    """
    path = (finding.path or ())[len(prefix) :]
    emptied = (place for place in places if place[:-1] == path and finding.message.endswith(f" has no {place[-1]}"))
    origin = places.get(path) or next((places[place] for place in emptied if place), None)
    return finding if origin is None else finding._replace(notes=(*finding.notes, variable_note(origin)))
