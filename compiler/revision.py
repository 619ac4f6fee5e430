"""Files as a Git revision has them."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from typing import TYPE_CHECKING

from .source import InputError

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
    start = paths[0] if paths and os.path.isdir(paths[0]) else os.path.dirname(paths[0]) if paths else "."
    top = _git(start or ".", "rev-parse", "--show-toplevel").decode().rstrip("\n")
    commit = _git(top, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").decode().strip()
    inside = [os.path.relpath(os.path.realpath(path), os.path.realpath(top)) for path in paths or (".",)]
    if any(path == ".." or path.startswith("../") for path in inside):
        raise InputError(f"all paths must lie in the repository {top}")
    known = [path for path in inside if path == "." or _git(top, "ls-tree", commit, "--", path)]
    if known:
        archive = _git(top, "archive", "--format=tar", commit, "--", *known)
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(folder, filter="data")
    return [os.path.join(folder, path) for path in inside if path in known]


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
