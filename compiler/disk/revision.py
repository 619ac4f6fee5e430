"""Files as a Git revision has them."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from typing import TYPE_CHECKING

from mcpcfg.compiler.source import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_BYTES = 1 << 30
"""More than a repository of manifests ever holds: what comes out of Git is bounded too."""


def extract(revision: str, paths: Sequence[str], folder: str) -> list[str]:
    """Write what ``revision`` holds under ``paths`` into ``folder``, and give the paths there.

    A path that the revision lacks is left out: everything under it is new.

    Raises:
        InputError: There is no Git, no repository, or no such revision.
    """
    top = top_of(paths)
    commit = _commit(top, revision)
    inside = [os.path.relpath(os.path.realpath(path), os.path.realpath(top)) for path in paths or (".",)]
    if any(path == ".." or path.startswith("../") for path in inside):
        raise InputError(f"all paths must lie in the repository {top}")
    known = [path for path in inside if path == "." or _git(top, "ls-tree", commit, "--", path)]
    if known:
        archive = _git(top, "archive", "--format=tar", commit, "--", *known)
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(folder, filter="data")
    return [os.path.join(folder, path) for path in inside if path in known]


def top_of(paths: Sequence[str]) -> str:
    """Give the root of the repository that the first path is in.

    Raises:
        InputError: There is no Git or no repository.
    """
    start = paths[0] if paths and os.path.isdir(paths[0]) else os.path.dirname(paths[0]) if paths else "."
    return _git(start or ".", "rev-parse", "--show-toplevel").decode().rstrip("\n")


def merge_base(top: str, revision: str) -> str:
    """Give the commit at which the work tree's history and ``revision`` parted.

    Raises:
        InputError: There is no such revision, or the two have no commit in common.
    """
    try:
        return _git(top, "merge-base", _commit(top, revision), "HEAD").decode().strip()
    except InputError as error:
        raise InputError(f"{error} (is the history there? a shallow clone lacks it)") from error


def changed_files(top: str, commit: str) -> frozenset[str]:
    """Give the files of the work tree that are not as in ``commit``, from the root on; new ones are among them."""
    tracked = _git(top, "diff", "--name-only", "--no-renames", "-z", commit, "--")
    new = _git(top, "ls-files", "--others", "--exclude-standard", "-z")
    return frozenset(os.fsdecode(name) for name in (tracked + new).split(b"\0") if name)


def _commit(top: str, revision: str) -> str:
    try:
        return _git(top, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").decode().strip()
    except InputError as error:
        raise InputError(f"no revision {revision} in {top}: {error}") from error


def _git(folder: str, *arguments: str) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 - no shell; the revision comes after --end-of-options
            ["git", "-C", folder, *arguments],  # noqa: S607 - the user's own git
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise InputError("git is needed for this and is not there") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise InputError(f"git {arguments[0]}: {said}")
    if len(done.stdout) > MOST_BYTES:
        raise InputError("the revision holds too much to be compared")
    return done.stdout
