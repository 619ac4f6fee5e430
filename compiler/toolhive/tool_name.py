"""Names of tools that clients accept.

Source: Model Context Protocol, revision 2025-11-25, tools: names.
"""

from __future__ import annotations

import re

from ..diagnostics.finding import rule

UNFIT_NAME = rule(
    "TLC007",
    "tool-name-refused-by-clients",
    "A tool gets a name that clients refuse",
    stage="lint",
    checks="`toolsOverride.TOOL.name` of an MCPToolConfig, or of a file or run configuration with tool overrides, with"
    " a space or another character that tool names cannot contain, or of more than 128 characters.",
    why="The product does not refuse it. Clients and models accept names of up to 128 letters, digits, `_`, `-` and"
    " `.`; they drop tools with other names, or fail on the whole list of tools.",
    example='toolsOverride: {search: {name: "search code"}}',
    fix="Use letters, digits, `_`, `-` and `.`.",
    source="Model Context Protocol, revision 2025-11-25, tools: names.",
)

SAME_NAME = rule(
    "TLC005",
    "tools-of-one-name",
    "Two tools get the same name",
    stage="lint",
    checks="`toolsOverride.TOOL.name` of an MCPToolConfig, or of a file or run configuration with tool overrides, that"
    " another tool there also gets, or in a file keeps.",
    why="Clients see two tools with the same name, and calls reach only one of them; which one may change whenever the"
    " proxy starts.",
    example="toolsOverride: {fetch: {name: get}, download: {name: get}}",
    fix="Use a different name for each.",
    source="The tool filters and tool overrides of the proxy, v0.21.0.",
)

_LONGEST = 128
"""Maximum characters of a tool name in the specification. Clients may refuse longer names."""

HINT = f"use letters, digits, dots, _ and -, at most {_LONGEST}"


def tool_name_fault(name: str) -> str | None:
    """Return why clients may refuse a tool name, as a clause that follows the name, or ``None``."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]*", name):
        return "holds a character other than letters, digits, dots, _ and -"
    return f"is longer than {_LONGEST} characters" if len(name) > _LONGEST else None
