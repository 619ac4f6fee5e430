"""How the page of a rule is laid out."""

from __future__ import annotations


def page(flagged: str, why: str, *, example: str, cure: str, source: str) -> str:
    """Lay out a page: what is flagged, why it bites and when, an example, the cure, the source."""
    indented = "\n".join(f"    {line}".rstrip() for line in example.strip("\n").split("\n"))
    return f"Flagged: {flagged}\n\nWhy it bites: {why}\n\nExample:\n\n{indented}\n\nCure: {cure}\n\nSource: {source}\n"
