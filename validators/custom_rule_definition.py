"""A custom rule, as the configuration of the project declares it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..compiler.diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ..compiler.diagnostics.finding import Severity


class CustomRuleDefinition(NamedTuple):
    """A custom rule of a project.

    Attributes:
        id: Three letters and three digits that no built-in rule uses.
        kind: The kind of the resources that are checked.
        expression: A CEL expression over ``self`` and ``references``. A resource for which it is false gets a finding.
        hint: Advice on how to fix the resource.
        field: The path of the finding in the resource. If it is empty, the path is that of the resource's name.
    """

    id: str
    kind: str
    expression: str
    message: str
    severity: Severity = "error"
    hint: str | None = None
    field: tuple[str, ...] = ()
