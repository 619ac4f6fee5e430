"""Walking a folder: which files lie in it that are neither hidden nor ignored."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .gitignore import Pattern

_GIT_SECONDS: Final = 20
_SET_BY_HOOKS: Final = frozenset({"GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_WORK_TREE"})


Walked: TypeAlias = tuple[str, str, bool]
"""A file that a walk came upon: its path below the folder as it was named; where it is, with all links followed; and
whether it is a link itself.
"""


def walk(folder: str, excluded: list[Pattern], base: str, wanted: Callable[[str], bool]) -> Iterator[Walked]:
    """Yield the wanted files below ``folder`` in no particular order.

    What is no regular file but has a wanted name is yielded too, and so is a folder that may not be listed: reading it
    will say why it cannot be read. Links to folders are not followed, so that no walk goes in circles; links to files
    only as far as they stay in the folder, or in the Git repository around it.

    Args:
        folder: Where to begin.
        excluded: What to leave out.
        base: The folder that ``excluded`` is relative to.
        wanted: Tells by its name whether a file is of interest.

    Raises:
        OSError: ``folder`` itself cannot be listed.
    """
    real = os.path.realpath(folder)
    repository = _repository(real)
    is_excluded = _excluded(excluded, real, base)
    is_git_ignored = _ignored(real, repository)
    boundary = repository or real
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
                name = entry.name
                is_folder = entry.is_dir(follow_symlinks=False)
                if not is_folder and not wanted(name):
                    continue
                path = below + name
                if is_excluded is not None and is_excluded(path, is_folder=is_folder):
                    continue
                if is_git_ignored is not None and is_git_ignored(path, is_folder=is_folder):
                    continue
                if is_folder:
                    if not name.startswith("."):
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
    """Give where a link to a file ends; ``None`` where that is a folder, or outside of ``boundary``."""
    real = os.path.realpath(link)
    inside = real.startswith(boundary.rstrip("/") + "/")
    return real if inside and not os.path.isdir(real) else None


def _repository(real: str) -> str | None:
    """Give the root of the Git repository around a folder."""
    folder = real
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _excluded(known: list[Pattern], real: str, base: str) -> Callable[..., bool | None] | None:
    """Give what tells whether a pattern of the call leaves a path below a folder out, where it has any."""
    if not known:
        return None
    from .gitignore import is_ignored

    from_base = os.path.relpath(real, os.path.realpath(base)).replace(os.sep, "/") + "/"
    from_base = from_base.removeprefix("./")
    return lambda path, *, is_folder: is_ignored(from_base + path, known, is_folder=is_folder)


def _ignored(real: str, repository: str | None) -> Callable[..., bool] | None:
    """Give what tells whether Git ignores a path below a folder: Git itself, or its files where it cannot be asked."""
    if repository is None:
        return None
    paths = _ignored_by_git(real)
    if paths is None:
        from .gitignore import IgnoreFiles

        return IgnoreFiles(real, repository)

    def has(path: str, *, is_folder: bool) -> bool:
        return (path + "/" if is_folder else path) in paths

    return has


def _ignored_by_git(real: str) -> frozenset[str] | None:
    """Ask Git what it ignores below a folder; folders end in ``/``. ``None`` where Git gives no answer."""
    import subprocess

    command = ["git", "-C", real, "-c", "core.fsmonitor=false", "ls-files", "-z"]
    command += ["--others", "--ignored", "--exclude-standard", "--directory"]
    environment = {name: value for name, value in os.environ.items() if name not in _SET_BY_HOOKS}
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    try:
        done = subprocess.run(  # noqa: S603 - nothing in it comes from a file
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_GIT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return frozenset(map(os.fsdecode, done.stdout.split(b"\0")))
