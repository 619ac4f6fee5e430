"""Folders that stay open, so that no link that appears later can lead a write elsewhere.

A path is checked once and used later. In between, somebody may replace a folder of the path by a link. Therefore
`OpenFolder` opens each folder of the path in turn, without following links, and works in the folder that it opened.
Systems without this feature, such as Windows, compare the path again before each step instead.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from typing import TYPE_CHECKING, Final, Self

from ..diagnostics import file_path
from .confinement import READ_FLAGS, read_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TEMPORARY: Final = ".mcpcfg-"
"""Beginning of the names of temporary files."""
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_FOLDER: Final = getattr(os, "O_DIRECTORY", 0)
# O_PATH: a folder that may be entered need not be readable.
_STEP: Final = getattr(os, "O_PATH", os.O_RDONLY) | _FOLDER | _NO_LINK
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | getattr(os, "O_BINARY", 0)
_IS_STEPWISE: Final = {os.open, os.mkdir, os.rename, os.rmdir, os.unlink} <= os.supports_dir_fd
_PATIENCE: Final = 10.0
"""Maximum seconds of waiting for other processes of mcpcfg that write into the same folder."""


class OpenFolder:
    """An open folder in which files are read and written whole. A context manager.

    When it is left, temporary files are removed. If an exception left it, the folders that it created are removed too.

    Args:
        top: An existing folder, which is trusted. Links in its path are followed.
        steps: Names of the folders from ``top`` to the folder. None of them may be a link.
        create: True to create missing folders.

    Raises:
        OSError: A folder is missing, or is a link or a file.
    """

    def __init__(self, top: str, steps: Sequence[str] = (), *, create: bool = False) -> None:
        self.path = file_path.join(top, *steps)
        self._temporary: set[str] = set()
        self._created: list[tuple[int | None, str]] = []
        self._locked: int | None = None
        self._descriptor: int | None = os.open(top, _STEP & ~_NO_LINK) if _IS_STEPWISE else None
        self._current = file_path.realpath(top)
        try:
            for step in steps:
                self._enter(step, create=create)
        except BaseException:
            self._close(is_undone=True)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for name in [*self._temporary]:
            with contextlib.suppress(OSError):
                self.remove(name)
        self._close(is_undone=kind is not None)

    def read(self, name: str) -> tuple[bytes, os.stat_result] | None:
        """Return the content and the status of a regular file, or ``None`` if the file does not exist.

        Raises:
            OSError: It is a link or a special file, or cannot be read.
        """
        try:
            descriptor = os.open(self._at(name), READ_FLAGS | _NO_LINK, dir_fd=self._descriptor)
        except FileNotFoundError:
            return None
        return read_regular(descriptor)

    def stage(self, pieces: Iterable[bytes], mode: int | None = None) -> str:
        """Write a temporary file with the mode of the file that it will replace, and return its name."""
        name = f"{TEMPORARY}{os.urandom(8).hex()}"
        # Data of a private file must not be readable for a moment.
        descriptor = os.open(self._at(name), _NEW, 0o666 if mode is None else 0o600, dir_fd=self._descriptor)
        self._temporary.add(name)
        with os.fdopen(descriptor, "wb") as stream:
            stream.writelines(pieces)
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(stream.fileno(), stat.S_IMODE(mode))
        return name

    def put(self, temporary: str, name: str, *, is_new: bool = False) -> None:
        """Give a temporary file its final name.

        Args:
            temporary: The result of `stage`.
            name: The final name. A link of this name is replaced, not followed.
            is_new: True if no file may have this name.

        Raises:
            FileExistsError: ``is_new`` is set, and there is such a file.
            OSError: The file cannot be renamed.
        """
        old, new = self._at(temporary), self._at(name)
        if is_new:
            try:
                os.link(old, new, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
            except FileExistsError:
                raise
            except OSError:  # a file system without hard links
                if self.has(name):
                    raise
            else:
                return  # the temporary name is removed when the folder is left
        os.replace(old, new, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
        self._temporary.discard(temporary)

    def has(self, name: str) -> bool:
        """Return whether the folder has a file, folder or link of this name."""
        try:
            os.stat(self._at(name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    def remove(self, name: str) -> None:
        """Remove a file or a link."""
        os.unlink(self._at(name), dir_fd=self._descriptor)
        self._temporary.discard(name)

    def lock(self) -> None:
        """Keep other processes of mcpcfg from writing into the folder until it is left.

        Raises:
            TimeoutError: Another process has the lock for too long.
        """
        if sys.platform == "win32" or self._descriptor is None:
            return
        import fcntl

        end = time.monotonic() + _PATIENCE
        with contextlib.suppress(PermissionError):  # only a readable folder can be locked
            self._locked = os.open(".", os.O_RDONLY | _FOLDER, dir_fd=self._descriptor)
        while self._locked is not None:
            try:
                fcntl.flock(self._locked, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise TimeoutError(errno.ETIMEDOUT, "another process writes into the folder") from None
                time.sleep(0.01)
            except OSError:  # a file system without locks
                break

    def _enter(self, step: str, *, create: bool) -> None:
        above, created = self._descriptor, False
        if create:
            with contextlib.suppress(FileExistsError):
                os.mkdir(self._at(step), dir_fd=above)
                created = True
                self._created.append((above, self._at(step)))
        self._current = file_path.join(self._current, step)
        if above is None:
            self._at("")
            return
        self._descriptor = os.open(step, _STEP, dir_fd=above)
        if not created:
            os.close(above)

    def _at(self, name: str) -> str:
        if self._descriptor is not None:
            return name
        if file_path.realpath(self._current) != self._current:
            raise OSError(errno.ELOOP, "a folder of its path has become a link")
        return file_path.join(self._current, name)

    def _close(self, *, is_undone: bool) -> None:
        for above, name in reversed(self._created):
            if is_undone:
                with contextlib.suppress(OSError):
                    os.rmdir(name, dir_fd=above)
        open_descriptors = {self._descriptor, self._locked, *(above for above, _ in self._created)} - {None}
        for descriptor in open_descriptors:
            assert descriptor is not None
            os.close(descriptor)
        self._created.clear()
