"""What a rule module offers to the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..compiler.diagnostics.finding import Finding, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..compiler.workspace.resource import Resource, SpecT
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
    """Return whether a check applies to a resource with the fields of ``spec``."""
    fields = fields_of(check)
    if spec and check in _OF_EMPTY:
        return False
    return not fields or any(field in spec for field in fields)


def fields_of(check: Check) -> tuple[str, ...]:
    """Return the fields that a check is about; empty: it is run on every resource of its kind."""
    return _FIELDS.get(check, ())


Fact = TypeVar("Fact")

TRIPPED = (AttributeError, LookupError, TypeError, ValueError)
"""What a rule raises that takes an unknown value for a number, a list or an object."""


def facts_of(
    kinds: Iterable[str], fact: Callable[[Resource[SpecT], Workspace], Fact | None], workspace: Workspace
) -> Iterator[tuple[Resource[SpecT], Fact]]:
    """Yield the resources of some kinds, each with a fact about it, for a rule about all of them together.

    Left out are those of which there is no such fact or it hangs on an unknown value, and those that repeat another:
    what they have in common with it follows from that.

    Args:
        kinds: In the order in which they are looked at.
        fact: Returns the fact, or ``None`` where there is none.
        workspace: Holds the resources.
    """
    for kind in kinds:
        read: Sequence[Any] = workspace.read_of_kind(kind)
        for resource in read:
            if workspace.is_repetition(resource):
                continue
            try:
                found = fact(resource, workspace)
            except TRIPPED:
                from .unknown_value import leads_to_unknown

                if not leads_to_unknown(resource, workspace):
                    raise
                continue
            if found is not None:
                yield resource, found


__all__ = ["TRIPPED", "Check", "Finding", "ProjectRule", "Rule", "facts_of", "fields_of", "is_due", "of_empty", "reads"]
