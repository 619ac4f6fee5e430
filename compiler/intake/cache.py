"""What the last check of the same files found: what each file says under the hash of its text, and what was told.

One file for each project and folder that is checked from, in a folder of the user's own. It is made of a head and of
parts, each with its check sum: the *table*, which tells whether anything changed, and what is read only where something
did: the segments, of which those that are right are written again as they are. A second file holds what a call said. A
cache that is damaged, that another version wrote or that somebody else could have written counts as none. What is kept
is never asked whether it is still right: it is kept under all that it depends on.
"""

from __future__ import annotations

import marshal
import os
import sys
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.secret_text import forms, has_form
from ..disk.stamp import LENGTH as STAMP
from ..disk.stamp import are_of_one_size, last_changes, stamps_of
from . import cache_file
from .cache_file import DIGEST, digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..disk.files import FoundFile
    from ..disk.stamp import Stamp
    from .memory import Kept, Seen
    from .stored import Plain

_SETTLED: Final = 1_000_000_000
"""Nanoseconds. A file that was changed so shortly before it was read may be changed again without a new time stamp."""


class _Table(NamedTuple):
    """What is known of the files, one item for each in every column.

    Attributes:
        basis: What all depends on beside the files.
        began: When they were looked at, in nanoseconds.
        paths: In the order of the call.
        stamps: Of them, one after the other.
        digests: Of their texts, one after the other.
        segments: In which segment stands what they say; ``None`` for what holds nothing of ours.
        named: Those that were named.
        identity: Tells what came out from what came out of other checks; ``None`` where something was not kept.
    """

    basis: bytes
    began: int
    paths: list[str]
    stamps: bytes
    digests: bytes
    segments: list[int | None]
    named: tuple[str, ...]
    identity: bytes | None


class Cache:
    """The cache of one call.

    Attributes:
        unchanged: The files whose texts are still what they were.
        is_unchanged: Whether nothing has changed at all.

    Args:
        place: What tells this project from others.
        basis: All that findings depend on beside the files: version, configuration, options.
        found: The files of the call.
    """

    def __init__(self, place: object, basis: object, found: Sequence[FoundFile]) -> None:
        self._file = os.path.join(cache_file.folder(), digest(repr(place).encode()).hex())
        self._basis = digest(repr((basis, _code(), sys.version, marshal.version)).encode())
        self._paths = [file.path for file in found]
        self._began = time.time_ns()
        self._named = tuple(file.path for file in found if file.is_named)
        self._is_outdated = False
        self._table = self._known_table()
        self._stamps = stamps_of(self._paths) if self._table else {}  # else all files are opened, which tells them
        self.unchanged = frozenset(self._unchanged(self._table)) if self._table else frozenset()
        known = len(self._table.paths) if self._table else 0
        self.is_unchanged = self._table is not None and len(self.unchanged) == len(self._paths) == known
        self._identity = self._before

    @property
    def _before(self) -> bytes | None:
        return None if self._table is None else self._table.identity

    def kept(self) -> Kept | None:
        """Return what was kept, also about files that have changed since; ``None`` where it cannot be read."""
        table = self._table
        parts = None if table is None else cache_file.read(self._file)
        rest = _loaded(parts[1]) if parts else None
        if table is None or parts is None or not isinstance(rest, tuple):
            self.is_unchanged = False
            return None
        from .memory import Kept, Segment

        basis, surveys = rest
        files: list[list[str]] = [[] for _ in parts[2::2]]
        for path, number in zip(table.paths, table.segments, strict=True):
            if number is not None:
                files[number].append(path)
        segments = [Segment(*one) for one in zip(parts[2::2], parts[3::2], files, strict=True)]
        digests = table.digests
        seen: dict[str, Seen] = {
            path: (digests[DIGEST * at : DIGEST * (at + 1)], None) for at, path in enumerate(table.paths)
        }
        return Kept(segments, seen, basis, surveys)

    def save(self, kept: Kept) -> None:
        """As `Keeper.save`; what cannot be written is not kept."""
        if self.is_unchanged:
            self.renew()
            return
        rest = marshal.dumps((kept.basis, dict(kept.surveys)))
        if shows_secret(rest):
            return
        # What names hold secrets is read each time; data with some is never handed over to be kept.
        left = {path for one in kept.segments if shows_secret(one.facts, one.verdicts) for path in one.files}
        kept = kept._replace(segments=[one for one in kept.segments if left.isdisjoint(one.files)])
        segments = {path: number for number, segment in enumerate(kept.segments) for path in segment.files}
        known: list[str] = []
        stamps: list[Stamp] = []
        digests: list[bytes] = []
        for path in self._paths:
            text, stamp = kept.seen.get(path, (None, None))
            stamp = stamp or self._stamps.get(path)
            if text is not None and stamp is not None and path not in left:
                known.append(path)
                stamps.append(stamp)
                digests.append(text)
        self._identity = os.urandom(DIGEST) if len(known) == len(self._paths) else None
        table = _Table(
            self._basis,
            self._began,
            known,
            b"".join(stamps),
            b"".join(digests),
            [segments.get(path) for path in known],
            self._named,
            self._identity,
        )
        parts = [marshal.dumps(tuple(table)), rest]
        for one in kept.segments:
            parts += (one.facts, one.verdicts)
        cache_file.write(self._file, parts)

    def renew(self) -> None:
        """Record new time stamps of files whose texts are the same."""
        if self._is_outdated and self._table is not None and (parts := cache_file.read(self._file)) is not None:
            stamps = b"".join([self._stamps[path] for path in self._table.paths])
            table = self._table._replace(began=self._began, stamps=stamps)
            cache_file.write(self._file, [marshal.dumps(tuple(table)), *parts[1:]])

    def said(self, call: str) -> Plain | None:
        """Get what a call said about what came out last time, as `say` was told; ``None`` where that is not known."""
        known = self._known_words(call, first_alone=True)
        return known[0] if known else None

    def said_of_files(self, call: str) -> Plain | None:
        """Return its output and the blocks of that, as `say` was told; ``None`` where they are not known."""
        known = self._known_words(call, first_alone=False)
        return (known[0][0], known[1]) if known else None

    def _known_words(self, call: str, *, first_alone: bool) -> list[Any]:
        file = self._file + cache_file.SAID
        parts = None if self._before is None else cache_file.read(file, first_alone=first_alone)
        known = [_loaded(part) for part in parts or ()]
        if not known or not isinstance(known[0], tuple) or known[0][:2] != (self._before, call):
            return []
        return [known[0][2], *known[1:]]

    def say(self, call: str, what: Plain, blocks: Plain) -> None:
        """Keep what a call says about what has come out now.

        Args:
            call: All that decides what is said.
            what: Its output, what goes to standard error, and its exit status.
            blocks: Of what the output is made.
        """
        if self._identity is not None:
            parts = [marshal.dumps((self._identity, call, what)), marshal.dumps(blocks)]
            cache_file.write(self._file + cache_file.SAID, parts)

    def _known_table(self) -> _Table | None:
        parts = cache_file.read(self._file, first_alone=True)
        plain = _loaded(parts[0]) if parts else None
        if not isinstance(plain, tuple) or len(plain) != len(_Table._fields) or plain[0] != self._basis:
            return None
        return _Table(*plain)

    def _unchanged(self, table: _Table) -> Iterator[str]:
        """Yield the files whose texts are what they were."""
        trusts_stamps = not os.environ.get("CI")  # a fresh checkout says nothing by them
        limit = table.began - _SETTLED
        changes = last_changes(table.stamps)
        is_settled = max(changes, default=0) < limit
        is_same = (table.paths, table.named) == (list(self._stamps), self._named)
        if trusts_stamps and is_settled and is_same and b"".join(self._stamps.values()) == table.stamps:
            yield from table.paths
            return
        other = set(table.named).symmetric_difference(self._named)
        for number, (path, changed) in enumerate(zip(table.paths, changes, strict=True)):
            stamp = table.stamps[STAMP * number : STAMP * (number + 1)]
            now = self._stamps.get(path)
            if stamp == now and trusts_stamps and changed < limit:
                if path not in other:
                    yield path
            elif now is not None and are_of_one_size(stamp, now) and path not in other:
                known = table.digests[DIGEST * number : DIGEST * (number + 1)]
                if _digest_of(path) == known:
                    self._is_outdated |= stamp != now or trusts_stamps  # then next time the time stamps tell it
                    yield path


def shows_secret(*parts: bytes) -> bool:
    """Return whether a text in plain data, as `marshal` writes it, has the form of a secret.

    What lies between texts may look like one together with them: where that is so, they are looked at one by one.
    """
    return any(has_form(part.decode("latin-1")) and _holds_form(_loaded(part)) for part in parts)


def _holds_form(value: Any) -> bool:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if next(forms(one), None) is not None:
                return True
        elif isinstance(one, bytes):
            if shows_secret(one):
                return True
        elif isinstance(one, dict):
            waiting += (*one, *one.values())
        elif isinstance(one, tuple | list):
            waiting += one
    return False


def _code() -> list[tuple[str, int, int]]:
    """Return which code this is: a version alone would not, where the package is worked on."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found: list[tuple[str, int, int]] = []
    waiting = [os.path.join(root, room) for room in ("compiler", "validators", "schemas")]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        waiting.append(entry.path)
                elif entry.name.endswith(".py"):
                    status = entry.stat()
                    found.append((entry.path, status.st_mtime_ns, status.st_size))
    return sorted(found)


def _digest_of(path: str) -> bytes | None:
    try:
        with open(path, "rb", buffering=0) as file:
            return digest(file.read())
    except OSError:
        return None


def _loaded(part: bytes | None) -> Any:
    if part is None:
        return None
    try:
        return marshal.loads(part)  # noqa: S302 - the user's own file, as we wrote it
    except (EOFError, TypeError, ValueError):
        return None
