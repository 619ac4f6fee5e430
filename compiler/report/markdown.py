"""Findings as Markdown: the step summary of a GitHub workflow, or a comment on a pull request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..diagnostics.shown import sanitized
from .format import worst_first
from .text import note_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.finding import Finding

MOST_ROWS = 500
"""A step summary holds one MiB at most."""

MARKS = {"error": "❌", "warning": "⚠️", "info": "ℹ️"}  # noqa: RUF001 - that is the sign


def render(findings: Sequence[Finding], counts: str, *, failed: bool) -> str:
    """Write the summary; ``counts`` are the closing lines of the text report."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(  # noqa: S701 - Markdown: every value passes the filter ``cell``
        loader=PackageLoader("mcpcfg.templates", ""), keep_trailing_newline=True
    )
    environment.filters.update(cell=cell, code=code)
    template = environment.get_template("summary.md.j2")
    return template.render(
        verdict="failed" if failed else "passed",
        counts="\n\n".join(map(cell, counts.splitlines())),
        findings=worst_first(findings)[:MOST_ROWS],
        more=max(0, len(findings) - MOST_ROWS),
        marks=MARKS,
        notes=lambda finding: note_texts(finding.notes, len(finding.notes)),
    )


def cell(text: str) -> str:
    """Write a text so that it stays within a cell of a table, is not read as Markdown or HTML, and mentions no user."""
    out = sanitized(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    out = "".join(f"\\{char}" if char in "\\`|*_[]~" else char for char in out)
    # GitHub makes a mention of `@name` and a link of `#1`; an empty comment between prevents both.
    return re.sub(r"[@#](?=\w)", r"\g<0><!-- -->", out)


def code(text: str) -> str:
    """Write a text as code within a cell: nothing but the ends of the code and of the cell means anything there."""
    plain = sanitized(text).replace("`", "\N{MODIFIER LETTER GRAVE ACCENT}")
    return "`" + plain.replace("|", "\\|") + "`"
