"""``mcpcfg schema``: JSON Schemas for editors, and the CRDs."""

from __future__ import annotations

import click

from ...schemas import generated
from ..diagnostics.suggestion import several
from .complete import schemas


@click.command("schema")
@click.argument("kind", required=False, shell_complete=schemas)
@click.option("--crd", is_flag=True, help="Print all CustomResourceDefinitions, sorted by name.")
def command(kind: str | None, *, crd: bool) -> int:
    """Print the JSON Schema of KIND: a Kubernetes kind, its list, or a file format. Without KIND, list them."""
    if crd:
        if kind is not None:
            raise click.UsageError("--crd prints all CRDs; leave KIND out")
        click.echo(generated.crd_text(), nl=False)
        return 0
    names = generated.schema_names()
    if kind is None:
        click.echo("\n".join(names))
        return 0
    name = next((name for name in names if name.lower() == kind.lower()), None)
    text = generated.schema_text(name) if name is not None else None
    if text is None:
        near = several(kind, names)
        hint = f"; did you mean {', '.join(near)}?" if near else "; mcpcfg schema lists them"
        raise click.UsageError(f"no schema of that name: {kind}{hint}")
    click.echo(text, nl=False)
    return 0
