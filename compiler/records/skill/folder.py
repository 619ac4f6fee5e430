"""Reading the folder of a skill: its ``SKILL.md``, and what else lies in it."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Literal, NamedTuple

from ...diagnostics.span import InputError
from ...disk.files import FoundFile, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

SKILL_FILE = "SKILL.md"
MOST_ENTRIES = 20_000
"""So many files and folders are looked at; packages of skills hold 1000 at most."""


class Entry(NamedTuple):
    """A file or folder below a skill's folder.

    Attributes:
        path: From the skill's folder, with slashes.
        kind: What it is.
        size: In bytes, of a file.
    """

    path: str
    kind: Literal["file", "folder", "link", "other"]
    size: int


class SkillFolder(NamedTuple):
    """The folder of a skill, as it was read.

    Attributes:
        path: The folder, as it was named.
        name: What it is called.
        content: The content of its ``SKILL.md``; ``None`` where there is none, or it cannot be read.
        problem: Why that file cannot be read, where there is one.
        is_link: Whether the folder is a link itself.
        entries: What lies in it, in the order of a walk: each folder before what is in it, names sorted.
    """

    path: str
    name: str
    content: bytes | None
    problem: str | None
    is_link: bool
    entries: tuple[Entry, ...]


def read_skill_folder(path: str) -> SkillFolder:
    """Read the folder of a skill."""
    file = os.path.join(path, SKILL_FILE)
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
    return SkillFolder(path, os.path.basename(os.path.abspath(path)), content, problem, is_link, entries)


def _walk(root: str) -> Iterator[Entry]:
    """Walk a folder; what cannot be looked at is left out, as the service does."""
    waiting = [""]
    count = 0
    while waiting and count < MOST_ENTRIES:
        path = waiting.pop()
        whole = os.path.join(root, path) if path else root
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


def _entry(path: str, whole: str) -> Entry | None:
    try:
        status = os.lstat(whole)
    except OSError:
        return None
    mode = status.st_mode
    if stat.S_ISLNK(mode):
        return Entry(path, "link", 0)
    if stat.S_ISDIR(mode):
        return Entry(path, "folder", 0)
    return Entry(path, "file", status.st_size) if stat.S_ISREG(mode) else Entry(path, "other", 0)
