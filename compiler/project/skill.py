"""Choose the skills to check. Other programs use other formats of skills, so only requested skills are checked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..diagnostics import file_path
from ..disk.gitignore import is_ignored, patterns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from ..disk.gitignore import IgnorePattern
    from .discovery import Project


def unrequested_skills(
    files: Iterable[str], recorded: Collection[str], project: Project, first: str | None
) -> frozenset[str]:
    """Return the ``SKILL.md`` files that are not checked, because no call, configuration or record names them.

    A skill is checked if the call names its file or folder (the root of the project is not enough), if ``skills`` of
    the configuration matches it, or if the record of a catalog or of an installed skill names its folder.

    Args:
        recorded: Skill folders that records name, by one or more of their last components.
        first: Path that the call declares to be a skill or the folder of one, or ``None``.
    """
    named = {file_path.normpath(path) for path in (*project.asked, *([first] if first else ()))}
    named |= {file.path for file in project.files if file.is_named}
    # A call that names the whole project does not ask for the skills in it.
    roots = {file_path.normpath(path) for path in (".", project.root, file_path.getcwd())}
    named -= roots - ({first} if first else set())
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


def _is_listed(file: str, listed: list[IgnorePattern], root: str) -> bool:
    """Return whether the patterns select a file. A match for the file overrides matches for the folders above it."""
    if not listed:
        return False
    parts = file_path.relpath(file, root).split("/")
    paths = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
    matches = [is_ignored(path, listed, is_folder=path is not paths[-1]) for path in paths]
    return next((match for match in reversed(matches) if match is not None), False)


def _is_recorded(folder: str, recorded: Collection[str]) -> bool:
    return any(f"{folder}/".endswith(f"/{suffix}/") for suffix in recorded)
