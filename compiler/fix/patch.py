"""What edits upon edits made of a text, as a patch: from where they are, with nothing to compare."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from .edit import Edit, apply_edits, moved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_CONTEXT: Final = 3
"""Lines that are shown before and after a change."""
_WORD: Final = r"[^\s\"',{}\[\]]{6,}"


class Piece(NamedTuple):
    """A stretch of the text as it is now: ``text``, which took the place of what stood there at first.

    Where nothing was changed, ``text`` is ``None``.
    """

    start: int
    end: int
    text: str | None

    @property
    def length(self) -> int:
        """How long the stretch is now."""
        return self.end - self.start if self.text is None else len(self.text)


class Trail:
    """Edits of a text, and of what they made of it, expressed as edits of the text as it was."""

    def __init__(self, length: int) -> None:
        self._pieces = [Piece(0, length, None)]

    def follow(self, edits: Iterable[Edit]) -> None:
        """Record edits that do not overlap; their places are those of the text as it is now."""
        out: list[Piece] = []
        rest = iter(self._pieces or [Piece(0, 0, None)])
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
            out.append(Piece(start, gone.end, edit.text))
            at = edit.end
        self._pieces = [one for one in (*out, piece, *rest) if one.text is not None or one.length]

    def edits(self) -> Iterator[Edit]:
        """Yield what was changed, in order; what touches is one."""
        held: Edit | None = None
        for start, end, text in self._pieces:
            if text is None:
                continue
            if held is not None and held.end == start:
                held = Edit(held.start, end, held.text + text)
                continue
            if held is not None:
                yield held
            held = Edit(start, end, text)
        if held is not None:
            yield held


def _split(piece: Piece, at: int) -> tuple[Piece, Piece]:
    """Cut a piece in two; what a changed one took the place of goes to the first part."""
    if piece.text is None:
        middle = piece.start + at
        return Piece(piece.start, middle, None), Piece(middle, piece.end, None)
    return Piece(piece.start, piece.end, piece.text[:at]), Piece(piece.end, piece.end, piece.text[at:])


class _Change(NamedTuple):
    """Lines that other lines take the place of; the first counts from 0."""

    line: int
    old: list[str]
    new: list[str]


def unified(text: str, edits: Iterable[Edit], file: str, covered: Callable[[str], str] = str) -> str:
    """Write edits as a unified diff that ``git apply`` takes.

    Args:
        text: Before the edits.
        edits: In order, keeping apart.
        file: Its name.
        covered: Returns a text as it is shown, with as many lines.
    """
    wanted = list(edits)
    lines = _lines(text)
    changes = list(_changes(lines, wanted))
    if not changes:
        return ""
    written, lines = lines, _lines(covered(text))
    # What is a secret at one place of a file is one at every other that holds it.
    secrets = _missing(written, lines)
    changes = list(_covered(changes, lines, _lines(covered(apply_edits(text, wanted)))))
    for one in changes:
        lines[one.line : one.line + len(one.old)] = one.old
    out = [f"--- {_name(f'a/{file}')}\n", f"+++ {_name(f'b/{file}')}\n"]
    grown = 0
    for some in _hunks(changes):
        out += _without([*_hunk(lines, some, grown)], secrets)
        grown += sum(len(one.new) - len(one.old) for one in some)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in out)


def _covered(changes: Iterable[_Change], before: Sequence[str], after: Sequence[str]) -> Iterator[_Change]:
    """Yield changes with their lines as the texts before and after have them."""
    grown = 0
    for line, old, new in changes:
        seen = before[line : line + len(old)], after[line + grown : line + grown + len(new)]
        # A change may put a value under a name that makes it a secret, or take it away.
        secrets = _missing(old, seen[0]) | _missing(new, seen[1])
        yield _Change(line, _without(seen[0], secrets), _without(seen[1], secrets))
        grown += len(new) - len(old)


def _missing(lines: Sequence[str], seen: Sequence[str]) -> set[str]:
    """Return the words of some lines that are not shown of them."""
    changed = [(line, shown) for line, shown in zip(lines, seen, strict=True) if line != shown]
    return {word for line, shown in changed for word in re.findall(_WORD, line) if word not in shown}


def _without(lines: Sequence[str], secrets: Iterable[str]) -> list[str]:
    out = list(lines)
    # Longest first: a secret may contain another.
    for word in sorted(secrets, key=lambda one: (-len(one), one)):
        out = [line.replace(word, "*" * len(word)) for line in out]
    return out


def _name(path: str) -> str:
    """Write the name of a file as git does: in quotes where it needs escapes, and ended where it has spaces."""
    if any(not char.isprintable() or char in '"\\' for char in path):
        return '"' + "".join(_escaped(char) for char in path) + '"'
    # Without the tab `patch` would end the name at its first space.
    return f"{path}\t" if " " in path else path


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else "".join(f"\\{one:03o}" for one in char.encode("utf-8", "surrogateescape"))


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]


def _changes(lines: Sequence[str], edits: Iterable[Edit]) -> Iterator[_Change]:
    """Widen edits to whole lines; those that share a line become one change."""
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
    """Return the line that a place is on; the end of a text is on its last line if that is not ended."""
    row = bisect_right(starts, at) - 1
    return row - 1 if lines and row == len(lines) and not lines[-1].endswith("\n") else row


def _change(lines: Sequence[str], first: int, until: int, edits: Iterable[Edit]) -> Iterator[_Change]:
    """Yield what edits change of some lines, without the lines around that stay; nothing where all do."""
    old = list(lines[first:until])
    new = _lines(apply_edits("".join(old), edits))
    before = _alike(old, new)
    after = _alike(old[before:][::-1], new[before:][::-1])
    change = _Change(first + before, old[before : len(old) - after], new[before : len(new) - after])
    if change.old or change.new:
        yield change


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the lines that two texts begin with."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _hunks(changes: Iterable[_Change]) -> Iterator[list[_Change]]:
    """Yield changes grouped into hunks: those whose context overlaps are one."""
    some: list[_Change] = []
    for change in changes:
        if some and change.line > some[-1].line + len(some[-1].old) + 2 * _CONTEXT:
            yield some
            some = []
        some.append(change)
    if some:
        yield some


def _hunk(lines: Sequence[str], changes: Sequence[_Change], grown: int) -> Iterator[str]:
    first = max(changes[0].line - _CONTEXT, 0)
    last = min(changes[-1].line + len(changes[-1].old) + _CONTEXT, len(lines))
    more = sum(len(one.new) - len(one.old) for one in changes)
    yield f"@@ -{_range(first, last - first)} +{_range(first + grown, last - first + more)} @@\n"
    at = first
    for change in changes:
        yield from (f" {line}" for line in lines[at : change.line])
        yield from (f"-{line}" for line in change.old)
        yield from (f"+{line}" for line in change.new)
        at = change.line + len(change.old)
    yield from (f" {line}" for line in lines[at:last])


def _range(first: int, length: int) -> str:
    """Write where lines are: an empty stretch is named by the line before it."""
    if length == 1:
        return str(first + 1)
    return f"{first + 1 if length else first},{length}"
