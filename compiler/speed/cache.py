"""What the last check of the same files found: the facts of each file under the digest of its text, and the output.

One file for each project and folder that is checked from, in a folder of the user's own. Its first parts hold what
decides whether anything has changed since, and the output; facts are read only where something has. A cache that is
damaged, that another version wrote or that another could have written counts as none: nothing of it is decoded.
"""

from __future__ import annotations

import marshal
import os
import sys
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..diagnostics.secret_text import forms, has_form
from ..diagnostics.version import VERSION
from ..disk.stamp import DIGEST, are_of_one_size, digest, last_changes, stamps_of
from ..disk.stamp import LENGTH as STAMP
from . import cache_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..disk.files import FoundFile

_SETTLED: Final = 1_000_000_000
"""Nanoseconds. A file that was changed so shortly before it was read may be changed again without a new time stamp."""
_ROOT: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder of the package."""
_MOST_OUTPUTS: Final = 4
_UNKNOWN: Final = bytes(DIGEST)
"""In place of the digest of a text that was not taken."""

Output: TypeAlias = tuple[str, str, int]
"""What a call printed: on standard output, on standard error; and its exit status."""


class _Table(NamedTuple):
    """What is known of the files, one item for each in every column.

    Attributes:
        began: When they were looked at, in nanoseconds.
        paths: In the order of the call.
        stamps: Of them, one after the other.
        digests: Of their texts, one after the other.
        lengths: Of their facts in the part that holds those; ``-1`` of a file with nothing of ours.
        named: Those that were named.
        outputs: What calls printed, by what decides it.
    """

    began: int
    paths: list[str]
    stamps: bytes
    digests: bytes
    lengths: list[int]
    named: tuple[str, ...]
    outputs: dict[str, Output]


class Cache:
    """The cache of one call.

    Args:
        place: What identifies this project.
        basis: All that findings depend on beside the files: version, configuration, options.
        found: The files of the call.
    """

    def __init__(self, place: object, basis: object, found: Sequence[FoundFile]) -> None:
        self._file = os.path.join(cache_file.folder(), digest(repr(place).encode()).hex())
        self._basis = digest(repr((basis, code(), sys.version, marshal.version)).encode())
        self._began = time.time_ns()
        self._paths = [file.path for file in found]
        self._named = tuple(file.path for file in found if file.is_named)
        self._stamps = stamps_of(self._paths)  # before any of them is read
        self._table = self._known_table()
        self._unchanged = set() if self._table is None else set(self._unchanged_of(self._table))
        self._is_unchanged = self._table is not None and self._table.paths == self._paths
        self._is_unchanged = self._is_unchanged and len(self._unchanged) == len(self._paths)

    def output(self, call: str) -> Output | None:
        """Return what a call printed last time, where it would print the same: nothing at all has changed."""
        return self._table.outputs.get(call) if self._table is not None and self._is_unchanged else None

    def known(self) -> dict[str, bytes | None]:
        """Return the cached facts of files that have not changed since; ``None`` where that is nothing of ours.

        Files whose facts could not be kept are missing.
        """
        parts = None if self._table is None else cache_file.read(self._file, self._basis)
        if self._table is None or parts is None:
            return {}
        known: dict[str, bytes | None] = {}
        at = 0
        for path, length in zip(self._table.paths, self._table.lengths, strict=True):
            start, at = at, at + max(0, length)
            if length and path in self._unchanged:
                known[path] = parts[1][start:at] if length > 0 else None
        return known

    def save(self, facts: Mapping[str, tuple[bytes, bytes] | None], call: str, output: Output | None) -> None:
        """Keep what was found; what cannot be written is not kept.

        Args:
            facts: Path to the digest of the text, and the facts, empty where those are not to be kept; ``None``
                where it is nothing of ours.
            call: All that decides what is printed, beside the files.
            output: What the call prints, where that is to be kept.
        """
        paths = [path for path in self._paths if path in self._stamps and path in facts]
        own = [facts[path] for path in paths]
        outputs = dict(self._table.outputs) if self._table is not None and self._is_unchanged else {}
        if output is not None and len(paths) == len(self._paths):
            # Dictionaries keep the order of insertion: the oldest outputs are dropped.
            outputs = {**dict(list(outputs.items())[1 - _MOST_OUTPUTS :]), call: output}
        packed = [
            None if one is None else one[1] if path in self._unchanged or not shows_secret(one[1]) else b""
            for path, one in zip(paths, own, strict=True)
        ]
        table = _Table(
            self._began,
            paths,
            b"".join([self._stamps[path] for path in paths]),
            b"".join([_UNKNOWN if one is None else one[0] or _UNKNOWN for one in own]),
            [-1 if one is None else len(one) for one in packed],
            self._named,
            outputs,
        )
        head = marshal.dumps(tuple(table))
        # The head holds the outputs: one that shows a secret is never written to the disk.
        if not shows_secret(head):
            cache_file.write(self._file, self._basis, [[head], [one for one in packed if one]])

    def _known_table(self) -> _Table | None:
        parts = cache_file.read(self._file, self._basis, first_alone=True)
        plain = _loaded(parts[0]) if parts else None
        return _Table(*plain) if isinstance(plain, tuple) and len(plain) == len(_Table._fields) else None

    def _unchanged_of(self, table: _Table) -> Iterator[str]:
        """Yield the files whose texts are what they were."""
        trusts_stamps = not os.environ.get("CI")  # those of a fresh checkout are all new
        limit = table.began - _SETTLED
        other = set(table.named).symmetric_difference(self._named)
        changes = last_changes(table.stamps)
        for number, (path, changed) in enumerate(zip(table.paths, changes, strict=True)):
            stamp = table.stamps[STAMP * number : STAMP * (number + 1)]
            now = self._stamps.get(path)
            if now is None or path in other:
                continue
            if stamp == now and trusts_stamps and changed < limit:
                yield path
            # Of another size it is another text: no digest need be taken.
            elif are_of_one_size(stamp, now):
                known = table.digests[DIGEST * number : DIGEST * (number + 1)]
                if known != _UNKNOWN and _digest_of(path) == known:
                    yield path


def shows_secret(packed: bytes) -> bool:
    """Return whether a text in plain data, as `marshal` writes it, has the form of a secret.

    What lies between texts may look like one together with them: where that is so, they are looked at one by one.
    """
    return has_form(packed.decode("latin-1")) and _holds_form(_loaded(packed))


def _holds_form(value: Any) -> bool:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if forms(one):
                return True
        elif isinstance(one, dict):
            waiting += (*one, *one.values())
        elif isinstance(one, tuple | list):
            waiting += one
    return False


def code(root: str = _ROOT) -> object:
    """Return which code this is: the version alone does not say, where the package is worked on.

    Of an installed package the digests of its files, which the installer wrote down: they are the same wherever and
    whenever it is installed. Of a checkout the stamps of the modules.
    """
    record = os.path.join(os.path.dirname(root), f"mcpcfg-{VERSION}.dist-info", "RECORD")
    try:
        with open(record, encoding="utf-8") as file:
            modules = [line for line in file if line.startswith("mcpcfg/") and ",sha256=" in line]
    except (OSError, UnicodeError):
        modules = []
    return digest("".join(sorted(modules)).encode()) if modules else _stamps_of_modules(root)


def _stamps_of_modules(root: str) -> list[tuple[str, int, int]]:
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


def _loaded(part: bytes) -> Any:
    try:
        return marshal.loads(part)  # noqa: S302 - as we wrote it: it was authenticated
    except (EOFError, TypeError, ValueError):
        return None
