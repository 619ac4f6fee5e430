"""Walking a folder: which files lie in it that are neither hidden nor ignored."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from .gitignore import Pattern, is_ignored, patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_GIT_SECONDS: Final = 20
_SET_BY_HOOKS: Final = frozenset({"GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_WORK_TREE"})


class Walked(NamedTuple):
    """A file that a walk came upon.

    Attributes:
        path: Below the folder as it was named.
        real: Where it is, with all links followed.
        is_link: It is a link itself.
    """

    path: str
    real: str
    is_link: bool


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
    is_git_ignored = _ignored(real, repository)
    boundary = repository or real
    from_base = os.path.relpath(real, os.path.realpath(base)).replace(os.sep, "/") + "/"
    from_base = from_base.removeprefix("./")
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
            yield Walked(_join(folder, below[:-1]), _join(real, below[:-1]), is_link=False)
            continue
        with entries:
            for entry in entries:
                name = entry.name
                is_folder = entry.is_dir(follow_symlinks=False)
                if not is_folder and not wanted(name):
                    continue
                path = below + name
                if excluded and is_ignored(from_base + path, excluded, is_folder=is_folder):
                    continue
                if is_git_ignored is not None and is_git_ignored(path, is_folder=is_folder):
                    continue
                if is_folder:
                    if not name.startswith("."):
                        waiting.append(path + "/")
                elif not entry.is_symlink():
                    yield Walked(shown_before + path, real_before + path, is_link=False)
                elif target := _target(_join(folder, path), boundary):
                    yield Walked(_join(folder, path), target, is_link=True)


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


def _ignored(real: str, repository: str | None) -> Callable[..., bool] | None:
    """Give what tells whether Git ignores a path below a folder: Git itself, or its files where it cannot be asked."""
    if repository is None:
        return None
    paths = _ignored_by_git(real)
    if paths is None:
        return _IgnoreFiles(real, repository)

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


class _IgnoreFiles:
    """What the ``.gitignore`` files of a repository say, as far as a walk comes by them."""

    def __init__(self, real: str, repository: str) -> None:
        self._repository = repository
        self._lists: dict[str, tuple[tuple[str, list[Pattern]], ...]] = {}
        self._prefix = ""
        parts = [] if real == repository else os.path.relpath(real, repository).split(os.sep)
        above = ["/".join(parts[: count + 1]) for count in range(len(parts))]
        self._is_off = any(self._says(folder, is_folder=True) for folder in above)
        self._prefix = f"{above[-1]}/" if above else ""

    def __call__(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether a path below the walked folder is ignored; nothing is where that folder itself is."""
        return not self._is_off and self._says(self._prefix + path, is_folder=is_folder)

    def _says(self, path: str, *, is_folder: bool) -> bool:
        verdict = False
        for base, known in self._known(path.rpartition("/")[0]):
            said = is_ignored(path[len(base) :], known, is_folder=is_folder)
            verdict = verdict if said is None else said
        return verdict

    def _known(self, folder: str) -> tuple[tuple[str, list[Pattern]], ...]:
        """Give the lists that hold in a folder, the outermost first, each with the folder that it is relative to."""
        if folder not in self._lists:
            own = self._read(os.path.join(folder, ".gitignore"), folder + "/" if folder else "")
            if folder:
                self._lists[folder] = self._known(folder.rpartition("/")[0]) + own
            else:
                self._lists[folder] = self._read(".git/info/exclude", "") + own
        return self._lists[folder]

    def _read(self, path: str, base: str) -> tuple[tuple[str, list[Pattern]], ...]:
        try:
            with open(os.path.join(self._repository, path), encoding="utf-8", errors="replace") as file:
                return ((base, patterns(file)),)
        except OSError:
            return ()
