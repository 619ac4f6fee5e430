"""Check tool overrides in files and run configurations.

Source: toolhive 0.21.0, packages cli and mcp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...toolhive.tool_name import HINT, SAME_NAME, UNFIT_NAME, tool_name_fault
from ..shape import decode
from ..unknown_key import decoding_faults
from .audit import UNDECODABLE, UNKNOWN_FIELD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OVERRIDES_MISSING = rule("FIL040 tool-overrides-missing", "process", "A file of tool overrides contains none")
OVERRIDE_EMPTY = rule("FIL041 tool-override-empty", "process", "The override of a tool changes nothing")


def check_tool_overrides(document: Any) -> list[Fault]:
    """Return the faults of a file of tool overrides."""
    config, misfits, unknown = decode(document, "ToolOverrideFile")
    faults = decoding_faults("ToolOverrideFile", misfits, unknown, UNDECODABLE, UNKNOWN_FIELD)
    if misfits:
        return faults
    if config["toolsOverride"] is None:
        return [*faults, Fault((), OVERRIDES_MISSING, 'there is no "toolsOverride"', "add it")]
    override_findings = override_faults(config["toolsOverride"])
    return [*faults, *(fault._replace(path=("toolsOverride", *fault.path)) for fault in override_findings)]


def override_faults(overrides: Mapping[str, Mapping[str, Any]]) -> Iterator[Fault]:
    """Yield the faults of decoded tool overrides. Paths are relative to ``overrides``."""
    first: dict[str, str] = {}
    for tool, override in overrides.items():
        if not tool:
            hint = "name the tool, or remove the override"
            yield Fault((tool,), OVERRIDE_EMPTY, "the name of the tool is empty", hint, on_key=True)
        if not override["name"] and not override["description"]:
            message = f"the override of {shown(tool)} has neither a name nor a description"
            yield Fault((tool,), OVERRIDE_EMPTY, message, "set a name or a description, or remove the override")
        name = override["name"]
        if not name:
            continue
        if fault := tool_name_fault(name):
            yield Fault((tool, "name"), UNFIT_NAME, f"{shown(name)} {fault}", HINT)
        rival = first.setdefault(name, tool)
        if rival != tool:
            message = f"{shown(rival)} is called {shown(name)} too"
            yield Fault((tool, "name"), SAME_NAME, message, "choose another name")
        elif name != tool and name in overrides and not overrides[name]["name"]:
            message = f"another tool keeps the name {shown(name)}"
            yield Fault((tool, "name"), SAME_NAME, message, "choose another name")
