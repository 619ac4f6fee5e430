"""Read the files of a Git revision, object by object."""

from __future__ import annotations

import hashlib
import os
import posixpath
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.span import InputError
from ..reading.bound import MAX_FILE_BYTES
from . import git
from .files import FoundFile, is_configuration, read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from .git import GitRepository

MOST_BYTES: Final = 1 << 30
"""Maximum total bytes of the files of a revision. Repositories of manifests are much smaller."""

_FILE: Final = b"100"
_LINK: Final = b"120"
_NOTHING: Final = ".mcpcfg-leads-nowhere"
_MOST_LINKS: Final = 40
"""Maximum number of links that are followed for one path, as in Linux."""
_MOST_LINK_BYTES: Final = 4096
"""Maximum bytes of a link's target, as in Linux (``PATH_MAX``)."""


class CommitEntry(NamedTuple):
    """A file or link in a commit, with the id of its content."""

    id: str
    is_link: bool


def repository_of(paths: Sequence[str]) -> GitRepository:
    """Return the Git repository that contains the first of ``paths``, or the current folder if there are no paths.

    Raises:
        InputError: No repository contains it.
    """
    first = paths[0] if paths else "."
    repository = git.repository_around(first if os.path.isdir(first) else os.path.dirname(first) or ".")
    if repository is None:
        raise InputError(f"no Git repository holds {first}")
    return repository


def inside(repository: GitRepository, paths: Iterable[str]) -> list[str]:
    """Return the paths relative to the root of the repository.

    Raises:
        InputError: A path is outside the repository.
    """
    relative = [file_path.relpath(file_path.realpath(path), repository.top) for path in paths]
    if any(path == ".." or path.startswith("../") for path in relative):
        raise InputError(f"all paths must lie in the repository {repository.top}")
    return relative


def commit_of(repository: GitRepository, revision: str) -> str:
    """Return the commit id of a revision.

    Raises:
        InputError: Git fails, or the revision does not exist.
    """
    try:
        output = git.ask(repository, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    except InputError as error:
        raise InputError(f"no revision {revision} in {repository.top}: {error}") from error
    return output.decode().strip()


def merge_base(repository: GitRepository, revision: str) -> str:
    """Return the id of the merge base of ``revision`` and ``HEAD``.

    Raises:
        InputError: The revision does not exist, or the two have no commit in common.
    """
    try:
        return git.ask(repository, "merge-base", commit_of(repository, revision), "HEAD").decode().strip()
    except InputError as error:
        raise InputError(f"{error} (is the history there? a shallow clone lacks it)") from error


def entries(repository: GitRepository, commit: str, paths: Iterable[str]) -> dict[str, CommitEntry]:
    """Return the files and links of a commit below ``paths``, by path. Submodules are left out.

    So are paths that cannot be written to a folder safely.

    Args:
        paths: Paths from the root; ``.`` for all.

    Raises:
        InputError: Git fails.
    """
    asked = sorted(set(paths))
    limit = [] if "." in asked else asked
    listed = git.ask(repository, "ls-tree", "-r", "-z", "--full-tree", commit, "--", *limit)
    entries_: dict[str, CommitEntry] = {}
    for line in listed.split(b"\0"):
        about, _, name = line.partition(b"\t")
        path = os.fsdecode(name)
        if about[:3] in {_FILE, _LINK} and _is_safe(path):
            entries_[path] = CommitEntry(about.split()[2].decode(), about[:3] == _LINK)
    return entries_


def is_unchanged(repository: GitRepository, path: str, entry: CommitEntry) -> bool:
    """Return whether the file at ``path`` in the work tree has the content of the commit, except for line ends."""
    return _unchanged(repository, path, entry) is not None


def extract(
    repository: GitRepository, commit: str, wanted: Mapping[str, CommitEntry], folder: str, *, hint: str
) -> None:
    """Write files of a commit to a folder.

    Unchanged files are copied from the work tree, so Git only reads the others. A link is written if its target is also
    written. No link points outside ``folder``.

    Args:
        wanted: Files and links by path from the root of the repository.
        folder: An empty temporary folder.
        hint: Advice if a partial clone lacks objects.

    Raises:
        InputError: Git lacks objects, or the total size is too large.
    """
    writer = _TreeWriter(folder)
    links: dict[str, bytes] = {}
    changed = []
    for path, entry in wanted.items():
        content = _unchanged(repository, path, entry)
        if content is None:
            changed.append(path)
        elif entry.is_link:
            links[path] = content
        else:
            writer.write(path, content)
    contents = _contents(repository, [wanted[path].id for path in changed], hint)
    for path, content in zip(changed, contents, strict=True):
        if content is None:
            raise InputError(f"the repository lacks {path} of {commit}; {hint}")
        if wanted[path].is_link:
            links[path] = content
        else:
            writer.write(path, content)

    def led_to(paths: Sequence[str]) -> Iterator[bytes | None]:
        return _contents(repository, [f"{commit}:{path}" for path in paths], hint)

    _write_links(links, wanted, writer, led_to)


class _TreeWriter:
    """Writes files and links into a folder, up to a total number of bytes."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._left = MOST_BYTES

    def write(self, path: str, content: bytes) -> None:
        self._left -= len(content)
        if self._left < 0:
            raise InputError("the revision holds too much to be compared")
        try:
            with open(self._place(path), "xb") as file:
                file.write(content)
        except OSError as error:
            raise InputError(f"{path} cannot be written to {self._folder}: {error.strerror}") from error

    def link(self, path: str, target: str) -> None:
        try:
            os.symlink(posixpath.relpath(target, posixpath.dirname(path) or "."), self._place(path))
        except OSError as error:
            raise InputError(f"{path} cannot be written to {self._folder}: {error.strerror}") from error

    def _place(self, path: str) -> str:
        place = file_path.join(self._folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        return place


def _write_links(
    links: Mapping[str, bytes],
    wanted: Mapping[str, CommitEntry],
    writer: _TreeWriter,
    contents: Callable[[Sequence[str]], Iterable[bytes | None]],
) -> None:
    """Write each link as a link if its target is written too. Otherwise write the content of the target as a file.

    A dangling link, or one that leaves the repository, is written as a dangling link, because the check of a skill
    refuses every link. It is left out if its name is that of a configuration file.
    """
    far = []
    for path in links:
        target = _link_target(path, links)
        if target is not None and target in wanted and not wanted[target].is_link:
            writer.link(path, target)
        else:
            far.append(path)
    for path, content in zip(far, contents(far), strict=True):
        if content is not None:
            writer.write(path, content)
        elif not is_configuration(posixpath.basename(path)):
            writer.link(path, posixpath.join(posixpath.dirname(path), _NOTHING))


def _link_target(path: str, links: Mapping[str, bytes]) -> str | None:
    """Return the path that ``path`` leads to, or ``None`` if it is outside the repository, or links exceed a limit."""
    left = _MOST_LINKS
    done: list[str] = []
    waiting = path.split("/")[::-1]
    while waiting:
        part = waiting.pop()
        if part == "..":
            if not done:
                return None
            done.pop()
        elif part not in {"", "."}:
            done.append(part)
            text = links.get("/".join(done))
            if text is not None:
                left -= 1
                if left < 0 or text.startswith(b"/") or len(text) > _MOST_LINK_BYTES:
                    return None
                done.pop()
                waiting += os.fsdecode(text).split("/")[::-1]
    return "/".join(done)


def _contents(repository: GitRepository, names: Sequence[str], hint: str) -> Iterator[bytes | None]:
    if not names:
        return
    try:
        yield from git.read_objects(repository, names, MAX_FILE_BYTES + 1, may_fetch=git.may_fetch(repository))
    except InputError as error:
        raise InputError(f"{error}; {hint}") from error


def _unchanged(repository: GitRepository, path: str, entry: CommitEntry) -> bytes | None:
    """Return the content in the work tree if it equals that of the commit, except for line ends, or else ``None``."""
    place = file_path.join(repository.top, path)
    if entry.is_link:
        try:
            text = os.fsencode(os.readlink(place))
        except OSError:
            return None
        return text if _id(text, entry.id) == entry.id else None
    content = read_file(FoundFile(place, is_named=False))
    if not isinstance(content, bytes):
        return None
    is_same = _id(content, entry.id) == entry.id or (
        b"\r\n" in content and _id(content.replace(b"\r\n", b"\n"), entry.id) == entry.id
    )
    return content if is_same else None


def _id(content: bytes, like: str) -> str:
    """Return Git's object id of a file's content, with the hash (SHA-1 or SHA-256) that the id ``like`` has."""
    digest = hashlib.sha1(usedforsecurity=False) if len(like) == 40 else hashlib.sha256()
    digest.update(b"blob %d\0" % len(content))
    digest.update(content)
    return digest.hexdigest()


def _is_safe(path: str) -> bool:
    parts = path.split("/")
    if os.sep == "\\":
        if "\\" in path or ":" in path:  # another separator; a drive, or a stream of a file
            return False
        parts = [part.rstrip(". ") for part in parts]  # as Windows does
    return "\n" not in path and not any(part in {"", ".", ".."} or part.lower() == ".git" for part in parts)
