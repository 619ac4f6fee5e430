"""``mcpcfg releases``: list the releases of the operator that mcpcfg knows."""

from __future__ import annotations

import json

import click

from ..diagnostics.version import RECORDED
from ..toolhive.release import NEWEST_MODELLED, RELEASE_DATES, SECOND_VERSION_SINCE, holds, level_of

_RECORDED = {
    RECORDED[0]: "verdicts and compiled output are verified",
    RECORDED[-1]: "verdicts and compiled output are verified, but for target backend",
}
_LEVELS = {
    "read": "schemas are verified; other changes were read, not recorded",
    "documented": f"known in part: {NEWEST_MODELLED} judges, and what is documented of later releases is applied",
}
_REBUILT = "schemas and other changes were read in release notes and published references, not recorded"
_REBUILT_SINCE = "0.46.0"
"""The first release whose CRDs are only known from published references."""


@click.command("releases")
@click.option("--format", "-f", "format_", type=click.Choice(["text", "json"]), default="text")
def command(format_: str) -> int:
    """List the releases of the operator that mcpcfg knows, and how far each was verified.

    Of a documented release only some changes are known. There, and at a release that is newer than all of these, the
    newest modelled release judges, the documented changes are applied, and an error that the release may not report is
    a warning.
    """
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
    for row in rows:
        versions = ", ".join(row["versions"])
        click.echo(f"{row['release']:<8}{row['date']:<12}{row['level']:<12}{versions:<20}{row['verified']}")
    click.echo(f"\nWithout --release and without a pin in the project, {NEWEST_MODELLED} judges.")
    return 0


def _verified(release: str) -> str:
    level = level_of(release)
    if level == "recorded":
        return _RECORDED[release]
    return _REBUILT if level == "read" and holds(_REBUILT_SINCE, None, release) else _LEVELS[level]
