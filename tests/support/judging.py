"""By which release examples are judged: fixtures of rules state it in their first lines, ``# release 0.44.0``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcpcfg.compiler.admission.table import table_of
from mcpcfg.compiler.toolhive.release import OLDEST
from mcpcfg.compiler.workspace.stated_reference import reference_fields

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.workspace.stated_reference import ReferenceField

_RELEASE = re.compile(r"# (?:open world, )?release (\S+)")


def is_open(fixture: Path) -> bool:
    """Return whether Secrets and the like may exist elsewhere."""
    return fixture.is_file() and fixture.read_text("utf-8").startswith("# open world")


def own_references(kind: str) -> list[ReferenceField]:
    """Return the fields of a kind that name other objects in the oldest release."""
    table = table_of(OLDEST)
    return [field for field in reference_fields(kind) if table.at(kind, field.steps) is not None]


def release_of(fixture: Path) -> str | None:
    """Return the release that judges, where it is not that of all others."""
    first = fixture.read_text("utf-8").partition("\n")[0] if fixture.is_file() else ""
    stated = _RELEASE.fullmatch(first)
    return stated[1] if stated else None
