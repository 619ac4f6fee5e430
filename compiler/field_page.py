"""The page of a field, for ``explain``: what it is, its type, default, bounds, and the fields below it."""

from __future__ import annotations

import json
from typing import Any

from . import tables


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
    text = tables.schema_text(name) if name is not None else None
    if name is None or text is None:
        return None, list(tables.schema_names())
    root: dict[str, Any] = json.loads(text)
    schema, shown, parent = _resolved(root, root), name, root
    for step in steps:
        fields = _fields(root, schema)
        key = step.removesuffix("[]")
        found = next((field for field in fields if field.lower() == key.lower()), None)
        if found is None:
            return None, [f"{shown}.{field}" for field in fields]
        parent, schema, shown = schema, _resolved(root, fields[found]), f"{shown}.{found}"
    return _page(root, parent, schema, shown) + _states(f"{kind.replace('-', '')}{shown.removeprefix(name)}"), []


def _states(field: str) -> str:
    """Say what each state of a field means and what leads to it, where the field bears a state."""
    from .models.state import state_table

    table = state_table(field)
    if table is None:
        return ""
    lines = ["", "", f"States, at first {table.first}:"]
    for state in table.states:
        lines += [f"  {state.name}", f"    {state.meaning}.", f"    Comes: {state.comes}."]
    return "\n".join([*lines, "", table.note] if table.note else lines)


def _resolved(root: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Follow local ``$ref``s, and take what may be null for what it else is; what stands beside goes before."""
    branches = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
    if len(branches) == 1 < len(schema["anyOf"]):
        schema = {**branches[0], **{key: value for key, value in schema.items() if key != "anyOf"}}
    while "$ref" in schema:
        target: Any = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step.replace("~1", "/").replace("~0", "~")]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def _fields(root: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Give the fields of an object, of the items of a list or of the values of a map."""
    inner = _resolved(root, schema)
    while "items" in inner:
        inner = _resolved(root, inner["items"])
    if "properties" not in inner and isinstance(inner.get("additionalProperties"), dict):
        inner = _resolved(root, inner["additionalProperties"])
    fields: dict[str, Any] = inner.get("properties", {})
    return fields


def _page(root: dict[str, Any], parent: dict[str, Any], schema: dict[str, Any], shown: str) -> str:
    name = shown.rpartition(".")[2]
    required = "required" if name in _holder(root, parent).get("required", ()) else "optional"
    lines = [f"{shown}: {_type(root, schema)}, {required}", ""]
    if schema.get("description"):
        lines += [schema["description"], ""]
    for label, key in (("Default", "default"), ("Allowed", "enum"), ("Pattern", "pattern")):
        if key in schema:
            value = schema[key]
            said = ", ".join(map(str, value)) if key == "enum" else json.dumps(value, ensure_ascii=False)
            lines.append(f"{label}: {said}")
    bounds = [f"{key} {schema[key]}" for key in BOUNDS if key in schema]
    if bounds:
        lines.append(f"Bounds: {', '.join(bounds)}")
    fields = _fields(root, schema)
    if fields:
        lines += [*([""] if lines[-1] else []), "Fields:"]
        width = max(map(len, fields))
        found = {field: _resolved(root, inner) for field, inner in fields.items()}
        widest = max(len(_type(root, inner)) for inner in found.values())
        for field, inner in found.items():
            said = inner.get("description", "")
            lines.append(f"  {field:<{width}}  {_type(root, inner):<{widest}}  {said}".rstrip())
    return "\n".join(lines).rstrip()


BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")


def _holder(root: dict[str, Any], parent: dict[str, Any]) -> dict[str, Any]:
    inner = _resolved(root, parent)
    while "items" in inner:
        inner = _resolved(root, inner["items"])
    return inner


def _type(root: dict[str, Any], schema: dict[str, Any]) -> str:
    found = _resolved(root, schema)
    if "items" in found:
        return f"{_type(root, found['items'])}[]"
    if found.get("type") == "object" and isinstance(found.get("additionalProperties"), dict):
        return f"map of {_type(root, found['additionalProperties'])}"
    kind = found.get("type", "any")
    return "/".join(kind) if isinstance(kind, list) else str(kind)
