"""Schema breaches and values that cannot be decoded as faults of one family of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...diagnostics.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...diagnostics.finding import Rule
    from ...diagnostics.span import Path
    from ...golang.shape import Misfit
    from ..schema.check import Breach


class Family(NamedTuple):
    """The rules that the same sorts of fault have in one kind of file."""

    missing: Rule
    type: Rule
    value: Rule
    text: Rule
    number: Rule
    items: Rule
    undecodable: Rule
    skipped: Rule | None = None
    unchecked: Rule | None = None


def breach_faults(breaches: Iterable[Breach], family: Family) -> Iterator[Fault]:
    """Yield each breach as a fault; of several at one place the first is reported."""
    reported: set[tuple[Path, str]] = set()
    for breach in breaches:
        rule: Rule | None = getattr(family, breach.kind)
        if rule is None or (breach.kind == "text" and (breach.path, "text") in reported):
            continue
        reported.add((breach.path, breach.kind))
        yield Fault(breach.path, rule, breach.message, on_key=breach.kind == "skipped")


def misfit_faults(misfits: Iterable[Misfit], breaches: Iterable[Breach], family: Family) -> Iterator[Fault]:
    """Yield what the service refuses to decode, where the schema check has not reported it already."""
    reported = {breach.path for breach in breaches if breach.kind == "type"}
    for misfit in misfits:
        if misfit.path not in reported:
            message = f"the service expects {misfit.expected} here, not {misfit.found}"
            yield Fault(misfit.path, family.undecodable, message)
