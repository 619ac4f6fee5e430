"""Report Flux Kustomizations that wait for a Kustomization which no file declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..admission.table import KINDS
from ..diagnostics import file_path
from ..diagnostics.finding import rule
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import as_question, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.finding import Finding
    from ..project.delivery import Delivery
    from .merge import Loaded

LOST_DEPENDENCY = rule(
    "REF029", "dependency-on-nothing", "Flux waits for a Kustomization that no file declares", stage="lint"
)


def find_lost_dependencies(loaded: Loaded) -> Iterator[Finding]:
    """Yield a finding for each entry of ``dependsOn`` that names a Kustomization which no file declares.

    Only Kustomizations that apply resources of the operator are checked. Nothing is reported if a name of a
    Kustomization is unknown, or if kustomizations change such names.
    """
    controllers = [each for facts in loaded.facts.values() if facts is not None for each in facts.delivery.controllers]
    names = {controller.applied.object_name for controller in controllers} - {""}
    renaming = any(each.prefix or each.suffix for each in loaded.plan.kustomizations)
    if renaming or any(is_placeholder(name) or "*" in name for name in names):
        return
    applying = _applying(loaded)
    for controller in controllers:
        if file_path.normpath(f"{controller.file}#{controller.name}") in applying:
            yield from _lost_dependencies(controller, names)


def _applying(loaded: Loaded) -> frozenset[str]:
    """Return the file and the name of each delivery that applies resources of the operator, joined by ``#``."""
    files = {resource.document.file for resource in loaded.resources if resource.kind in KINDS}
    placements = [loaded.plan.placements.get(file) for file in files - loaded.plan.unapplied.keys()]
    routes = [route for placement in placements if placement is not None for route in placement.routes]
    return frozenset(route.delivery.rpartition(".")[0] for route in routes if route.delivery)


def _lost_dependencies(controller: Delivery, names: set[str]) -> Iterator[Finding]:
    spec = mapping(controller.document.data.get("spec"))
    for number, dependency in enumerate(listed(spec.get("dependsOn"))):
        name = mapping(dependency).get("name")
        if not isinstance(name, str) or is_placeholder(name) or name in names:
            continue
        near = nearest(name, sorted(names))
        span = controller.document.span(("spec", "dependsOn", number, "name"))
        hint = as_question(near) if near else "declare it, or remove the entry"
        message = f"no file declares a Kustomization {shown(name)}, so Flux never applies this one"
        yield LOST_DEPENDENCY.finding(span, message, document=controller.document.index, hint=hint)
