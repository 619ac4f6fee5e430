"""``mcpcfg diff``: what changes in the compiled output."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import click

from mcpcfg.compiler import difference, pipeline
from mcpcfg.compiler.disk import revision
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.compilation import artifacts
from mcpcfg.compiler.emit.target import OBJECT_STEPS
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.report.difference import FORMATS
from mcpcfg.compiler.shown import line

from .build import tell_altered, without_errors
from .complete import PATH
from .namespace import namespace_option
from .surrounding_option import operator_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpcfg.compiler.resource import Resource

    from .surrounding_option import OperatorCall

_Owner: TypeAlias = tuple[str, str, str]
"""Of objects: kind, namespace and name of the resource that they are compiled from."""


class _Side(NamedTuple):
    """One of two trees.

    Attributes:
        made: What it compiles to, with what it was compiled from.
        left_out: The resources that it holds, but does not compile.
    """

    made: list[tuple[_Owner, difference.Object]]
    left_out: frozenset[_Owner]

    def compared_with(self, other: _Side) -> list[difference.Object]:
        """Give what is compared: what the other tree holds and does not compile is not known to come or go."""
        return [compiled for owner, compiled in self.made if owner not in other.left_out]


@click.command("diff")
@click.argument("old", type=PATH, required=False)
@click.argument("new", type=PATH, required=False)
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

    def side(paths: tuple[str, ...], told_as: Callable[[str], str] = str) -> _Side:
        return _compiled(paths, targets, given["namespace"], operator, told_as) if paths else _Side([], frozenset())

    if against is not None:
        if new is not None:
            raise click.UsageError("--against compares one tree with a revision: give one PATH at most")
        here = (old or ".",)
        with tempfile.TemporaryDirectory(prefix="mcpcfg-") as folder:

            def at_revision(path: str) -> str:
                return f"{against}:{os.path.relpath(path, folder)}"

            before = side(tuple(revision.extract(against, here, folder)), at_revision)
        after = side(here)
    else:
        if old is None or new is None:
            raise click.UsageError("give two trees, OLD and NEW, or --against REV")
        before, after = side((old,)), side((new,))
    changes = difference.compare(before.compared_with(after), after.compared_with(before))
    click.echo(FORMATS[given["format_"]](changes), nl=False)
    if not changes:
        click.echo("no differences in the compiled output", err=True)
    return 1 if given["exit_code"] and changes else 0


def _compiled(
    paths: tuple[str, ...],
    targets: tuple[str, ...],
    namespace: str | None,
    operator: OperatorCall,
    told_as: Callable[[str], str],
) -> _Side:
    """Compile what can be compiled of a tree; resources with errors are said and left out."""
    found = discover(paths)
    outcome = pipeline.check(found, pipeline.Options(namespace=namespace))
    good, has_errors = without_errors(outcome, told_as)
    if has_errors:
        said = f"mcpcfg: {told_as(paths[0])} has errors: what has them is not compared (see mcpcfg check)"
        click.echo(line(said), err=True)
    tell_altered(outcome, good, told_as)
    build = Build(outcome.workspace, operator.over(found.settings.operator))
    made: list[tuple[_Owner, difference.Object]] = []
    for target in targets:
        kept, _ = artifacts(target, build, good)
        made += [(_owner(one.source), one.compiled) for one in kept if one.source is not None and one.compiled]
    left_out = {_owner(resource) for resource in outcome.loaded.resources} - {_owner(resource) for resource in good}
    return _Side(made, frozenset(left_out))


def _owner(resource: Resource) -> _Owner:
    return resource.kind, resource.printed_namespace, resource.name
