"""Turn breaches of a published schema, and values that the service cannot decode, into faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...diagnostics.finding import Rule
    from ...diagnostics.span import Path
    from ...golang.shape import Misfit
    from ..schema.check import Breach, BreachKind

FIELD_MISSING = rule(
    "REG001 registry-field-missing",
    "admission",
    "A registry file or catalog record lacks a field that its schema requires",
)
WRONG_TYPE = rule(
    "REG002 registry-wrong-type",
    "admission",
    "A value in a registry file or catalog record is not of the type that its schema requires",
    unmodelled="newer",
)
VALUE_REFUSED = rule(
    "REG003 registry-value-outside-list",
    "admission",
    "A value in a registry file or catalog record is not one of those allowed",
)
TEXT_REFUSED = rule(
    "REG004 registry-text-refused",
    "admission",
    "A string in a registry file or catalog record does not have the form that its schema requires",
)
NUMBER_REFUSED = rule(
    "REG005 registry-number-out-of-range", "admission", "A number in a registry file or catalog record is out of range"
)
LIST_REFUSED = rule(
    "REG006 registry-list-refused",
    "admission",
    "A list in a registry file or catalog record is too short, or repeats an item",
)
UNDECODABLE = rule(
    "REG007 registry-undecodable",
    "process",
    "The service cannot decode a registry file or catalog record",
    unmodelled="newer",
)
UNKNOWN_FIELD = rule("REG017 registry-unknown-field", "lint", "A key of a registry file or catalog record is not known")
KUBERNETES = rule("REG024 registry-kubernetes-odd", "lint", "A server's location in a cluster is invalid")
KEY_UNCHECKED = rule(
    "REG010 registry-key-unchecked", "lint", "The key of an entry does not match, so nothing checks the entry"
)


def breach_faults(breaches: Iterable[Breach]) -> Iterator[Fault]:
    """Yield a fault for each breach. If a text breaks several constraints, only its first breach is reported."""
    by_kind: dict[BreachKind, Rule] = {
        "missing": FIELD_MISSING,
        "type": WRONG_TYPE,
        "value": VALUE_REFUSED,
        "text": TEXT_REFUSED,
        "number": NUMBER_REFUSED,
        "items": LIST_REFUSED,
        "skipped": KEY_UNCHECKED,
        "unchecked": KUBERNETES,
    }
    reported: set[tuple[Path, str]] = set()
    for breach in breaches:
        if breach.kind == "text" and (breach.path, "text") in reported:
            continue
        reported.add((breach.path, breach.kind))
        yield Fault(
            breach.path, by_kind[breach.kind], breach.message, breach.hint or None, on_key=breach.kind == "skipped"
        )


def misfit_faults(misfits: Iterable[Misfit], breaches: Iterable[Breach]) -> Iterator[Fault]:
    """Yield a fault for each value that the service cannot decode, unless a breach already reports its type."""
    reported = {breach.path for breach in breaches if breach.kind == "type"}
    for misfit in misfits:
        if misfit.path not in reported:
            message = f"the service expects {misfit.expected} here, not {misfit.actual}"
            yield Fault(misfit.path, UNDECODABLE, message)
