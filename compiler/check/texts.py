"""The texts of the files of a call, for the lines that reports show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..disk.files import FoundFile, read_file
from ..reading.document import decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Texts(Mapping[str, bytes]):
    """Name of a file to its text: held where this process has read it, else read when it is asked for.

    Args:
        buffers: Texts that count in place of what files hold, by the paths of the files.
    """

    def __init__(self, buffers: Mapping[str, bytes] | None = None) -> None:
        self._buffers = buffers or {}
        self._held: dict[str, bytes | None] = {}
        self._decoded = ("", "")

    def add(self, file: str, text: bytes | None) -> None:
        """Add a file, with its text where that is at hand."""
        self._held[file] = text

    def held(self, file: str) -> bytes | None:
        """Return the text of a file that this process has read."""
        return self._held.get(file)

    def arrange(self, files: Iterable[str]) -> None:
        """Add all files of the call that are still missing, and sort all in reading order."""
        self._held = {file: self._held.get(file) for file in files}

    def __getitem__(self, file: str) -> bytes:
        text = self._held[file]
        if text is None:
            read = self._buffers[file] if file in self._buffers else read_file(FoundFile(file, is_named=False))
            text = self._held[file] = read if isinstance(read, bytes) else b""
        return text

    def decoded(self, file: str) -> str:
        """Return the text of a file as it was read. That of the last one is kept: documents of a file share it."""
        if self._decoded[0] != file:
            self._decoded = (file, decode(self[file]))
        return self._decoded[1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)
