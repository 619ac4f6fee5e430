"""Collect the errors that rules report about resources, for rules that run later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from .resource import Resource

UNREADABLE = frozenset({"ADM010", "DEC001", "RLM001"})
"""Rules about values that the API server stores, but that the types of the operator cannot decode.

The operator ignores such a resource: it is no member of a group, and its references have no effect.
"""


class Verdicts:
    """Collects the results of rules. Resources themselves never change."""

    def __init__(self) -> None:
        self._refusals: dict[Resource[Any], str] = {}
        self._errors: dict[Resource[Any], tuple[Path, ...]] = {}

    def record(self, resource: Resource[Any], findings: Sequence[Finding]) -> None:
        """Record the findings of a check about a resource.

        If several errors say that the operator refuses the resource, the first one is its refusal.
        """
        errors = [finding for finding in findings if finding.severity == "error"]
        for finding in errors:
            if finding.stage == "operator":
                self._refusals.setdefault(resource, finding.rule)
        self._errors[resource] = self.errors(resource) + tuple([finding.path for finding in errors if finding.path])

    def refusal(self, resource: Resource[Any]) -> str | None:
        """Return the rule for which the operator, or first the API server, refuses a resource, or ``None``."""
        return resource.refused or self._refusals.get(resource)

    def errors(self, resource: Resource[Any]) -> tuple[Path, ...]:
        """Return the paths of the errors that rules have reported about a resource, from the root of its document."""
        return self._errors.get(resource, ())
