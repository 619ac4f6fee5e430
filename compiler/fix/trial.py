"""Fixes tried on a text: made, read again, and taken where the data has changed as they intend and in nothing else."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ..reading.document import read_documents
from .edit import Edit, Fix, apply_edits, changed, same

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..reading.document import Document

_MOST_TRIES: Final = 100
"""How often a text is read anew where fixes do not work together."""

Key: TypeAlias = tuple[int, tuple[Edit, ...]]
"""The document that a fix is of, and its edits: fixes of a value that several places share have one."""


class Trial(NamedTuple):
    """A text to try fixes on.

    Attributes:
        body: The text.
        file: Its name.
        documents: What was read from it.
        broken: How many findings there were.
    """

    body: str
    file: str
    documents: list[Document]
    broken: int

    def outcome(self, fixes: Iterable[Fix]) -> str | None:
        """Apply all edits, and return the text if its data has changed as they intend and in nothing else."""
        fixes = list(fixes)
        new = apply_edits(self.body, (edit for fix in fixes for edit in fix.edits))
        after, findings = read_documents(new, self.file)
        added = [data for fix in fixes for data in fix.added]
        # A fix that makes a document more or less, or a new finding, did something else than intended.
        if len(after) != len(self.documents) + len(added) or len(findings) != self.broken or new == self.body:
            return None
        wanted: dict[int, list[Fix]] = {}
        for fix in fixes:
            wanted.setdefault(fix.document, []).append(fix)
        if not all(same(one.data, data) for one, data in zip(after[len(self.documents) :], added, strict=True)):
            return None
        for old, one in zip(self.documents, after, strict=False):
            changes = [change for fix in wanted.get(old.index, ()) for change in fix.changes]
            try:
                expected = changed(old.data, changes) if changes else old.data
            except (LookupError, TypeError):
                return None
            if one.index != old.index or not same(one.data, expected):
                return None
        return new

    def together(self, fixes: Iterable[Fix]) -> tuple[str, list[Fix]]:
        """Apply the fixes that go together and do what they should; return the text and those that were applied."""
        text, taken = self.body, list[Fix]()
        some = list(_apart(_merged(fixes)).values())
        waiting, tries = [some] if some else [], _MOST_TRIES
        while waiting and tries:
            some, tries = waiting.pop(), tries - 1
            new = self.outcome([*taken, *some])
            if new is not None:
                text = new
                taken += some
            elif len(some) > 1:
                waiting += (some[len(some) // 2 :], some[: len(some) // 2])
        return text, taken

    def good(self, fixes: Iterable[Fix]) -> set[Key]:
        """Return which fixes do what they should, each by itself.

        Those that keep apart are tried at once: what all of them did to the data is what each of them does.
        """
        left, tries = _merged(fixes), _MOST_TRIES
        found: set[Key] = set()
        while left:
            now = _apart(left)
            left = {key: fix for key, fix in left.items() if key not in now}
            waiting = [list(now.items())]
            while waiting and tries:
                some, tries = waiting.pop(), tries - 1
                if self.outcome(fix for _, fix in some) is not None:
                    found.update(key for key, _ in some)
                elif len(some) > 1:
                    waiting += (some[len(some) // 2 :], some[: len(some) // 2])
            if not tries:
                break
        return found


def key_of(fix: Fix) -> Key:
    """Return what identifies a fix: what it writes, and where."""
    return (fix.document, fix.edits)


def _merged(fixes: Iterable[Fix]) -> dict[Key, Fix]:
    """Merge fixes that have the same edits: those of a value that several places share."""
    found: dict[Key, Fix] = {}
    for fix in fixes:
        known = found.get(key_of(fix))
        found[key_of(fix)] = fix if known is None else known._replace(changes=known.changes + fix.changes)
    return found


def _apart(fixes: Mapping[Key, Fix]) -> dict[Key, Fix]:
    """Return the fixes whose edits do not overlap, in the order of the text; two insertions at one place do."""
    taken: dict[Key, Fix] = {}
    ends: list[int] = []
    starts: list[int] = []
    for key, fix in sorted(fixes.items(), key=lambda one: one[1].edits):
        if all(_is_free(edit, starts, ends) for edit in fix.edits):
            taken[key] = fix
            for edit in fix.edits:
                at = bisect_left(starts, edit.start)
                starts.insert(at, edit.start)
                ends.insert(at, edit.end)
    return taken


def _is_free(edit: Edit, starts: list[int], ends: list[int]) -> bool:
    """Return whether an edit touches none of the stretches that are taken, which keep apart."""
    at = bisect_left(ends, edit.start)
    return at == len(starts) or starts[at] > edit.end
