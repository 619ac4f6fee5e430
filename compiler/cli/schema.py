"""``mcpcfg schema``: JSON Schemas for editors, and the CRDs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ...schemas import generated
from ..admission.release_table import table_of
from ..diagnostics.suggestion import several
from ..diagnostics.version import RELEASE
from ..explain.schema_place import names_of, schema_of
from ..toolhive.profile import TOOLHIVE
from .call import settings_of_pages
from .complete import schemas
from .option import config_option, release_option

if TYPE_CHECKING:
    from ..toolhive.profile import Profile


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
        click.echo(_crds(profile), nl=False)
        return 0
    names = names_of(profile.judging_release)
    if kind is None:
        click.echo("\n".join(names))
        return 0
    name = next((name for name in names if name.lower() == kind.lower()), None)
    text = _schema_text(name, profile) if name is not None else None
    if text is None:
        near = several(kind, names)
        hint = f"; did you mean {', '.join(near)}?" if near else "; mcpcfg schema lists them"
        raise click.UsageError(f"no schema of that name: {kind}{hint}")
    click.echo(text, nl=False)
    return 0


def _schema_text(name: str, profile: Profile) -> str | None:
    """Return a schema; those of kinds but of the first release are written when they are asked for."""
    release = profile.judging_release
    if release == RELEASE or name not in table_of(release).kinds:
        return generated.schema_text(name, profile)
    return generated.respelt(json.dumps(schema_of(name, release), indent=2, ensure_ascii=False) + "\n", profile)


def _crds(profile: Profile) -> str:
    """Return the CRDs of the profile's release; but those of the first one are written when they are asked for."""
    if profile.release in {None, RELEASE}:
        return generated.crd_text(profile)
    from ..generate.crd import stream
    from ..generate.kind import read_kinds

    release = str(profile.release)
    return profile.spell(stream(read_kinds(release), TOOLHIVE, release))
