"""Skills as the API lists them: what is in a folder, and which are installed below a home folder and a project's root.

What the service keeps in its database alone (references, digests) is left out: the folders are all that is looked at.

Source: toolhive 0.21.0, skill service and client manager.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from ...toolhive.client import CLIENTS
from ..shape import encode, zero
from .check import CheckedSkill, check_skill
from .folder import SKILL_FILE, read_skill_folder
from .lint import packaged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...toolhive.client import Platform
    from .folder import SkillFolder


class Places(NamedTuple):
    """Where skills are looked for.

    Attributes:
        home: A home folder, or ``None``.
        project: The root of a project, or ``None``.
        platform: Decides the folders below the home folder.
    """

    home: str | None = None
    project: str | None = None
    platform: Platform = "linux"


def skill_validation(checked: CheckedSkill) -> dict[str, Any]:
    """Return the SkillValidation of a folder."""
    result = {"valid": not checked.errors, "errors": checked.errors, "warnings": checked.warnings}
    return encode(zero("SkillValidation") | result, "SkillValidation")


def skill_content(folder: SkillFolder, checked: CheckedSkill) -> dict[str, Any]:
    """Return the SkillContent of a folder whose front matter can be read; files are those that a package would hold."""
    texts = checked.front.texts if checked.front else {}
    content = {key: texts.get(key, "") for key in ("name", "description", "version", "license")}
    files = [{"path": path, "size": size} for path, size in packaged(folder)]
    return encode(zero("SkillContent") | content | {"body": checked.body, "files": files}, "SkillContent")


def installed_skills(
    places: Places, *, scope: str = "", client: str = "", names: frozenset[str] | None = None
) -> list[dict[str, Any]]:
    """List the installed skills, sorted by name, as InstalledSkill records.

    Args:
        places: Where to look.
        scope: ``user`` or ``project``; both where empty.
        client: Name of a client: those alone that are installed for it.
        names: Those alone that have one of these names: the skills of a group.
    """
    found = [
        _installed(folder, where, clients, places)
        for where in ("user", "project")
        if scope in {"", where}
        for folder, clients in _folders(places, where)
        if not client or client in clients
    ]
    kept = [one for one in found if names is None or one["metadata"]["name"] in names]
    return sorted(kept, key=lambda one: (one["metadata"]["name"], one["scope"] == "project"))


def skill_details(places: Places, name: str, *, scope: str = "") -> dict[str, Any] | None:
    """Return the SkillDetails of an installed skill, of the home folder first; ``None`` where there is none."""
    for found in installed_skills(places, scope=scope, names=frozenset({name})):
        return {"metadata": found["metadata"], "installed_skill": found}
    return None


def _folders(places: Places, scope: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the folders of skills, and the clients that share each."""
    root = places.home if scope == "user" else places.project
    if root is None:
        return
    sharing: dict[str, list[str]] = {}
    for client in CLIENTS:
        path = client.skills_path(places.platform) if scope == "user" else client.project_skills
        if path is not None:
            sharing.setdefault(path, []).append(client.name)
    for path, clients in sharing.items():
        whole = os.path.join(root, path)
        try:
            names = sorted(os.listdir(whole))
        except OSError:
            continue
        for name in names:
            if os.path.isfile(os.path.join(whole, name, SKILL_FILE)):
                yield os.path.join(whole, name), sorted(clients)


def _installed(path: str, scope: str, clients: list[str], places: Places) -> dict[str, Any]:
    folder = read_skill_folder(path)
    front = check_skill(folder).front
    metadata = zero("SkillMetadata") | {"name": folder.name}
    record = zero("InstalledSkill")
    if front is not None:
        metadata["version"] = front.texts["version"]
        metadata["description"] = front.texts["description"]
        metadata["author"] = front.metadata.get("author", "")
        needed = [reference for reference in front.lists["toolhive.requires"] if reference]
        record["dependencies"] = [zero("SkillDependency") | {"reference": one} for one in needed] or None
    record |= {
        "metadata": metadata,
        "scope": scope,
        "project_root": (os.path.abspath(places.project) if places.project and scope == "project" else ""),
        "status": "installed",
        "installed_at": _written_at(os.path.join(path, SKILL_FILE)),
        "clients": clients,
    }
    return encode(record, "InstalledSkill")


def _written_at(file: str) -> str:
    seconds = int(os.stat(file).st_mtime)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
