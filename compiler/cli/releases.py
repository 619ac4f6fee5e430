"""``mcpcfg releases``: list the releases of the operator that mcpcfg knows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ..diagnostics.shown import in_json, line
from ..diagnostics.span import InputError
from ..diagnostics.version import RECORDED
from ..generate.crd_sentence import path_of, sentence
from ..project.discovery import settings_of_pages
from ..report.text import plural
from ..toolhive.release import NEWEST_MODELLED, RELEASE_DATES, SECOND_VERSION_SINCE, holds, level_of
from .option import PATH, config_option

if TYPE_CHECKING:
    from ..generate.crd_report import CrdReport
    from ..generate.missing import Difference

_RECORDED = {
    RECORDED[0]: "verdicts and compiled output are verified",
    RECORDED[-1]: "verdicts and compiled output are verified, but for target backend",
}
_LEVELS = {
    "read": "schemas are verified; other changes were read, not recorded",
    "schemas known": f"its CRDs are known; {NEWEST_MODELLED} and what is documented of later releases judge the rest",
    "documented": f"known in part: {NEWEST_MODELLED} judges, and what is documented of later releases is applied",
}
_REBUILT = "schemas and other changes were read in release notes and published references, not recorded"
_REBUILT_SINCE = "0.46.0"
"""The first release whose CRDs are only known from published references."""


@click.command("releases")
@click.option(
    "--from-crds",
    "paths",
    type=PATH,
    multiple=True,
    metavar="PATH",
    help="File or folder of CRDs, or - for standard input: print what they have that mcpcfg does not know. Repeatable.",
)
@click.option("--format", "-f", "format_", type=click.Choice(["text", "json"]), default="text")
@config_option
def command(paths: tuple[str, ...], format_: str, config: str | None) -> int:
    """List the releases of the operator that mcpcfg knows, and how far each was verified.

    Of a documented release only some changes are known. There, and at a release that is newer than all of these, the
    newest modelled release judges, the documented changes are applied, and an error that the release may not report is
    a warning.

    With --from-crds, compare the CRDs of a cluster or a chart with the nearest known release instead, and print the
    configuration that makes mcpcfg use them.
    """
    if paths:
        return _compare(paths, format_, config)
    rows = [
        {
            "release": release,
            "date": date,
            "level": level_of(release),
            "versions": ["v1alpha1", *(["v1beta1"] if holds(SECOND_VERSION_SINCE, None, release) else [])],
            "verified": _verified(release),
        }
        for release, date in RELEASE_DATES.items()
    ]
    if format_ == "json":
        click.echo(json.dumps(rows, indent=2))
        return 0
    width = max(len(row["level"]) for row in rows) + 2
    for row in rows:
        versions = ", ".join(row["versions"])
        click.echo(f"{row['release']:<8}{row['date']:<12}{row['level']:<{width}}{versions:<20}{row['verified']}")
    click.echo(f"\nWithout --release and without a pin in the project, {NEWEST_MODELLED} judges.")
    return 0


def _compare(paths: tuple[str, ...], format_: str, config: str | None) -> int:
    """Print how CRDs differ from those of the known releases. Return 1 if a CRD cannot be used, otherwise 0."""
    from ..generate.crd_report import report_of
    from ..project.crd_files import read_definitions

    profile = settings_of_pages(config).profile
    read = read_definitions(paths, profile.api_group)
    for finding in read.findings:
        place = f"{finding.span.file}:{finding.span.line}:{finding.span.column}"
        click.echo(line(f"mcpcfg: {place}: {finding.message}"), err=True)
    if not read.by_kind:
        raise InputError(f"{', '.join(paths)}: no CRD of {profile.api_group} that can be used")
    report = report_of(read.by_kind, profile)
    if format_ == "json":
        click.echo(in_json(json.dumps(report.as_json(paths), indent=2, ensure_ascii=False)))
    else:
        click.echo(_text(report, paths, read.other_count))
    return int(bool(read.findings))


def _text(report: CrdReport, paths: tuple[str, ...], other_count: int) -> str:
    """Return a report about CRDs as text. ``other_count`` is the number of CRDs of other groups."""
    others = f"; {plural(other_count, 'CRD')} of other groups left out" if other_count else ""
    kinds = plural(len(report.kinds), "kind")
    if not report.differences:
        head = f"{kinds}, as release {report.release} ships {'it' if len(report.kinds) == 1 else 'them'}{others}"
    else:
        head = f"{kinds}; the nearest known release is {report.release}{others}"
    out = [head]
    for title, differences in (
        ("The CRDs have what mcpcfg does not know:", report.unknown),
        (f"The CRDs lack what release {report.release} has:", report.absent),
    ):
        if differences:
            out += ["", title]
            out += [_difference_line(difference) for difference in differences]
    if report.unknown or report.absent:
        stated = [path for path in paths if path != "-"] or ["crds.yaml"]
        saved = ", after you saved the CRDs" if "-" in paths else ""
        out += ["", f"To admit objects by these CRDs, write into mcpcfg.yaml{saved}:", ""]
        out += [f"crds: {json.dumps(stated, ensure_ascii=False)}"]
    return "\n".join(map(line, out))


def _difference_line(difference: Difference) -> str:
    place = ".".join(filter(None, (difference.kind, path_of(difference))))
    return f"  {place}: {sentence(difference)}"


def _verified(release: str) -> str:
    level = level_of(release)
    if level == "recorded":
        return _RECORDED[release]
    return _REBUILT if level == "read" and holds(_REBUILT_SINCE, None, release) else _LEVELS[level]
