"""Cures tried on a text: made, read again, and taken where the data has changed as they intend and in nothing else."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from mcpcfg.compiler.document import read_documents

from .edit import Cure, Edit, apply_edits, changed, same

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mcpcfg.compiler.document import Document

_MOST_TRIES: Final = 100
"""How often a text is read anew where cures do not work together."""

Key: TypeAlias = tuple[int, tuple[Edit, ...]]
"""The document that a cure is of, and its edits: cures of a value that several places share have one."""


class Trial(NamedTuple):
    """A text to try cures on.

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

    def outcome(self, cures: Iterable[Cure]) -> str | None:
        """Make all edits, and give the text if its data has changed as they intend and in nothing else."""
        cures = list(cures)
        new = apply_edits(self.body, (edit for cure in cures for edit in cure.edits))
        after, findings = read_documents(new, self.file)
        added = [data for cure in cures for data in cure.added]
        if len(after) != len(self.documents) + len(added) or len(findings) != self.broken or new == self.body:
            return None
        wanted: dict[int, list[Cure]] = {}
        for cure in cures:
            wanted.setdefault(cure.document, []).append(cure)
        if not all(same(one.data, data) for one, data in zip(after[len(self.documents) :], added, strict=True)):
            return None
        for old, one in zip(self.documents, after, strict=False):
            changes = [change for cure in wanted.get(old.index, ()) for change in cure.changes]
            try:
                expected = changed(old.data, changes) if changes else old.data
            except (LookupError, TypeError):
                return None
            if one.index != old.index or not same(one.data, expected):
                return None
        return new

    def together(self, cures: Iterable[Cure]) -> tuple[str, list[Cure]]:
        """Make the cures that go together and do what they should; gives the text and what was made."""
        text, taken = self.body, list[Cure]()
        some = list(_apart(_merged(cures)).values())
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

    def good(self, cures: Iterable[Cure]) -> set[Key]:
        """Tell which cures do what they should, each by itself.

        Those that keep apart are tried at once: what all of them did to the data is what each of them does.
        """
        left, tries = _merged(cures), _MOST_TRIES
        found: set[Key] = set()
        while left:
            now = _apart(left)
            left = {key: cure for key, cure in left.items() if key not in now}
            waiting = [list(now.items())]
            while waiting and tries:
                some, tries = waiting.pop(), tries - 1
                if self.outcome(cure for _, cure in some) is not None:
                    found.update(key for key, _ in some)
                elif len(some) > 1:
                    waiting += (some[len(some) // 2 :], some[: len(some) // 2])
            if not tries:
                break
        return found


def key_of(cure: Cure) -> Key:
    """Give what tells a cure from those that write something else, or somewhere else."""
    return (cure.document, cure.edits)


def _merged(cures: Iterable[Cure]) -> dict[Key, Cure]:
    """Make one of those that have the same edits: of a value that several places share."""
    found: dict[Key, Cure] = {}
    for cure in cures:
        known = found.get(key_of(cure))
        found[key_of(cure)] = cure if known is None else known._replace(changes=known.changes + cure.changes)
    return found


def _apart(cures: Mapping[Key, Cure]) -> dict[Key, Cure]:
    """Take the cures whose edits keep apart, in the order of the text; two insertions at one place do not."""
    taken: dict[Key, Cure] = {}
    ends: list[int] = []
    starts: list[int] = []
    for key, cure in sorted(cures.items(), key=lambda one: one[1].edits):
        if all(_is_free(edit, starts, ends) for edit in cure.edits):
            taken[key] = cure
            for edit in cure.edits:
                at = bisect_left(starts, edit.start)
                starts.insert(at, edit.start)
                ends.insert(at, edit.end)
    return taken


def _is_free(edit: Edit, starts: list[int], ends: list[int]) -> bool:
    """Tell whether an edit touches none of the stretches that are taken, which keep apart."""
    at = bisect_left(ends, edit.start)
    return at == len(starts) or starts[at] > edit.end
