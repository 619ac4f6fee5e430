"""Overrides of tools: files of their own, and those inside of run configurations.

Source: toolhive 0.21.0, packages cli and mcp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.shown import shown
from ...toolhive.tool_name import HINT, tool_name_fault
from ..permission.check import misfit_faults
from ..shape import decode
from ..unknown_key import unknown_faults
from . import rules as rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def check_tool_overrides(document: Any) -> list[Fault]:
    """Check a file of tool overrides."""
    config, misfits, unknown = decode(document, "ToolOverrideFile")
    faults = [
        *misfit_faults(misfits, rule.UNDECODABLE),
        *unknown_faults(unknown, "ToolOverrideFile", rule.UNKNOWN_FIELD),
    ]
    if misfits:
        return faults
    if config["toolsOverride"] is None:
        return [*faults, Fault((), rule.OVERRIDES_MISSING, 'there is no "toolsOverride"', "add it")]
    found = override_faults(config["toolsOverride"])
    return [*faults, *(fault._replace(path=("toolsOverride", *fault.path)) for fault in found)]


def override_faults(overrides: Mapping[str, Mapping[str, Any]]) -> Iterator[Fault]:
    """Check decoded overrides by the names of the tools; paths begin at the overrides."""
    first: dict[str, str] = {}
    for tool, override in overrides.items():
        if not tool:
            hint = "name the tool, or remove the override"
            yield Fault((tool,), rule.OVERRIDE_EMPTY, "the name of the tool is empty", hint, on_key=True)
        if not override["name"] and not override["description"]:
            message = f"the override of {shown(tool)} has neither a name nor a description"
            yield Fault((tool,), rule.OVERRIDE_EMPTY, message, "set a name or a description, or remove the override")
        name = override["name"]
        if not name:
            continue
        if fault := tool_name_fault(name):
            yield Fault((tool, "name"), rule.OVERRIDE_UNFIT, f"{shown(name)} {fault}", HINT)
        rival = first.setdefault(name, tool)
        if rival != tool:
            message = f"{shown(rival)} is called {shown(name)} too"
            yield Fault((tool, "name"), rule.OVERRIDE_TWIN, message, "choose another name")
        elif name != tool and name in overrides and not overrides[name]["name"]:
            message = f"another tool keeps the name {shown(name)}"
            yield Fault((tool, "name"), rule.OVERRIDE_TWIN, message, "choose another name")
