"""Locate the state of ToolHive in a home folder.

Environment variables such as ``XDG_STATE_HOME``, which may move the folders, are not read.

Source: toolhive 0.21.0 over adrg/xdg.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from ..diagnostics import file_path
from ..diagnostics.span import InputError
from ..disk.files import read_whole

if TYPE_CHECKING:
    from ..toolhive.client import Platform

_STATE: dict[Platform, str] = {
    "linux": ".local/state",
    "darwin": "Library/Application Support",
    "windows": "AppData/Local",
}
_CONFIG: dict[Platform, str] = {"linux": ".config", "darwin": "Library/Application Support", "windows": "AppData/Local"}
PRODUCT = "toolhive"
MOST_BYTES = 16 * 1024 * 1024
"""The maximum size of a file of ToolHive, because each file is read as a whole."""


def state_folder(home: str, platform: Platform) -> str:
    """Return the folder below ``home`` in which ToolHive stores run configurations and groups."""
    return file_path.join(home, _STATE[platform], PRODUCT)


def config_folder(home: str, platform: Platform) -> str:
    """Return the folder below ``home`` in which ToolHive stores its own configuration."""
    return file_path.join(home, _CONFIG[platform], PRODUCT)


def read_group(home: str, platform: Platform, name: str) -> dict[str, Any]:
    """Return the JSON object in the file of a group; empty if the file contains another JSON value.

    Raises:
        InputError: The group does not exist, or its file cannot be read as JSON.
    """
    file = file_path.join(state_folder(home, platform), "groups", f"{os.path.basename(name)}.json")
    if not os.path.exists(file):
        raise InputError(f"no such group: {name}")
    try:
        group = json.loads(read_whole(file, MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: {error}") from None
    return group if isinstance(group, dict) else {}
