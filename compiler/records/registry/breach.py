"""Schema breaches, values that cannot be decoded and misspelt keys as faults of one family of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...diagnostics.fault import Fault
from ...diagnostics.suggestion import as_question
from ..unknown_key import KeyGuesses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...diagnostics.finding import Rule
    from ...diagnostics.span import Path
    from ...golang.shape import Misfit
    from ..schema.check import Breach

_SHORTEST = 4
"""Letters of a key that others may be like by accident."""


class Family(NamedTuple):
    """The rules that the same sorts of fault have in one kind of file."""

    missing: Rule
    type: Rule
    value: Rule
    text: Rule
    number: Rule
    items: Rule
    undecodable: Rule
    unknown: Rule
    skipped: Rule | None = None


def breach_faults(breaches: Iterable[Breach], family: Family) -> Iterator[Fault]:
    """Yield each breach as a fault; of several at one place the first is reported."""
    reported: set[tuple[Path, str]] = set()
    for breach in breaches:
        rule: Rule | None = getattr(family, breach.kind)
        if rule is None or (breach.kind == "text" and (breach.path, "text") in reported):
            continue
        reported.add((breach.path, breach.kind))
        yield Fault(breach.path, rule.id, breach.message, on_key=breach.kind == "skipped")


def misfit_faults(misfits: Iterable[Misfit], breaches: Iterable[Breach], family: Family) -> Iterator[Fault]:
    """Yield what the service refuses to decode, where the schema check has not reported it already."""
    reported = {breach.path for breach in breaches if breach.kind == "type"}
    for misfit in misfits:
        if misfit.path not in reported:
            message = f"the service expects {misfit.expected} here, not {misfit.found}"
            yield Fault(misfit.path, family.undecodable.id, message)


def unknown_faults(document: Any, unknown: Iterable[Path], name: str, family: Family) -> Iterator[Fault]:
    """Report keys that are much like a known one that is missing; others may be on purpose.

    Args:
        document: The record.
        unknown: Where keys stand that its Go type ``name`` does not have.
        name: The Go type.
        family: The rules.
    """
    guesses = KeyGuesses(name, _SHORTEST)
    for path in unknown:
        meant = guesses.like(path)
        if meant is None or meant in _at(document, path[:-1]):
            continue
        message = f'the key "{path[-1]}" is not known and is skipped'
        yield Fault(path, family.unknown.id, message, as_question(meant), on_key=True)


def _at(document: Any, path: Path) -> Any:
    for step in path:
        document = document[step]
    return document
