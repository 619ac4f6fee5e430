"""``mcpcfg upgrade``: rewrite a project for a later release of the operator."""

from __future__ import annotations

import sys
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

import click

from ..check.full import check
from ..diagnostics.timing import clear
from ..diff.crossing import already_refused, crossing
from ..diff.crossing_report import Upgrade, as_json, as_text
from ..project import suppression
from ..project.discovery import STANDARD_INPUT, with_release
from ..toolhive.release import (
    NEWEST_KNOWN,
    NEWEST_MODELLED,
    OLDEST,
    RELEASES,
    SECOND_VERSION_SINCE,
    holds,
    level_of,
    release_key,
    whole_release,
)
from .call import NOTHING, find_asked
from .option import InputCall, input_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..check.full import Report
    from ..fix.fix import Fixed
    from ..project.discovery import Project
    from ..project.input_kind import InputKind

_EARLIER_MODE: Final = b"bestEffort"
"""A value of former releases. It identifies vMCP configuration files, which contain no API group."""


def _target(ctx: click.Context, param: click.Parameter, value: str) -> str:
    release = whole_release(value)
    if release not in RELEASES:
        raise click.BadParameter(f"{value} is not known: {OLDEST} to {NEWEST_KNOWN} are", ctx=ctx, param=param)
    return str(release)


@click.command("upgrade")
@click.option("--to", metavar="X.Y", required=True, callback=_target, help="The release to rewrite the project for.")
@click.option("--diff", is_flag=True, help="Print what would be rewritten without writing it.")
@click.option("--unsafe-fixes", "unsafe", is_flag=True, help="Also make changes that need a review.")
@click.option("--format", "-f", "format_", type=click.Choice(["text", "json"]), default="text")
@partial(input_options, release_help="Release to start from, if not the one that the project states.")
def command(call: InputCall, to: str, format_: str, *, diff: bool, unsafe: bool) -> int:
    """Rewrite a project for a later release of the operator, and report what else that release changes.

    API versions and renamed fields are rewritten in the files; comments stay.
    """
    project = find_asked(call)
    checks = _UpgradeChecks(project, call, unsafe=unsafe)
    report = checks.now()
    if report.nothing:
        sys.stderr.write(NOTHING)
    releases = _project_releases(report)
    if release_key(releases[1]) > release_key(to):
        raise click.UsageError(
            f"--to {to} is before release {releases[1]}, which judges the project; if an earlier release is installed,"
            " add --release with it"
        )
    before, after = checks.rewritten_for_itself(report, releases[0]), checks.at(to)
    written = checks.rewritten(to)
    upgrade = Upgrade(
        releases[0],
        to,
        {file: fixed.titles for file, (_, fixed) in written.items()},
        crossing(before, after, to, checks.at),
        len(already_refused(before, after)),
        _remarks(report, releases[0], to, written),
        is_written=not diff,
    )
    clear()
    _write_upgrade(upgrade, checks, format_)
    is_changed = diff and bool(written)
    return int(is_changed or suppression.fails(after.findings, "error"))


def _project_releases(report: Report) -> tuple[str, str]:
    default = report.project.settings.profile.judging_release
    releases = sorted({resource.release for resource in report.loaded.resources} or {default}, key=release_key)
    return releases[0], releases[-1]


class _UpgradeChecks:
    """Checks of a project at several releases. Each check reads the files after the rewrite for its release.

    Attributes:
        stdin: Content of standard input; ``None`` if it is not read.
        stdin_name: Name of standard input in findings; empty if it is not read.
    """

    def __init__(self, project: Project, call: InputCall, *, unsafe: bool) -> None:
        self._project = project
        self._options = call.options
        self._unsafe = unsafe
        self._texts: Mapping[str, bytes] = {}
        self._kinds: Mapping[str, InputKind] = {}
        self.stdin: bytes | None = None
        self.stdin_name = call.options.stdin_name if STANDARD_INPUT in call.paths else ""
        self.rewritten = cache(self._rewritten)
        self.at = cache(self._at)

    @property
    def within(self) -> list[str]:
        from ..disk.walk import boundaries

        return boundaries((self._project.root, *self._project.asked))

    def now(self) -> Report:
        """Check the project without rewrites, and return the report. Call it before the other methods."""
        from ..fix.fix import kinds_of

        report = check(self._project, self._options)
        group = report.project.settings.profile.api_group.encode()
        texts, reported = report.loaded.texts, report.project.reported
        asked = [file for file in texts if reported is None or file in reported]
        self._texts = {file: text for file in asked if group in (text := texts[file]) or _EARLIER_MODE in text}
        self._kinds = kinds_of(report.loaded.records)
        if self.stdin_name:
            self.stdin = texts.get(self.stdin_name, b"")
            self._options = self._options._replace(stdin_text=self.stdin)
        return report

    def rewritten_for_itself(self, now: Report, release: str) -> Report:
        """Return the report of a check after the rewrite for the project's own release ``release``.

        If the rewrite changes nothing, return ``now``, the report without rewrites.
        """
        return self._checked(self._project, release) if self.rewritten(release) else now

    def _at(self, release: str) -> Report:
        return self._checked(self._project_of_release(release), release)

    def _project_of_release(self, release: str) -> Project:
        return self._project._replace(settings=with_release(self._project.settings, release))

    def _checked(self, project: Project, release: str) -> Report:
        buffers = {file: fixed.text for file, (_, fixed) in self.rewritten(release).items()}
        options = self._options
        if self.stdin_name in buffers:
            options = options._replace(stdin_text=buffers.pop(self.stdin_name))
        return check(project, options._replace(buffers={**options.buffers, **buffers}))

    def _rewritten(self, release: str) -> dict[str, tuple[bytes, Fixed]]:
        from ..fix.upgrade import upgraded

        project = self._project_of_release(release)
        changes = {
            file: (text, upgraded(text, file, project, unsafe=self._unsafe, read_as=self._kinds.get(file)))
            for file, text in self._texts.items()
        }
        return {file: change for file, change in changes.items() if change[1].titles}


def _remarks(now: Report, since: str, to: str, written: Mapping[str, Any]) -> list[str]:
    """Return sentences about steps that are left to the user. Refused resources are reported elsewhere."""
    remarks = []
    place = now.project.settings.release_from
    if place and place != "--release" and since != to:
        remarks.append(f"{place} states release {since}: raise it to {to} together with these files")
    if written and not holds(SECOND_VERSION_SINCE, None, since) and holds(SECOND_VERSION_SINCE, None, to):
        remarks.append(
            f"release {since} serves no v1beta1: apply what is rewritten once the operator is {SECOND_VERSION_SINCE} or"
            " later"
        )
    if level_of(to) == "documented":
        remarks.append(
            f"release {to} is known in part: of the changes after {NEWEST_MODELLED}, only those that are documented are"
            " listed, so read its release notes too"
        )
    if now.loaded.templates:
        count = now.loaded.templates
        remarks.append(f"{count} template{'s' * (count != 1)} of a chart {'are' if count != 1 else 'is'} not rewritten")
    return remarks


def _write_upgrade(upgrade: Upgrade, checks: _UpgradeChecks, format_: str) -> None:
    """Write the rewritten files, or print the rewrites as a patch, and print the report.

    The patch and the rewritten text of standard input go to standard output; the report then goes to standard error.
    As JSON, only the report is printed.
    """
    from ..disk.output_file import Change, write_changes
    from ..fix import fixed_file

    is_text = format_ == "text"
    written = checks.rewritten(upgrade.to)
    for file, (before, fixed) in written.items():
        if not upgrade.is_written:
            if is_text:
                sys.stdout.buffer.write(fixed_file.file_patch(file, before, fixed))
        elif file != checks.stdin_name:
            write_changes({file: Change(before, fixed.text)}, checks.within)
    if upgrade.is_written and is_text and checks.stdin is not None:
        sys.stdout.buffer.write(written[checks.stdin_name][1].text if checks.stdin_name in written else checks.stdin)
    sys.stdout.flush()
    text = as_text(upgrade) if is_text else as_json(upgrade)
    click.echo(text, nl=False, err=is_text and (checks.stdin is not None or not upgrade.is_written))
