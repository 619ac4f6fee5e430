"""Fixes of records: try several rewrites of a value, and select the one that removes the finding."""

from __future__ import annotations

import json
import re
from copy import copy
from typing import TYPE_CHECKING, Final

from ..check import record as checked_record
from ..toolhive.constants import OLD_AUTH_KEYS
from .edit import Change, Edit, FileFix, changed
from .rewrite import DECODING, REWRITES, RewriteSite
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
"""Rules about records whose findings may be fixable."""

MOST_TRIED: Final = 20
"""Maximum number of fixes tried one by one if they do not work together. Each try checks the document again."""

_PLAIN: Final = re.compile(r"[A-Za-z/][\w./,=-]*")


def is_fixable(kind: InputKind) -> bool:
    """Return whether records of the kind can be fixed: they are documents in the YAML dialect of Kubernetes."""
    return kind.form == "document" and kind.dialect == "kubernetes"


def record_findings(document: Document, kind: InputKind) -> list[Finding]:
    """Return the findings of a record checked on its own."""
    return list(checked_record.record_findings({kind.name: [document]}))


class RecordFixer:
    """Finds fixes for one record.

    Attributes:
        page: The text and the document.
    """

    def __init__(self, page: SourceBuffer, kind: InputKind, findings: Sequence[Finding]) -> None:
        self.page = page
        self.kind = kind
        self.findings = findings

    def fixes(self, findings: Sequence[Finding]) -> dict[int, FileFix]:
        """Return the fix of each finding, by its index.

        It is the only safe fix that works. If no safe fix works, it is the only unsafe one. A finding with several
        equally safe fixes has no entry.
        """
        out: dict[int, FileFix] = {}
        candidates: dict[int, list[FileFix]] = {}
        for number, finding in enumerate(findings):
            if finding.rule == OLD_KEYS_RULE:
                key_fix = self._new_keys(finding.path or ())
                out |= {} if key_fix is None else {number: key_fix}
            elif finding.path and self.page.document.has(finding.path):
                place = RewriteSite(self.page.document, finding.path, self.page.data(finding.path))
                candidates[number] = list(self._fixes(place, list(REWRITES[finding.rule](place))))
        for is_decoding, is_safe in ((True, True), (True, False), (False, True), (False, False)):
            some = {
                number: [fix for fix in fixes if fix.is_safe == is_safe]
                for number, fixes in candidates.items()
                if (findings[number].rule in DECODING) == is_decoding
            }
            for number, good in self._helpful(findings, some).items():
                del candidates[number]
                if len(good) == 1:
                    out[number] = good[0]
        return out

    def _helpful(self, findings: Sequence[Finding], candidates: dict[int, list[FileFix]]) -> dict[int, list[FileFix]]:
        """Return the fixes that remove their findings, by finding. All first candidates are tried together."""
        out: dict[int, list[FileFix]] = {}
        for turn in range(max(map(len, candidates.values()), default=0)):
            batch = {number: fixes[turn] for number, fixes in candidates.items() if turn < len(fixes)}
            helpful = self._tried(findings, batch)
            if helpful is None:
                one_by_one = [self._tried(findings, {number: fix}) for number, fix in [*batch.items()][:MOST_TRIED]]
                helpful = {number for indexes in one_by_one if indexes is not None for number in indexes}
            for number in helpful:
                out.setdefault(number, []).append(batch[number])
        return out

    def _tried(self, findings: Sequence[Finding], batch: dict[int, FileFix]) -> set[int] | None:
        """Return the findings that the fixes in ``batch`` remove; ``None`` if a fix fails or a worse one appears."""
        after = copy(self.page.document)
        try:
            after.data = changed(after.data, [change for fix in batch.values() for change in fix.changes])
        except LookupError:
            return None
        new_findings = record_findings(after, self.kind)
        earlier = {(finding.rule, finding.path) for finding in self.findings}
        is_decoding = all(findings[number].rule in DECODING for number in batch)
        if any(
            (finding.rule, finding.path) not in earlier and _is_worse(finding, is_decoding=is_decoding)
            for finding in new_findings
        ):
            return None
        left = {(finding.rule, finding.path) for finding in new_findings}
        return {number for number, fix in batch.items() if (findings[number].rule, _new_path(fix)) not in left}

    def _fixes(self, place: RewriteSite, rewrites: list[Rewrite]) -> Iterator[FileFix]:
        for rewrite in rewrites:
            edit = (
                self._renaming(place.path, rewrite.value) if rewrite.sort == "rename" else self._putting(place, rewrite)
            )
            if edit is not None:
                change = Change(rewrite.sort, place.path, rewrite.value)
                yield FileFix(rewrite.title, (edit,), (change,), self.page.document.index, rewrite.is_safe)

    def _renaming(self, path: Path, key: str) -> Edit | None:
        if key in self.page.data(path[:-1]):
            return None
        start, end = self.page.key(path)
        written = self.page.text[start:end]
        return Edit(start, end, quoted(key, written) if written[:1] in {'"', "'"} else key)

    def _putting(self, place: RewriteSite, rewrite: Rewrite) -> Edit | None:
        start, end = self.page.value(place.path)
        written = self.page.text[start:end]
        if not written or written[0] in "&*!|>":
            return None
        is_plain = not self.page.document.is_json and written[0] not in "\"'"
        if (
            is_plain
            and isinstance(rewrite.value, str)
            and isinstance(place.value, str)
            and _PLAIN.fullmatch(rewrite.value)
        ):
            return Edit(start, end, rewrite.value)
        text = (
            quoted(rewrite.value, written)
            if isinstance(rewrite.value, str)
            else json.dumps(rewrite.value, ensure_ascii=False)
        )
        return Edit(start, end, text)

    def _new_keys(self, path: Path) -> FileFix | None:
        """Return a fix that renames all keys of a ``remote_auth_config`` in the old form; ``None`` for other blocks.

        All keys are renamed at once, because ToolHive reads a block in either the old or the new form.
        """
        block = self.page.data(path)
        if path != ("remote_auth_config",) or not isinstance(block, dict) or not block.keys() <= OLD_AUTH_KEYS.keys():
            return None
        edits = [self._renaming((*path, key), OLD_AUTH_KEYS[key]) for key in block]
        changes = tuple(Change("rename", (*path, key), OLD_AUTH_KEYS[key]) for key in block)
        key_edits = tuple(sorted(edit for edit in edits if edit is not None))
        return FileFix("write remote_auth_config with its keys of today", key_edits, changes, self.page.document.index)


def _new_path(fix: FileFix) -> Path:
    change = fix.changes[0]
    return (*change.path[:-1], change.value) if change.sort == "rename" else change.path


def _is_worse(finding: Finding, *, is_decoding: bool) -> bool:
    """Return whether a finding that appears after fixes rules them out: an error, or a value that does not decode.

    If the fixes make values decode, other errors may appear, because the record is then checked further.
    """
    return finding.rule in DECODING or (not is_decoding and finding.severity == "error")
