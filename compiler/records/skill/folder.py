"""Read the folder of a skill: its ``SKILL.md`` and a list of its other files."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Literal

from ...diagnostics import file_path
from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.span import InputError
from ...disk.files import FoundFile, read_file
from ...toolhive.constants import SKILL_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

_GIT = ".git"
"""The folder of Git, or a file in a worktree."""
MOST_ENTRIES = 20_000
"""Maximum number of files and folders that are listed, far above the 1000 files that a skill's package may have."""


class FolderEntry(NamedTuple):
    """A file or folder in a skill's folder.

    Attributes:
        kind: ``other`` is, for example, a socket or a device.
        size: The size of a file in bytes; 0 for everything else.
    """

    path: str
    kind: Literal["file", "folder", "link", "other"]
    size: int


class SkillFolder(NamedTuple):
    """A skill's folder as it was read.

    Attributes:
        path: The path of the folder as the user named it.
        name: The last part of the absolute path.
        content: The content of its ``SKILL.md``, or ``None`` if the file is missing or cannot be read.
        problem: The reason why the existing ``SKILL.md`` cannot be read, or ``None``.
        is_link: True if the folder itself is a link.
        entries: The content of the folder; empty if ``is_link``. Each folder precedes its content, sorted by name.
        is_checkout: True if the folder is the root of a checkout, or is checked alone, so its name is chance.
    """

    path: str
    name: str
    content: bytes | None
    problem: str | None
    is_link: bool
    entries: tuple[FolderEntry, ...]
    is_checkout: bool = False


def read_skill_folder(path: str) -> SkillFolder:
    """Read the ``SKILL.md`` of the folder at ``path``, and list the files and folders in it."""
    file = file_path.join(path, SKILL_FILE)
    content: bytes | None = None
    problem: str | None = None
    if os.path.exists(file):
        try:
            read = read_file(FoundFile(file, is_named=True))
        except InputError as error:
            problem = str(error)
        else:
            content, problem = (read, None) if isinstance(read, bytes) else (None, read.message)
    is_link = os.path.islink(path)
    entries = () if is_link else tuple(_walk(path))
    whole = file_path.abspath(path)
    return SkillFolder(path, os.path.basename(whole), content, problem, is_link, entries, _is_checkout(path, whole))


def _is_checkout(path: str, whole: str) -> bool:
    """Return whether a folder is the root of a repository, or the current folder outside of any repository."""
    if path != ".":
        return os.path.exists(file_path.join(whole, _GIT))
    inside = whole
    while not os.path.exists(file_path.join(inside, _GIT)) and inside != os.path.dirname(inside):
        inside = os.path.dirname(inside)
    return inside in {whole, os.path.dirname(inside)}


def _walk(root: str) -> Iterator[FolderEntry]:
    """Yield up to ``MOST_ENTRIES`` entries below a folder. Like the service, skip entries that cannot be read."""
    waiting = [""]
    count = 0
    while waiting and count < MOST_ENTRIES:
        path = waiting.pop()
        whole = file_path.join(root, path) if path else root
        if path:
            entry = _entry(path, whole)
            if entry is None:
                continue
            count += 1
            yield entry
            if entry.kind != "folder":
                continue
        try:
            names = sorted(os.listdir(whole), key=os.fsencode, reverse=True)
        except OSError:
            continue
        waiting += [f"{path}/{name}" if path else name for name in names]


def _entry(path: str, whole: str) -> FolderEntry | None:
    try:
        status = os.lstat(whole)
    except OSError:
        return None
    mode = status.st_mode
    if stat.S_ISLNK(mode):
        return FolderEntry(path, "link", 0)
    if stat.S_ISDIR(mode):
        return FolderEntry(path, "folder", 0)
    return FolderEntry(path, "file", status.st_size) if stat.S_ISREG(mode) else FolderEntry(path, "other", 0)
