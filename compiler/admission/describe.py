"""Describe faults of an object's structure: choose the rule, message, hint and path of the finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.finding import Note, Rule, rule
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import value_at
from ..diagnostics.shown import shown
from . import hint
from .place import TYPES, holder
from .remedy import TYPE_BLOCK, remedy
from .violation import CelRule, Sort, Violation

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..diagnostics.span import Path
    from ..reading.document import Document
    from .table import Table

    Describer = Callable[["FaultPlace", Violation], "Description"]

NO_ALTERNATIVE = rule(
    "ADM093 no-alternative-fits",
    "admission",
    "A value that matches none, or too many, of the alternatives of its schema",
)
UNKNOWN_FIELD = rule("ADM001 unknown-field", "admission", "A field that the kind does not have")
WRONG_TYPE = rule("ADM002 wrong-type", "admission", "A value of the wrong type", unmodelled="newer")
MISSING_FIELD = rule("ADM003 missing-field", "admission", "A required field is missing")
UNSUPPORTED_VALUE = rule("ADM004 unsupported-value", "admission", "A string that is not one of the allowed values")
CEL_RULE_FAILED = rule("ADM009 cel-rule-failed", "admission", "An object breaks a CEL rule of its kind")
NUMBER_TOO_WIDE = rule(
    "ADM010 number-too-wide", "operator", "A value that the API server stores but the operator cannot read"
)


class Description(NamedTuple):
    """The parts of the finding for a fault, as the describers return them.

    Attributes:
        hint: Advice on what to write instead.
        place: The path to underline, if it is not the fault's own path.
        on_key: True if the key is underlined instead of the value.
        notes: Other places that explain the fault.
    """

    rule: Rule
    message: str
    hint: str | None = None
    place: Path | None = None
    on_key: bool = False
    notes: tuple[Note, ...] = ()


class FaultPlace(NamedTuple):
    """The place of a fault, with the data that its description needs.

    Attributes:
        release: The release of the operator that judges the object.
        has_hint: True if hints may be looked up; false after very many unknown fields in the document.
    """

    document: Document
    kind: str
    path: Path
    release: str
    table: Table
    has_hint: bool = True

    def __str__(self) -> str:
        return holder(self.path, self.kind)

    @property
    def value(self) -> Any:
        """The value of the document at the path."""
        return value_at(self.document.data, self.path)

    @property
    def siblings(self) -> Any:
        """The object or list that has the value."""
        return value_at(self.document.data, self.path[:-1])


def describe_later(at: FaultPlace, fault: Violation, release: str) -> Description:
    """Describe a fault that disappears with a later ``release`` of the operator. The note names that release."""
    if fault.sort is Sort.UNKNOWN:
        message = f"release {at.release} has no field {shown(at.path[-1])} in {holder(at.path[:-1], at.kind)}"
        described = Description(UNKNOWN_FIELD, message, on_key=True)
    elif fault.sort is Sort.MISSING:
        described = Description(
            MISSING_FIELD, f"{at} has no {fault.detail}, which release {at.release} requires", on_key=True
        )
        described = described._replace(place=at.path)
    else:
        described = Description(UNSUPPORTED_VALUE, f"{at} cannot be {shown(fault.value)} in release {at.release}")
    from .later import release_note  # what later releases took up is loaded where something is wrong with one

    return described._replace(notes=(release_note(release),))


def _unknown(at: FaultPlace, fault: Violation) -> Description:
    fields: tuple[str, ...] = fault.detail
    message = f"unknown field {shown(at.path[-1])} in {holder(at.path[:-1], at.kind)}"
    advice = hint.for_unknown(at.kind, at.path, fields, at.siblings, at.release, at.table) if at.has_hint else None
    return Description(UNKNOWN_FIELD, message, advice, on_key=True)


def _type(at: FaultPlace, fault: Violation) -> Description:
    expected, detail = fault.detail
    required = detail[1] if detail else ()
    message = f"{at} must be {TYPES[expected]}, not {shown(fault.value)}"
    advice = hint.for_type(at.kind, at.path, fault.value, expected, required, at.table)
    if isinstance(fault.value, bool) and expected == "string":
        written = at.document.scalar(at.path)
        if written is not None and written.lower() not in ("true", "false"):
            advice = f"YAML reads {written} as {shown(fault.value)}: {advice}"
    return Description(WRONG_TYPE, message, advice)


def _missing(at: FaultPlace, fault: Violation) -> Description:
    message = f"{at} has no {fault.detail}"
    advice = hint.for_missing(at.kind, at.path, fault.detail, at.value, at.table)
    return Description(MISSING_FIELD, message, advice, place=at.path, on_key=True)


def _enum(at: FaultPlace, fault: Violation) -> Description:
    allowed = ", ".join(shown(text) for text in fault.detail)
    message = f"{at} cannot be {shown(fault.value)}, only {allowed}"
    words = [item for item in fault.detail if isinstance(item, str)]
    advice = hint.for_enum(fault.value, words) if isinstance(fault.value, str) else None
    return Description(UNSUPPORTED_VALUE, message, advice)


def _alternative(at: FaultPlace, fault: Violation) -> Description:
    word, fitting, count, fields = fault.detail
    stated = [name for name in fields if isinstance(fault.value, dict) and name in fault.value]
    if word == "not":
        message = f"{at} must not have {fields[0]}" if fields else f"{at} is what its schema excludes by not"
    elif fields:
        listed = ", ".join(fields)
        has = " and ".join(stated) or "none"
        message = f"{at} must have {'name' if word == 'anyOf' else 'exactly name'} of {listed}, and has {has}"
    elif fitting:
        message = f"{at} matches {fitting} of the {count} schemas of oneOf, but may match only one"
    else:
        value = "" if isinstance(fault.value, dict | list) else f" {shown(fault.value)}"
        message = f"{at}{value} matches none of the {count} schemas of {word}"
    return Description(NO_ALTERNATIVE, message, on_key=True)


def _rule(at: FaultPlace, fault: Violation) -> Description:
    broken: CelRule = fault.detail
    block, goes, word = broken.message.partition(TYPE_BLOCK)
    holder = at.value
    is_present = not isinstance(holder, dict) or block in holder
    if goes and not is_present:
        message = f"{at}: type {word.partition(',')[0]} needs {block}"
    else:
        message = f"{at}: {broken.message}"
    below = () if broken.field is None else (broken.field,)
    place = (*at.path, *below) if at.document.has((*at.path, *below)) else at.path
    advice = remedy(broken.message, is_present=is_present)
    return Description(CEL_RULE_FAILED, message, advice, place=place, on_key=True)


def _width(at: FaultPlace, fault: Violation) -> Description:
    if fault.detail == "string":
        return Description(NUMBER_TOO_WIDE, f"the operator cannot read {at} {shown(fault.value)} as a string")
    bits = "32" if fault.detail == "int32" else "64"
    message = f"the operator cannot read {at} {shown(fault.value)} as a whole number of {bits} bits"
    if isinstance(fault.value, float) and abs(fault.value) < 1 << 31:
        return Description(NUMBER_TOO_WIDE, message, f"write {round(fault.value)}")
    return Description(NUMBER_TOO_WIDE, message, f"write at most {(1 << int(bits) - 1) - 1}")


STRUCTURAL: dict[Sort, Describer] = {
    Sort.UNKNOWN: _unknown,
    Sort.TYPE: _type,
    Sort.MISSING: _missing,
    Sort.ENUM: _enum,
    Sort.RULE: _rule,
    Sort.WIDTH: _width,
    Sort.ALTERNATIVE: _alternative,
}
"""The describers of faults in the structure of an object, by sort. ``describe_bound.py`` has those for values."""
