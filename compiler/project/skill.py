"""Which of the skills that turn up in folders are the project's: other programs have skills, too, of their own form."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..diagnostics import file_path
from ..disk.gitignore import is_ignored, patterns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from ..disk.gitignore import Pattern
    from .discovery import Project


def unrequested_skills(
    files: Iterable[str], recorded: Collection[str], project: Project, first: str | None
) -> frozenset[str]:
    """Return those of some ``SKILL.md`` files that are not asked to be checked.

    Asked for is what the call names, itself or by the skill's folder, what ``skills`` of the configuration lists, and
    what a catalog or the record of an installed skill names.

    Args:
        files: The ``SKILL.md`` files.
        recorded: The folders of skills that records name, by one or more of their last parts.
        project: The files of the call.
        first: The path that the call states to be a skill, or its folder.
    """
    named = {file_path.normpath(path) for path in (*project.asked, *([first] if first else ()))}
    named |= {file.path for file in project.files if file.is_named}
    roots = (".", project.root, file_path.getcwd())
    named -= {file_path.normpath(path) for path in roots} - ({first} if first else set())
    listed = patterns(project.settings.skills)
    return frozenset(
        file
        for file in files
        if not (
            file in named
            or (os.path.dirname(file) or ".") in named
            or _is_listed(file, listed, project.root)
            or _is_recorded(file_path.abspath(os.path.dirname(file)), recorded)
        )
    )


def _is_listed(file: str, listed: list[Pattern], root: str) -> bool:
    """Return whether a pattern matches the file, its folder or one above that."""
    if not listed:
        return False
    parts = file_path.relpath(file, root).split("/")
    paths = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
    matches = [is_ignored(path, listed, is_folder=path is not paths[-1]) for path in paths]
    return next((one for one in reversed(matches) if one is not None), False)


def _is_recorded(folder: str, recorded: Collection[str]) -> bool:
    return any(f"{folder}/".endswith(f"/{one}/") for one in recorded)
