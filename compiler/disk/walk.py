"""Walking a folder: which files lie in it that are neither hidden nor ignored."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, TypeAlias

from ..diagnostics.span import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .git import Repository
    from .gitignore import Pattern

_GIT_SECONDS: Final = 20
_GIT_FOLDER: Final = ".git"


Walked: TypeAlias = tuple[str, str, bool]
"""A file that a walk came upon: its path below the folder as it was named; where it is, with all links followed; and
whether it is a link itself.
"""


def walk(
    folder: str, excluded: list[Pattern], base: str, wanted: Callable[[str], bool], left_out: dict[str, str | None]
) -> Iterator[Walked]:
    """Yield the wanted files below ``folder`` in no particular order.

    What is no regular file but has a wanted name is yielded too, and so is a folder that may not be listed: reading it
    reports why it cannot be read. Links to folders are not followed, so that no walk goes in circles; links to files
    only as far as they stay in the folder, or in the Git repository around it, and never into what Git keeps itself:
    that may hold credentials.

    Args:
        folder: Where to begin.
        excluded: What to leave out.
        base: The folder that ``excluded`` is relative to, unless ``folder`` lies elsewhere.
        wanted: Returns whether a file is of interest, by its name.
        left_out: Notes what is left out: ``None`` where ``excluded`` matches it, else why Git does not say what it
            ignores, so that its ignore files decide.

    Raises:
        OSError: ``folder`` itself cannot be listed.
    """
    real = os.path.realpath(folder)
    repository = _repository(real)
    is_excluded = _excluded(excluded, real, base)
    is_git_ignored = _ignored(real, repository, left_out)
    boundary = real if repository is None else repository.top
    shown_before = "" if folder == "." else folder.rstrip("/") + "/"
    real_before = real.rstrip("/") + "/"
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            entries = os.scandir(_join(folder, below))
        except OSError:
            if not below:
                raise
            yield _join(folder, below[:-1]), _join(real, below[:-1]), False
            continue
        with entries:
            for entry in entries:
                # Hidden files are read, hidden folders are not: .git, .venv and caches are folders.
                name = entry.name
                is_folder = entry.is_dir(follow_symlinks=False)
                if name.startswith(".") if is_folder else not wanted(name):
                    continue
                path = below + name
                if is_excluded is not None and is_excluded(path, is_folder=is_folder):
                    left_out[real_before + path] = None
                elif is_git_ignored is not None and is_git_ignored(path, is_folder=is_folder):
                    continue
                elif is_folder:
                    waiting.append(path + "/")
                elif not entry.is_symlink():
                    yield shown_before + path, real_before + path, False
                elif target := _target(_join(folder, path), boundary):
                    yield _join(folder, path), target, True


def _join(folder: str, below: str) -> str:
    if folder == ".":
        return below or "."
    return f"{folder.rstrip('/')}/{below}" if below else folder


def _target(link: str, boundary: str) -> str | None:
    """Return where a link to a file ends; ``None`` where that is a folder, outside of ``boundary`` or Git's own."""
    if "\0" in link:  # as only a configuration can name a file; there is none
        return None
    real = os.path.realpath(link)
    before = boundary.rstrip("/") + "/"
    if not real.startswith(before) or _GIT_FOLDER in real[len(before) :].lower().split("/"):
        return None
    return None if os.path.isdir(real) else real


def leads_out(path: str, folder: str) -> bool:
    """Return whether a file is outside of a folder, and of the Git repository around it, or among what Git keeps."""
    return _target(path, boundary(folder)) is None


def boundary(folder: str) -> str:
    """Return the root of the Git repository around a folder, else the folder itself, with all links followed."""
    real = os.path.realpath(folder)
    repository = _repository(real)
    return real if repository is None else repository.top


def _repository(real: str) -> Repository | None:
    """Return the repository around a folder; most of what looks for one stays without it where there is none."""
    folder = real
    while not os.path.lexists(os.path.join(folder, _GIT_FOLDER)):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    from .git import repository_around

    return repository_around(real)


def _excluded(known: list[Pattern], real: str, base: str) -> Callable[..., bool | None] | None:
    """Return a predicate: whether a pattern of the call excludes a path below a folder; ``None`` without patterns."""
    if not known:
        return None
    from .gitignore import is_ignored

    from_base = os.path.relpath(real, os.path.realpath(base)).replace(os.sep, "/") + "/"
    from_base = "" if from_base.startswith("../") else from_base.removeprefix("./")
    return lambda path, *, is_folder: is_ignored(from_base + path, known, is_folder=is_folder)


def _ignored(real: str, repository: Repository | None, left_out: dict[str, str | None]) -> Callable[..., bool] | None:
    """Return a predicate: whether a path below a folder is ignored, by Git, or by its ignore files where Git fails."""
    if repository is None:
        return None
    try:
        paths = _ignored_by_git(repository, real)
    except InputError as error:
        from .gitignore import IgnoreFiles

        by_files = IgnoreFiles(real, repository.top)
        why = str(error)

        def is_named(path: str, *, is_folder: bool) -> bool:
            if not by_files(path, is_folder=is_folder):
                return False
            left_out[os.path.join(real, path)] = why
            return True

        return is_named

    def has(path: str, *, is_folder: bool) -> bool:
        return (path + "/" if is_folder else path) in paths

    return has


def _ignored_by_git(repository: Repository, real: str) -> frozenset[str]:
    """Ask Git what it ignores below a folder; folders end in ``/``. What it tracks is never among that.

    Nothing is where that folder is ignored itself.

    Raises:
        InputError: Git does not answer.
    """
    from .git import ask

    inside = os.path.relpath(real, repository.top)
    asked = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", inside]
    before = "" if inside == "." else inside + "/"
    paths = [os.fsdecode(path) for path in ask(repository, *asked, seconds=_GIT_SECONDS).split(b"\0")]
    if any(path.endswith("/") and before.startswith(path) for path in paths):
        # Git names the folder where all that is in it is ignored, whether the folder itself is or not.
        if ask(repository, "check-ignore", "--", inside, seconds=_GIT_SECONDS, statuses=(0, 1)):
            return frozenset()
        asked.remove("--directory")
        paths = [os.fsdecode(path) for path in ask(repository, *asked, seconds=_GIT_SECONDS).split(b"\0")]
    return frozenset(path[len(before) :] for path in paths if path.startswith(before))
