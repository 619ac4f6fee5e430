"""The fix of values that YAML cannot read for want of quotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..reading.document import read_documents
from ..reading.problem import COLON_IN_VALUE, RESERVED_CHARACTER
from .edit import Edit, apply_edits
from .source_buffer import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding

CURABLE: Final = frozenset({COLON_IN_VALUE.id, RESERVED_CHARACTER.id})

_MOST_TRIES: Final = 20
_ENTRY: Final = re.compile(
    r"""(?P<key>[ ]*(?:-[ ]+)*[A-Za-z_][\w./-]*:[ \t]+|[ ]*(?:-[ ]+)+)"""
    r"""(?P<value>[^\s"'|>&*!\[{#](?:[^ \t\r\n#]|(?<=\S)\#|[ \t]++(?=[^ \t\r\n#]))*+)"""
    r"""(?P<rest>[ \t]*(?:[ \t]\#[^\r\n]*)?(?:\r\n?|\n|\Z))"""
)
_BREAK: Final = re.compile(r"\r\n?|\n")


def with_quotes(body: str, file: str, findings: Iterable[Finding]) -> tuple[str, list[str], list[Edit]] | None:
    """Quote the values that the findings are about, where it helps; returns the text, what was done, and where.

    All at once where that helps every document, as nearly always; else the first that helps its own.
    """
    starts = [0, *(match.end() for match in _BREAK.finditer(body))]
    edits: dict[int | None, tuple[Finding, Edit]] = {}
    for finding in findings:
        match = _ENTRY.match(body, starts[finding.span.line - 1])
        if match is not None and "\\" not in match["value"]:
            edit = Edit(match.start("value"), match.end("value"), quoted(match["value"]))
            edits.setdefault(finding.document, (finding, edit))
    found = list(edits.values())
    before = read_documents(body, file)[1] if found else []
    tries = [found, *([one] for one in found[:_MOST_TRIES])] if len(found) > 1 else [found]
    for some in tries if found else ():
        edits_made = [edit for _, edit in some]
        new = apply_edits(body, edits_made)
        if _is_better(before, read_documents(new, file)[1], [finding for finding, _ in some]):
            titles = [f"put the value in line {finding.span.line} into quotes" for finding, _ in some]
            return new, titles, edits_made
    return None


def _is_better(before: list[Finding], after: list[Finding], fixed: list[Finding]) -> bool:
    """Return whether the documents read on: their first fault is gone or further down, and others are as before."""
    own = {finding.document for finding in fixed}
    if [one for one in before if one.document not in own] != [one for one in after if one.document not in own]:
        return False
    first: dict[int | None, int] = {}
    for one in after:
        first[one.document] = min(one.span.line, first.get(one.document, one.span.line))
    return all(first.get(finding.document, finding.span.line + 1) > finding.span.line for finding in fixed)
