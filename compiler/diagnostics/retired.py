"""Retired rules, and their successors. Ids of retired rules are never reused."""

from __future__ import annotations

from typing import Final

RETIRED: Final[dict[str, str | None]] = {"SYN011": None, "SYN020": None, "VMC221": "AUT044", "VMC222": "AUT045"}
"""The successor of each retired id, or ``None`` if no rule reports the fault any more."""


def current_id(id_: str) -> str:
    """Return the successor of a retired id. Any other text is returned unchanged."""
    return RETIRED.get(id_) or id_


def retirement(id_: str) -> str | None:
    """Return a clause that names the successor of a retired id, or ``None`` for any other text."""
    if id_ not in RETIRED:
        return None
    successor = RETIRED[id_]
    return f"{id_} is now {successor}" if successor else f"{id_} is gone, and no rule took over"
