"""Walk a folder for files that are neither hidden nor ignored."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, TypeAlias

from ..diagnostics import file_path
from ..diagnostics.span import InputError
from .confinement import may_be_read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .git import GitRepository
    from .gitignore import IgnorePattern

_GIT_SECONDS: Final = 20
"""Time limit for the list of ignored files from Git. After it, the ignore files are read without Git."""
_GIT_FOLDER: Final = ".git"


Walked: TypeAlias = tuple[str, str, bool]
"""A file: its path below the walked folder, its path with all links resolved, and whether it is a link."""


def walk(
    folder: str,
    excluded: list[IgnorePattern],
    base: str,
    wanted: Callable[[str], bool],
    left_out: dict[str, str | None],
) -> Iterator[Walked]:
    """Yield the wanted files below ``folder``, in no particular order.

    Special files with a wanted name and folders that cannot be listed are also yielded, because reading them reports
    the reason. Links to folders are not followed, so a walk always ends. Links to files are followed only within the
    folder or its Git repository, and never into ``.git``, which may contain credentials.

    Args:
        base: Folder that ``excluded`` is relative to, unless ``folder`` is outside of it.
        wanted: Returns whether a file of this name is to be yielded.
        left_out: Receives skipped files and folders by path: ``None`` for a match of ``excluded``. If Git cannot be
            run, it also receives the paths that ignore files exclude, with the reason why Git could not be run.

    Raises:
        OSError: ``folder`` itself cannot be listed.
    """
    real = file_path.realpath(folder)
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
    """Return the file that a link leads to, with all links resolved, or ``None`` if the link is not followed.

    It is not followed to a folder, outside ``boundary``, into ``.git``, or outside of the confinement.
    """
    # Only a configuration can contain such a name, and no file has it.
    if "\0" in link or file_path.is_remote(link, boundary):
        return None
    real = file_path.realpath(link)
    before = boundary.rstrip("/") + "/"
    if not real.startswith(before) or _GIT_FOLDER in real[len(before) :].lower().split("/"):
        return None
    return None if os.path.isdir(real) or not may_be_read(real) else real


def leads_out(path: str, folder: str) -> bool:
    """Return whether a file, with links resolved, is outside of the folder and its Git repository, or in ``.git``."""
    return _target(path, boundary(folder)) is None


def may_exist(path: str) -> bool:
    """Return whether a file exists here, or may exist elsewhere: Git ignores it, or its path is remote."""
    if file_path.is_remote(path) or os.path.lexists(path):
        return True
    from .gitignore import IgnoreFiles

    top = boundary(os.path.dirname(path) or ".")
    below = file_path.relpath(file_path.realpath(path), top)
    return IgnoreFiles(top, top)(below, is_folder=False)


def boundary(folder: str) -> str:
    """Return the root of the Git repository around a folder, or the folder itself, with all links resolved."""
    real = file_path.realpath(folder)
    repository = _repository(real)
    return real if repository is None else repository.top


def boundaries(paths: Iterable[str]) -> list[str]:
    """Return the `boundary` of each path, which may be a file. Standard input has none."""
    real = [file_path.realpath(path) for path in paths if path != "-"]
    return [boundary(path if os.path.isdir(path) else os.path.dirname(path)) for path in real]


def _repository(real: str) -> GitRepository | None:
    """Return the Git repository around a folder. Git is not asked if no folder above has a ``.git`` entry."""
    folder = real
    while not os.path.lexists(file_path.join(folder, _GIT_FOLDER)):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    from .git import repository_around

    return repository_around(real)


def _excluded(known: list[IgnorePattern], real: str, base: str) -> Callable[..., bool | None] | None:
    if not known:
        return None
    from .gitignore import is_ignored

    from_base = file_path.relpath(real, file_path.realpath(base)) + "/"
    from_base = "" if from_base.startswith("../") else from_base.removeprefix("./")
    return lambda path, *, is_folder: is_ignored(from_base + path, known, is_folder=is_folder)


def _ignored(
    real: str, repository: GitRepository | None, left_out: dict[str, str | None]
) -> Callable[..., bool] | None:
    """Return a function that returns whether Git ignores a path, or ``None`` outside of a repository.

    If Git fails, the ``.gitignore`` files decide. The function then adds the ignored paths to ``left_out``.
    """
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
            left_out[file_path.join(real, path)] = why
            return True

        return is_named

    def has(path: str, *, is_folder: bool) -> bool:
        return (path + "/" if is_folder else path) in paths

    return has


def _ignored_by_git(repository: GitRepository, real: str) -> frozenset[str]:
    """Return the paths below a folder that Git ignores. Paths of folders end in ``/``. Tracked files are never ignored.

    If the folder itself is ignored, the result is empty.

    Raises:
        InputError: Git fails.
    """
    from .git import ask

    inside = file_path.relpath(real, repository.top)
    asked = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", inside]
    before = "" if inside == "." else inside + "/"
    paths = [os.fsdecode(path) for path in ask(repository, *asked, seconds=_GIT_SECONDS).split(b"\0")]
    if any(path.endswith("/") and before.startswith(path) for path in paths):
        # Git also lists a folder that is not ignored itself if everything inside it is.
        if ask(repository, "check-ignore", "--", inside, seconds=_GIT_SECONDS, statuses=(0, 1)):
            return frozenset()
        asked.remove("--directory")
        paths = [os.fsdecode(path) for path in ask(repository, *asked, seconds=_GIT_SECONDS).split(b"\0")]
    return frozenset(path[len(before) :] for path in paths if path.startswith(before))
