"""Confine a server to the files below some folders, because its callers choose the paths."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..diagnostics import file_path
from .open_folder import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .open_folder import Place

_folders: list[str] = []
"""Folders that files must be in, with all links resolved; empty if any file may be read."""


def confine(folder: str) -> None:
    """Confine all reading to ``folder``.

    From now on, files outside of it are refused, also if a link inside leads to them.
    """
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
