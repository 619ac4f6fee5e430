"""Describe skills like the API: the skill in a folder, and the skills installed in a home folder or project.

Data that the service only has in its database, such as references and digests, is left out.

Source: toolhive 0.21.0, skill service and client manager.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ...diagnostics import file_path
from ...diagnostics.named_tuple import NamedTuple
from ...toolhive.client import CLIENTS
from ...toolhive.constants import SKILL_FILE
from ..shape import encode, zero
from .check import CheckedSkill, check_skill
from .folder import read_skill_folder
from .lint import packaged_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...toolhive.client import Platform
    from .folder import SkillFolder


class SkillRoots(NamedTuple):
    """The folders in which skills are searched.

    Attributes:
        home: A home folder, or ``None``.
        project: The root of a project, or ``None``.
        platform: The platform, which decides the folders below the home folder.
    """

    home: str | None = None
    project: str | None = None
    platform: Platform = "linux"


def skill_validation(checked: CheckedSkill) -> dict[str, Any]:
    """Return the SkillValidation record of a checked folder."""
    result = {"valid": not checked.errors, "errors": checked.errors, "warnings": checked.warnings}
    return encode(zero("SkillValidation") | result, "SkillValidation")


def skill_content(folder: SkillFolder, checked: CheckedSkill) -> dict[str, Any]:
    """Return the SkillContent record of a checked folder. It lists the files that a package of the skill contains."""
    texts = checked.front.texts if checked.front else {}
    content = {key: texts.get(key, "") for key in ("name", "description", "version", "license")}
    files = [{"path": path, "size": size} for path, size in packaged_files(folder)]
    return encode(zero("SkillContent") | content | {"body": checked.body, "files": files}, "SkillContent")


def installed_skills(
    places: SkillRoots, *, scope: str = "", client: str = "", names: frozenset[str] | None = None
) -> list[dict[str, Any]]:
    """Return the installed skills as InstalledSkill records, sorted by name.

    A skill in the home folder precedes one of the same name in the project.

    Args:
        places: The folders to search.
        scope: ``user`` or ``project``; an empty text means both.
        client: The client whose skills are listed; an empty text means all clients.
        names: The skills that are listed, such as those of a group; ``None`` means all skills.
    """
    skills = [
        _installed(folder, where, clients, places)
        for where in ("user", "project")
        if scope in {"", where}
        for folder, clients in _folders(places, where)
        if not client or client in clients
    ]
    kept = [skill for skill in skills if names is None or skill["metadata"]["name"] in names]
    return sorted(kept, key=lambda skill: (skill["metadata"]["name"], skill["scope"] == "project"))


def skill_details(places: SkillRoots, name: str, *, scope: str = "") -> dict[str, Any] | None:
    """Return the SkillDetails record of an installed skill, or ``None`` if no skill has this name.

    A skill in the home folder is preferred to a skill in the project.
    """
    for skill in installed_skills(places, scope=scope, names=frozenset({name})):
        return {"metadata": skill["metadata"], "installed_skill": skill}
    return None


def _folders(places: SkillRoots, scope: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each folder with a ``SKILL.md`` in a scope, together with the clients that read it."""
    root = places.home if scope == "user" else places.project
    if root is None:
        return
    sharing: dict[str, list[str]] = {}
    for client in CLIENTS:
        path = client.skills_path(places.platform) if scope == "user" else client.project_skills
        if path is not None:
            sharing.setdefault(path, []).append(client.name)
    for path, clients in sharing.items():
        whole = file_path.join(root, path)
        try:
            names = sorted(os.listdir(whole))
        except OSError:
            continue
        for name in names:
            if os.path.isfile(file_path.join(whole, name, SKILL_FILE)):
                yield file_path.join(whole, name), sorted(clients)


def _installed(path: str, scope: str, clients: list[str], places: SkillRoots) -> dict[str, Any]:
    folder = read_skill_folder(path)
    front = check_skill(folder).front
    metadata = zero("SkillMetadata") | {"name": folder.name}
    record = zero("InstalledSkill")
    if front is not None:
        metadata["version"] = front.texts["version"]
        metadata["description"] = front.texts["description"]
        metadata["author"] = front.metadata.get("author", "")
        needed = [reference for reference in front.lists["toolhive.requires"] if reference]
        record["dependencies"] = [zero("SkillDependency") | {"reference": reference} for reference in needed] or None
    record |= {
        "metadata": metadata,
        "scope": scope,
        "project_root": (file_path.abspath(places.project) if places.project and scope == "project" else ""),
        "status": "installed",
        "installed_at": _written_at(file_path.join(path, SKILL_FILE)),
        "clients": clients,
    }
    return encode(record, "InstalledSkill")


def _written_at(file: str) -> str:
    seconds = int(os.stat(file).st_mtime)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
