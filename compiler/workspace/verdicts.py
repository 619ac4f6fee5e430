"""What the operator and the rules say about the resources of a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from .resource import Resource


class Verdicts:
    """The verdicts of the rules that have run so far; a resource itself never changes."""

    def __init__(self) -> None:
        self._refusals: dict[Resource[Any], str] = {}
        self._errors: dict[Resource[Any], tuple[Path, ...]] = {}

    def record(self, resource: Resource[Any], findings: Sequence[Finding]) -> None:
        """Record what a check reports about a resource; the first refusal by the operator counts."""
        errors = [finding for finding in findings if finding.severity == "error"]
        for finding in errors:
            if finding.stage == "operator":
                self._refusals.setdefault(resource, finding.rule)
        self._errors[resource] = self.errors(resource) + tuple([finding.path for finding in errors if finding.path])

    def refusal(self, resource: Resource[Any]) -> str | None:
        """Return the first rule by which the operator refuses a resource; admission comes before rules."""
        return resource.refused or self._refusals.get(resource)

    def errors(self, resource: Resource[Any]) -> tuple[Path, ...]:
        """Return the places of the errors that rules have reported about a resource, as findings name them."""
        return self._errors.get(resource, ())
