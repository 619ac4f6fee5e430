"""What a rule module offers to the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from ..compiler.diagnostics.finding import Finding, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace

Check: TypeAlias = Callable[["Resource[Any]", "Workspace"], Iterator[Finding]]
"""Looks at one resource; the workspace answers what it refers to and what refers to it."""

ProjectRule: TypeAlias = Callable[["Workspace"], Iterator[Finding]]
"""Looks at all resources that see one another: what collides, what nothing uses. All other rules have run before."""

_FIELDS: dict[Check, tuple[str, ...]] = {}
_OF_EMPTY: set[Check] = set()


def reads(*fields: str) -> Callable[[Check], Check]:
    """Mark a check as one about these fields of ``spec``: it is not run where none of them is there."""

    def mark(check: Check) -> Check:
        _FIELDS[check] = fields
        return check

    return mark


def of_empty(check: Check) -> Check:
    """Mark a check as one about resources whose spec is missing or empty: it is run on no others."""
    _OF_EMPTY.add(check)
    return check


def is_due(check: Check, spec: Mapping[str, object]) -> bool:
    """Return whether a check may have something to say about a resource with the fields of ``spec``."""
    fields = fields_of(check)
    if spec and check in _OF_EMPTY:
        return False
    return not fields or any(field in spec for field in fields)


def fields_of(check: Check) -> tuple[str, ...]:
    """Return the fields that a check is about; empty: it is run on every resource of its kind."""
    return _FIELDS.get(check, ())


__all__ = ["Check", "Finding", "ProjectRule", "Rule", "fields_of", "is_due", "of_empty", "reads"]
