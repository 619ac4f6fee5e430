"""``mcpcfg releases``: list the releases of the operator that mcpcfg models."""

from __future__ import annotations

import json

import click

from ..diagnostics.version import READ, RECORDED, RELEASE
from ..toolhive.release import NEWEST, RELEASES, SECOND_VERSION_SINCE, holds

_VERIFIED = {
    RELEASE: "verdicts and compiled output are verified",
    RECORDED[-1]: "verdicts and compiled output are verified, but for target backend",
    READ: f"schemas are verified; what else changed since {RECORDED[-1]} was read, not recorded",
}
"""What was verified of a release: its operator was recorded, or the changes of its source were read."""
_SCHEMAS = "schemas are verified"


@click.command("releases")
@click.option("--format", "-f", "format_", type=click.Choice(["text", "json"]), default="text")
def command(format_: str) -> int:
    """List the releases of the operator that mcpcfg models, and how far each was verified.

    The schemas were compared with those that each release ships. For a release newer than all of these, mcpcfg judges
    as for the newest one, and warns of fields that this one does not know.
    """
    rows = [
        {
            "release": release,
            "versions": ["v1alpha1", *(["v1beta1"] if holds(SECOND_VERSION_SINCE, None, release) else [])],
            "verified": _VERIFIED.get(release, _SCHEMAS),
        }
        for release in RELEASES
    ]
    if format_ == "json":
        click.echo(json.dumps(rows, indent=2))
        return 0
    for row in rows:
        click.echo(f"{row['release']:<8}{', '.join(row['versions']):<20}{row['verified']}")
    click.echo(f"\nWithout --release, {RELEASE} judges, and {NEWEST} where an object is v1beta1.")
    return 0
