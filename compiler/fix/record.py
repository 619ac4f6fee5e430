"""Cures of records: of the ways to write what a finding is about, the one after which it is gone."""

from __future__ import annotations

import json
import re
from copy import copy
from typing import TYPE_CHECKING, Final

from mcpcfg.compiler.input_kind import checker
from mcpcfg.compiler.records.runconfig.check import OLD_KEYS
from mcpcfg.compiler.surroundings import Surroundings

from .edit import Change, Cure, Edit, changed
from .page import quoted
from .rewrite import DECODING, REWRITES, Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcpcfg.compiler.document import Document
    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.input_kind import InputKind
    from mcpcfg.compiler.source import Path

    from .page import Page
    from .rewrite import Rewrite

OLD_KEYS_RULE: Final = "RUN044"
RECORD_CURABLE: Final = frozenset({*REWRITES, OLD_KEYS_RULE})
"""The rules of records that some findings can be mended of."""

MOST_TRIED: Final = 20
"""Cures that are tried one by one, where they do not work together: for each the document is checked anew."""

_PLAIN: Final = re.compile(r"[A-Za-z/][\w./,=-]*")


def is_mendable(kind: InputKind) -> bool:
    """Tell whether records of a kind are documents whose findings have cures."""
    return kind.form == "document" and kind.dialect == "kubernetes"


def record_findings(document: Document, kind: InputKind) -> list[Finding]:
    """Check a record by itself."""
    return checker(kind)(document, {kind.name: [document]}, Surroundings())


class RecordMender:
    """Finds cures of one record.

    Attributes:
        page: The text and the document.
        kind: What the document is.
        findings: All that is told of it.
    """

    def __init__(self, page: Page, kind: InputKind, findings: Sequence[Finding]) -> None:
        self.page = page
        self.kind = kind
        self.findings = findings

    def cures(self, findings: Sequence[Finding]) -> dict[int, Cure]:
        """Give the one sure cure of each finding, by its position; where there is none, one that wants a look."""
        out: dict[int, Cure] = {}
        found: dict[int, list[Cure]] = {}
        for number, finding in enumerate(findings):
            if finding.rule == OLD_KEYS_RULE:
                made = self._new_keys(finding.path or ())
                out |= {} if made is None else {number: made}
            elif finding.path and self.page.document.has(finding.path):
                place = Place(self.page.document, finding.path, self.page.data(finding.path))
                found[number] = list(self._cures(place, list(REWRITES[finding.rule](place))))
        for is_decoding, is_safe in ((True, True), (True, False), (False, True), (False, False)):
            some = {
                number: [cure for cure in cures if cure.is_safe == is_safe]
                for number, cures in found.items()
                if (findings[number].rule in DECODING) == is_decoding
            }
            for number, good in self._helpful(findings, some).items():
                del found[number]
                if len(good) == 1:
                    out[number] = good[0]
        return out

    def _helpful(self, findings: Sequence[Finding], found: dict[int, list[Cure]]) -> dict[int, list[Cure]]:
        """Give the cures after which their findings are gone: the first ones are tried together, then the second."""
        out: dict[int, list[Cure]] = {}
        for turn in range(max(map(len, found.values()), default=0)):
            batch = {number: cures[turn] for number, cures in found.items() if turn < len(cures)}
            helpful = self._tried(findings, batch)
            if helpful is None:
                one_by_one = [self._tried(findings, {number: cure}) for number, cure in [*batch.items()][:MOST_TRIED]]
                helpful = {number for one in one_by_one if one is not None for number in one}
            for number in helpful:
                out.setdefault(number, []).append(batch[number])
        return out

    def _tried(self, findings: Sequence[Finding], batch: dict[int, Cure]) -> set[int] | None:
        """Tell which findings are gone after all these cures; ``None`` where something worse has come."""
        after = copy(self.page.document)
        try:
            after.data = changed(after.data, [change for cure in batch.values() for change in cure.changes])
        except LookupError:
            return None
        told = record_findings(after, self.kind)
        known = {(one.rule, one.path) for one in self.findings}
        is_decoding = all(findings[number].rule in DECODING for number in batch)
        if any((one.rule, one.path) not in known and _is_worse(one, is_decoding=is_decoding) for one in told):
            return None
        left = {(one.rule, one.path) for one in told}
        return {number for number, cure in batch.items() if (findings[number].rule, _new_path(cure)) not in left}

    def _cures(self, place: Place, found: list[Rewrite]) -> Iterator[Cure]:
        for one in found:
            edit = self._renaming(place.path, one.value) if one.sort == "rename" else self._putting(place, one)
            if edit is not None:
                change = Change(one.sort, place.path, one.value)
                yield Cure(one.title, (edit,), (change,), self.page.document.index, one.is_safe)

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

    def _new_keys(self, path: Path) -> Cure | None:
        """Write a block of an old version with the keys of this one: all of them, or it is read otherwise."""
        block = self.page.data(path)
        if path != ("remote_auth_config",) or not isinstance(block, dict) or not block.keys() <= OLD_KEYS.keys():
            return None
        edits = [self._renaming((*path, key), OLD_KEYS[key]) for key in block]
        changes = tuple(Change("rename", (*path, key), OLD_KEYS[key]) for key in block)
        made = tuple(sorted(edit for edit in edits if edit is not None))
        return Cure("write remote_auth_config with its keys of today", made, changes, self.page.document.index)


def _new_path(cure: Cure) -> Path:
    """Give where a finding would stand that the cure has not helped against."""
    change = cure.changes[0]
    return (*change.path[:-1], change.value) if change.sort == "rename" else change.path


def _is_worse(one: Finding, *, is_decoding: bool) -> bool:
    """Tell whether a finding that was not there before speaks against cures: where values fit, more is looked at."""
    return one.rule in DECODING or (not is_decoding and one.severity == "error")
