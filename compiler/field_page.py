"""The page of a field, for ``explain``: what it is, its type, default, bounds, and the fields below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import tables
from .schema_place import schema_place

if TYPE_CHECKING:
    from .schema_place import SchemaPlace


def schema_of(what: str) -> str | None:
    """Give the name of the kind or file format of a field: ``workload-summary`` of ``WorkloadSummary.url``.

    ``None`` where there is none of that name; upper and lower case and hyphens do not matter.
    """
    wanted = what.partition(".")[0].replace("-", "").lower()
    return next((name for name in tables.schema_names() if name.replace("-", "").lower() == wanted), None)


def field_page(what: str) -> tuple[str | None, list[str]]:
    """Give the page of a field such as ``MCPServer.spec.rateLimiting``.

    Returns:
        The page, or ``None`` and the fields that the last known object has.
    """
    kind, *steps = what.split(".")
    name = schema_of(kind)
    place = schema_place(name) if name is not None else None
    if name is None or place is None:
        return None, list(tables.schema_names())
    for step in steps:
        fields = place.fields()
        key = step.removesuffix("[]")
        found = next((field for field in fields if field.lower() == key.lower()), None)
        if found is None:
            return None, [f"{place.shown}.{field}" for field in fields]
        place = fields[found]
    return page_of(place), []


def page_of(place: SchemaPlace) -> str:
    """Give the page of a place."""
    lines = [f"{place.shown}: {place.type}, {'required' if place.is_required else 'optional'}", ""]
    if place.description:
        lines += [place.description, ""]
    lines += [f"{label}: {said}" for label, said in place.facts]
    fields = place.fields()
    if fields:
        lines += [*([""] if lines[-1] else []), "Fields:"]
        width = max(map(len, fields))
        widest = max(len(inner.type) for inner in fields.values())
        for name, inner in fields.items():
            lines.append(f"  {name:<{width}}  {inner.type:<{widest}}  {inner.description}".rstrip())
    return "\n".join(lines).rstrip() + _states(place.shown)


def _states(field: str) -> str:
    """Say what each state of a field means and what leads to it, where the field bears a state."""
    from .models.state import state_table

    kind, dot, rest = field.partition(".")
    table = state_table(f"{kind.replace('-', '')}{dot}{rest}")
    if table is None:
        return ""
    lines = ["", "", f"States, at first {table.first}:"]
    for state in table.states:
        lines += [f"  {state.name}", f"    {state.meaning}.", f"    Comes: {state.comes}."]
    return "\n".join([*lines, "", table.note] if table.note else lines)
