"""Cures of records: of the ways to write what a finding is about, the one after which it is gone."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from mcpcfg.compiler.document import read_documents
from mcpcfg.compiler.inputs import Surroundings, checker
from mcpcfg.compiler.records.runconfig_check import OLD_KEYS

from .edit import Change, Cure, Edit, apply_edits
from .page import quoted
from .rewrite import DECODING, REWRITES, Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcpcfg.compiler.document import Document
    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.inputs import InputKind
    from mcpcfg.compiler.source import Path

    from .page import Page
    from .rewrite import Rewrite

OLD_KEYS_RULE: Final = "RUN044"
RECORD_CURABLE: Final = frozenset({*REWRITES, OLD_KEYS_RULE})
"""The rules of records that some findings can be mended of."""

MOST_TRIED: Final = 40
"""Findings of a document that are looked at in one go: for each the document is checked anew."""

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

    def cure(self, finding: Finding) -> Cure | None:
        """Give the one sure cure of a finding; where there is none, the one that somebody has to look at."""
        path = finding.path or ()
        if finding.rule == OLD_KEYS_RULE:
            return self._new_keys(path)
        if not path or not self.page.document.has(path):
            return None
        place = Place(self.page.document, path, self.page.data(path))
        found = list(REWRITES[finding.rule](place))
        for is_safe in (True, False):
            good = [cure for cure in self._cures(place, found, is_safe=is_safe) if self._helps(cure, finding)]
            if good:
                return good[0] if len(good) == 1 else None
        return None

    def _cures(self, place: Place, found: list[Rewrite], *, is_safe: bool) -> Iterator[Cure]:
        for one in found:
            if one.is_safe == is_safe:
                edit = self._renaming(place.path, one.value) if one.sort == "rename" else self._putting(place, one)
                if edit is not None:
                    change = Change(one.sort, place.path, one.value)
                    yield Cure(one.title, (edit,), (change,), self.page.document.index, is_safe)

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

    def _helps(self, cure: Cure, finding: Finding) -> bool:
        """Tell whether the finding is gone after the cure, and nothing worse has come."""
        text = apply_edits(self.page.text, cure.edits)
        own = self.page.document
        found, _ = read_documents(text, own.file, dialect=own.dialect)
        after = next((one for one in found if one.index == own.index), None)
        if after is None:
            return False
        path = cure.changes[0].path
        if cure.changes[0].sort == "rename":
            path = (*path[:-1], cure.changes[0].value)
        told = record_findings(after, self.kind)
        if any(one.rule == finding.rule and one.path == path for one in told):
            return False
        known = {(one.rule, one.path) for one in self.findings}
        worse = [one for one in told if (one.rule, one.path) not in known and _is_worse(one, finding)]
        return not worse


def _is_worse(one: Finding, finding: Finding) -> bool:
    """Tell whether a finding that was not there before speaks against the cure of another."""
    if one.rule in DECODING:
        return True
    return finding.rule not in DECODING and one.severity == "error"
