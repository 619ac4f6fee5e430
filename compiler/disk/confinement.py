"""Which files may be read: regular files and, in a server whose callers choose the paths, those below its folder."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..reading.bound import MAX_FILE_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

READ_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags for reading a file. Without ``O_NONBLOCK``, opening a pipe without a writer would block forever."""
_folders: list[str] = []
"""Folders that files must be in, with all links resolved; empty if any file may be read."""


class Place(NamedTuple):
    """The place of a file.

    Attributes:
        top: An existing folder, which is trusted.
        steps: Names of the folders from ``top`` to the file.
    """

    top: str
    steps: tuple[str, ...]
    name: str

    @property
    def folder(self) -> str:
        """The path of the folder that contains the file."""
        return file_path.join(self.top, *self.steps)


def place_of(file: str, within: Iterable[str], *, is_new: bool = False) -> Place | None:
    """Return the place of a file with its links resolved, or ``None`` if the file is outside of all the folders.

    Args:
        within: Folders, with all links resolved. A place in ``.git`` counts as outside, since it may hold credentials.
        is_new: True if the path itself must not be a link. Links of its folders are resolved.
    """
    if "\0" in file or any(file_path.is_remote(file, top) for top in within):
        return None
    real = file_path.realpath(file)
    if is_new:
        real = file_path.join(file_path.realpath(os.path.dirname(file) or "."), os.path.basename(file))
    for top in within:
        before = file_path.join(top, "")
        if real.startswith(before):
            *steps, name = real[len(before) :].split("/")
            if ".git" in map(str.lower, (*steps, name)):
                return None
            existing = top
            while not os.path.isdir(existing):  # the folder of a new project
                existing = os.path.dirname(existing)
            missing = top[len(existing) :].strip("/")
            return Place(existing, (*missing.split("/"), *steps) if missing else tuple(steps), name)
    return None


def confine(folder: str) -> None:
    """Confine all reading to ``folder`` from now on. A link inside it that leads outside is refused, too."""
    _folders[:] = [file_path.realpath(folder)]


def confinement() -> str | None:
    """Return the folder that files are confined to, or ``None`` if every file may be read."""
    return _folders[0] if _folders else None


@contextmanager
def opened_to(folder: str) -> Iterator[None]:
    """Allow files of another folder too, such as a temporary one, within the ``with`` block."""
    if not _folders:
        yield
        return
    _folders.append(file_path.realpath(folder))
    try:
        yield
    finally:
        _folders.pop()


def may_be_read(path: str) -> bool:
    """Return whether the confinement allows reading a file; without a confinement, every file is allowed.

    A confinement never allows files in ``.git``, because they may contain credentials.
    """
    if not _folders:
        return True
    return file_path.realpath(path) in _folders or confined_place(path) is not None


def confined_place(path: str) -> Place | None:
    """Return the place of a file that the confinement allows to read, or ``None`` if it does not."""
    return place_of(path, _folders)


def read_regular(descriptor: int) -> tuple[bytes, os.stat_result]:
    """Return the content and the status of an open regular file, and close it.

    At most one byte more than `MAX_FILE_BYTES` is read, so callers can see that the file is too large.

    Raises:
        OSError: It is not a regular file, or cannot be read.
    """
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        parts = []
        left = MAX_FILE_BYTES + 1
        while left > 0:
            # At least 64 KiB, because file systems such as /proc state the size 0 for each file.
            asked = min(left, max(status.st_size + 1, 65536))
            part = os.read(descriptor, asked)
            parts.append(part)
            left -= len(part)
            if len(part) < asked:  # the end of a regular file
                break
        return parts[0] if len(parts) == 1 else b"".join(parts), status
    finally:
        os.close(descriptor)
