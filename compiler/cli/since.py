"""``check --changed-since REV``: report findings in changed files, and new findings in unchanged files."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

import click

from ..check.full import check
from ..diagnostics import file_path
from ..disk import revision
from ..project.discovery import STANDARD_INPUT, discover
from ..project.snapshot import write_snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from ..check.full import Report
    from ..diagnostics.finding import Finding
    from ..disk.git import GitRepository
    from ..project.discovery import Project
    from .option import InputCall


def touched(outcome: Report, project: Project, call: InputCall, since: str) -> Report:
    """Return the report without the findings in unchanged files that existed before the change.

    Print the number of these findings.

    Raises:
        InputError: There is no Git, no repository, or no such revision.
        click.UsageError: Standard input is checked.
    """
    if STANDARD_INPUT in call.paths:
        raise click.UsageError("--changed-since compares files: it does not go with standard input")
    repository = revision.repository_of(project.asked)
    base = revision.merge_base(repository, since)
    changed = _changed(repository, base, project, {finding.span.file for finding in outcome.findings})
    elsewhere = [finding for finding in outcome.findings if finding.span.file not in changed]

    def name(file: str) -> str:
        return _name(file, repository.top)

    # The revision only needs a check if there are findings in unchanged files.
    old_findings = _earlier_findings(repository, base, project, call) if elsewhere else frozenset()
    old = {id(finding) for finding in elsewhere if _identity(finding, name) in old_findings}
    if old:
        count = len(old)
        verb = (
            "findings that the change does not touch are" if count > 1 else "finding that the change does not touch is"
        )
        click.echo(f"mcpcfg: {count} {verb} not reported", err=True)
    return outcome._replace(findings=[finding for finding in outcome.findings if id(finding) not in old])


def _name(file: str, top: str) -> str:
    """Return the path of a file relative to ``top``, after links of its folders are resolved. A link itself is kept."""
    return file_path.relpath(
        file_path.join(file_path.realpath(os.path.dirname(file) or "."), os.path.basename(file)), top
    )


def _changed(repository: GitRepository, base: str, project: Project, files: Collection[str]) -> frozenset[str]:
    """Return the files that differ from the commit ``base``. A link also differs if its target does."""
    paths = {
        file: {_name(file, repository.top), file_path.relpath(file_path.realpath(file), repository.top)}
        for file in files
    }
    within = {name for names in paths.values() for name in names if not name.startswith("../")}
    asked = revision.inside(repository, project.asked)
    entries = revision.entries(repository, base, [*asked, *_outside(within, asked)])

    def is_as_it_was(name: str) -> bool:
        return name in entries and revision.is_unchanged(repository, name, entries[name])

    return frozenset(file for file, names in paths.items() if not all(map(is_as_it_was, names)))


def _outside(names: Iterable[str], asked: Sequence[str]) -> list[str]:
    folders = tuple(f"{path}/" for path in asked)
    return [name for name in names if "." not in asked and not name.startswith(folders)]


def _earlier_findings(repository: GitRepository, base: str, project: Project, call: InputCall) -> frozenset[object]:
    """Check the project at the commit ``base``, and return the identities of its findings.

    Paths in identities are relative to the root of the repository.
    """
    with tempfile.TemporaryDirectory(prefix="mcpcfg-") as folder:
        old = write_snapshot(repository, base, project, folder)
        if not old:
            return frozenset()
        before = check(
            discover(
                old, settings_file=call.config, within=folder, release=call.options.release, crds=call.options.crds
            ),
            call.options,
        )
        return frozenset(
            _identity(finding, lambda file: file_path.relpath(file, folder)) for finding in before.findings
        )


def _identity(finding: Finding, name: Callable[[str], str]) -> tuple[object, ...]:
    span = finding.span
    return (finding.rule, name(span.file), span.line, span.column, finding.document, finding.path, finding.message)
