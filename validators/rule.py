"""What a rule module offers to the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from mcpcfg.compiler.finding import Finding, Rule

if TYPE_CHECKING:
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace

Check: TypeAlias = Callable[["Resource", "Workspace"], Iterator[Finding]]
"""Looks at one admitted resource; the workspace answers what it refers to and what refers to it."""

ProjectCheck: TypeAlias = Callable[["Workspace"], Iterator[Finding]]
"""Looks at all resources together: what collides, what nothing uses."""

_FIELDS: dict[Check, tuple[str, ...]] = {}


def reads(*fields: str) -> Callable[[Check], Check]:
    """Mark a check as one about these fields of ``spec``: it is not run where none of them is there."""

    def mark(check: Check) -> Check:
        _FIELDS[check] = fields
        return check

    return mark


def fields_of(check: Check) -> tuple[str, ...]:
    """Give the fields that a check is about; empty: it is run on every resource of its kind."""
    return _FIELDS.get(check, ())


__all__ = ["Check", "Finding", "ProjectCheck", "Rule", "fields_of", "reads"]
