"""Write the page of a field for ``explain``: type, description, default, bounds, and nested fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...diagnostics.shown import lines
from ...toolhive.profile import TOOLHIVE, Profile
from ...toolhive.release import NEWEST_KNOWN, NEWEST_MODELLED
from .schema_place import OTHER_NAMES, crd_place, names_of, schema_place, spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .schema_place import SchemaPlace


OTHER_FORMATS = {"registry": "registry-legacy"}
"""For the schema of a file with two formats, the schema of the other format."""


def schema_name(what: str, release: str = NEWEST_MODELLED) -> str | None:
    """Return the name of the kind or file format of a field, such as ``workload-summary`` for ``WorkloadSummary.url``.

    Case and hyphens do not matter. Return ``None`` for an unknown name.
    """
    kind = what.partition(".")[0].lower()
    wanted = OTHER_NAMES.get(kind, kind).replace("-", "")
    return next((name for name in names_of(release) if name.replace("-", "").lower() == wanted), None)


def field_page(what: str, profile: Profile = TOOLHIVE, release: str = NEWEST_MODELLED) -> tuple[str | None, list[str]]:
    """Return the page of a field such as ``MCPServer.spec.rateLimiting``, in the names of a profile.

    Returns:
        The page and an empty list. If the field does not exist, ``None`` and the fields of the last object on the path
        that exists. If the kind does not exist, ``None`` and all kinds and file formats.
    """
    kind, *steps = what.split(".")
    name = schema_name(kind, release)
    place = schema_place(name, release) if name is not None else None
    if name is None or place is None:
        return None, list(names_of(release))
    place_, alternatives = _place_below(place, steps, profile)
    if place_ is None and name in OTHER_FORMATS:
        other = schema_place(OTHER_FORMATS[name])
        assert other is not None
        place_ = _place_below(other, steps, profile)[0]
    return (None, alternatives) if place_ is None else (profile.spell(page_of(place_)), [])


def crd_page(
    what: str, crds: Mapping[str, Mapping[str, Any]], profile: Profile = TOOLHIVE
) -> tuple[str | None, list[str]]:
    """Return the page of a field as a CRD of the user has it, or alternatives as `field_page` does.

    Args:
        crds: CRDs of the operator, by kind.
    """
    kind, *steps = what.split(".")
    name = next((name for name in crds if name.lower() == kind.lower()), None)
    if name is None:
        return None, []
    place, alternatives = _place_below(crd_place(name, crds[name]), steps, profile)
    return (None, alternatives) if place is None else (lines(page_of(place)), [])


def _place_below(place: SchemaPlace, steps: list[str], profile: Profile) -> tuple[SchemaPlace | None, list[str]]:
    """Return the schema place at the path ``steps``, which may include keys of maps and indexes of lists.

    Returns:
        The place and an empty list; or ``None`` and the fields of the last object on the path that exists. The place of
        a map's value may come with the fields of the map, too.
    """
    while steps:
        fields, entry = place.fields(), place.entry()
        field, used = _first_field(steps, fields, profile)
        most = len(steps) if entry is not None else int(steps[0].isdecimal()) + 1  # a key may hold dots
        for skipped in range(1, most):
            if field is None:
                field, used = _first_field(steps[skipped:], fields, profile)
                used += skipped
        if field is None:
            return entry, [profile.spell(f"{place.shown}.{name}") for name in fields]
        place, steps = fields[field], steps[used:]
    return place, []


def _first_field(steps: list[str], fields: Iterable[str], profile: Profile) -> tuple[str | None, int]:
    """Return the field at the start of ``steps``, or ``None``, and its number of steps, because names may have dots."""
    field_by_spelling = {spelling.lower(): field for field in fields for spelling in spellings(field, profile)}
    for used in range(1, len(steps) + 1):
        field_ = field_by_spelling.get(re.sub(r"\[\d*\]$", "", ".".join(steps[:used])).lower())
        if field_ is not None:
            return field_, used
    return None, 0


def beginning(names: Iterable[str], start: str) -> list[str]:
    """Return the names with the prefix ``start``. If no name has the prefix, case is ignored."""
    all_names = list(names)
    exact = [name for name in all_names if name.startswith(start)]
    return exact or [name for name in all_names if name.lower().startswith(start.lower())]


def names_beginning(start: str) -> list[str]:
    """Return the full names in the newest known release that have the prefix ``start``.

    They are kinds and file formats, or fields of the kind or format that ``start`` names before its first dot.
    """
    kind, dot, rest = start.partition(".")
    if not dot:
        return beginning(names_of(NEWEST_KNOWN), start)
    name = schema_name(kind, NEWEST_KNOWN)
    place = schema_place(name, NEWEST_KNOWN) if name is not None else None
    shown = f"{name}."
    while place is not None:
        fields = place.fields()
        ends = [f"{field}{end}" for field in fields for end in (".", "[].")]
        passed = next((end for end in ends if rest.lower().startswith(end.lower())), None)
        if passed is None:
            return [f"{shown}{field}" for field in beginning(fields, rest)]
        place, rest, shown = fields[passed.rstrip("[].")], rest[len(passed) :], f"{shown}{passed}"
    return []


def page_of(place: SchemaPlace) -> str:
    """Return the page of a field, kind or file format: type, description, facts, nested fields and states."""
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
    from ...models.state import state_table

    kind, dot, rest = field.partition(".")
    table = state_table(f"{kind.replace('-', '')}{dot}{rest}")
    if table is None:
        return ""
    lines = ["", "", f"States, at first {table.first}:"]
    for state in table.states:
        lines += [f"  {state.name}", f"    {state.meaning}.", f"    Comes: {state.cause}."]
    return "\n".join([*lines, "", table.note] if table.note else lines)
