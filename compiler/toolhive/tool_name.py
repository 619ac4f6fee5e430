"""Names of tools that clients accept.

Source: Model Context Protocol, revision 2025-11-25, tools: names.
"""

from __future__ import annotations

import re

from ..diagnostics.finding import rule

UNFIT_NAME = rule("TLC007 tool-name-refused-by-clients", "lint", "A tool gets a name that clients refuse")

SAME_NAME = rule("TLC005 tools-of-one-name", "lint", "Two tools get the same name")

_LONGEST = 128
"""Maximum characters of a tool name in the specification. Clients may refuse longer names."""

HINT = f"use letters, digits, dots, _ and -, at most {_LONGEST}"


def tool_name_fault(name: str) -> str | None:
    """Return why clients may refuse a tool name, as a clause that follows the name, or ``None``."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]*", name):
        return "holds a character other than letters, digits, dots, _ and -"
    return f"is longer than {_LONGEST} characters" if len(name) > _LONGEST else None
