"""Descriptions of faults: the rule, the message, the hint and what to underline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..diagnostics.finding import Note, Rule
from ..diagnostics.shown import shown
from . import hint, rule, rule_definition
from .fault import CelRule, Sort, Violation
from .form import form_of
from .place import TYPES, dotted, holder

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..diagnostics.span import Path
    from ..reading.document import Document
    from .table import Table

    Describer = Callable[["Place", Violation], "Description"]

_FORMATS = {
    "duration": ("duration", "a duration with units: 30s, 5m, 1h30m"),
    "uri": ("URL", "a URL with scheme and host: https://hooks.example.com/check"),
    "date-time": ("time", "a time in the form of RFC 3339: 2026-01-31T09:30:00Z"),
    "date": ("date", "a date: 2026-01-31"),
    "byte": ("base64", "the bytes in base64"),
    "ipv4": ("IPv4 address", "an address: 192.0.2.7"),
    "ipv6": ("IPv6 address", "an address: 2001:db8::7"),
    "cidr": ("range of addresses", "a range: 192.0.2.0/24"),
    "uuid": ("UUID", "a UUID: 2f1e4a5c-9d3b-4c8e-8f5a-6b7c8d9e0f1a"),
    "hostname": ("name of a host", "the name of a host: api.example.com"),
    "email": ("e-mail address", "an address: someone@example.com"),
}
_TWO_KEYS = (
    "split the Secret, or use envFrom of the container mcp in podTemplateSpec: entries are identified only by name"
)


class Description(NamedTuple):
    """What a finding reports of a fault.

    Attributes:
        rule: Which rule it is.
        message: What is wrong.
        hint: What to write instead.
        place: What to underline, where that is not the value at the fault's own path; with ``on_key`` its key.
        notes: Other places.
    """

    rule: Rule
    message: str
    hint: str | None = None
    place: Path | None = None
    on_key: bool = False
    notes: tuple[Note, ...] = ()


class Place(NamedTuple):
    """Where a fault is.

    Attributes:
        document: The document.
        kind: Its kind.
        path: The path.
        release: The release that judges it.
        table: What its checks were built from.
        has_hint: Whether there is time to look for what was meant.
    """

    document: Document
    kind: str
    path: Path
    release: str
    table: Table
    has_hint: bool = True

    def __str__(self) -> str:
        """Name it as messages do."""
        return holder(self.path, self.kind)


def describe_later(at: Place, fault: Violation, release: str) -> Description:
    """Describe a fault that is none from a ``release`` of the operator on: no hint is guessed then."""
    if fault.sort is Sort.UNKNOWN:
        message = f"release {at.release} has no field {shown(at.path[-1])} in {holder(at.path[:-1], at.kind)}"
        described = Description(rule.UNKNOWN_FIELD, message, on_key=True)
    elif fault.sort is Sort.MISSING:
        described = Description(
            rule.MISSING_FIELD, f"{at} has no {fault.detail}, which release {at.release} requires", on_key=True
        )
        described = described._replace(place=at.path)
    else:
        described = Description(rule.UNSUPPORTED_VALUE, f"{at} cannot be {shown(fault.value)} in release {at.release}")
    from .later import release_note  # what later releases took up is loaded where something is wrong with one

    return described._replace(notes=(release_note(release),))


def _unknown(at: Place, fault: Violation) -> Description:
    known: tuple[str, ...] = fault.detail
    siblings = _siblings(at)
    message = f"unknown field {shown(at.path[-1])} in {holder(at.path[:-1], at.kind)}"
    advice = hint.for_unknown(at.kind, at.path, known, siblings, at.release, at.table) if at.has_hint else None
    return Description(rule.UNKNOWN_FIELD, message, advice, on_key=True)


def _type(at: Place, fault: Violation) -> Description:
    expected, detail = fault.detail
    required = detail[1] if detail else ()
    message = f"{at} must be {TYPES[expected]}, not {shown(fault.value)}"
    advice = hint.for_type(at.kind, at.path, fault.value, expected, required, at.table)
    if isinstance(fault.value, bool) and expected == "string":
        written = at.document.scalar(at.path)
        if written is not None and written.lower() not in ("true", "false"):
            advice = f"YAML reads {written} as {shown(fault.value)}: {advice}"
    return Description(rule.WRONG_TYPE, message, advice)


def _missing(at: Place, fault: Violation) -> Description:
    message = f"{at} has no {fault.detail}"
    advice = hint.for_missing(at.kind, at.path, fault.detail, value_at(at))
    return Description(rule.MISSING_FIELD, message, advice, place=at.path, on_key=True)


def _enum(at: Place, fault: Violation) -> Description:
    allowed = ", ".join(shown(text) for text in fault.detail)
    message = f"{at} cannot be {shown(fault.value)}, only {allowed}"
    words = [one for one in fault.detail if isinstance(one, str)]
    advice = hint.for_enum(fault.value, words) if isinstance(fault.value, str) else None
    return Description(rule.UNSUPPORTED_VALUE, message, advice)


def _pattern(at: Place, fault: Violation) -> Description:
    form = form_of(fault.detail)
    message = f"{at} {shown(fault.value)} does not match {fault.detail}"
    return Description(rule.PATTERN_MISMATCH, message, form and f"write {form}")


def _format(at: Place, fault: Violation) -> Description:
    what, example = _FORMATS.get(fault.detail, (f"{fault.detail}", None))
    advice = None if example is None else f"write {example}"
    return Description(rule.PATTERN_MISMATCH, f"{at} {shown(fault.value)} is no {what}", advice)


def _too_small(at: Place, fault: Violation) -> Description:
    return Description(rule.OUT_OF_RANGE, f"{at} is {shown(fault.value)}, but must be at least {fault.detail}")


def _too_large(at: Place, fault: Violation) -> Description:
    return Description(rule.OUT_OF_RANGE, f"{at} is {shown(fault.value)}, but must be at most {fault.detail}")


def _too_short(at: Place, fault: Violation) -> Description:
    if not fault.value:
        return Description(rule.WRONG_LENGTH, f"{at} must not be empty")
    return Description(rule.WRONG_LENGTH, f"{at} {shown(fault.value)} must have at least {fault.detail} characters")


def _too_long(at: Place, fault: Violation) -> Description:
    has = len(fault.value)
    return Description(rule.WRONG_LENGTH, f"{at} has {has} characters, but must have at most {fault.detail}")


def _too_few(at: Place, fault: Violation) -> Description:
    if not fault.value:
        return Description(rule.WRONG_LENGTH, f"{at} must not be empty")
    return Description(rule.WRONG_LENGTH, f"{at} must have at least {fault.detail} entries")


def _too_many(at: Place, fault: Violation) -> Description:
    has = len(fault.value)
    return Description(rule.WRONG_LENGTH, f"{at} has {has} entries, but must have at most {fault.detail}")


def _duplicate(at: Place, fault: Violation) -> Description:
    first, keys = fault.detail
    before = (*at.path[:-1], first)
    what = " and ".join(f"{key} {shown(fault.value.get(key))}" for key in keys) if keys else shown(fault.value)
    narrow = (keys[0],) if len(keys) == 1 else ()
    note = Note(f"{what} is first here", at.document.span((*before, *narrow)))
    message = f"{at} repeats {what} of {dotted(before)}"
    remedy = _TWO_KEYS if at.kind == "MCPServer" and at.path[:-1] == ("spec", "secrets") else None
    return Description(rule.DUPLICATE_LIST_ENTRY, message, remedy, (*at.path, *narrow), notes=(note,))


def _beyond(at: Place, fault: Violation) -> Description:
    return Description(rule.OUT_OF_RANGE, f"{at} is {shown(fault.value)}, but must be {fault.detail}")


def _alternative(at: Place, fault: Violation) -> Description:
    word, fitting, count, fields = fault.detail
    there = [one for one in fields if isinstance(fault.value, dict) and one in fault.value]
    if word == "not":
        message = f"{at} must not have {fields[0]}" if fields else f"{at} is what its schema excludes by not"
    elif fields:
        listed = ", ".join(fields)
        has = " and ".join(there) or "none"
        message = f"{at} must have {'one' if word == 'anyOf' else 'exactly one'} of {listed}, and has {has}"
    elif fitting:
        message = f"{at} matches {fitting} of the {count} schemas of oneOf, but may match only one"
    else:
        value = "" if isinstance(fault.value, dict | list) else f" {shown(fault.value)}"
        message = f"{at}{value} matches none of the {count} schemas of {word}"
    return Description(rule_definition.NO_ALTERNATIVE, message, on_key=True)


_GOES_WITH = " goes with type "
"""In the message of a rule that ties a block to a type, both ways."""


def _rule(at: Place, fault: Violation) -> Description:
    broken: CelRule = fault.detail
    block, goes, word = broken.message.partition(_GOES_WITH)
    holder = value_at(at)
    if goes and isinstance(holder, dict) and block not in holder:
        message = f"{at}: type {word.partition(',')[0]} needs {block}"
    else:
        message = f"{at}: {broken.message}"
    below = () if broken.field is None else (broken.field,)
    place = (*at.path, *below) if at.document.has((*at.path, *below)) else at.path
    return Description(rule.CEL_RULE_FAILED, message, place=place, on_key=True)


def _width(at: Place, fault: Violation) -> Description:
    if fault.detail == "string":
        return Description(rule.NUMBER_TOO_WIDE, f"the operator cannot read {at} {shown(fault.value)} as a string")
    bits = "32" if fault.detail == "int32" else "64"
    message = f"the operator cannot read {at} {shown(fault.value)} as a whole number of {bits} bits"
    return Description(rule.NUMBER_TOO_WIDE, message)


def value_at(at: Place) -> Any:
    """Return what the document has at a place."""
    value = at.document.data
    for step in at.path:
        value = value[step]
    return value


def _siblings(at: Place) -> dict[str, Any]:
    value = at.document.data
    for step in at.path[:-1]:
        value = value[step]
    siblings: dict[str, Any] = value
    return siblings


DESCRIBERS: dict[Sort, Describer] = {
    Sort.UNKNOWN: _unknown,
    Sort.TYPE: _type,
    Sort.MISSING: _missing,
    Sort.ENUM: _enum,
    Sort.PATTERN: _pattern,
    Sort.FORMAT: _format,
    Sort.TOO_SMALL: _too_small,
    Sort.TOO_LARGE: _too_large,
    Sort.TOO_SHORT: _too_short,
    Sort.TOO_LONG: _too_long,
    Sort.TOO_FEW: _too_few,
    Sort.TOO_MANY: _too_many,
    Sort.DUPLICATE: _duplicate,
    Sort.RULE: _rule,
    Sort.WIDTH: _width,
    Sort.BEYOND: _beyond,
    Sort.ALTERNATIVE: _alternative,
}
