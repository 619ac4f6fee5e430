"""Validation of scheduling: affinities, tolerations, topology spread; by struct.

Source: Kubernetes 1.35, pkg/apis/core/validation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ...diagnostics.fault import Flaw
from .. import names
from .label import label_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ...diagnostics.span import Path

StructCheck: TypeAlias = "Callable[[Mapping[str, Any], Path], Iterator[Flaw]]"


def _requirement_faults(requirement: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    operator, values = requirement.get("operator"), requirement.get("values") or ()
    if operator in {"In", "NotIn"} and not values:
        yield Flaw((*path, "values"), "required", f"must have values, as the operator is {operator}")
    elif operator in {"Exists", "DoesNotExist"} and values:
        yield Flaw((*path, "values"), "forbidden", f"must be empty, as the operator is {operator}")
    elif operator in {"Gt", "Lt"} and len(values) != 1:
        yield Flaw((*path, "values"), "required", f"must have one value, as the operator is {operator}")


def _selector_faults(selector: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    yield from label_faults(selector.get("matchLabels") or {}, (*path, "matchLabels"))


def _expression_faults(term: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    """Yield the faults of a node selector term. Values are checked as label values only in a required term."""
    operators = ("DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn")
    is_preferred = path[-1] == "preference"
    for i, requirement in enumerate(term.get("matchExpressions") or ()):
        at = (*path, "matchExpressions", i)
        if requirement.get("operator", "") not in operators:
            yield Flaw((*at, "operator"), "invalid", f"must be {', '.join(operators[:-1])} or {operators[-1]}")
        for reason in names.label_key_faults(requirement.get("key", "")):
            yield Flaw((*at, "key"), "invalid", reason)
        for j, value in enumerate(() if is_preferred else requirement.get("values") or ()):
            yield from (Flaw((*at, "values", j), "invalid", reason_) for reason_ in names.label_value_faults(value))
        yield from _requirement_faults(requirement, at)
    for i, requirement in enumerate(term.get("matchFields") or ()):
        yield from _match_field_faults(requirement, (*path, "matchFields", i))


def _match_field_faults(requirement: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    if requirement.get("operator") not in {"In", "NotIn"}:
        yield Flaw((*path, "operator"), "invalid", "must be In or NotIn")
    elif len(requirement.get("values") or ()) != 1:
        yield Flaw((*path, "values"), "required", "must have one value")
    if requirement.get("key") != "metadata.name":
        yield Flaw((*path, "key"), "invalid", "must be metadata.name")
    for i, value in enumerate(requirement.get("values") or ()):
        yield from (Flaw((*path, "values", i), "invalid", reason) for reason in names.dns_subdomain_faults(value))


def _toleration_faults(toleration: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    operator = toleration.get("operator") or "Equal"
    value: str = toleration.get("value") or ""
    if not toleration.get("key") and operator != "Exists":
        yield Flaw((*path, "operator"), "invalid", "must be Exists where there is no key")
    if toleration.get("tolerationSeconds") is not None and toleration.get("effect") != "NoExecute":
        yield Flaw((*path, "effect"), "invalid", "must be NoExecute where there are tolerationSeconds")
    if operator == "Exists" and value:
        yield Flaw((*path, "value"), "invalid", "must be empty, as the operator is Exists")
    if operator == "Equal":
        yield from (Flaw((*path, "value"), "invalid", reason) for reason in names.label_value_faults(value))


def _spread_faults(constraint: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    if constraint.get("minDomains") is not None and constraint.get("whenUnsatisfiable") != "DoNotSchedule":
        yield Flaw((*path, "minDomains"), "invalid", "must not be there unless whenUnsatisfiable is DoNotSchedule")
    yield from _key_faults(constraint, path)


def _key_faults(term: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    given = {field: term.get(field) or [] for field in ("matchLabelKeys", "mismatchLabelKeys")}
    for field, keys in given.items():
        if keys and term.get("labelSelector") is None:
            yield Flaw((*path, field), "forbidden", "must not be there without a labelSelector")
    for i, key in enumerate(given["matchLabelKeys"]):
        if key in given["mismatchLabelKeys"]:
            yield Flaw((*path, "matchLabelKeys", i), "invalid", "must not be among mismatchLabelKeys too")


def _pod_faults(pod: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    for field, keys in (
        ("topologySpreadConstraints", ("topologyKey", "whenUnsatisfiable")),
        ("schedulingGates", ("name",)),
        ("resourceClaims", ("name",)),
    ):
        seen: set[tuple[Any, ...]] = set()
        for i, entry in enumerate(pod.get(field) or ()):
            key = tuple(entry.get(name) for name in keys)
            if key in seen and all(key):
                yield Flaw((*path, field, i, keys[0]), "duplicate", "must not be there twice")
            seen.add(key)


SCHEDULING: Final[dict[str, tuple[StructCheck, ...]]] = {
    "LabelSelector": (_selector_faults,),
    "LabelSelectorRequirement": (_requirement_faults,),
    "NodeSelectorTerm": (_expression_faults,),
    "PodAffinityTerm": (_key_faults,),
    "PodSpec": (_pod_faults,),
    "Toleration": (_toleration_faults,),
    "TopologySpreadConstraint": (_spread_faults,),
}
"""Checks that concern several fields of a struct, by struct."""
