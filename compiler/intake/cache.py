"""What the last check of the same files found: what each file says under the hash of its text, and the outcome.

One file for each project and folder that is checked from, in a folder of the user's own. It is made of a head and two
parts, each with its digest: the *table*, which tells whether anything changed and what came out, and the *facts*, read
only where something did. A cache that is damaged, that another version wrote or that somebody else could have written
counts as none. What is kept is never asked whether it is still right: it is kept under all that it depends on.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .memory import Kept, Segment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcpcfg.compiler.disk.files import FoundFile

    from .stored import Plain

_MAGIC: Final = b"mcpcfg\x00\x05"
_SAID: Final = ".said"
"""Ends the name of the file that holds what a call said."""
_DIGEST: Final = 16
_NUMBER: Final = 8
_HEAD: Final = len(_MAGIC) + 2 * (_NUMBER + _DIGEST)
_MOST_BYTES: Final = 512 * 1024 * 1024
"""Of one cache, and of all together: the oldest are removed."""
_MOST_FILES: Final = 64
_SETTLED: Final = 1_000_000_000
"""Nanoseconds. A file that was changed so shortly before it was read may be changed again without a new time stamp."""

Stamp = tuple[int, int, int, int]
"""Of a file: when it and its entry were last changed, its size, its number."""


class Outcome(NamedTuple):
    """What came out of a check.

    Attributes:
        asked: Digest of what findings are limited to.
        findings: As plain data.
        documents: How many non-empty documents were read.
        nothing: Whether there was nothing to check.
        identity: Tells it from what came out of other checks.
    """

    asked: bytes
    findings: Plain
    documents: int
    nothing: bool
    identity: bytes


class Cache:
    """The cache of one call.

    Args:
        place: What tells this project from others.
        basis: All that findings depend on beside the files: version, configuration, options.
        found: The files of the call.
        asked: What this call alone asks for: what findings are limited to.
    """

    def __init__(self, place: object, basis: object, found: Sequence[FoundFile], asked: object) -> None:
        self._file = os.path.join(folder(), _digest(repr(place).encode()).hex())
        self._basis = _digest(repr((basis, _code(), sys.version, marshal.version)).encode())
        self._asked = _digest(repr(asked).encode())
        self._found = found
        self._began = time.time_ns()
        self._stamps = _stamps(found)
        self._named = {file.path for file in found if file.is_named}
        self._is_outdated = False
        table = self._table()
        self._kept: dict[str, tuple[Stamp, bytes, int | None, bool]] = table["files"] if table else {}
        outcome = table["outcome"] if table else None
        self._outcome = None if outcome is None else Outcome(*outcome)
        self.unchanged = frozenset(self._unchanged(table["began"])) if table else frozenset()

    @property
    def outcome(self) -> Outcome | None:
        """What came out last time, where nothing at all has changed since."""
        is_same = self._outcome is not None and self._outcome.asked == self._asked
        return self._outcome if is_same and len(self.unchanged) == len(self._found) == len(self._kept) else None

    def ours(self) -> Iterator[str]:
        """Yield the files that hold something of ours; of use where there is an `outcome`."""
        return (file.path for file in self._found if self._kept[file.path][2] is not None)

    def kept(self) -> Kept | None:
        """Give what was kept, also about files that have changed since; ``None`` where it cannot be read."""
        rest = _loaded(self._part(1)) if self._kept else None
        if not isinstance(rest, tuple):
            return None
        segments, basis, surveys = rest
        files: list[list[str]] = [[] for _ in segments]
        for path, (_, _, number, _) in self._kept.items():
            if number is not None:
                files[number].append(path)
        found = [Segment(facts, verdicts, own) for (facts, verdicts), own in zip(segments, files, strict=True)]
        return Kept(found, {path: one[1] for path, one in self._kept.items()}, basis, surveys)

    def save(self, kept: Kept, findings: Plain, documents: int, *, nothing: bool) -> None:
        """Keep what a check found. What cannot be written is not kept.

        Args:
            kept: What is to be known the next time.
            findings: As plain data.
            documents: How many there were.
            nothing: Whether there was nothing to check.
        """
        segments = {path: number for number, segment in enumerate(kept.segments) for path in segment.files}
        files = {
            path: (stamp, kept.digests[path], segments.get(path), path in self._named)
            for path, stamp in self._stamps.items()
            if path in kept.digests
        }
        complete = len(files) == len(self._found)
        self._outcome = Outcome(self._asked, findings, documents, nothing, os.urandom(_DIGEST)) if complete else None
        outcome = None if self._outcome is None else tuple(self._outcome)
        rest: Any = ([(one.facts, one.verdicts) for one in kept.segments], kept.basis, kept.surveys)
        self._write(files, outcome, marshal.dumps(rest))

    def renew(self) -> None:
        """Note new time stamps of files whose texts are the same."""
        if self._is_outdated and self._outcome is not None and (facts := self._part(1)) is not None:
            files = {path: (stamp, *self._kept[path][1:]) for path, stamp in self._stamps.items()}
            self._write(files, tuple(self._outcome), facts)

    def said(self, call: str) -> Any:
        """Give what a call said about this outcome, as `say` was told; ``None`` where that is not known."""
        if self._outcome is None:
            return None
        said = _loaded(_read(self._file + _SAID, 0))
        is_of_this = isinstance(said, tuple) and said[0] == self._outcome.identity
        return said[1].get(call) if is_of_this else None

    def say(self, call: str, what: Any) -> None:
        """Keep what a call says about this outcome: plain data."""
        if self._outcome is not None:
            _write(self._file + _SAID, (marshal.dumps((self._outcome.identity, {call: what})), b""))

    # --- reading ----------------------------------------------------------------------------------------------

    def _unchanged(self, began: int) -> Iterator[str]:
        trusts_stamps = not os.environ.get("CI")  # a fresh checkout says nothing by them
        named = self._named
        for path, now in self._stamps.items():
            kept = self._kept.get(path)
            if kept is None or kept[3] != (path in named):
                continue
            stamp, digest = kept[:2]
            if trusts_stamps and stamp == now and max(stamp[0], stamp[1]) < began - _SETTLED:
                yield path
            elif stamp[2] == now[2] and _digest_of(path) == digest:
                self._is_outdated |= stamp != now or trusts_stamps  # then next time the time stamps tell it
                yield path

    def _table(self) -> dict[str, Any] | None:
        table = _loaded(self._part(0))
        return table if isinstance(table, dict) and table.get("basis") == self._basis else None

    def _part(self, number: int) -> bytes | None:
        return _read(self._file, number)

    # --- writing ----------------------------------------------------------------------------------------------

    def _write(self, files: dict[str, Any], outcome: Any, facts: bytes) -> None:
        table = marshal.dumps({"basis": self._basis, "began": self._began, "files": files, "outcome": outcome})
        _write(self._file, (table, facts))


def _read(path: str, number: int) -> bytes | None:
    """Read one part of a file of ours, ``None`` where it is not as it was written."""
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if not (stat.S_ISREG(status.st_mode) and _is_ours(status)):
                return None
            head = file.read(_HEAD)
            if len(head) != _HEAD or not head.startswith(_MAGIC):
                return None
            length = [_number(head, len(_MAGIC) + one * (_NUMBER + _DIGEST)) for one in range(2)]
            if sum(length) + _HEAD != status.st_size:
                return None
            file.seek(_HEAD + (length[0] if number else 0))
            part = file.read(length[number])
    except OSError:
        return None
    at = len(_MAGIC) + number * (_NUMBER + _DIGEST) + _NUMBER
    return part if _digest(part) == head[at : at + _DIGEST] else None


def _write(path: str, parts: tuple[bytes, bytes]) -> None:
    """Write a file of ours at once, or not at all."""
    if sum(map(len, parts)) > _MOST_BYTES:
        return
    head = _MAGIC + b"".join(len(part).to_bytes(_NUMBER, "big") + _digest(part) for part in parts)
    temporary = f"{path}.{os.getpid()}"
    try:
        if not _own_folder():
            return
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines((head, *parts))
        os.replace(temporary, path)
        _prune()
    except OSError:
        _remove(temporary)


def folder() -> str:
    """Give the folder that holds the caches."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "mcpcfg")


def clear() -> int:
    """Remove all caches; gives how many there were."""
    removed = [path for path, _ in _caches() if _remove(path)]
    return sum(not path.endswith(_SAID) for path in removed)


def text_digest(text: bytes) -> bytes:
    """Give the digest that a text is kept under."""
    return _digest(text)


def _own_folder() -> bool:
    """Make the folder; tell whether it is the user's own, and nobody else's."""
    path = folder()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        status = os.lstat(path)
        if not (stat.S_ISDIR(status.st_mode) and _is_ours(status)):
            return False
        if status.st_mode & 0o077 and os.name == "posix":
            os.chmod(path, 0o700)
    return True


def _is_ours(status: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or status.st_uid == os.getuid()


def _caches() -> list[tuple[str, os.stat_result]]:
    """List the files of the folder, the newest first."""
    try:
        with os.scandir(folder()) as entries:
            found = [
                (one.path, one.stat(follow_symlinks=False)) for one in entries if one.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []
    return sorted(found, key=lambda one: -one[1].st_mtime_ns)


def _prune() -> None:
    size = 0
    for number, (path, status) in enumerate(_caches()):
        size += status.st_size
        if number and (number >= _MOST_FILES or size > _MOST_BYTES):
            _remove(path)


def _remove(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def _code() -> list[tuple[str, int, int]]:
    """Tell which code this is: a version alone would not, where the package is worked on."""
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


def _stamps(found: Sequence[FoundFile]) -> dict[str, Stamp]:
    """Give the time stamps of files; of one that is not there, none."""
    stamps: dict[str, Stamp] = {}
    for path, _ in found:
        try:
            status = os.stat(path)
        except OSError:
            continue
        stamps[path] = status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino
    return stamps


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()


def _digest_of(path: str) -> bytes | None:
    try:
        with open(path, "rb", buffering=0) as file:
            return _digest(file.read())
    except OSError:
        return None


def _number(head: bytes, at: int) -> int:
    return int.from_bytes(head[at : at + _NUMBER], "big")


def _loaded(part: bytes | None) -> Any:
    if part is None:
        return None
    try:
        return marshal.loads(part)  # noqa: S302 - the user's own file, as we wrote it
    except (EOFError, TypeError, ValueError):
        return None
