"""The cache of the last check: facts of each file by the digest of its text, and the output.

Each project and current folder has one cache file, in a folder of the user. The first part of the file shows whether
anything has changed, and contains the output. The facts are read only if something has changed. A cache file that is
damaged, from another version, or writable by others is ignored, and nothing of it is decoded.
"""

from __future__ import annotations

import marshal
import os
import sys
import time
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.secret.text import has_form, secret_ranges
from ..diagnostics.version import VERSION
from . import cache_file
from .stamp import DIGEST, are_of_one_size, digest, last_changes, stamps_of
from .stamp import LENGTH as STAMP

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .files import FoundFile

_SETTLED: Final = 1_000_000_000
"""Minimum age of a file's last change, in nanoseconds, before its stamp is trusted.

A file that changed more recently may change again without a new time stamp.
"""
_ROOT: Final = os.path.dirname(os.path.dirname(os.path.dirname(file_path.realpath(__file__))))
"""The folder of the mcpcfg package, with links resolved, because a checkout is imported through links."""
_MOST_OUTPUTS: Final = 4
"""Maximum number of stored outputs. A project is usually checked with only a few combinations of arguments."""
_UNKNOWN: Final = bytes(DIGEST)
"""Stands for the digest of a text that was not computed."""

Output: TypeAlias = tuple[str, str, int]
"""Standard output, standard error and exit status of a run."""


class _CacheTable(NamedTuple):
    """The first part of a cache file. Each column has one item per file.

    Attributes:
        began: Time at which the files were inspected, in nanoseconds.
        paths: Paths in the order of the run.
        lengths: Lengths of the encoded facts; ``-1`` for a file with nothing to check, 0 if the facts are not stored.
        named: Paths that the user named; not a column.
        outputs: Outputs by a key of everything that determines them; not a column.
    """

    began: int
    paths: list[str]
    stamps: bytes
    digests: bytes
    lengths: list[int]
    named: tuple[str, ...]
    outputs: dict[str, Output]


class Cache:
    """The cached facts and outputs of a project's earlier runs, opened for the current run.

    Args:
        folder: Folder of the cache.
        place: Value that selects the cache file: the project and the current folder.
        basis: Everything besides the files that findings depend on: version, configuration, options.
    """

    def __init__(self, folder: str, place: object, basis: object, found: Sequence[FoundFile]) -> None:
        self._file = file_path.join(folder, digest(repr(place).encode()).hex())
        self._basis = digest(repr((basis, code(), sys.version, marshal.version)).encode())
        self._began = time.time_ns()
        self._paths = [file.path for file in found]
        self._named = tuple(file.path for file in found if file.is_named)
        self._stamps = stamps_of(self._paths)  # before reading: a later change must be noticed
        self._table = self._known_table()
        self._known: dict[str, tuple[bytes, bytes | None]] = {}
        """The result of `known`, with the digest of each text."""
        self._unchanged = set() if self._table is None else set(self._unchanged_of(self._table))
        self._is_unchanged = self._table is not None and self._table.paths == self._paths
        self._is_unchanged = self._is_unchanged and len(self._unchanged) == len(self._paths)

    def output(self, call: str) -> Output | None:
        """Return the stored output of a run with the key ``call`` if no file has changed since, otherwise ``None``."""
        return self._table.outputs.get(call) if self._table is not None and self._is_unchanged else None

    def known(self) -> dict[str, bytes | None]:
        """Return the cached facts of unchanged files, by path; ``None`` for a file with nothing to check.

        Files whose facts could not be stored are missing.
        """
        parts = None if self._table is None else cache_file.read(self._file, self._basis)
        if self._table is None or parts is None:
            return {}
        at = 0
        for number, (path, length) in enumerate(zip(self._table.paths, self._table.lengths, strict=True)):
            start, at = at, at + max(0, length)
            if length and path in self._unchanged:
                text_digest = self._table.digests[DIGEST * number : DIGEST * (number + 1)]
                self._known[path] = text_digest, parts[1][start:at] if length > 0 else None
        return {path: packed for path, (_, packed) in self._known.items()}

    def save(self, facts: Mapping[str, tuple[bytes, bytes] | None], call: str, output: Output | None) -> None:
        """Write the facts and the output to the cache file. Errors of writing are ignored.

        New facts that show a secret are left out. If an output shows a secret, nothing is written.

        Args:
            facts: Digest of the text and encoded facts of the files that the run has read, by path; ``None`` for a file
                with nothing to check. Empty facts are not stored. The other files keep the facts that `known` returned.
            call: Key of everything besides the files that determines the output.
            output: The output of the run. It is ignored unless the facts of every file are known.
        """
        entries = {
            path: self._new_entry(path, facts[path]) if path in facts else self._known[path]
            for path in self._paths
            if path in self._stamps and (path in facts or path in self._known)
        }
        outputs = dict(self._table.outputs) if self._table is not None and self._is_unchanged else {}
        if output is not None and len(entries) == len(self._paths):
            # Dictionaries keep insertion order, so the oldest outputs are dropped.
            outputs = {**dict(list(outputs.items())[1 - _MOST_OUTPUTS :]), call: output}
        packed = [packed_facts for _, packed_facts in entries.values()]
        table = _CacheTable(
            self._began,
            [*entries],
            b"".join([self._stamps[path] for path in entries]),
            b"".join([text_digest for text_digest, _ in entries.values()]),
            [-1 if packed_facts is None else len(packed_facts) for packed_facts in packed],
            self._named,
            outputs,
        )
        head = marshal.dumps(tuple(table))
        # The head contains the outputs; an output that shows a secret must not be written to disk.
        if not shows_secret(head):
            cache_file.write(
                self._file, self._basis, [[head], [packed_facts for packed_facts in packed if packed_facts]]
            )

    def _new_entry(self, path: str, facts: tuple[bytes, bytes] | None) -> tuple[bytes, bytes | None]:
        if facts is None:
            return self._digest_if_needed(path) or _UNKNOWN, None
        text_digest, packed_facts = facts
        return text_digest or _UNKNOWN, b"" if shows_secret(packed_facts) else packed_facts

    def _digest_if_needed(self, path: str) -> bytes | None:
        known = _digest_of(path) if not _trusts_stamps() else None
        return known if stamps_of([path]).get(path) == self._stamps[path] else None

    def _known_table(self) -> _CacheTable | None:
        parts = cache_file.read(self._file, self._basis, first_alone=True)
        plain = _loaded(parts[0]) if parts else None
        return _CacheTable(*plain) if isinstance(plain, tuple) and len(plain) == len(_CacheTable._fields) else None

    def _unchanged_of(self, table: _CacheTable) -> Iterator[str]:
        """Yield the paths of the files whose texts have not changed since the table was written.

        A file is left out if the user named it only in one of the two runs, because its findings may differ.
        """
        trusts_stamps = _trusts_stamps()
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
            # A different size means a different text, so no digest is needed.
            elif are_of_one_size(stamp, now):
                last_digest = table.digests[DIGEST * number : DIGEST * (number + 1)]
                if last_digest != _UNKNOWN and _digest_of(path) == last_digest:
                    yield path


def shows_secret(packed: bytes) -> bool:
    """Return whether data in `marshal` format contains a string with the form of a secret.

    Bytes between strings may look like a secret too. Therefore each string is checked on its own after a match.
    """
    return has_form(packed.decode("latin-1")) and _holds_form(_loaded(packed))


def _holds_form(value: Any) -> bool:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if secret_ranges(item):
                return True
        elif isinstance(item, dict):
            waiting += (*item, *item.values())
        elif isinstance(item, tuple | list):
            waiting += item
    return False


def code(root: str = _ROOT) -> object:
    """Return a value that is different after any change of mcpcfg's code.

    For an installed package, it is a digest of the file hashes recorded at installation, which is the same on every
    machine. For a checkout, it is the stamps of the modules, because the version does not change during development.
    """
    record = file_path.join(os.path.dirname(root), f"mcpcfg-{VERSION}.dist-info", "RECORD")
    try:
        with open(record, encoding="utf-8") as file:
            modules = [line for line in file if line.startswith("mcpcfg/") and ",sha256=" in line]
    except (OSError, UnicodeError):
        modules = []
    return digest("".join(sorted(modules)).encode()) if modules else _stamps_of_modules(root)


def _stamps_of_modules(root: str) -> list[tuple[str, int, int]]:
    stamps: list[tuple[str, int, int]] = []
    waiting = [file_path.join(root, room) for room in ("compiler", "validators")]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        waiting.append(entry.path)
                elif entry.name.endswith(".py"):
                    status = entry.stat()
                    stamps.append((entry.path, status.st_mtime_ns, status.st_size))
    return sorted(stamps)


def _trusts_stamps() -> bool:
    return not os.environ.get("CI")  # in a fresh checkout all stamps are new


def _digest_of(path: str) -> bytes | None:
    try:
        with open(path, "rb", buffering=0) as file:
            return digest(file.read())
    except OSError:
        return None


def _loaded(part: bytes) -> Any:
    try:
        return marshal.loads(part)  # noqa: S302 - authenticated, so mcpcfg wrote it
    except (EOFError, TypeError, ValueError):
        return None
