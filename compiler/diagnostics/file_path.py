"""Functions of ``os.path`` whose results have ``/`` as the separator on every system.

Windows accepts ``/`` in every call. So paths in findings and output are the same on each system, and other code can
split and compare them as texts.

The path ``-`` stands for standard input. No function turns another path into it: a file of that name is ``./-``.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from .budget import cache_of_text
from .span import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable


_MOST_ATTEMPTS: Final = 100
"""Number of times that a path is resolved while another program replaces its links."""


def with_slashes(path: str) -> str:
    r"""Convert a path of the system to ``/`` as separator and an upper-case drive letter.

    Only Windows paths change: on other systems, ``\`` is an ordinary character of names.
    """
    if os.sep == "/":
        return path
    path = path.replace("\\", "/")
    return path[0].upper() + path[1:] if path[1:2] == ":" else path


def abspath(path: str) -> str:
    """Return the absolute, normalized path. Links are not resolved."""
    return with_slashes(os.path.abspath(path))


def abspaths(paths: Iterable[str]) -> list[str]:
    """Return the absolute, normalized path of each path, like `abspath` in a third of the time."""
    if os.sep != "/":
        return [abspath(path) for path in paths]
    folder = os.getcwd().rstrip("/")
    return [os.path.normpath(path if path.startswith("/") else f"{folder}/{path}") for path in paths]


def folder_of(path: str) -> str:
    """Return the folder of a normalized path, like ``os.path.dirname`` in half of the time."""
    if os.sep != "/":
        return os.path.dirname(path)
    folder, separator, _ = path.rpartition("/")
    return folder or separator


def commonpath(paths: Iterable[str]) -> str:
    """Return the longest path that all paths begin with; an empty text for paths on different drives.

    Raises:
        ValueError: There is no path, or some paths are absolute and others are not. Windows returns an empty text.
    """
    given = list(paths)
    try:
        return with_slashes(os.path.commonpath(given))
    except ValueError:
        if os.sep == "/":
            raise
        return ""


def expanduser(path: str) -> str:
    """Return the path with ``~`` replaced by the folder of the user."""
    return with_slashes(os.path.expanduser(path))


def getcwd() -> str:
    """Return the current folder."""
    return with_slashes(os.getcwd())


def is_remote(path: str, folder: str = os.curdir) -> bool:
    r"""Return whether a path is on a share of the network that ``folder`` is not on.

    Only Windows has such paths (``\\\\machine\\share``). Even a test whether one exists sends the user's name to the
    machine.
    """
    share, own_share = (os.path.splitdrive(abspath(place))[0].casefold() for place in (path, folder))
    return share.startswith("//") and share != own_share


def is_same(path: str, other: str) -> bool:
    """Return whether two paths that differ at most in case name the same existing file."""
    return path.casefold() == other.casefold() and os.path.exists(path) and os.path.samefile(path, other)


def join(folder: str, *names: str) -> str:
    """Return the names appended to the folder as a path. An absolute name replaces everything before it."""
    return with_slashes(os.path.join(folder, *names))


@cache_of_text(16_384)  # each path of a project is asked for ten times
def normpath(path: str) -> str:
    """Return the path without ``.``, ``..`` and doubled separators, as far as they can be resolved."""
    return path if path == "-" else _not_standard_input(os.path.normpath(path))


def realpath(path: str) -> str:
    """Return the absolute path with all links resolved.

    Raises:
        InputError: Another program replaces a link in the path all the time.
    """
    for _ in range(_MOST_ATTEMPTS):
        with suppress(OSError):  # a link that became a folder after it was seen cannot be read
            return with_slashes(os.path.realpath(path))
    raise InputError(f"{path}: a link in the path changes all the time")


def relpath(path: str, start: str = os.curdir) -> str:
    """Return ``path`` relative to the folder ``start``, or the absolute path if it is on another drive."""
    try:
        return _not_standard_input(os.path.relpath(path, start))
    except ValueError:
        if os.sep == "/":
            raise
        return abspath(path)


def _not_standard_input(path: str) -> str:
    return "./-" if path == "-" else with_slashes(path)
