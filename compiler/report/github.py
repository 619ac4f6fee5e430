"""Findings as GitHub workflow commands: annotations on the lines of a pull request.

GitHub shows only ten annotations of each level per step, so the worst findings come first.

Source: GitHub Docs, "Workflow commands for GitHub Actions": percent, line breaks, and in properties also colons and
commas are escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.shown import sanitized, visible
from .format import worst_first
from .text import remarks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..diagnostics.finding import Finding
    from ..toolhive.profile import ReleaseChoice

COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(findings: Iterable[Finding], release: ReleaseChoice) -> str:
    """Return one line with a workflow command for each finding, worst first, and a last line about the release."""
    commands = [*map(_command, worst_first(findings)), _notice(release)]
    return "".join(f"{command}\n" for command in commands)


def _notice(release: ReleaseChoice) -> str:
    properties: dict[str, str | int] = {"title": "mcpcfg"}
    if release.place is not None:
        properties = {"file": release.place[0], "line": release.place[1], **properties}
    return f"::notice {_settings(properties)}::{_data(sanitized(release.text))}"


def _command(finding: Finding) -> str:
    span = finding.span
    properties = {
        "file": span.file,
        "line": span.line,
        "endLine": span.end_line,
        "col": span.column,
        "endColumn": span.end_column,
        "title": f"{finding.rule} {finding.name} ({finding.stage})",
    }
    if span.end_line != span.line:
        del properties["col"], properties["endColumn"]  # GitHub accepts columns only for a single line
    message = "\n".join(map(sanitized, (finding.message, *remarks(finding))))
    return f"::{COMMANDS[finding.severity]} {_settings(properties)}::{_data(message)}"


def _settings(properties: Mapping[str, object]) -> str:
    return ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())


def _data(text: str) -> str:
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
