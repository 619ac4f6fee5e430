"""``check --changed-since REV``: the findings that a change brings or touches."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

import click

from ..check.full import check
from ..disk import revision
from ..project.discovery import STANDARD_INPUT, discover
from ..project.snapshot import write_snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from ..check.full import Report
    from ..diagnostics.finding import Finding
    from ..disk.git import Repository
    from ..project.discovery import Project
    from .option import InputCall


def touched(outcome: Report, found: Project, call: InputCall, since: str) -> Report:
    """Return the findings in files that have changed, and those in others that the revision did not have.

    Raises:
        InputError: There is no Git, no repository, or no such revision.
    """
    if STANDARD_INPUT in call.paths:
        raise click.UsageError("--changed-since compares files: it does not go with standard input")
    repository = revision.repository_of(found.asked)
    base = revision.merge_base(repository, since)
    changed = _changed(repository, base, found, {finding.span.file for finding in outcome.findings})
    elsewhere = [finding for finding in outcome.findings if finding.span.file not in changed]

    def name(file: str) -> str:
        return _name(file, repository.top)

    # The revision is checked only if a finding lies outside of the changed files.
    known = _known(repository, base, found, call) if elsewhere else frozenset()
    old = {id(finding) for finding in elsewhere if _identity(finding, name) in known}
    if old:
        count = len(old)
        verb = (
            "findings that the change does not touch are" if count > 1 else "finding that the change does not touch is"
        )
        click.echo(f"mcpcfg: {count} {verb} not reported", err=True)
    return outcome._replace(findings=[finding for finding in outcome.findings if id(finding) not in old])


def _name(file: str, top: str) -> str:
    """Return the name of a file, or of a link itself, from ``top`` on."""
    return os.path.relpath(
        os.path.join(os.path.realpath(os.path.dirname(file) or "."), os.path.basename(file)), top
    ).replace(os.sep, "/")


def _changed(repository: Repository, base: str, found: Project, files: Collection[str]) -> frozenset[str]:
    """Return those of ``files`` that the commit does not have as they are; of a link, what it leads to counts too."""
    ways = {
        file: {_name(file, repository.top), os.path.relpath(os.path.realpath(file), repository.top)} for file in files
    }
    within = {name for names in ways.values() for name in names if not name.startswith("../")}
    asked = revision.inside(repository, found.asked)
    known = revision.entries(repository, base, [*asked, *_outside(within, asked)])

    def is_as_it_was(name: str) -> bool:
        return name in known and revision.is_unchanged(repository, name, known[name])

    return frozenset(file for file, names in ways.items() if not all(map(is_as_it_was, names)))


def _outside(names: Iterable[str], asked: Sequence[str]) -> list[str]:
    folders = tuple(f"{path}/" for path in asked)
    return [name for name in names if "." not in asked and not name.startswith(folders)]


def _known(repository: Repository, base: str, found: Project, call: InputCall) -> frozenset[object]:
    """Return what a check of the revision reports, its files named from the repository's root on."""
    with tempfile.TemporaryDirectory(prefix="mcpcfg-") as folder:
        old = write_snapshot(repository, base, found, folder)
        if not old:
            return frozenset()
        before = check(
            discover(
                old, settings_file=call.config, within=folder, release=call.options.release, crds=call.options.crds
            ),
            call.options,
        )
        return frozenset(_identity(one, lambda file: os.path.relpath(file, folder)) for one in before.findings)


def _identity(finding: Finding, name: Callable[[str], str]) -> tuple[object, ...]:
    span = finding.span
    return (finding.rule, name(span.file), span.line, span.column, finding.document, finding.path, finding.message)
