"""Find the objects that unreadable documents seem to declare, so references to them are not reported as dangling."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..admission.table import checks_of
from ..diagnostics.finding import Note
from ..reading.excerpt import decode
from ..workspace.workspace import CORE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..diagnostics.finding import Finding
    from ..toolhive.profile import Profile

_KIND: Final = r"""(?m)(?:^[ \t]*(?:- )?|[{,][ \t]*)["']?kind["']?[ \t]*:[ \t]*["']?([A-Za-z]+)"""
_NAME: Final = r"""(?m)(?:^[ \t]*|[{,][ \t]*)["']?name["']?[ \t]*:[ \t]*["']?([a-z0-9][a-z0-9.-]*)"""
_MOST_NAMES: Final = 200
"""Maximum number of names that are read from a file."""


def seeming_names(
    findings: Iterable[Finding], texts: Mapping[str, bytes], profile: Profile
) -> dict[str, dict[str, set[str]]]:
    """Return the names that the files with syntax errors seem to declare, by file and kind.

    Every name in the text counts for every kind in it, because the structure of the text is unknown.

    Args:
        findings: The findings about all files.
        texts: The content of the files.
        profile: The names of the operator's edition, and its release.
    """
    kinds = CORE_KINDS.union(checks_of(profile).table.kinds)
    names_by_file: dict[str, dict[str, set[str]]] = {}
    unreadable = {finding.span.file for finding in findings if _is_about_unreadable(finding)}
    for file in sorted(unreadable.intersection(texts)):  # CRDs of the call are no files of the project
        text = decode(texts[file])
        stated = set(re.findall(_KIND, text)) & kinds
        names = [match[1] for match, _ in zip(re.finditer(_NAME, text), range(_MOST_NAMES), strict=False)]
        if stated and names:
            names_by_file[file] = {kind: set(names) for kind in stated}
    return names_by_file


def with_notes(findings: Iterable[Finding], declared: Mapping[str, Mapping[str, set[str]]]) -> list[Finding]:
    """Return the findings; the first syntax error of each file in ``declared`` says what is taken to exist."""
    noted: set[str] = set()
    out: list[Finding] = []
    for finding in findings:
        file = finding.span.file
        if file in declared and file not in noted and _is_about_unreadable(finding):
            noted.add(file)
            kinds = " and ".join(sorted(declared[file]))
            note = Note(f"until it can be read, every {kinds} that it seems to declare is taken to exist")
            out.append(finding._replace(notes=(*finding.notes, note)))
        else:
            out.append(finding)
    return out


def _is_about_unreadable(finding: Finding) -> bool:
    return finding.stage == "syntax" and finding.severity == "error"
