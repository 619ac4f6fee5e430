"""Schema breaches, values that cannot be decoded and misspelt keys as faults of one family of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcfg.compiler.records.fault import Fault, Guesses
from mcpcfg.schemas._record_structs import STRUCTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcpcfg.compiler.finding import Rule
    from mcpcfg.compiler.golang.shape import Misfit
    from mcpcfg.compiler.source import Path

    from .check import Breach


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
    """Give each breach as a fault; of several at one place the first is told."""
    told: set[tuple[Path, str]] = set()
    for breach in breaches:
        rule: Rule | None = getattr(family, breach.kind)
        if rule is None or (breach.kind == "text" and (breach.path, "text") in told):
            continue
        told.add((breach.path, breach.kind))
        yield Fault(breach.path, rule.id, breach.message, on_key=breach.kind == "skipped")


def misfit_faults(misfits: Iterable[Misfit], breaches: Iterable[Breach], family: Family) -> Iterator[Fault]:
    """Give what the service refuses to decode, where the schema has not said it already."""
    told = {breach.path for breach in breaches if breach.kind == "type"}
    for misfit in misfits:
        if misfit.path not in told:
            message = f"the service expects {misfit.expected} here, not {misfit.found}"
            yield Fault(misfit.path, family.undecodable.id, message)


def unknown_faults(document: Any, unknown: Iterable[Path], family: Family) -> Iterator[Fault]:
    """Tell keys that are much like a known one that is missing; others may be on purpose.

    Every known key of the record's Go types counts, wherever it belongs: a near miss is told only where the object
    does not have the known key too.
    """
    guesses = Guesses(sorted({key for fields in STRUCTS.values() for key, _, _ in fields if len(key) > 3}))
    for path in unknown:
        key = str(path[-1])
        meant = guesses.meant(key)
        if meant is None or meant in _at(document, path[:-1]):
            continue
        message = f'the key "{key}" is not known and is skipped'
        yield Fault(path, family.unknown.id, message, f'did you mean "{meant}"?', on_key=True)


def _at(document: Any, path: Path) -> Any:
    for step in path:
        document = document[step]
    return document
