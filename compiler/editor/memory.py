"""What is kept in memory between checks of one project, so that an edit costs little more than its own file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcfg.compiler.intake.cache import text_digest

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from mcpcfg.compiler.disk.files import FoundFile
    from mcpcfg.compiler.intake.stored import Entry, Plain

Stamp = tuple[int, int, int, int]


class _File(NamedTuple):
    """What is kept of one file: its facts, and by what to tell that it is the same; no stamp for a buffer."""

    entry: Entry
    stamp: Stamp | None


class Memory:
    """What the last check of a project found, as `intake.kept.Kept` wants it."""

    def __init__(self) -> None:
        self._files: dict[str, _File] = {}
        self._verdicts: dict[str, Plain] = {}
        self._rest: tuple[Any, Any] | None = None
        self._stamps: dict[str, Stamp | None] = {}
        self._is_asked = False
        self.unchanged: frozenset[str] = frozenset()

    def begin(self, found: Iterable[FoundFile], buffers: Mapping[str, bytes]) -> bool:
        """Look which files have changed since the last check; tells whether any has.

        Args:
            found: The files of this check.
            buffers: Texts that count in place of what files hold.
        """
        self._is_asked = False
        self._stamps = {path: None if path in buffers else _stamp(path) for path, _ in found}
        self.unchanged = frozenset(path for path, now in self._stamps.items() if self._is_same(path, now, buffers))
        return len(self.unchanged) < len(self._stamps) or self._files.keys() != self._stamps.keys()

    def forget(self, path: str) -> None:
        """Let the file be read again, whatever its time stamps say."""
        known = self._files.get(path)
        if known is not None:
            self._files[path] = known._replace(stamp=None, entry=known.entry._replace(digest=b""))

    def known(self) -> dict[str, Entry]:
        """Give the facts of the files that have not changed."""
        self._is_asked = True
        return {path: self._files[path].entry for path in self.unchanged}

    @property
    def memory(self) -> Any:
        """What the rules left here last time."""
        if self._rest is None or not self._is_asked:
            return None
        return (self._rest[0], self._verdicts, self._rest[1])

    @property
    def stale(self) -> Sequence[Plain]:
        """The facts of files that have changed or gone since."""
        if not self._is_asked:
            return ()
        gone = (known.entry.facts for path, known in self._files.items() if path not in self.unchanged)
        return [facts for facts in gone if facts is not None]

    def save(
        self,
        entries: Mapping[str, Entry],
        findings: Plain,
        documents: int,
        *,
        nothing: bool,
        memory: Any,
        touched: Container[str],
    ) -> None:
        """Keep what a check found, as `Kept.save` says."""
        del findings, documents, nothing
        basis, verdicts, surveys = memory
        kept = {
            path: verdict
            for path, verdict in self._verdicts.items()
            if path in self.unchanged and path not in touched and path in entries
        }
        self._verdicts = {**kept, **verdicts}
        self._files = {path: _File(entry, self._stamps.get(path)) for path, entry in entries.items()}
        self._rest = (basis, surveys)

    def _is_same(self, path: str, now: Stamp | None, buffers: Mapping[str, bytes]) -> bool:
        known = self._files.get(path)
        if known is None:
            return False
        if path in buffers:
            return known.entry.digest == text_digest(buffers[path])
        return now is not None and known.stamp == now


def _stamp(path: str) -> Stamp | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino
