"""What a Git revision has of a project."""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING

from ..diagnostics import file_path
from ..diagnostics.span import InputError
from ..disk import revision
from ..disk.files import is_configuration
from .discovery import SETTINGS_FILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..disk.git import Repository
    from ..disk.revision import Entry
    from .discovery import Project

_SKILL_FILE = "SKILL.md"


def write_snapshot(repository: Repository, commit: str, project: Project, folder: str) -> tuple[str, ...]:
    """Write the files that a check of the same paths reads, as a commit has them, and return the paths there.

    A path that the commit lacks is left out: everything under it is new.

    Args:
        repository: Where the commit is.
        commit: Its id.
        project: The files of the work tree.
        folder: An empty folder of our own.

    Raises:
        InputError: A path lies elsewhere, or Git does not answer.
    """
    asked = revision.inside(repository, project.asked)
    known = revision.entries(repository, commit, {*asked, *_around(repository, project), *_settings_above(asked)})
    wanted = {
        path: entry for path, entry in known.items() if path in asked or is_configuration(posixpath.basename(path))
    }
    wanted.update(_beside(known))
    hint = f"where a clone is partial, `git diff {commit} -- {' '.join(asked)}` has Git fetch what it lacks"
    revision.extract(repository, commit, wanted, folder, hint=hint)
    there = (file_path.normpath(file_path.join(folder, path)) for path in asked)
    return tuple(path for path in there if os.path.lexists(path))


def _around(repository: Repository, project: Project) -> list[str]:
    """Return the project's root where files are named, for whose sake all of the project is read."""
    try:
        return [] if project.reported is None else revision.inside(repository, [project.root])
    except InputError:  # the configuration lies above the repository
        return ["."]


def _beside(known: Mapping[str, Entry]) -> Iterator[tuple[str, Entry]]:
    """Yield what counts whatever it is called: links, the project's settings, and all that a skill's folder holds."""
    skills = {posixpath.dirname(path) for path in known if posixpath.basename(path) == _SKILL_FILE}
    for path, entry in known.items():
        if (
            entry.is_link
            or posixpath.basename(path) in SETTINGS_FILES
            or (skills and not skills.isdisjoint(_above(path)))
        ):
            yield path, entry


def _settings_above(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        for above in _above(path):
            yield from (posixpath.join(above, name) for name in SETTINGS_FILES)


def _above(path: str) -> Iterator[str]:
    while path:
        path = posixpath.dirname(path)
        yield path
