"""The page of a field, for ``explain``: what it is, its type, default, bounds, and the fields below it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..diagnostics.version import RELEASE
from ..toolhive.profile import TOOLHIVE, Profile
from ..toolhive.release import NEWEST
from .schema_place import OTHER_NAMES, names_of, schema_place, spellings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .schema_place import SchemaPlace


OTHER_FORMATS = {"registry": "registry-legacy"}
"""Schemas of files that come in a second format, with the schema of that."""


def schema_name(what: str, release: str = RELEASE) -> str | None:
    """Return the name of the kind or file format of a field: ``workload-summary`` of ``WorkloadSummary.url``.

    ``None`` where there is none of that name; upper and lower case and hyphens do not matter.
    """
    kind = what.partition(".")[0].lower()
    wanted = OTHER_NAMES.get(kind, kind).replace("-", "")
    return next((name for name in names_of(release) if name.replace("-", "").lower() == wanted), None)


def field_page(what: str, profile: Profile = TOOLHIVE, release: str = RELEASE) -> tuple[str | None, list[str]]:
    """Return the page of a field of a release, such as ``MCPServer.spec.rateLimiting``, in the names of a profile.

    Returns:
        The page, or ``None`` and the fields that the last known object has.
    """
    kind, *steps = what.split(".")
    name = schema_name(kind, release)
    place = schema_place(name, release) if name is not None else None
    if name is None or place is None:
        return None, list(names_of(release))
    found, beside = _below(place, steps, profile)
    if found is None and name in OTHER_FORMATS:
        other = schema_place(OTHER_FORMATS[name])
        assert other is not None
        found = _below(other, steps, profile)[0]
    return (None, beside) if found is None else (profile.spell(page_of(found)), [])


def _below(place: SchemaPlace, steps: list[str], profile: Profile) -> tuple[SchemaPlace | None, list[str]]:
    """Return the place that steps lead to as its author writes them: keys of maps and indices of lists among them.

    Returns:
        The place, or ``None`` and the fields that the last known object has.
    """
    while steps:
        fields, entry = place.fields(), place.entry()
        found, used = _first_field(steps, fields, profile)
        most = len(steps) if entry is not None else int(steps[0].isdecimal()) + 1  # a key may hold dots
        for skipped in range(1, most):
            if found is None:
                found, used = _first_field(steps[skipped:], fields, profile)
                used += skipped
        if found is None:
            return entry, [profile.spell(f"{place.shown}.{field}") for field in fields]
        place, steps = fields[found], steps[used:]
    return place, []


def _first_field(steps: list[str], fields: Iterable[str], profile: Profile) -> tuple[str | None, int]:
    """Return the field that the steps begin with, and how many of them are its name: names may hold dots."""
    known = {spelling.lower(): field for field in fields for spelling in spellings(field, profile)}
    for used in range(1, len(steps) + 1):
        found = known.get(re.sub(r"\[\d*\]$", "", ".".join(steps[:used])).lower())
        if found is not None:
            return found, used
    return None, 0


def beginning(names: Iterable[str], start: str) -> list[str]:
    """Return the names that begin as ``start`` does; where none does, those that do but for upper and lower case."""
    known = list(names)
    exact = [name for name in known if name.startswith(start)]
    return exact or [name for name in known if name.lower().startswith(start.lower())]


def names_beginning(start: str) -> list[str]:
    """Return the kinds and file formats, or the fields of one, whose full names begin as ``start`` does.

    They are those of the newest release.
    """
    kind, dot, rest = start.partition(".")
    if not dot:
        return beginning(names_of(NEWEST), start)
    name = schema_name(kind, NEWEST)
    place = schema_place(name, NEWEST) if name is not None else None
    shown = f"{name}."
    while place is not None:
        fields = place.fields()
        ends = [f"{field}{end}" for field in fields for end in (".", "[].")]
        passed = next((one for one in ends if rest.lower().startswith(one.lower())), None)
        if passed is None:
            return [f"{shown}{field}" for field in beginning(fields, rest)]
        place, rest, shown = fields[passed.rstrip("[].")], rest[len(passed) :], f"{shown}{passed}"
    return []


def page_of(place: SchemaPlace) -> str:
    """Return the page of a place."""
    needed = "" if place.is_root else ", required" if place.is_required else ", optional"
    lines = [f"{place.shown}: {place.type}{needed}", ""]
    if place.description:
        lines += [place.description, ""]
    lines += [f"{label}: {value}" for label, value in place.facts]
    fields = place.fields()
    if fields:
        lines += [*([""] if lines[-1] else []), "Fields:"]
        rows = [(name, inner.type, "required" * inner.is_required) for name, inner in fields.items()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row, inner in zip(rows, fields.values(), strict=True):
            cells = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True) if width]
            lines.append("  ".join(["", *cells, " ".join(inner.description.split())]).rstrip())
    return "\n".join(lines).rstrip() + _states(place.shown)


def _states(field: str) -> str:
    """Return what each state of a field means and what leads to it, where the field bears a state."""
    from ..models.state import state_table

    kind, dot, rest = field.partition(".")
    table = state_table(f"{kind.replace('-', '')}{dot}{rest}")
    if table is None:
        return ""
    lines = ["", "", f"States, at first {table.first}:"]
    for state in table.states:
        lines += [f"  {state.name}", f"    {state.meaning}.", f"    Comes: {state.comes}."]
    return "\n".join([*lines, "", table.note] if table.note else lines)
