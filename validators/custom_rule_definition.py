"""A rule of the project, as the configuration declares it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..compiler.diagnostics.finding import Severity


class CustomRuleDefinition(NamedTuple):
    """A CEL rule of the project.

    Attributes:
        id: Three letters and three digits that no built-in rule uses.
        kind: The kind of the resources that are checked.
        expression: A CEL expression over ``self`` and ``references``. A resource with the result false gets a finding.
        message: The message of the finding.
        severity: The severity of the finding.
        hint: Advice on what to write instead.
        field: The path that findings have. If it is empty, findings are at the resource's name.
    """

    id: str
    kind: str
    expression: str
    message: str
    severity: Severity = "error"
    hint: str | None = None
    field: tuple[str, ...] = ()
