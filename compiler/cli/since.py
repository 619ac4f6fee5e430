"""``check --changed-since REV``: the findings that a change brings or touches."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

import click

from mcpcfg.compiler import pipeline
from mcpcfg.compiler.disk import revision
from mcpcfg.compiler.project.discovery import STANDARD_INPUT, discover

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.pipeline import Report
    from mcpcfg.compiler.project.discovery import Project

    from .option import InputCall


def touched(outcome: Report, found: Project, call: InputCall, since: str) -> Report:
    """Keep the findings in files that have changed, and those in others that the revision did not have.

    Raises:
        InputError: There is no Git, no repository, or no such revision.
    """
    if STANDARD_INPUT in call.paths:
        raise click.UsageError("--changed-since compares files: it does not go with standard input")
    paths = call.paths or (".",)
    top = revision.top_of(paths)
    base = revision.merge_base(top, since)
    changed = revision.changed_files(top, base)

    def name(file: str) -> str:
        return os.path.relpath(
            os.path.join(os.path.realpath(os.path.dirname(file) or "."), os.path.basename(file)), top
        )

    top = os.path.realpath(top)
    elsewhere = [finding for finding in outcome.findings if name(finding.span.file) not in changed]
    known = _known(paths, found, call, base, top) if elsewhere else frozenset()
    old = {id(finding) for finding in elsewhere if _identity(finding, name) in known}
    if old:
        count = len(old)
        verb = (
            "findings that the change does not touch are" if count > 1 else "finding that the change does not touch is"
        )
        click.echo(f"mcpcfg: {count} {verb} not told", err=True)
    return outcome._replace(findings=[finding for finding in outcome.findings if id(finding) not in old])


def _known(paths: tuple[str, ...], found: Project, call: InputCall, base: str, top: str) -> frozenset[object]:
    """Give what a check of the revision says, its files named from the repository's root on."""
    asked = [os.path.relpath(os.path.realpath(path), top) for path in paths]
    root = os.path.realpath(found.root)
    wanted = (*paths, root) if os.path.commonpath([root, top]) == top else paths
    with tempfile.TemporaryDirectory(prefix="mcpcfg-") as folder:
        revision.extract(base, wanted, folder)
        old = tuple(
            path for path in (os.path.normpath(os.path.join(folder, one)) for one in asked) if os.path.lexists(path)
        )
        if not old:
            return frozenset()
        before = pipeline.check(discover(old, settings_file=call.config), call.options)
        return frozenset(_identity(one, lambda file: os.path.relpath(file, folder)) for one in before.findings)


def _identity(finding: Finding, name: Callable[[str], str]) -> tuple[object, ...]:
    span = finding.span
    return (finding.rule, name(span.file), span.line, span.column, finding.document, finding.path, finding.message)
