"""The way from paths to texts: walking folders, reading files and holding them, within bounds and in one order."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from ..diagnostics.finding import rule
from ..diagnostics.span import InputError, Span
from ..reading.bound import BEYOND_BOUNDS, MAX_FILE_BYTES
from .output_file import reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..diagnostics.finding import Finding
    from .gitignore import Pattern
    from .walk import Walked

UNREADABLE_FILE = rule(
    "SYN019",
    "unreadable-file",
    "A file in a folder cannot be read",
    stage="syntax",
    checks="A file that was found in a folder but then did not exist, may not be opened, or is a pipe, a socket or a"
    " device.",
    why="What it would have declared is missing, so references to it would be reported without cause. A file that is"
    " named on the command line and cannot be read ends the call with exit status 2.",
    example="servers.yaml -> /srv/gone.yaml   # a link to a file that does not exist",
    fix="Fix the permissions, or exclude the file (`exclude` in mcpcfg.yaml).",
    source="The file system, as mcpcfg finds it.",
)

STDIN: Final = "-"
"""The path that stands for standard input."""

_SUFFIXES: Final = (".yaml", ".yml", ".json")
_NAMES: Final = frozenset({"Chart.lock", "SKILL.md"})
_OPEN_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_MIB: Final = 1024 * 1024


class FoundFile(NamedTuple):
    """A file to read.

    Attributes:
        path: As findings print it: as it was named, or below the folder that was named.
        is_named: It was named itself; then it has to be there.
    """

    path: str
    is_named: bool


def is_configuration(name: str) -> bool:
    """Return whether a file of this name may hold configuration: YAML, JSON, a skill or what Helm locked."""
    return name.endswith(_SUFFIXES) or name in _NAMES


def lies_in(path: str, folder: str) -> bool:
    """Return whether a path, written as that of the folder is, leads to the folder or to what is within it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def find_files(
    paths: Sequence[str],
    exclude: Iterable[str] = (),
    *,
    base: str | None = None,
    wanted: Callable[[str], bool] = is_configuration,
    left_out: dict[str, str | None] | None = None,
) -> list[FoundFile]:
    """List the files that ``paths`` mean, each once, sorted by path.

    A file that is named is taken whatever it is called. A folder is walked: hidden folders, what Git ignores there and
    what ``exclude`` matches are left out. Links to files are followed if they end inside the folder (or its Git
    repository), links to folders are not. Of two paths to one file the one without links, then the shorter, counts.

    Args:
        paths: Files, folders or ``-``.
        exclude: Patterns in the manner of ``.gitignore``.
        base: The folder that ``exclude`` is relative to; else, and for what lies elsewhere, each folder that is walked.
        wanted: Returns whether a file in a folder is of interest, by its name.
        left_out: Notes the files and folders that are left out: ``None`` where ``exclude`` matches one, else why Git
            does not say what it ignores, so that its ignore files decide.

    Raises:
        InputError: A path does not exist or cannot be looked at.
    """
    excluded = _patterns(exclude)
    noted = {} if left_out is None else left_out
    best: dict[str, Walked] = {}
    named: set[str] = set()
    for path in paths:
        meant, is_named = _meant(path, excluded, base, wanted, noted)
        if is_named:
            named.update([real for _, real, _ in meant])
        for one in meant:
            known = best.setdefault(one[1], one)
            if known is not one:
                best[one[1]] = min(known, one, key=_rank)
    return [FoundFile(path, real in named) for path, real, _ in sorted(best.values(), key=itemgetter(0))]


def _patterns(exclude: Iterable[str]) -> list[Pattern]:
    if not exclude:
        return []
    from .gitignore import patterns

    return patterns(exclude)


def _rank(file: Walked) -> tuple[bool, int, str]:
    path, _, is_link = file
    return is_link, len(path), path


def read_file(found: FoundFile) -> bytes | Finding:
    """Read a whole regular file of at most 64 MiB. See `open_file`."""
    return open_file(found)[0]


def open_file(found: FoundFile) -> tuple[bytes | Finding, os.stat_result | None]:
    """Read a whole regular file of at most 64 MiB; returns with its text the state it was in when it was opened.

    Pipes and devices are refused, so that nothing waits for what may never come. What keeps a file that was found in a
    folder from being read is a finding.

    Raises:
        InputError: The file was named and is not there, is no regular file, or may not be read.
    """
    try:
        data, status = _read(found.path)
    except OSError as error:
        if found.is_named:
            raise InputError(f"{found.path}: {reason(error)}") from None
        message = f"the file cannot be read: {reason(error)}"
        return UNREADABLE_FILE.finding(Span(found.path, 1, 1, 1, 1), message), None
    return bounded(data, found.path), status


def read_whole(path: str, most: int = MAX_FILE_BYTES) -> bytes:
    """Read a whole regular file of at most ``most`` bytes, 64 MiB at most, that is no part of what is checked.

    Raises:
        InputError: It is not there, is no regular file, is too large, or may not be read.
    """
    try:
        data = _read(path)[0]
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}") from None
    return _at_most(most, data, path)


def read_named(path: str, most: int = MAX_FILE_BYTES) -> bytes:
    """Read at most ``most`` bytes of what the call itself names, which may be a pipe: ``<(git show …)``.

    Raises:
        InputError: It is not there, is too large, or may not be read.
    """
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
    """Read standard input, at most 64 MiB; ``name`` names it in findings."""
    return bounded(stdin_bytes(), name)


def stdin_bytes() -> bytes:
    """Read standard input, one byte more than 64 MiB at most.

    Raises:
        InputError: It is closed.
    """
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)


def bounded(data: bytes, name: str) -> bytes | Finding:
    """Return the text of a file if it is at most 64 MiB; ``name`` names it in the finding."""
    if len(data) <= MAX_FILE_BYTES:
        return data
    message = f"the file is larger than {MAX_FILE_BYTES // _MIB} MiB"
    return BEYOND_BOUNDS.finding(Span(name, 1, 1, 1, 1), message)


class Texts(Mapping[str, bytes]):
    """The texts of a call by file: held where this process has read one, else read when a report asks for its lines.

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
            from ..reading.document import decode

            self._decoded = (file, decode(self[file]))
        return self._decoded[1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


def _read(path: str) -> tuple[bytes, os.stat_result]:
    # O_NONBLOCK: opening a pipe without a writer would wait for ever.
    descriptor = os.open(path, _OPEN_FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        parts = []
        # One byte more than allowed, so that `bounded` sees that the file is too large.
        left = MAX_FILE_BYTES + 1
        while left > 0:
            asked = min(left, max(status.st_size + 1, 65536))
            part = os.read(descriptor, asked)
            parts.append(part)
            left -= len(part)
            if len(part) < asked:  # of a regular file: its end
                break
        return parts[0] if len(parts) == 1 else b"".join(parts), status
    finally:
        os.close(descriptor)


def _meant(
    path: str, excluded: list[Pattern], base: str | None, wanted: Callable[[str], bool], left_out: dict[str, str | None]
) -> tuple[Sequence[Walked], bool]:
    """Return the files that one path means, and whether it names them itself."""
    if path == STDIN:
        return [(STDIN, STDIN, False)], True
    try:
        status = os.stat(path)
        shown = os.path.normpath(path)
        if not stat.S_ISDIR(status.st_mode):
            return [(shown, os.path.realpath(path), os.path.islink(path))], True
        from .walk import walk

        return list(walk(shown, excluded, base or shown, wanted, left_out)), False
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}") from None
