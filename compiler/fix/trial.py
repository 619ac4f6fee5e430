"""Try fixes on a text: apply them, read the text again, and accept them if the data changed exactly as intended."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, TypeAlias

from ..diagnostics.named_tuple import NamedTuple
from ..reading.document import read_documents
from .edit import Edit, FileFix, apply_edits, changed, same

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..reading.document import Document

_MOST_TRIES: Final = 100
"""Maximum number of times that a text is read again if fixes do not work together. Each reading takes time."""

Key: TypeAlias = tuple[int, tuple[Edit, ...]]
"""Identity of a fix: the index of its document, and its edits. Aliases that share a value lead to the same key."""


class Trial(NamedTuple):
    """A text on which fixes are tried.

    Attributes:
        broken: Number of syntax findings of the text.
    """

    body: str
    file: str
    documents: list[Document]
    broken: int

    def outcome(self, fixes: Iterable[FileFix]) -> str | None:
        """Return the text after all fixes, or ``None`` if its data would not change exactly as the fixes state."""
        fixes = list(fixes)
        new = apply_edits(self.body, (edit for fix in fixes for edit in fix.edits))
        after, findings = read_documents(new, self.file)
        added = [data for fix in fixes for data in fix.added]
        # Another number of documents or findings shows that a fix did something unintended.
        if len(after) != len(self.documents) + len(added) or len(findings) != self.broken or new == self.body:
            return None
        wanted: dict[int, list[FileFix]] = {}
        for fix in fixes:
            wanted.setdefault(fix.document, []).append(fix)
        if not all(
            same(new_document.data, data)
            for new_document, data in zip(after[len(self.documents) :], added, strict=True)
        ):
            return None
        for old, new_document in zip(self.documents, after, strict=False):
            changes = [change for fix in wanted.get(old.index, ()) for change in fix.changes]
            try:
                expected = changed(old.data, changes) if changes else old.data
            except (LookupError, TypeError):
                return None
            if new_document.index != old.index or not same(new_document.data, expected):
                return None
        return new

    def together(self, fixes: Iterable[FileFix]) -> tuple[str, list[FileFix]]:
        """Return the text after as many fixes as work together, and the list of these fixes.

        If the fixes do not all work together, each half is tried, and so on, up to `_MOST_TRIES` times.
        """
        text, taken = self.body, list[FileFix]()
        some = list(_without_overlap(_merged(fixes)).values())
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

    def good(self, fixes: Iterable[FileFix]) -> set[Key]:
        """Return the keys of the fixes of which each works as intended on its own.

        Fixes without overlap are tried together. If the data changed exactly as all of them intend, each of them works.
        """
        left, tries = _merged(fixes), _MOST_TRIES
        good_keys: set[Key] = set()
        while left:
            now = _without_overlap(left)
            left = {key: fix for key, fix in left.items() if key not in now}
            waiting = [list(now.items())]
            while waiting and tries:
                some, tries = waiting.pop(), tries - 1
                if self.outcome(fix for _, fix in some) is not None:
                    good_keys.update(key for key, _ in some)
                elif len(some) > 1:
                    waiting += (some[len(some) // 2 :], some[: len(some) // 2])
            if not tries:
                break
        return good_keys


def key_of(fix: FileFix) -> Key:
    """Return the key of a fix: the index of its document, and its edits."""
    return (fix.document, fix.edits)


def _merged(fixes: Iterable[FileFix]) -> dict[Key, FileFix]:
    """Return the fixes by key. Fixes with the same edits, which aliases cause, are merged into one."""
    merged: dict[Key, FileFix] = {}
    for fix in fixes:
        earlier = merged.get(key_of(fix))
        merged[key_of(fix)] = fix if earlier is None else earlier._replace(changes=earlier.changes + fix.changes)
    return merged


def _without_overlap(fixes: Mapping[Key, FileFix]) -> dict[Key, FileFix]:
    """Return fixes whose edits do not overlap, in the order of their edits. Two insertions at one position overlap."""
    taken: dict[Key, FileFix] = {}
    ends: list[int] = []
    starts: list[int] = []
    for key, fix in sorted(fixes.items(), key=lambda item: item[1].edits):
        if all(_is_free(edit, starts, ends) for edit in fix.edits):
            taken[key] = fix
            for edit in fix.edits:
                at = bisect_left(starts, edit.start)
                starts.insert(at, edit.start)
                ends.insert(at, edit.end)
    return taken


def _is_free(edit: Edit, starts: list[int], ends: list[int]) -> bool:
    at = bisect_left(ends, edit.start)
    return at == len(starts) or starts[at] > edit.end
