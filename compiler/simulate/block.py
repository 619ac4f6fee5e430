"""Remove values of wrong types from an ``aggregation`` block and from tables of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.plain import listed, mapping, text_at

if TYPE_CHECKING:
    from collections.abc import Mapping


def well_typed(aggregation: Mapping[str, Any]) -> dict[str, Any]:
    """Return an ``aggregation`` block without values of wrong types. ``mcpcfg check`` reports these values."""
    detail = mapping(aggregation.get("conflictResolutionConfig"))
    return {
        "conflictResolution": text_at(aggregation, "conflictResolution"),
        "conflictResolutionConfig": {
            "prefixFormat": text_at(detail, "prefixFormat"),
            "priorityOrder": _texts(detail.get("priorityOrder")),
        },
        "excludeAllTools": aggregation.get("excludeAllTools") is True,
        "tools": [
            {
                "workload": text_at(entry, "workload"),
                "excludeAll": entry.get("excludeAll") is True,
                "filter": _texts(entry.get("filter")),
                "overrides": {str(name): _override(given) for name, given in mapping(entry.get("overrides")).items()},
            }
            for entry in map(mapping, listed(aggregation.get("tools")))
        ],
    }


def well_typed_tools(tools: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the tools of each backend without values of wrong types."""
    return {
        str(backend): [
            {
                "name": text_at(tool, "name"),
                "description": text_at(tool, "description"),
                "annotations": mapping(tool.get("annotations")),
            }
            for tool in listed(given)
            if isinstance(tool, dict)
        ]
        for backend, given in tools.items()
    }


def _override(given: Any) -> dict[str, Any] | None:
    if given is None:
        return None
    override = mapping(given)
    return {
        "name": text_at(override, "name"),
        "description": text_at(override, "description"),
        "annotations": mapping(override.get("annotations")),
    }


def _texts(value: Any) -> list[str]:
    return [item for item in listed(value) if isinstance(item, str)]
