"""Detect which client applications are installed in a home folder, as the API lists them.

Source: toolhive 0.21.0 to 0.45.0, client discovery.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from ...diagnostics import file_path
from ...diagnostics.span import InputError
from ...disk.files import read_whole
from ...toolhive.client import clients_of_release
from ..shape import encode
from ..state_folder import MOST_BYTES, config_folder, state_folder

if TYPE_CHECKING:
    from ...toolhive.client import Platform


def client_statuses(home: str, platform: Platform, release: str | None = None) -> list[dict[str, Any]]:
    """Return the ClientStatus records of the clients of a release, or of all releases, sorted by name."""
    registered = registered_clients(home, platform)
    return [
        encode(
            {
                "client_type": client.name,
                "installed": os.path.exists(file_path.join(home, client.installed_path(platform))),
                "registered": client.name in registered,
                "supports_skills": client.supports_skills,
            },
            "ClientStatus",
        )
        for client in clients_of_release(release)
    ]


def registered_clients(home: str, platform: Platform) -> frozenset[str]:
    """Return the names of the clients that ToolHive's configuration or the file of a group registers."""
    names_of_clients = set(_texts(_configuration(home, platform).get("clients"), "registered_clients"))
    groups = file_path.join(state_folder(home, platform), "groups")
    try:
        names = sorted(os.listdir(groups))
    except OSError:
        names = []
    for name in names:
        if name.endswith(".json"):
            names_of_clients.update(_texts(_json(file_path.join(groups, name)), "registered_clients"))
    return frozenset(names_of_clients)


def _configuration(home: str, platform: Platform) -> dict[str, Any]:
    from ...reading.document import read_documents

    file = file_path.join(config_folder(home, platform), "config.yaml")
    documents, _ = read_documents(_read(file), file, dialect="vmcp")
    data = documents[0].data if documents else None
    return data if isinstance(data, dict) else {}


def _json(file: str) -> Any:
    try:
        return json.loads(_read(file))
    except (ValueError, RecursionError):
        return None


def _read(file: str) -> bytes:
    try:
        return read_whole(file, MOST_BYTES)
    except InputError:
        return b""


def _texts(block: Any, key: str) -> list[str]:
    values = block.get(key) if isinstance(block, dict) else None
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
