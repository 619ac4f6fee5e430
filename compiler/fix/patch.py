"""Turn successive edits of a text into a unified diff, without comparing texts."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ..diagnostics.named_tuple import NamedTuple
from .edit import Edit, apply_edits, moved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_CONTEXT: Final = 3
"""Lines of context before and after a change, as by default in ``diff -u`` and Git."""
_WORD: Final = r"[^\s\"',{}\[\]]{6,}"


class PatchPiece(NamedTuple):
    """A piece of the current text, which stands for the range from ``start`` to ``end`` of the original text.

    Attributes:
        end: End of the range, exclusive.
        text: The text that replaces the range; ``None`` if the range is unchanged.
    """

    start: int
    end: int
    text: str | None

    @property
    def length(self) -> int:
        """The length of the piece in the current text."""
        return self.end - self.start if self.text is None else len(self.text)


class Trail:
    """Records successive edits of a text, and returns them as edits of the original text."""

    def __init__(self, length: int) -> None:
        self._pieces = [PatchPiece(0, length, None)]

    def follow(self, edits: Iterable[Edit]) -> None:
        """Record edits whose offsets count in the current text. They must not overlap."""
        out: list[PatchPiece] = []
        rest = iter(self._pieces or [PatchPiece(0, 0, None)])
        piece, at = next(rest), 0
        for edit in sorted(edits):
            while at + piece.length < edit.start:
                out.append(piece)
                at += piece.length
                piece = next(rest)
            before, piece = _split(piece, edit.start - at)
            out.append(before)
            start, at = before.end, edit.start
            while at + piece.length < edit.end:
                at += piece.length
                piece = next(rest)
            gone, piece = _split(piece, edit.end - at)
            out.append(PatchPiece(start, gone.end, edit.text))
            at = edit.end
        self._pieces = [piece_ for piece_ in (*out, piece, *rest) if piece_.text is not None or piece_.length]

    def edits(self) -> Iterator[Edit]:
        """Yield the recorded edits as edits of the original text, in order. Adjacent edits are merged."""
        pending: Edit | None = None
        for start, end, text in self._pieces:
            if text is None:
                continue
            if pending is not None and pending.end == start:
                pending = Edit(pending.start, end, pending.text + text)
                continue
            if pending is not None:
                yield pending
            pending = Edit(start, end, text)
        if pending is not None:
            yield pending


def _split(piece: PatchPiece, at: int) -> tuple[PatchPiece, PatchPiece]:
    """Cut a piece at offset ``at`` of its text. If it is edited, its first half stands for the whole original range."""
    if piece.text is None:
        middle = piece.start + at
        return PatchPiece(piece.start, middle, None), PatchPiece(middle, piece.end, None)
    return PatchPiece(piece.start, piece.end, piece.text[:at]), PatchPiece(piece.end, piece.end, piece.text[at:])


class _LineChange(NamedTuple):
    """A run of replaced lines.

    Attributes:
        line: Zero-based number of the first old line.
    """

    line: int
    old: list[str]
    new: list[str]


def unified(text: str, edits: Iterable[Edit], file: str, covered: Callable[[str], str] = str) -> str:
    """Return the edits as a unified diff that ``git apply`` accepts; empty if they change nothing.

    Args:
        edits: Edits in order, without overlap.
        covered: Returns a text with secrets masked and with the same number of lines.
    """
    wanted = list(edits)
    lines = _lines(text)
    changes = list(_changes(lines, wanted))
    if not changes:
        return ""
    written, lines = lines, _lines(covered(text))
    # A secret must be masked at every place of the file, also where its name does not reveal it.
    secrets = _masked_words(written, lines)
    changes = list(_mask_changes(changes, lines, _lines(covered(apply_edits(text, wanted)))))
    for change in changes:
        lines[change.line : change.line + len(change.old)] = change.old
    out = [f"--- {_name(f'a/{file}')}\n", f"+++ {_name(f'b/{file}')}\n"]
    grown = 0
    for some in _hunks(changes):
        out += _without([*_hunk(lines, some, grown)], secrets)
        grown += sum(len(change.new) - len(change.old) for change in some)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in out)


def _mask_changes(changes: Iterable[_LineChange], before: Sequence[str], after: Sequence[str]) -> Iterator[_LineChange]:
    """Yield the changes with secrets masked. A word that is masked in the old or the new lines is masked in both.

    Args:
        before: All lines of the old text with secrets masked.
        after: All lines of the new text with secrets masked.
    """
    grown = 0
    for line, old, new in changes:
        seen = before[line : line + len(old)], after[line + grown : line + grown + len(new)]
        # A change may move a value under a sensitive name, or away from it.
        secrets = _masked_words(old, seen[0]) | _masked_words(new, seen[1])
        yield _LineChange(line, _without(seen[0], secrets), _without(seen[1], secrets))
        grown += len(new) - len(old)


def _masked_words(lines: Sequence[str], seen: Sequence[str]) -> set[str]:
    changed = [(line, shown) for line, shown in zip(lines, seen, strict=True) if line != shown]
    return {word for line, shown in changed for word in re.findall(_WORD, line) if word not in shown}


def _without(lines: Sequence[str], secrets: Iterable[str]) -> list[str]:
    out = list(lines)
    # Longest first: a secret may contain another.
    for word in sorted(secrets, key=lambda word_: (-len(word_), word_)):
        out = [line.replace(word, "*" * len(word)) for line in out]
    return out


def _name(path: str) -> str:
    if any(not char.isprintable() or char in '"\\' for char in path):
        return '"' + "".join(_escaped(char) for char in path) + '"'
    # Without the tab, `patch` ends the name at its first space.
    return f"{path}\t" if " " in path else path


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape"))


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]


def _changes(lines: Sequence[str], edits: Iterable[Edit]) -> Iterator[_LineChange]:
    """Yield the edits extended to whole lines. Edits that share a line become one change."""
    starts = [0, *accumulate(map(len, lines))]
    first = until = 0
    some: list[Edit] = []
    for edit in edits:
        row = _row(lines, starts, edit.start)
        if some and row >= until:
            yield from _change(lines, first, until, moved(some, -starts[first]))
            some = []
        first = first if some else row
        some.append(edit)
        end = _row(lines, starts, edit.end)
        ends_line = edit.text.endswith("\n") or (not edit.text and edit.start == starts[row])
        until = max(until, end if edit.end == starts[end] and ends_line else min(end + 1, len(lines)))
    if some:
        yield from _change(lines, first, until, moved(some, -starts[first]))


def _row(lines: Sequence[str], starts: Sequence[int], at: int) -> int:
    """Return the zero-based line that contains the offset ``at``. The end of the text belongs to the last line."""
    row = bisect_right(starts, at) - 1
    return row - 1 if lines and row == len(lines) and not lines[-1].endswith("\n") else row


def _change(lines: Sequence[str], first: int, until: int, edits: Iterable[Edit]) -> Iterator[_LineChange]:
    """Yield the change that edits make in the lines from ``first`` to ``until``, exclusive; nothing if none differs.

    Equal lines at both ends are left out. Offsets of the edits count from line ``first``.
    """
    old = list(lines[first:until])
    new = _lines(apply_edits("".join(old), edits))
    before = _common_prefix(old, new)
    after = _common_prefix(old[before:][::-1], new[before:][::-1])
    change = _LineChange(first + before, old[before : len(old) - after], new[before : len(new) - after])
    if change.old or change.new:
        yield change


def _common_prefix(left: Sequence[str], right: Sequence[str]) -> int:
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def _hunks(changes: Iterable[_LineChange]) -> Iterator[list[_LineChange]]:
    """Yield the changes in groups. Changes whose context overlaps share a hunk."""
    some: list[_LineChange] = []
    for change in changes:
        if some and change.line > some[-1].line + len(some[-1].old) + 2 * _CONTEXT:
            yield some
            some = []
        some.append(change)
    if some:
        yield some


def _hunk(lines: Sequence[str], changes: Sequence[_LineChange], grown: int) -> Iterator[str]:
    first = max(changes[0].line - _CONTEXT, 0)
    last = min(changes[-1].line + len(changes[-1].old) + _CONTEXT, len(lines))
    more = sum(len(change_.new) - len(change_.old) for change_ in changes)
    yield f"@@ -{_range(first, last - first)} +{_range(first + grown, last - first + more)} @@\n"
    at = first
    for change in changes:
        yield from (f" {line}" for line in lines[at : change.line])
        yield from (f"-{line}" for line in change.old)
        yield from (f"+{line}" for line in change.new)
        at = change.line + len(change.old)
    yield from (f" {line}" for line in lines[at:last])


def _range(first: int, length: int) -> str:
    """Return a range of lines in the notation of a diff header. An empty range has the number of the line before it."""
    if length == 1:
        return str(first + 1)
    return f"{first + 1 if length else first},{length}"
