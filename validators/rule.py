"""What a rule module offers to the engine, and what the engine makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from mcpcfg.compiler.finding import Finding, Rule

if TYPE_CHECKING:
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace

Check: TypeAlias = Callable[["Resource[Any]", "Workspace"], Iterator[Finding]]
"""Looks at one admitted resource; the workspace answers what it refers to and what refers to it."""

Noted: TypeAlias = "Mapping[str, Sequence[tuple[int, Any]]]"
"""By kind, in reading order: positions of resources, and what was noted about each."""


class Survey(NamedTuple):
    """A rule about all resources together: what collides, what nothing uses.

    It notes something about each resource, and tells from the notes. Notes are made where the resource is read, in
    another process perhaps, and kept as long as nothing changes that they depend on.

    Attributes:
        name: Tells it from others.
        kinds: Of the resources that it notes something about.
        note: Gives what there is to note of a resource, as plain data; ``None`` for nothing.
        tell: Gives the findings, about those resources that `Workspace.tells`. It looks only at such, and at what it
            says of them: others need not be made. What the operator refuses is to be noted: here it is known of the
            resources alone that this process judged.
    """

    name: str
    kinds: tuple[str, ...]
    note: Callable[[Resource[Any], Workspace], Any]
    tell: Callable[[Noted, Workspace], Iterator[Finding]]


class Verdict(NamedTuple):
    """What the rules said about one resource.

    Attributes:
        findings: What they found.
        refused: The rule by which the operator refuses the resource.
        notes: What surveys noted about it, by their names; plain data.
        keys: What they looked at, where that was noted.
    """

    findings: Sequence[Finding]
    refused: str | None = None
    notes: Mapping[str, Any] = {}
    keys: Sequence[str] = ()


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
    """Tell whether a check may have something to say about a resource with the fields of ``spec``."""
    fields = fields_of(check)
    if spec and check in _OF_EMPTY:
        return False
    return not fields or any(field in spec for field in fields)


def fields_of(check: Check) -> tuple[str, ...]:
    """Give the fields that a check is about; empty: it is run on every resource of its kind."""
    return _FIELDS.get(check, ())


__all__ = ["Check", "Finding", "Noted", "Rule", "Survey", "Verdict", "fields_of", "is_due", "of_empty", "reads"]
