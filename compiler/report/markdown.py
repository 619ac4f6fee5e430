"""Findings as Markdown, for the step summary of a GitHub workflow or a comment on a pull request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..diagnostics.address import rule_address
from ..diagnostics.shown import sanitized
from .format import worst_first
from .text import note_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.finding import Finding

MOST_ROWS = 500
"""Maximum number of rows, because a step summary is limited to 1 MiB."""

MARKS = {"error": "❌", "warning": "⚠️", "info": "ℹ️"}  # noqa: RUF001 - that is the sign


def render(findings: Sequence[Finding], counts: str, *, failed: bool) -> str:
    """Return the summary with a table of the worst findings, and the number of further ones.

    Args:
        findings: Findings in the order of the report.
        counts: Closing lines of the text report.
        failed: True if the check failed.
    """
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
        address=rule_address,
        notes=lambda finding: note_texts(finding.notes, len(finding.notes)),
    )


def cell(text: str) -> str:
    """Return ``text`` for a cell of a table, with Markdown and HTML escaped, and without links to users or issues."""
    out = sanitized(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    out = "".join(f"\\{char}" if char in "\\`|*_[]~" else char for char in out)
    # GitHub turns `@name` into a mention and `#1` into a link; an empty comment prevents both.
    return re.sub(r"[@#](?=\w)", r"\g<0><!-- -->", out)


def code(text: str) -> str:
    """Return ``text`` as inline code for a cell of a table."""
    plain = sanitized(text).replace("`", "\N{MODIFIER LETTER GRAVE ACCENT}")
    return "`" + plain.replace("|", "\\|") + "`"
