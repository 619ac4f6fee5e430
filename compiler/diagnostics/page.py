"""The page of a rule: the sections of a heading in ``validators/pages/TOPIC.md``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path as FilePath
from typing import Final, NamedTuple

_FOLDER: Final = FilePath(__file__).parents[2] / "validators" / "pages"
_RULE: Final = r"(?m)^## ([A-Z]{3}\d{3}) (\S+)\n"
_SECTION: Final = r"(?m)^### (.*)\n"
_FENCE: Final = r"(?ms)^```.*?\n(.*?)^```$"
_WRAP: Final = r"(?<!\n)\n *(?![-\n ])"
"""A line break within a paragraph or an item of a list."""


class Page(NamedTuple):
    """The sections that ``mcpcfg explain`` prints about a rule.

    Attributes:
        checks: The fault that the rule reports, and its place.
        why: The consequence of the fault, and when it occurs.
        example: A part of a file with the fault.
        fix: The change that removes the fault.
        source: The specification behind the rule.
    """

    checks: str
    why: str
    example: str
    fix: str
    source: str

    def __str__(self) -> str:
        """Return the page as paragraphs with headings, the example indented."""
        from textwrap import indent

        return (
            f"What it checks: {self.checks}\n\nWhy this matters: {self.why}\n\nExample:\n\n"
            f"{indent(self.example, '    ')}\n\nFix: {self.fix}\n\nSource: {self.source}\n"
        )


@cache
def pages_of(topic: str) -> dict[tuple[str, str], Page]:
    """Return the pages of a topic, such as ``REF``, by id and name of their rules."""
    text = (_FOLDER / f"{topic}.md").read_text(encoding="utf-8")
    parts = iter(re.split(_RULE, text)[1:])
    return {(id_, name): _page(body) for id_, name, body in zip(parts, parts, parts, strict=True)}


def _page(body: str) -> Page:
    """Return the page below the heading of a rule."""
    checks, *rest = re.split(_SECTION, body)
    sections = {heading: text.strip("\n") for heading, text in zip(rest[::2], rest[1::2], strict=True)}
    example = re.sub(_FENCE, r"\1", sections["Wrong"]).rstrip("\n")
    why, fix, source = (_unwrapped(sections[heading]) for heading in ("Why this matters", "Fix", "Source"))
    return Page(_unwrapped(checks.strip("\n")), why, example, fix, source)


def _unwrapped(text: str) -> str:
    """Return a text with each paragraph on one line, and with code indented."""
    from textwrap import indent

    parts = re.split(_FENCE, text)
    prose = (re.sub(_WRAP, " ", part) for part in parts[::2])
    code = (indent(part, "    ").rstrip("\n") for part in (*parts[1::2], ""))
    return "".join(f"{words}{block}" for words, block in zip(prose, code, strict=True))
