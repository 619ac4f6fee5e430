"""The ids of retired rules, and their successors. Ids are never reused."""

from __future__ import annotations

from typing import Final

RETIRED: Final[dict[str, str | None]] = {
    "CAT001": "REG001",
    "CAT002": "REG002",
    "CAT003": "REG003",
    "CAT004": "REG004",
    "CAT005": "REG005",
    "CAT006": "REG006",
    "CAT007": "REG007",
    "CAT008": "REG017",
    "FIL014": "AZN005",
    "FIL015": "AZN006",
    "FIL042": "TLC005",
    "FIL057": "TLC007",
    "RUN012": "OID015",
    "RUN058": "TEL008",
    "SYN011": None,
    "SYN020": None,
    "VMC007": "AUT005",
    "VMC016": "SES001",
    "VMC221": "AUT044",
    "VMC222": "AUT045",
}
"""The successor of each retired id, or ``None`` if no rule reports the fault any more."""


def current_id(id_: str) -> str:
    """Return the successor of a retired id. Any other text is returned unchanged."""
    return RETIRED.get(id_) or id_


def retirement(id_: str) -> str | None:
    """Return a clause about a retired id that names its successor, if any; ``None`` for any other text."""
    if id_ not in RETIRED:
        return None
    successor = RETIRED[id_]
    return f"{id_} is now {successor}" if successor else f"{id_} is gone, and no rule took over"
