"""``mcpcfg diff``: compare the compiled output of two trees, revisions or releases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..check.full import Options
from ..diagnostics.shown import line
from ..diff.report import FORMATS
from ..diff.tree import Side, changes_between, compiled_tree, refused_remark, revision_side
from ..emit.target import OBJECT_STEPS
from .call import find_project
from .environment_option import operator_options
from .option import PATH, namespace_option, valid_release

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..project.discovery import Project
    from .environment_option import OperatorCall


@click.command("diff")
@click.argument("old", type=PATH, required=False)
@click.argument("new", type=PATH, required=False)
@click.option(
    "--against", metavar="REV", help="Compare the work tree (PATH or the current folder) with a Git revision."
)
@click.option(
    "--target",
    "-t",
    "targets",
    multiple=True,
    type=click.Choice(list(OBJECT_STEPS)),
    help="Kind of artifact to compare; by default both. Repeatable.",
)
@click.option("--format", "-f", "format_", type=click.Choice(list(FORMATS)), default="text", help="Output format.")
@click.option(
    "--from-release",
    metavar="X.Y",
    callback=valid_release,
    help="Release for the first of two compilations of one tree; needs --to-release.",
)
@click.option("--to-release", metavar="X.Y", callback=valid_release, help="Release for the second compilation.")
@namespace_option
@click.option("--isolated", is_flag=True, help="Treat each file as a project of its own.")
@click.option("--exit-code", is_flag=True, help="Exit 1 if there is a difference.")
@operator_options
def command(old: str | None, new: str | None, operator: OperatorCall, **given: Any) -> int:
    """Show what changes in the compiled output between the trees OLD and NEW, or with --against since a Git revision.

    With --from-release and --to-release, show what changes for one tree between two releases of the operator.
    """
    targets = given["targets"] or tuple(OBJECT_STEPS)
    against: str | None = given["against"]
    releases: tuple[str | None, str | None] = given["from_release"], given["to_release"]
    if any(releases) and (None in releases or against is not None or new is not None):
        raise click.UsageError("--from-release and --to-release compare one tree: name both, and one PATH at most")

    def compiled_side(project: Project, displayed: Callable[[str], str] = str) -> Side:
        options = Options(namespace=given["namespace"], isolated=given["isolated"])
        side = compiled_tree(project, targets, options, displayed, operator.over)
        for remark in side.remarks:
            click.echo(line(f"mcpcfg: {remark}"), err=True)
        return side

    if all(releases):
        before, now = (
            compiled_side(find_project((old or ".",), release=release), f"{{}} at release {release}".format)
            for release in releases
        )
    elif against is not None:
        if new is not None:
            raise click.UsageError("--against compares one tree with a revision: name one PATH at most")
        after = find_project((old or ".",))
        before = revision_side(after, against, compiled_side)
        now = compiled_side(after)
    else:
        if old is None or new is None:
            raise click.UsageError("name two trees, OLD and NEW, or --against REV, or two releases")
        before, now = compiled_side(find_project((old,))), compiled_side(find_project((new,)))
    changes = changes_between(before, now)
    click.echo(FORMATS[given["format_"]](changes), nl=False)
    refused = refused_remark(before, now)
    if not changes:
        click.echo(f"no differences in {'what was compared' if refused else 'the compiled output'}", err=True)
    if refused:
        click.echo(line(f"mcpcfg: {refused}"), err=True)
    return 1 if given["exit_code"] and (changes or refused) else 0
