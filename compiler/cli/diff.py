"""``mcpcfg diff``: what changes in the compiled output."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import click

from ..check.compilable import altered, compilable, refusing_later
from ..check.full import Options, check
from ..diagnostics.shown import line
from ..diff import difference
from ..diff.report import FORMATS
from ..disk import revision
from ..emit.build import Build
from ..emit.compilation import artifacts
from ..emit.target import OBJECT_STEPS
from ..project.discovery import discover
from ..project.snapshot import write_snapshot
from ..workspace.cluster import told_apart
from .call import find_project
from .complete import PATH
from .environment_option import operator_options
from .option import namespace_option, readable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..diagnostics.finding import Finding
    from ..project.discovery import Project
    from ..workspace.resource import Resource
    from .environment_option import OperatorCall

_MOST_NAMED: Final = 8
"""Resources that are named because they are not compared."""
_Owner: TypeAlias = tuple[str, str, str, str, str]
"""Of objects: kind, namespace and name of the resource that they are compiled from, where Flux or Argo CD have it
applied from, and its file where it is isolated.
"""
_Part: TypeAlias = tuple[str, str]
"""What is compared as one: the cluster, and the isolated file."""


class _Side(NamedTuple):
    """One of two trees.

    Attributes:
        made: What it compiles to, with what it was compiled from.
        left_out: The resources that it holds, but does not compile.
    """

    made: list[tuple[_Owner, difference.Object]]
    left_out: frozenset[_Owner]

    def compared_with(self, other: _Side, names: Mapping[str, str]) -> dict[_Part, list[difference.Object]]:
        """Return what is compared, in its parts: what the other tree holds and does not compile is left out."""
        found: dict[_Part, list[difference.Object]] = {}
        for owner, compiled in self.made:
            if owner not in other.left_out:
                found.setdefault((names.get(owner[3], ""), owner[4]), []).append(compiled)
        return found

    def is_for_several(self) -> bool:
        """Return whether it is for several clusters: an object comes from two places."""
        places: dict[difference.Identity, str] = {}
        made = [(difference.identity(compiled), owner[3]) for owner, compiled in self.made]
        return any(places.setdefault(identity, place) != place for identity, place in made)


def _changes(before: _Side, after: _Side) -> list[difference.ObjectChange]:
    """Return what differs between two trees: of clusters and isolated files in each on its own."""
    names: Mapping[str, str] = {}
    if before.is_for_several() or after.is_for_several():
        names = told_apart({owner[3] for side in (before, after) for owner, _ in side.made} - {""})
    old, new = before.compared_with(after, names), after.compared_with(before, names)
    return [
        change._replace(cluster=cluster, file=file)
        for cluster, file in sorted(old.keys() | new.keys())
        for change in difference.compare(old.get((cluster, file), ()), new.get((cluster, file), ()))
    ]


@click.command("diff")
@click.argument("old", type=PATH, required=False)
@click.argument("new", type=PATH, required=False)
@click.option(
    "--against", metavar="REV", help="Compare the work tree (PATH or the current folder) with a Git revision."
)
@click.option("--target", "-t", "targets", multiple=True, type=click.Choice(list(OBJECT_STEPS)), help="[default: all]")
@click.option("--format", "-f", "format_", type=click.Choice(list(FORMATS)), default="text", help="Output format.")
@click.option("--from-release", metavar="X.Y", callback=readable, help="Compile one tree by this release, and ...")
@click.option("--to-release", metavar="X.Y", callback=readable, help="... by this one, and compare the two.")
@namespace_option
@click.option("--isolated", is_flag=True, help="Treat each file as a project of its own.")
@click.option("--exit-code", is_flag=True, help="Exit 1 if there is a difference.")
@operator_options
def command(old: str | None, new: str | None, operator: OperatorCall, **given: Any) -> int:
    """Show what changes in the compiled output between two trees OLD and NEW, or with --against REV.

    With --from-release and --to-release it shows what changes of one tree between two releases of the operator.
    """
    targets = given["targets"] or tuple(OBJECT_STEPS)
    against: str | None = given["against"]
    releases: tuple[str | None, str | None] = given["from_release"], given["to_release"]
    if any(releases) and (None in releases or against is not None or new is not None):
        raise click.UsageError("--from-release and --to-release compare one tree: name both, and one PATH at most")

    def side(found: Project, displayed: Callable[[str], str] = str) -> _Side:
        options = Options(namespace=given["namespace"], isolated=given["isolated"])
        return _compiled(found, targets, options, operator, displayed)

    if all(releases):
        before, now = (
            side(find_project((old or ".",), release=one), f"{{}} at release {one}".format) for one in releases
        )
    elif against is not None:
        if new is not None:
            raise click.UsageError("--against compares one tree with a revision: name one PATH at most")
        after = find_project((old or ".",))
        repository = revision.repository_of(after.asked)
        commit = revision.commit_of(repository, against)
        with tempfile.TemporaryDirectory(prefix="mcpcfg-") as folder:

            def at_revision(path: str) -> str:
                return f"{against}:{os.path.relpath(path, folder)}"

            # Files of the revision are checked in a folder of their own: the work tree stays untouched.
            there = write_snapshot(repository, commit, after, folder)
            before = side(discover(there, within=folder), at_revision) if there else _Side([], frozenset())
        now = side(after)
    else:
        if old is None or new is None:
            raise click.UsageError("name two trees, OLD and NEW, or --against REV, or two releases")
        before, now = side(find_project((old,))), side(find_project((new,)))
    changes = _changes(before, now)
    click.echo(FORMATS[given["format_"]](changes), nl=False)
    unknown = sorted({owner[:3] for owner in before.left_out | now.left_out})
    if not changes:
        click.echo(f"no differences in {'what was compared' if unknown else 'the compiled output'}", err=True)
    if unknown:
        named = ", ".join(f"{kind} {namespace}/{name}" for kind, namespace, name in unknown[:_MOST_NAMED])
        more = f" and {len(unknown) - _MOST_NAMED} more" if len(unknown) > _MOST_NAMED else ""
        click.echo(line(f"mcpcfg: not compared, as one side refuses it: {named}{more}"), err=True)
    return 1 if given["exit_code"] and (changes or unknown) else 0


def _compiled(
    found: Project,
    targets: tuple[str, ...],
    options: Options,
    operator: OperatorCall,
    displayed: Callable[[str], str],
) -> _Side:
    """Compile what can be compiled of a tree; resources with errors are reported and left out."""
    outcome = refusing_later(check(found, options))
    good, left_out, has_errors = compilable(outcome, displayed)
    for one in left_out:
        click.echo(line(f"mcpcfg: {one}"), err=True)
    if has_errors:
        said = f"mcpcfg: {displayed(found.asked[0])} has errors: what has them is not compared (see mcpcfg check)"
        click.echo(line(said), err=True)
    for one in altered(outcome, good, displayed):
        click.echo(line(f"mcpcfg: {one}"), err=True)
    build = Build(outcome.workspace, operator.over(outcome.project.settings.operator))
    made: list[tuple[_Owner, difference.Object]] = []
    collisions: list[Finding] = []

    layout = outcome.loaded.plan.layout

    def owner(resource: Resource) -> _Owner:
        file = resource.document.file
        applied = layout.applied_from(file, resource.roots)
        # What is for several clusters alike is a copy for each: of more that lead to a file nothing is known.
        place = os.path.relpath(applied[0], found.asked[0]) if len(applied) == 1 else ""
        within = os.path.relpath(file, found.asked[0]) if layout.is_isolated(file) else ""
        return resource.kind, resource.printed_namespace, resource.name, place, within

    by_place: dict[str, list[Resource]] = {}
    for resource in good:
        by_place.setdefault(owner(resource)[3], []).append(resource)
    for target in targets:
        for resources in by_place.values():
            kept, clashes = artifacts(target, build, resources)
            collisions += clashes
            made += [(owner(one.source), one.compiled) for one in kept if one.source is not None and one.compiled]
    if collisions:
        message = (
            f"mcpcfg: {displayed(found.asked[0])} holds resources that compile to the same objects: of those the first"
            " is compared; compare what is for different clusters folder by folder"
        )
        click.echo(line(message), err=True)
    missing = {owner(resource) for resource in outcome.loaded.resources} - {owner(resource) for resource in good}
    return _Side(made, frozenset(missing))
