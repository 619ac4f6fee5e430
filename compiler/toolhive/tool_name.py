"""Names of tools that clients accept.

Source: Model Context Protocol, revision 2025-11-25, tools: names.
"""

from __future__ import annotations

import re

_LONGEST = 128

HINT = f"use letters, digits, dots, _ and -, at most {_LONGEST}"


def tool_name_fault(name: str) -> str | None:
    """Return the reason why clients may refuse a tool name, as a clause that follows it, or ``None``."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]*", name):
        return "holds a character other than letters, digits, dots, _ and -"
    return f"is longer than {_LONGEST} characters" if len(name) > _LONGEST else None
