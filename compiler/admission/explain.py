"""Faults to findings: what is wrong, where, and what to write instead. Imported only when something is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcfg.compiler.finding import Finding, Note, Rule, Severity, Subject
from mcpcfg.compiler.kube.fault import shown

from . import hint, rule
from .consequence import independent
from .fault import CelRule, Fault, Sort
from .form import form_of
from .place import TYPES, dotted, holder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcpcfg.compiler.document import Document
    from mcpcfg.compiler.source import Path, Span


class Told(NamedTuple):
    """What a finding says of a fault.

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


class Explainer:
    """Explains the faults of one document."""

    def __init__(self, document: Document, kind: str, subject: Subject, *, later: bool) -> None:
        """Take the document, and whether it is of a version that may know more fields than we do."""
        self._document = document
        self._kind = kind
        self._subject = subject
        self._later = later

    def findings(self, faults: list[Fault]) -> list[Finding]:
        """Give a finding for each fault that does not follow from another."""
        return [finding for fault in independent(faults) for finding in self._findings(fault)]

    def _findings(self, fault: Fault) -> Iterator[Finding]:
        if fault.sort is Sort.METADATA:
            from .explain_metadata import metadata_findings

            yield from metadata_findings(self._document, self._subject)
            return
        path = tuple(reversed(fault.path))
        told = _TELLERS[fault.sort](self, fault, path)
        severity: Severity | None = "warning" if self._later and fault.sort is Sort.UNKNOWN else None
        yield told.rule.finding(
            self._span(told, path),
            told.message,
            document=self._document.index,
            subject=self._subject,
            path=self._document.prefix + path,
            hint=told.hint,
            notes=told.notes,
            severity=severity,
        )

    def _span(self, told: Told, path: Path) -> Span:
        place = path if told.place is None else told.place
        if told.on_key and place and isinstance(place[-1], str):
            return self._document.key_span(place)
        return self._document.span(place or ("kind",))

    def _unknown(self, fault: Fault, path: Path) -> Told:
        known: tuple[str, ...] = fault.detail
        siblings = self._siblings(path)
        message = f"unknown field {shown(path[-1])} in {holder(path[:-1], self._kind)}"
        return Told(rule.UNKNOWN_FIELD, message, hint.for_unknown(self._kind, path, known, siblings), on_key=True)

    def _type(self, fault: Fault, path: Path) -> Told:
        expected, detail = fault.detail
        required = detail[1] if detail else ()
        message = f"{holder(path, self._kind)} must be {TYPES[expected]}, not {shown(fault.value)}"
        return Told(rule.WRONG_TYPE, message, hint.for_type(self._kind, path, fault.value, expected, required))

    def _missing(self, fault: Fault, path: Path) -> Told:
        message = f"{holder(path, self._kind)} has no {fault.detail}"
        return Told(rule.MISSING_FIELD, message, place=path, on_key=True)

    def _enum(self, fault: Fault, path: Path) -> Told:
        allowed = ", ".join(shown(text) for text in fault.detail)
        message = f"{dotted(path)} cannot be {shown(fault.value)}, only {allowed}"
        return Told(rule.UNSUPPORTED_VALUE, message, hint.for_enum(fault.value, fault.detail))

    def _pattern(self, fault: Fault, path: Path) -> Told:
        form = form_of(fault.detail)
        if form is None:
            return Told(rule.PATTERN_MISMATCH, f"{dotted(path)} {shown(fault.value)} does not match {fault.detail}")
        return Told(rule.PATTERN_MISMATCH, f"{dotted(path)} {shown(fault.value)} does not have its form", f"write {form}")

    def _too_small(self, fault: Fault, path: Path) -> Told:
        return Told(rule.OUT_OF_RANGE, f"{dotted(path)} is {shown(fault.value)}, and must be {fault.detail} at least")

    def _too_large(self, fault: Fault, path: Path) -> Told:
        return Told(rule.OUT_OF_RANGE, f"{dotted(path)} is {shown(fault.value)}, and may be {fault.detail} at most")

    def _too_short(self, fault: Fault, path: Path) -> Told:
        if not fault.value:
            return Told(rule.WRONG_LENGTH, f"{dotted(path)} must not be empty")
        return Told(
            rule.WRONG_LENGTH, f"{dotted(path)} {shown(fault.value)} must have {fault.detail} characters at least"
        )

    def _too_long(self, fault: Fault, path: Path) -> Told:
        has = len(fault.value)
        return Told(rule.WRONG_LENGTH, f"{dotted(path)} has {has} characters, and may have {fault.detail} at most")

    def _too_few(self, fault: Fault, path: Path) -> Told:
        if not fault.value:
            return Told(rule.WRONG_LENGTH, f"{dotted(path)} must not be empty")
        return Told(rule.WRONG_LENGTH, f"{dotted(path)} must have {fault.detail} entries at least")

    def _too_many(self, fault: Fault, path: Path) -> Told:
        has = len(fault.value)
        return Told(rule.WRONG_LENGTH, f"{dotted(path)} has {has} entries, and may have {fault.detail} at most")

    def _duplicate(self, fault: Fault, path: Path) -> Told:
        first, keys = fault.detail
        before = (*path[:-1], first)
        what = " and ".join(f"{key} {shown(fault.value.get(key))}" for key in keys) if keys else shown(fault.value)
        narrow = (keys[0],) if len(keys) == 1 else ()
        note = Note(f"{what} is first here", self._document.span((*before, *narrow)))
        message = f"{dotted(path)} repeats {what} of {dotted(before)}"
        remedy = _TWO_KEYS if self._kind == "MCPServer" and path[:-1] == ("spec", "secrets") else None
        return Told(rule.DUPLICATE_LIST_ENTRY, message, remedy, (*path, *narrow), notes=(note,))

    def _rule(self, fault: Fault, path: Path) -> Told:
        broken: CelRule = fault.detail
        message = f"{holder(path, self._kind)}: {broken.message}"
        below = () if broken.field is None else (broken.field,)
        place = (*path, *below) if self._document.has((*path, *below)) else path
        return Told(rule.CEL_RULE_FAILED, message, place=place, on_key=True)

    def _width(self, fault: Fault, path: Path) -> Told:
        bits = "32" if fault.detail == "int32" else "64"
        message = f"the operator cannot read {dotted(path)} {shown(fault.value)} as a whole number of {bits} bits"
        return Told(rule.NUMBER_TOO_WIDE, message)

    def _siblings(self, path: Path) -> dict[str, Any]:
        value = self._document.data
        for step in path[:-1]:
            value = value[step]
        siblings: dict[str, Any] = value
        return siblings


_TWO_KEYS = (
    "entries are told apart by name alone: split the Secret, or take its keys by envFrom of the container mcp in "
    "podTemplateSpec"
)

_TELLERS: dict[Sort, Callable[[Explainer, Fault, Path], Told]] = {
    Sort.UNKNOWN: Explainer._unknown,
    Sort.TYPE: Explainer._type,
    Sort.MISSING: Explainer._missing,
    Sort.ENUM: Explainer._enum,
    Sort.PATTERN: Explainer._pattern,
    Sort.TOO_SMALL: Explainer._too_small,
    Sort.TOO_LARGE: Explainer._too_large,
    Sort.TOO_SHORT: Explainer._too_short,
    Sort.TOO_LONG: Explainer._too_long,
    Sort.TOO_FEW: Explainer._too_few,
    Sort.TOO_MANY: Explainer._too_many,
    Sort.DUPLICATE: Explainer._duplicate,
    Sort.RULE: Explainer._rule,
    Sort.WIDTH: Explainer._width,
}
