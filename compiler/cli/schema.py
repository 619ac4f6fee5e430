"""``mcpcfg schema``: print JSON Schemas for editors, or the operator's CRDs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..diagnostics.shown import line
from ..diagnostics.suggestion import several
from ..generate.explain.schema_place import names_of
from ..generate.explain.schema_text import catalog, crd_text, schema_text
from ..project.discovery import settings_of_pages
from ..toolhive.release import NEWEST_KNOWN
from .complete import schemas
from .option import FOLDER, config_option, release_option

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command("schema")
@click.argument("kind", required=False, shell_complete=schemas)
@click.option("--crd", is_flag=True, help="Print all CustomResourceDefinitions, sorted by name.")
@click.option(
    "--output-dir",
    "-o",
    type=FOLDER,
    metavar="DIR",
    help="Write all schemas into the folder DIR, with a catalog.json in the form of SchemaStore.",
)
@click.option("--base-url", metavar="URL", help="Address of DIR in the catalog.  [default: that of the folder itself]")
@release_option
@config_option
def command(kind: str | None, config: str | None, release: str | None, *, crd: bool, **given: Any) -> int:
    """Print the JSON Schema of KIND: a Kubernetes kind, its list, or a file format. Without KIND, list them.

    The schemas are those of the release of the operator that --release or the configuration states.
    """
    profile = settings_of_pages(config, release).profile
    folder: str | None = given["output_dir"]
    if folder is not None:
        if kind is not None or crd:
            raise click.UsageError("--output-dir writes all schemas; leave KIND and --crd out")
        return _write_all(folder, catalog(profile, given["base_url"] or Path(folder).absolute().as_uri()))
    if given["base_url"] is not None:
        raise click.UsageError("--base-url goes with --output-dir")
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
        if any(later.lower() == kind.lower() for later in names_of(NEWEST_KNOWN)):
            message = f"release {profile.judging_release} has no {kind}: state a later one with --release"
            raise click.UsageError(message)
        near = several(kind, names)
        hint = f"; did you mean {', '.join(near)}?" if near else "; mcpcfg schema lists them"
        raise click.UsageError(f"no schema of that name: {kind}{hint}")
    click.echo(text, nl=False)
    return 0


def _write_all(folder: str, texts: Mapping[str, str]) -> int:
    from ..disk.output_folder import replace_all

    replace_all(folder, texts)
    click.echo(line(f"wrote {len(texts)} files into {folder}"))
    return 0
