"""``mcpcfg schema``: print JSON Schemas for editors, and the CRDs."""

from __future__ import annotations

import click

from ..diagnostics.suggestion import several
from ..explain.schema_place import names_of
from ..explain.schema_text import crd_text, schema_text
from ..project.discovery import settings_of_pages
from ..toolhive.release import NEWEST
from .complete import schemas
from .option import config_option, release_option


@click.command("schema")
@click.argument("kind", required=False, shell_complete=schemas)
@click.option("--crd", is_flag=True, help="Print all CustomResourceDefinitions, sorted by name.")
@release_option
@config_option
def command(kind: str | None, config: str | None, release: str | None, *, crd: bool) -> int:
    """Print the JSON Schema of KIND: a Kubernetes kind, its list, or a file format. Without KIND, list them.

    They are those of a release of the operator: --release, or what the configuration states.
    """
    profile = settings_of_pages(config, release).profile
    if crd:
        if kind is not None:
            raise click.UsageError("--crd prints all CRDs; leave KIND out")
        click.echo(crd_text(profile), nl=False)
        return 0
    names = names_of(profile.judging_release)
    if kind is None:
        click.echo("\n".join(names))
        return 0
    name = next((name for name in names if name.lower() == kind.lower()), None)
    text = schema_text(name, profile) if name is not None else None
    if text is None:
        if any(later.lower() == kind.lower() for later in names_of(NEWEST)):
            message = f"release {profile.judging_release} has no {kind}: state a later one with --release"
            raise click.UsageError(message)
        near = several(kind, names)
        hint = f"; did you mean {', '.join(near)}?" if near else "; mcpcfg schema lists them"
        raise click.UsageError(f"no schema of that name: {kind}{hint}")
    click.echo(text, nl=False)
    return 0
