"""Facts kept in memory between checks of a project, so that an edit only causes its own file to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..disk.stamp import digest, stamps_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..check.facts import Facts
    from ..disk.files import FoundFile


class Memory:
    """The facts of the files that the last check read.

    Attributes:
        known: Facts of the files that `begin` found unchanged, which the next check reuses.
    """

    def __init__(self) -> None:
        self.known: dict[str, Facts | None] = {}
        self._facts: Mapping[str, Facts | None] = {}
        self._marks: dict[str, bytes] = {}
        """The stamp of each file, or the digest of its buffer, when its text was read.

        It shows whether the text has changed.
        """
        self._now: dict[str, bytes] = {}

    def begin(self, files: Iterable[FoundFile], buffers: Mapping[str, bytes]) -> bool:
        """Begin a check, and return whether any file was changed, added or removed since the last check.

        Args:
            buffers: Texts that replace the content of files.
        """
        paths = {path for path, _ in files}
        self._now = stamps_of(sorted(paths.difference(buffers)))
        self._now |= {path: digest(buffers[path]) for path in paths.intersection(buffers)}
        marks = self._marks
        self.known = {
            path: facts for path, facts in self._facts.items() if path in marks and self._now.get(path) == marks[path]
        }
        return not self.known.keys() == paths == self._facts.keys()

    def forget(self, path: str) -> None:
        """Drop the facts of a file, so that the next check reads the file again regardless of its time stamps."""
        self._marks.pop(path, None)

    def save(self, facts: Mapping[str, Facts | None]) -> None:
        """Store the facts that a check has read. The check must have called `begin`."""
        self._facts = facts
        self._marks = self._now
