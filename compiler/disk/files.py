"""Find and read files, within bounds and in a fixed order."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.finding import rule
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.span import InputError, Span
from ..reading.bound import BEYOND_BOUNDS, MAX_FILE_BYTES
from .confinement import READ_FLAGS, confined_place, confinement, read_regular
from .open_folder import OpenFolder
from .output_file import reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..diagnostics.finding import Finding
    from .gitignore import IgnorePattern
    from .walk import Walked

UNREADABLE_FILE = rule("SYN019 unreadable-file", "syntax", "A file in a folder cannot be read")

STDIN: Final = "-"
"""The path that means standard input."""

_SUFFIXES: Final = (".yaml", ".yml", ".json")
_NAMES: Final = frozenset({"Chart.lock", "SKILL.md"})
_MIB: Final = 1024 * 1024
"""Bytes of a mebibyte."""


class FoundFile(NamedTuple):
    """A file to read.

    Attributes:
        path: Path as findings print it: as the user gave it, or below the folder that the user gave.
        is_named: True if the user named the file itself. It must then exist.
    """

    path: str
    is_named: bool


def is_configuration(name: str) -> bool:
    """Return whether the name is that of a configuration file: YAML, JSON, ``SKILL.md`` or ``Chart.lock``."""
    return name.endswith(_SUFFIXES) or name in _NAMES


def lies_in(path: str, folder: str) -> bool:
    """Return whether the path is the folder or inside it. Both must be absolute, or relative to the same folder."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def find_files(
    paths: Sequence[str],
    exclude: Iterable[str] = (),
    *,
    base: str | None = None,
    wanted: Callable[[str], bool] = is_configuration,
    left_out: dict[str, str | None] | None = None,
) -> list[FoundFile]:
    """Return the files that ``paths`` select, without duplicates, sorted by path.

    A named file is always included. In a folder, hidden folders, files ignored by Git and matches of ``exclude`` are
    skipped. Links to files are followed if their target is inside the folder or its Git repository; links to folders
    are not followed. If two paths lead to one file, a path without links is preferred, then the shorter path.

    Args:
        exclude: Patterns in the syntax of ``.gitignore``.
        base: Folder that ``exclude`` is relative to. By default, and for files outside of it, the walked folder.
        wanted: Returns whether a file of this name is to be returned.
        left_out: Receives skipped files and folders by path: ``None`` for a match of ``exclude``. If Git cannot be run,
            it also receives the paths that ignore files exclude, with the reason why Git could not be run.

    Raises:
        InputError: A path does not exist or cannot be accessed.
    """
    excluded = _patterns(exclude)
    noted = {} if left_out is None else left_out
    best: dict[str, Walked] = {}
    named: set[str] = set()
    for path in paths:
        selected, is_named = _selected(path, excluded, base, wanted, noted)
        if is_named:
            named.update([real for _, real, _ in selected])
        for file in selected:
            preferred = best.setdefault(file[1], file)
            if preferred is not file:
                best[file[1]] = min(preferred, file, key=_rank)
    if len(paths) > 1 or any(is_link for _, _, is_link in best.values()):
        _join_spellings(best, named)
    return [FoundFile(path, real in named) for path, real, _ in sorted(best.values(), key=itemgetter(0))]


def _join_spellings(best: dict[str, Walked], named: set[str]) -> None:
    """Merge paths that differ only in case if the file system opens the same file for them.

    Both arguments are changed in place. If any of the merged paths is in ``named``, so is the remaining path.
    """
    first: dict[str, str] = {}
    for real in [*best]:
        other = first.setdefault(real.casefold(), real)
        if other != real and file_path.is_same(other, real):
            best[other] = min(best[other], best.pop(real), key=_rank)
            if other in named or real in named:
                named.add(best[other][1])


def _patterns(exclude: Iterable[str]) -> list[IgnorePattern]:
    if not exclude:
        return []
    from .gitignore import patterns

    return patterns(exclude)


def _rank(file: Walked) -> tuple[bool, int, str]:
    path, _, is_link = file
    return is_link, len(path), path


def read_file(found: FoundFile) -> bytes | Finding:
    """Return the content of a regular file of at most 64 MiB, or a finding about the file.

    Pipes and devices are refused, because reading them might never end. If a file that was found in a folder cannot be
    read, return a finding.

    Raises:
        InputError: A file that the user named does not exist, is not a regular file, or cannot be read.
    """
    try:
        data = _read(found.path)
    except OSError as error:
        if found.is_named:
            raise InputError(f"{found.path}: {reason(error)}") from None
        message = f"the file cannot be read: {reason(error)}"
        return UNREADABLE_FILE.finding(Span(found.path, 1, 1, 1, 1), message)
    return bounded(data, found.path)


def read_whole(path: str, most: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a regular file of at most ``most`` bytes, for a file that is not checked itself.

    Raises:
        InputError: The file does not exist, is not a regular file, is too large, or cannot be read.
    """
    try:
        data = _read(path)
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}") from None
    return _at_most(most, data, path)


def read_named(path: str, most: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a file that the command line names, which may be a pipe: ``<(git show …)``.

    Raises:
        InputError: The file does not exist, is larger than ``most`` bytes, or cannot be read.
    """
    if confinement() is not None:  # the caller of a server must not make it wait for a pipe
        return read_whole(path, most)
    try:
        with open(path, "rb") as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}") from None
    return _at_most(most, data, path)


def _at_most(most: int, data: bytes, path: str) -> bytes:
    if len(data) > most:
        raise InputError(f"{path}: the file is larger than {most // _MIB} MiB")
    return data


def read_stdin(name: str) -> bytes | Finding:
    """Return standard input, or a finding if it is larger than 64 MiB; ``name`` is the file name of the finding."""
    return bounded(stdin_bytes(), name)


def stdin_bytes() -> bytes:
    """Return the content of standard input.

    If it is larger than 64 MiB, only one byte more is returned, so callers can refuse it.

    Raises:
        InputError: Standard input is closed.
    """
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)


def bounded(data: bytes, name: str) -> bytes | Finding:
    """Return the data, or a finding if it is larger than 64 MiB; ``name`` is the file name of the finding."""
    if len(data) <= MAX_FILE_BYTES:
        return data
    message = f"the file is larger than {MAX_FILE_BYTES // _MIB} MiB"
    return BEYOND_BOUNDS.finding(Span(name, 1, 1, 1, 1), message)


class Texts(Mapping[str, bytes]):
    """The content of all files of a run.

    If this process has not read a file, because its facts were cached, the file is read when its content is needed.

    Args:
        buffers: Texts by path that replace the content of files.
    """

    def __init__(self, buffers: Mapping[str, bytes] | None = None) -> None:
        self._buffers = buffers or {}
        self._texts: dict[str, bytes | None] = {}
        self._reopened: dict[str, bytes] = {}
        self._decoded = ("", "")

    def add(self, file: str, text: bytes | None) -> None:
        """Add a file, with its content if this process has read it."""
        self._texts[file] = text

    def text_if_read(self, file: str) -> bytes | None:
        """Return the content that the facts of a file come from, or ``None`` if this process has not read the file."""
        return self._texts.get(file)

    def arrange(self, files: Iterable[str]) -> None:
        """Add the missing files of the run, and sort all files in reading order."""
        self._texts = {file: self._texts.get(file) for file in files}

    def __getitem__(self, file: str) -> bytes:
        text = self._texts[file]
        if text is not None:
            return text
        if file not in self._reopened:
            read = self._buffers[file] if file in self._buffers else read_file(FoundFile(file, is_named=False))
            self._reopened[file] = read if isinstance(read, bytes) else b""
        return self._reopened[file]

    def decoded(self, file: str) -> str:
        """Return the decoded content of a file. The last result is cached, because the documents of a file share it."""
        if self._decoded[0] != file:
            from ..reading.excerpt import decode

            self._decoded = (file, decode(self[file]))
        return self._decoded[1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def _read(path: str) -> bytes:
    if confinement() is None:
        return read_regular(os.open(path, READ_FLAGS))[0]
    place = confined_place(path)
    if place is None:
        raise PermissionError(errno.EACCES, f"it is outside of {confinement()}")
    with OpenFolder(place.top, place.steps) as folder:
        content = folder.read(place.name)
    if content is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    return content[0]


def _selected(
    path: str,
    excluded: list[IgnorePattern],
    base: str | None,
    wanted: Callable[[str], bool],
    left_out: dict[str, str | None],
) -> tuple[Sequence[Walked], bool]:
    """Return the files that a path selects, and whether the path is a file or standard input instead of a folder."""
    if path == STDIN:
        return [(STDIN, STDIN, False)], True
    try:
        status = os.stat(path)
        shown = file_path.normpath(path)
        if not stat.S_ISDIR(status.st_mode):
            return [(shown, file_path.realpath(path), os.path.islink(path))], True
        from .walk import walk

        return list(walk(shown, excluded, base or shown, wanted, left_out)), False
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}") from None
