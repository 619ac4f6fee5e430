"""Write the files of a project at a Git commit, so that their findings can be compared with the present ones."""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING

from ..diagnostics import file_path
from ..diagnostics.span import InputError
from ..disk import revision
from ..disk.files import is_configuration
from ..toolhive.constants import SKILL_FILE
from .discovery import SETTINGS_FILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..disk.git import GitRepository
    from ..disk.revision import CommitEntry
    from .discovery import Project


def write_snapshot(repository: GitRepository, commit: str, project: Project, folder: str) -> tuple[str, ...]:
    """Write the files that a check of the project reads, with their content at a commit.

    Return the paths of the call below ``folder``, without those that the commit does not have.

    Args:
        folder: Empty folder to write into.

    Raises:
        InputError: A path is outside of the repository, or Git fails.
    """
    asked_paths = revision.inside(repository, project.asked)
    entries = revision.entries(
        repository, commit, {*asked_paths, *_project_root(repository, project), *_settings_above(asked_paths)}
    )
    selected = {
        path: entry
        for path, entry in entries.items()
        if path in asked_paths or is_configuration(posixpath.basename(path))
    }
    selected.update(_entries_of_any_name(entries))
    hint = f"where a clone is partial, `git diff {commit} -- {' '.join(asked_paths)}` has Git fetch what it lacks"
    revision.extract(repository, commit, selected, folder, hint=hint)
    written_paths = (file_path.normpath(file_path.join(folder, path)) for path in asked_paths)
    return tuple(path for path in written_paths if os.path.lexists(path))


def _project_root(repository: GitRepository, project: Project) -> list[str]:
    """Return the project's root in a list if single files are checked: the rest of the project is then read, too."""
    try:
        return [] if project.reported is None else revision.inside(repository, [project.root])
    except InputError:  # The configuration is above the repository, so the whole repository belongs to the project.
        return ["."]


def _entries_of_any_name(entries: Mapping[str, CommitEntry]) -> Iterator[tuple[str, CommitEntry]]:
    skill_folders = {posixpath.dirname(path) for path in entries if posixpath.basename(path) == SKILL_FILE}
    for path, entry in entries.items():
        if (
            entry.is_link
            or posixpath.basename(path) in SETTINGS_FILES
            or (skill_folders and not skill_folders.isdisjoint(_parents(path)))
        ):
            yield path, entry


def _settings_above(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        for parent in _parents(path):
            yield from (posixpath.join(parent, name) for name in SETTINGS_FILES)


def _parents(path: str) -> Iterator[str]:
    while path:
        path = posixpath.dirname(path)
        yield path
