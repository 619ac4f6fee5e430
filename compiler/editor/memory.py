"""What is kept in memory between checks of one project, so that an edit costs little more than its own file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..disk.stamp import stamps_of
from ..intake.cache_file import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..disk.files import FoundFile
    from ..disk.stamp import Stamp
    from ..intake.memory import Kept


class Memory:
    """What the last check of a project found, as `intake.memory.Keeper` wants it."""

    def __init__(self) -> None:
        self._kept: Kept | None = None
        self._before: dict[str, Stamp] = {}
        """By what to tell that a file is the same as in the last check; no stamp for a buffer."""
        self._stamps: dict[str, Stamp] = {}
        self.unchanged: frozenset[str] = frozenset()

    def begin(self, found: Iterable[FoundFile], buffers: Mapping[str, bytes]) -> bool:
        """Look which files have changed since the last check; tells whether any has.

        Args:
            found: The files of this check.
            buffers: Texts that count in place of what files hold.
        """
        paths = {path for path, _ in found}
        self._stamps = stamps_of(paths.difference(buffers))
        self.unchanged = frozenset(path for path in paths if self._is_same(path, buffers))
        known = self._kept.seen if self._kept is not None else {}
        return len(self.unchanged) < len(paths) or known.keys() != paths

    def forget(self, path: str) -> None:
        """Let the file be read again, whatever its time stamps say."""
        self._before.pop(path, None)
        if self._kept is not None and path in self._kept.seen:
            self._kept.seen[path] = b"", None

    def kept(self) -> Kept | None:
        """Return what the last check found."""
        return self._kept

    def save(self, kept: Kept) -> None:
        """Keep what a check found."""
        self._kept = kept
        self._before = self._stamps

    def _is_same(self, path: str, buffers: Mapping[str, bytes]) -> bool:
        if self._kept is None or path not in self._kept.seen:
            return False
        if path in buffers:
            return self._kept.seen[path][0] == digest(buffers[path])
        now = self._stamps.get(path)
        return now is not None and self._before.get(path) == now
