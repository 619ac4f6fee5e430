"""What the rules of stage ``syntax`` have in common."""

from __future__ import annotations

from ...diagnostics.finding import Rule


def syntax(number: int, name: str, title: str, doc: str) -> Rule:
    """Make a rule of the topic ``SYN``."""
    return Rule(id=f"SYN{number:03}", name=name, stage="syntax", severity="error", title=title, doc=doc)
