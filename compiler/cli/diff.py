"""``mcpcfg diff``: what changes in the compiled output."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any

import click

from mcpcfg.compiler import difference, pipeline
from mcpcfg.compiler.disk import revision
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.compilation import artifacts
from mcpcfg.compiler.emit.target import OBJECT_STEPS
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.report.difference import FORMATS

from .build import without_errors
from .namespace import namespace_option
from .option import operator_options

if TYPE_CHECKING:
    from .option import OperatorCall


@click.command("diff")
@click.argument("old", required=False)
@click.argument("new", required=False)
@click.option(
    "--against", metavar="REV", help="Compare the work tree (PATH or the current folder) with a Git revision."
)
@click.option("--target", "-t", "targets", multiple=True, type=click.Choice(list(OBJECT_STEPS)), help="[default: all]")
@click.option("--format", "-f", "format_", type=click.Choice(list(FORMATS)), default="text", help="How it is written.")
@namespace_option
@click.option("--exit-code", is_flag=True, help="Exit 1 where there is a difference.")
@operator_options
def command(old: str | None, new: str | None, operator: OperatorCall, **given: Any) -> int:
    """Tell what changes in the compiled output between two trees OLD and NEW, or with --against REV."""
    targets = given["targets"] or tuple(OBJECT_STEPS)
    against: str | None = given["against"]

    def compiled(paths: tuple[str, ...]) -> list[difference.Object]:
        return _compiled(paths, targets, given["namespace"], operator) if paths else []

    if against is not None:
        if new is not None:
            raise click.UsageError("--against compares one tree with a revision: give one PATH at most")
        here = (old or ".",)
        with tempfile.TemporaryDirectory(prefix="mcpcfg-") as folder:
            before = compiled(tuple(revision.extract(against, here, folder)))
        after = compiled(here)
    else:
        if old is None or new is None:
            raise click.UsageError("give two trees, OLD and NEW, or --against REV")
        before, after = compiled((old,)), compiled((new,))
    changes = difference.compare(before, after)
    click.echo(FORMATS[given["format_"]](changes), nl=False)
    if not changes:
        click.echo("no differences in the compiled output", err=True)
    return 1 if given["exit_code"] and changes else 0


def _compiled(
    paths: tuple[str, ...], targets: tuple[str, ...], namespace: str | None, operator: OperatorCall
) -> list[difference.Object]:
    """Compile what can be compiled of a tree; resources with errors are said and left out."""
    found = discover(paths)
    outcome = pipeline.check(found, pipeline.Options(namespace=namespace))
    good, has_errors = without_errors(outcome)
    if has_errors:
        click.echo(f"mcpcfg: {paths[0]} has errors: what has them is not compared (see mcpcfg check)", err=True)
    build = Build(outcome.workspace, operator.over(found.settings.operator))
    made: list[difference.Object] = []
    for target in targets:
        kept, _ = artifacts(target, build, good)
        made += [artifact.compiled for artifact in kept if artifact.compiled is not None]
    return made
