"""Describe values that break a bound, a pattern or a list type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..diagnostics.finding import Note, rule
from ..diagnostics.shown import shown
from ..golang.duration import meant_duration
from .describe import Description, FaultPlace
from .form import DURATION, form_of
from .place import dotted
from .violation import Sort, Violation

if TYPE_CHECKING:
    from .describe import Describer

PATTERN_MISMATCH = rule("ADM005 pattern-mismatch", "admission", "A string that does not match the pattern of its field")
OUT_OF_RANGE = rule("ADM006 out-of-range", "admission", "A number outside the bounds of its field")
WRONG_LENGTH = rule("ADM007 wrong-length", "admission", "A string or list that is too short or too long")
DUPLICATE_LIST_ENTRY = rule("ADM008 duplicate-list-entry", "admission", "Two entries of a list that must be unique")
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


def _pattern(at: FaultPlace, fault: Violation) -> Description:
    form = form_of(fault.detail)
    message = f"{at} {shown(fault.value)} does not match {fault.detail}"
    meant = meant_duration(fault.value) if fault.detail == DURATION else None
    return Description(PATTERN_MISMATCH, message, f"write {meant or form}" if form else None)


def _format(at: FaultPlace, fault: Violation) -> Description:
    what, example = _FORMATS.get(fault.detail, (f"{fault.detail}", None))
    meant = meant_duration(fault.value) if fault.detail == "duration" else None
    advice = None if example is None else f"write {meant or example}"
    return Description(PATTERN_MISMATCH, f"{at} {shown(fault.value)} is no {what}", advice)


def _out_of_range(limit: str = "") -> Describer:
    def describe(at: FaultPlace, fault: Violation) -> Description:
        return Description(OUT_OF_RANGE, f"{at} is {shown(fault.value)}, but must be {limit}{fault.detail}")

    return describe


def _too_short(at: FaultPlace, fault: Violation) -> Description:
    if not fault.value:
        return Description(WRONG_LENGTH, f"{at} must not be empty")
    return Description(WRONG_LENGTH, f"{at} {shown(fault.value)} must have at least {fault.detail} characters")


def _too_few(at: FaultPlace, fault: Violation) -> Description:
    if not fault.value:
        return Description(WRONG_LENGTH, f"{at} must not be empty")
    return Description(WRONG_LENGTH, f"{at} must have at least {fault.detail} entries")


def _with_too_many(unit: str) -> Describer:
    def describe(at: FaultPlace, fault: Violation) -> Description:
        message = f"{at} has {len(fault.value)} {unit}, but must have at most {fault.detail}"
        return Description(WRONG_LENGTH, message)

    return describe


def _duplicate(at: FaultPlace, fault: Violation) -> Description:
    first, keys = fault.detail
    before = (*at.path[:-1], first)
    what = " and ".join(f"{key} {shown(fault.value.get(key))}" for key in keys) if keys else shown(fault.value)
    narrow = (keys[0],) if len(keys) == 1 else ()
    note = Note(f"{what} is first here", at.document.span((*before, *narrow)))
    message = f"{at} repeats {what} of {dotted(before)}"
    remedy = "remove one of them, or give it another name" if "name" in keys else "remove one of them"
    if at.kind == "MCPServer" and at.path[:-1] == ("spec", "secrets"):
        remedy = _TWO_KEYS
    return Description(DUPLICATE_LIST_ENTRY, message, remedy, (*at.path, *narrow), notes=(note,))


BOUNDS: Final = {
    Sort.PATTERN: _pattern,
    Sort.FORMAT: _format,
    Sort.TOO_SMALL: _out_of_range("at least "),
    Sort.TOO_LARGE: _out_of_range("at most "),
    Sort.TOO_SHORT: _too_short,
    Sort.TOO_LONG: _with_too_many("characters"),
    Sort.TOO_FEW: _too_few,
    Sort.TOO_MANY: _with_too_many("entries"),
    Sort.DUPLICATE: _duplicate,
    Sort.BEYOND: _out_of_range(),
}
"""The describers of faults in values, by sort. ``describe.py`` has those in the structure of an object."""
