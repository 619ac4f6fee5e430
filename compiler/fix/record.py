"""Fixes of records: of the ways to write what a finding is about, the one after which it is gone."""

from __future__ import annotations

import json
import re
from copy import copy
from typing import TYPE_CHECKING, Final

from ..project import input_kind
from ..toolhive.constants import OLD_AUTH_KEYS
from .edit import Change, Edit, Fix, changed
from .rewrite import DECODING, REWRITES, Place
from .source_buffer import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..project.input_kind import InputKind
    from ..reading.document import Document
    from .rewrite import Rewrite
    from .source_buffer import SourceBuffer

OLD_KEYS_RULE: Final = "RUN044"
RECORD_CURABLE: Final = frozenset({*REWRITES, OLD_KEYS_RULE})
"""The rules of records that some findings can be fixed of."""

MOST_TRIED: Final = 20
"""Fixes that are tried one by one, where they do not work together: for each the document is checked anew."""

_PLAIN: Final = re.compile(r"[A-Za-z/][\w./,=-]*")


def is_fixable(kind: InputKind) -> bool:
    """Return whether records of a kind are documents whose findings have fixes."""
    return kind.form == "document" and kind.dialect == "kubernetes"


def record_findings(document: Document, kind: InputKind) -> list[Finding]:
    """Check a record by itself."""
    return list(input_kind.record_findings({kind.name: [document]}))


class RecordFixer:
    """Finds fixes of one record.

    Attributes:
        page: The text and the document.
        kind: What the document is.
        findings: All those about it.
    """

    def __init__(self, page: SourceBuffer, kind: InputKind, findings: Sequence[Finding]) -> None:
        self.page = page
        self.kind = kind
        self.findings = findings

    def fixes(self, findings: Sequence[Finding]) -> dict[int, Fix]:
        """Return the one sure fix of each finding, by its position; where there is none, one that wants a look."""
        out: dict[int, Fix] = {}
        found: dict[int, list[Fix]] = {}
        for number, finding in enumerate(findings):
            if finding.rule == OLD_KEYS_RULE:
                made = self._new_keys(finding.path or ())
                out |= {} if made is None else {number: made}
            elif finding.path and self.page.document.has(finding.path):
                place = Place(self.page.document, finding.path, self.page.data(finding.path))
                found[number] = list(self._fixes(place, list(REWRITES[finding.rule](place))))
        for is_decoding, is_safe in ((True, True), (True, False), (False, True), (False, False)):
            some = {
                number: [fix for fix in fixes if fix.is_safe == is_safe]
                for number, fixes in found.items()
                if (findings[number].rule in DECODING) == is_decoding
            }
            for number, good in self._helpful(findings, some).items():
                del found[number]
                if len(good) == 1:
                    out[number] = good[0]
        return out

    def _helpful(self, findings: Sequence[Finding], found: dict[int, list[Fix]]) -> dict[int, list[Fix]]:
        """Return the fixes after which their findings are gone: the first ones are tried together, then the second."""
        out: dict[int, list[Fix]] = {}
        for turn in range(max(map(len, found.values()), default=0)):
            batch = {number: fixes[turn] for number, fixes in found.items() if turn < len(fixes)}
            helpful = self._tried(findings, batch)
            if helpful is None:
                one_by_one = [self._tried(findings, {number: fix}) for number, fix in [*batch.items()][:MOST_TRIED]]
                helpful = {number for one in one_by_one if one is not None for number in one}
            for number in helpful:
                out.setdefault(number, []).append(batch[number])
        return out

    def _tried(self, findings: Sequence[Finding], batch: dict[int, Fix]) -> set[int] | None:
        """Return which findings are gone after all these fixes; ``None`` where something worse has come."""
        after = copy(self.page.document)
        try:
            after.data = changed(after.data, [change for fix in batch.values() for change in fix.changes])
        except LookupError:
            return None
        found = record_findings(after, self.kind)
        known = {(one.rule, one.path) for one in self.findings}
        is_decoding = all(findings[number].rule in DECODING for number in batch)
        if any((one.rule, one.path) not in known and _is_worse(one, is_decoding=is_decoding) for one in found):
            return None
        left = {(one.rule, one.path) for one in found}
        return {number for number, fix in batch.items() if (findings[number].rule, _new_path(fix)) not in left}

    def _fixes(self, place: Place, found: list[Rewrite]) -> Iterator[Fix]:
        for one in found:
            edit = self._renaming(place.path, one.value) if one.sort == "rename" else self._putting(place, one)
            if edit is not None:
                change = Change(one.sort, place.path, one.value)
                yield Fix(one.title, (edit,), (change,), self.page.document.index, one.is_safe)

    def _renaming(self, path: Path, key: str) -> Edit | None:
        if key in self.page.data(path[:-1]):
            return None
        start, end = self.page.key(path)
        written = self.page.text[start:end]
        return Edit(start, end, quoted(key, written) if written[:1] in {'"', "'"} else key)

    def _putting(self, place: Place, one: Rewrite) -> Edit | None:
        start, end = self.page.value(place.path)
        written = self.page.text[start:end]
        if not written or written[0] in "&*!|>":
            return None
        is_plain = not self.page.document.is_json and written[0] not in "\"'"
        if is_plain and isinstance(one.value, str) and isinstance(place.value, str) and _PLAIN.fullmatch(one.value):
            return Edit(start, end, one.value)
        text = quoted(one.value, written) if isinstance(one.value, str) else json.dumps(one.value, ensure_ascii=False)
        return Edit(start, end, text)

    def _new_keys(self, path: Path) -> Fix | None:
        """Write a block of an old version with the keys of this one: all of them, or it is read otherwise."""
        block = self.page.data(path)
        if path != ("remote_auth_config",) or not isinstance(block, dict) or not block.keys() <= OLD_AUTH_KEYS.keys():
            return None
        edits = [self._renaming((*path, key), OLD_AUTH_KEYS[key]) for key in block]
        changes = tuple(Change("rename", (*path, key), OLD_AUTH_KEYS[key]) for key in block)
        made = tuple(sorted(edit for edit in edits if edit is not None))
        return Fix("write remote_auth_config with its keys of today", made, changes, self.page.document.index)


def _new_path(fix: Fix) -> Path:
    """Return where a finding would stand that the fix has not helped against."""
    change = fix.changes[0]
    return (*change.path[:-1], change.value) if change.sort == "rename" else change.path


def _is_worse(one: Finding, *, is_decoding: bool) -> bool:
    """Return whether a finding that was not there before speaks against fixes: where values fit, more is looked at."""
    return one.rule in DECODING or (not is_decoding and one.severity == "error")
