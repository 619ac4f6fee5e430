"""A rule of the project's own, as the configuration states it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..compiler.diagnostics.finding import Severity


class CustomRule(NamedTuple):
    """A CEL rule of the project's own.

    Attributes:
        id: Three letters and three digits, other than those of the built-in rules.
        kind: The kind that it looks at.
        expression: CEL over ``self`` and ``references``; false is a finding.
        message: What is wrong then.
        severity: Of its findings.
        hint: What to do instead.
        field: Where its findings stand; the resource's name when empty.
    """

    id: str
    kind: str
    expression: str
    message: str
    severity: Severity = "error"
    hint: str | None = None
    field: tuple[str, ...] = ()
