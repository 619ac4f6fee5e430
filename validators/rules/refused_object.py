"""Rules about compiled objects that Kubernetes refuses, found by the validation of the API server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ...compiler.admission.place import dotted
from ...compiler.diagnostics.fault_to_finding import restaged, stated
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import value_at, walk
from ...compiler.diagnostics.shown import shown
from ..plain_object import FIELDS_BY_KIND, targets_to_compile
from ..rule import PLACEHOLDER_ERRORS, rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...compiler.diagnostics.fault import Flaw
    from ...compiler.diagnostics.finding import Note
    from ...compiler.emit.build import Build, Object
    from ...compiler.emit.origin import Origin
    from ..rule import Check, Finding, Path, Resource, Rule, Workspace

OBJECT = rule(
    "NAM003 refused-object",
    "operator",
    "Kubernetes refuses the name, a label, an annotation or another field of an object that the operator creates",
)
VOLUME = rule("VOL004 refused-volume", "operator", "Kubernetes refuses a volume or a mount of a pod", unmodelled="all")
AMOUNT = rule("RES005 refused-amount", "operator", "Kubernetes refuses a request or a limit", unmodelled="all")
POD = rule("POD006 refused-pod", "operator", "Kubernetes refuses a field of a pod", unmodelled="all")

VOLUMES: Final = frozenset({"volumes", "volumeMounts", "volumeDevices", "volumeClaimTemplates"})
AMOUNTS: Final = frozenset({"resources", "overhead"})

ABOUT_MISSING_VALUES: Final = frozenset({"required", "not-found"})
"""Codes of faults about a missing value, which another value in the object could remove."""
_CHOICE: Final = r"must be ((?:\w+, )*\w+ or \w+)"
"""The message of a fault that lists the allowed words."""
NAME: Final[Path] = ("metadata", "name")


def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report faults for which Kubernetes refuses the created objects, except faults that an earlier rule reported.

    If the API server refuses the resource's name, nothing is compiled, because every object would repeat that fault.
    """
    if any(doubt.covers(NAME, is_lint=False) for doubt in resource.doubts):
        return
    for target in targets_to_compile(resource, workspace):
        for finding in _refusals(resource, workspace, target):
            if not _is_reported(resource, workspace.verdicts.errors(resource), finding):
                yield restaged(finding, "process") if target == "backend" else finding


def _refusals(resource: Resource, workspace: Workspace, target: str) -> list[Finding]:
    from ...compiler.emit.build import Build
    from ...compiler.emit.target import compiled_objects
    from ...compiler.toolhive.operator import OperatorSettings

    build = Build(workspace, OperatorSettings())
    try:
        objects = [compiled for _, compiled in compiled_objects(target, build, (resource,))]
    except PLACEHOLDER_ERRORS:
        # Compiling fails for resources that the operator refuses, and for unknown quantities.
        if not workspace.is_refused(resource) and not resource.once(_holds_placeholders):
            raise
        return []
    return list(refusals(build, resource, objects))


def _is_reported(resource: Resource, errors: Sequence[Path], finding: Finding) -> bool:
    """Return whether an earlier error explains a finding: it is at the finding's path, around it, or directly below it.

    If the origin of the fault is unknown, so the finding is at the resource's name, any error explains it.
    """
    path = finding.path or ()
    if path == resource.pointer(("metadata", "name")):
        return bool(errors)
    return any(path[: len(other)] == other or other[:-1] == path for other in errors)


def refusals(build: Build, resource: Resource, objects: Iterable[Object]) -> Iterator[Finding]:
    """Yield findings about objects that the API server refuses, each at the field that causes the fault.

    If the field is unknown, the finding is at the resource's name. If a placeholder stands for more than a string,
    missing values are not reported, because the placeholder may contain them.
    """
    from ...compiler.emit.origin import Origin, origin
    from ...compiler.kube.validation.object import object_faults

    seen: set[tuple[Origin, str]] = set()
    for compiled in objects:
        for fault in object_faults(compiled):
            if fault.code in ABOUT_MISSING_VALUES and resource.once(_has_gaps):
                continue
            is_second = fault.code == "duplicate"
            place_of_origin = origin(build.workspace, resource, compiled, fault.path, last=is_second) or Origin(NAME)
            # One value may become part of several objects. The value of a placeholder is unknown.
            if (place_of_origin, fault.message) not in seen and not _is_unknown(resource, place_of_origin, fault):
                seen.add((place_of_origin, fault.message))
                yield _finding(resource, compiled, fault, place_of_origin)


def _is_unknown(resource: Resource, place_of_origin: Origin, fault: Flaw) -> bool:
    """Return whether a placeholder affects a fault.

    It does at the origin of the fault, in the name of the faulty container, or in the place of a mapping or list
    nearby.
    """
    values = [value_at(resource.data, place_of_origin.path)]
    if fault.code in ABOUT_MISSING_VALUES:
        holder = value_at(
            resource.data, place_of_origin.path if isinstance(values[0], dict) else place_of_origin.path[:-1]
        )
        values.append(holder.get("name") if isinstance(holder, dict) else None)
    if any(isinstance(value, str) and is_placeholder(value) for value in values):
        return True
    # The limit of a request is in the block next to that of the request.
    around = place_of_origin.path[:-2]
    return len(around) > 1 and any(gap[: len(around)] == around for gap in resource.once(_gaps))


def _holds_placeholders(resource: Resource) -> bool:
    return any(isinstance(value, str) and is_placeholder(value) for _, value in walk(resource.spec))


def _has_gaps(resource: Resource) -> bool:
    """Return whether a placeholder stands in the place of a mapping or list, or may do so."""
    return bool(resource.once(_gaps)) or (resource.has_unknown_values and resource.once(_holds_placeholders))


def _gaps(resource: Resource) -> tuple[Path, ...]:
    if not resource.once(_holds_placeholders):
        return ()
    from ..pod import unfilled_places

    return unfilled_places(resource)


def _finding(resource: Resource, compiled: Object, fault: Flaw, place_of_origin: Origin) -> Finding:
    path = stated(resource, place_of_origin.path)
    notes: tuple[Note, ...] = ()
    if place_of_origin.target is not None:
        notes = (
            place_of_origin.target.note("it comes from here", stated(place_of_origin.target, place_of_origin.place)),
        )
    is_key = fault.on_key and path[-1:] == fault.path[-1:]
    field = _field(compiled, fault)
    message = f'Kubernetes refuses {compiled["kind"]} "{compiled["metadata"]["name"]}": {field} {fault.message}'
    text = fault.path[-1] if fault.on_key else value_at(compiled, fault.path)
    hint = fault.hint or (_hint(text, fault.message) if isinstance(text, str) else None)
    return resource.finding(_rule(fault.path), path, message, hint=hint, notes=notes, on="key" if is_key else "value")


def _hint(text: str, message: str) -> str | None:
    """Return the hint that corrects a word of a list, or the characters of a name."""
    from ...compiler.diagnostics.secret.text import masked
    from ...compiler.diagnostics.suggestion import VAGUE, did_you_mean
    from ...compiler.kube.names import likely_text

    if masked(text) != text:
        return None
    words = re.fullmatch(_CHOICE, message)
    if words is not None:
        return did_you_mean(text, re.split(r", | or ", words[1]), likeness=VAGUE)
    likely = likely_text(text, (message,))
    return f"write {likely}" if likely is not None else None


def _field(compiled: Object, fault: Flaw) -> str:
    """Return the path of a faulty field as Kubernetes writes it, followed by its value if it is a scalar.

    If the fault is in a key, the key follows the path of its mapping.
    """
    if fault.on_key:
        return f"{dotted(fault.path[:-1])} key {shown(fault.path[-1])}"
    value = value_at(compiled, fault.path)
    is_single = isinstance(value, (str, int, float)) and value != ""
    return f"{dotted(fault.path)} {shown(value)}" if is_single else dotted(fault.path)


def _rule(path: Path) -> Rule:
    if not VOLUMES.isdisjoint(path):
        return VOLUME
    if not AMOUNTS.isdisjoint(path):
        return AMOUNT
    return POD if "/".join(map(str, path)).startswith("spec/template/spec/") else OBJECT


CHECKS: dict[str, tuple[Check, ...]] = dict.fromkeys(FIELDS_BY_KIND, (check,))
