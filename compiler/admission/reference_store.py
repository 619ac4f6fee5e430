"""Compute from a JSON Schema what the API server stores: without nulls, and with defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .leaf import as_whole
from .violation import Sort, Violation

if TYPE_CHECKING:
    from .shape import Checks

_DEFINITIONS = "#/$defs/"


class Store:
    """Computes the stored form of an object, and remembers the user's spelling of its fields.

    Args:
        schema: The JSON Schema of the object's kind.
        checks: The checks of the profile, which know its spelling of field names and values.
        faults: The list that fields in another spelling are appended to.
    """

    def __init__(self, schema: dict[str, Any], checks: Checks, faults: list[Violation]) -> None:
        self._schema = schema
        self._spellings, self._spell = checks.spellings, checks.profile.spell
        self._faults = faults
        self._renamed: dict[tuple[str | int, ...], str] = {}

    def stored(self, data: Any) -> Any:
        """Return the object with defaults and without nulls, ready to be validated. Unknown fields are kept."""
        return self._filled(data, self._schema, ())

    def pruned(self, stored: Any) -> Any:
        """Return a filled object without its unknown fields."""
        return self._pruned_value(stored, self._schema)

    def written(self, path: list[str | int]) -> list[str | int]:
        """Return a path with field names as the user wrote them. Both paths have the innermost step first."""
        steps: list[str | int] = []
        for i in range(len(path)):
            whole = tuple(reversed(path[i:]))
            steps.append(self._renamed.get(whole, path[i]))
        return steps

    def _filled(self, value: Any, schema: dict[str, Any], path: tuple[str | int, ...]) -> Any:
        schema = self._resolved(schema)
        if isinstance(value, dict):
            return self._filled_object(value, schema, path)
        if isinstance(value, list):
            items = schema.get("items", {})
            return [self._filled(item, items, (*path, i)) for i, item in enumerate(value)]
        if isinstance(value, str) and value not in schema.get("enum", (value,)):
            canonical = self._spellings.get(value)
            return canonical if canonical in schema["enum"] else value
        if isinstance(value, float) and schema.get("type") == "integer" and as_whole(value) == value:
            return int(value)
        return value

    def _filled_object(
        self, value: dict[str, Any], schema: dict[str, Any], path: tuple[str | int, ...]
    ) -> dict[str, Any]:
        fields: dict[str, Any] = schema.get("properties", {})
        rest = schema.get("additionalProperties")
        out = {}
        for key, item in value.items():
            name = key
            if key not in fields and self._spellings.get(key) in fields and self._spellings[key] not in value:
                name = self._spellings[key]
                self._renamed[*path, name] = key
                self._faults.append(Violation(Sort.RENAMED, [key, *reversed(path)], item, name))
            below = fields.get(name, rest if isinstance(rest, dict) else None)
            if below is None:
                out[name] = item
            elif item is not None:
                out[name] = self._filled(item, below, (*path, name))
        for name, below in fields.items():
            if "default" in below and name not in out:
                given = below["default"]
                out[name] = self._spell(given) if isinstance(given, str) else given
        return out

    def _pruned_value(self, value: Any, schema: dict[str, Any]) -> Any:
        schema = self._resolved(schema)
        if isinstance(value, list):
            return [self._pruned_value(item, schema.get("items", {})) for item in value]
        if not isinstance(value, dict):
            return value
        fields: dict[str, Any] = schema.get("properties", {})
        rest = schema.get("additionalProperties", True)
        below = rest if isinstance(rest, dict) else {}
        return {
            key: self._pruned_value(item, fields.get(key, below))
            for key, item in value.items()
            if rest or key in fields
        }

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        name = schema.get("$ref")
        if name is None:
            return schema
        resolved: dict[str, Any] = self._schema["$defs"][name.removeprefix(_DEFINITIONS)]
        return resolved
