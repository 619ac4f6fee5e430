"""``mcpcfg diff``: compare the compiled output of two trees, revisions or releases."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import click

from ..check.compilable import altered, compilable, refusing_later
from ..check.full import Options, check
from ..diagnostics import file_path
from ..diagnostics.shown import line
from ..diff import difference
from ..diff.report import FORMATS
from ..disk import revision
from ..emit.build import Build
from ..emit.compilation import artifacts
from ..emit.made_service import ports_of, undeclared_uses
from ..emit.target import OBJECT_STEPS
from ..project.discovery import discover
from ..project.snapshot import write_snapshot
from ..workspace.cluster import told_apart
from .call import find_project
from .complete import PATH
from .environment_option import operator_options
from .option import namespace_option, valid_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..diagnostics.finding import Finding
    from ..project.discovery import Project
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .environment_option import OperatorCall

_MOST_NAMED: Final = 8
"""Maximum number of resources to name that are not compared."""
_Owner: TypeAlias = tuple[str, str, str, str, str]
"""Kind, namespace and name of a resource, the folder of its Flux or Argo CD object, and its file if it is isolated."""
_Part: TypeAlias = tuple[str, str]
"""Cluster and isolated file. The objects of each part are compared separately."""


class _Side(NamedTuple):
    """One of the two compared trees.

    Attributes:
        made: Compiled objects with their owners.
        left_out: Resources that were not compiled.
        routes: Namespace, name and port of each Service that something names, and a label of what names it.
    """

    made: list[tuple[_Owner, difference.Object]]
    left_out: frozenset[_Owner]
    routes: tuple[tuple[str, str, int | str | None, str], ...] = ()

    def ports(self) -> dict[tuple[str, str], set[int | str | None]]:
        """Return numbers and names of the ports of each compiled Service, with ``None`` for any."""
        ports: dict[tuple[str, str], set[int | str | None]] = {}
        for _, compiled in self.made:
            if compiled["kind"] == "Service":
                namespace, _, name = difference.identity(compiled)
                ports.setdefault((namespace, name), {None}).update(ports_of(compiled))
        return ports

    def compared_with(self, other: _Side, names: Mapping[str, str]) -> dict[_Part, list[difference.Object]]:
        """Return the objects to compare, by part. Objects that the other tree has but does not compile are left out."""
        parts: dict[_Part, list[difference.Object]] = {}
        for owner, compiled in self.made:
            if owner not in other.left_out:
                parts.setdefault((names.get(owner[3], ""), owner[4]), []).append(compiled)
        return parts

    def is_for_several(self) -> bool:
        """Return whether the tree is for several clusters: two folders have the same object."""
        places: dict[difference.Identity, str] = {}
        places_of = [(difference.identity(compiled), owner[3]) for owner, compiled in self.made]
        return any(places.setdefault(identity, place) != place for identity, place in places_of)


def _changes(before: _Side, after: _Side) -> list[difference.ObjectChange]:
    """Return the differences between two trees, separately for each cluster and isolated file."""
    names: Mapping[str, str] = {}
    if before.is_for_several() or after.is_for_several():
        names = told_apart({owner[3] for side in (before, after) for owner, _ in side.made} - {""})
    old, new = before.compared_with(after, names), after.compared_with(before, names)
    return [
        change._replace(cluster=cluster, file=file)
        for cluster, file in sorted(old.keys() | new.keys())
        for change in difference.compare(old.get((cluster, file), ()), new.get((cluster, file), ()))
    ]


def _with_broken_routes(
    changes: list[difference.ObjectChange], before: _Side, after: _Side
) -> list[difference.ObjectChange]:
    """Return changes of Services with the routes that led to one of their ports and do not any more."""
    old, new = before.ports(), after.ports()
    broken: dict[difference.Identity, dict[str, None]] = {}
    for namespace, name, port, label in after.routes:
        if port in old.get((namespace, name), ()) and port not in new.get((namespace, name), ()):
            broken.setdefault((namespace, "Service", name), {})[f"breaks {label}"] = None
    return [
        change._replace(effects=(*change.effects, *broken.get(change.identity, ())))
        if change.change != "added"
        else change
        for change in changes
    ]


@click.command("diff")
@click.argument("old", type=PATH, required=False)
@click.argument("new", type=PATH, required=False)
@click.option(
    "--against", metavar="REV", help="Compare the work tree (PATH or the current folder) with a Git revision."
)
@click.option("--target", "-t", "targets", multiple=True, type=click.Choice(list(OBJECT_STEPS)), help="[default: all]")
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
    """Show what changes in the compiled output between two trees OLD and NEW, or with --against REV.

    With --from-release and --to-release it shows what changes of one tree between two releases of the operator.
    """
    targets = given["targets"] or tuple(OBJECT_STEPS)
    against: str | None = given["against"]
    releases: tuple[str | None, str | None] = given["from_release"], given["to_release"]
    if any(releases) and (None in releases or against is not None or new is not None):
        raise click.UsageError("--from-release and --to-release compare one tree: name both, and one PATH at most")

    def compiled_side(project: Project, shown_as: Callable[[str], str] = str) -> _Side:
        options = Options(namespace=given["namespace"], isolated=given["isolated"])
        return _compiled(project, targets, options, operator, shown_as)

    if all(releases):
        before, now = (
            compiled_side(find_project((old or ".",), release=release), f"{{}} at release {release}".format)
            for release in releases
        )
    elif against is not None:
        if new is not None:
            raise click.UsageError("--against compares one tree with a revision: name one PATH at most")
        after = find_project((old or ".",))
        repository = revision.repository_of(after.asked)
        commit = revision.commit_of(repository, against)
        with tempfile.TemporaryDirectory(prefix="mcpcfg-") as folder:

            def at_revision(path: str) -> str:
                return f"{against}:{file_path.relpath(path, folder)}"

            # Files of the revision are checked in a folder of their own: the work tree stays untouched.
            paths = write_snapshot(repository, commit, after, folder)
            before = compiled_side(discover(paths, within=folder), at_revision) if paths else _Side([], frozenset())
        now = compiled_side(after)
    else:
        if old is None or new is None:
            raise click.UsageError("name two trees, OLD and NEW, or --against REV, or two releases")
        before, now = compiled_side(find_project((old,))), compiled_side(find_project((new,)))
    changes = _with_broken_routes(_changes(before, now), before, now)
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
    project: Project,
    targets: tuple[str, ...],
    options: Options,
    operator: OperatorCall,
    displayed: Callable[[str], str],
) -> _Side:
    """Compile a tree. Resources with errors are reported and left out."""
    outcome = refusing_later(check(project, options))
    compilable_, left_out, has_errors = compilable(outcome, displayed)
    for remark in left_out:
        click.echo(line(f"mcpcfg: {remark}"), err=True)
    if has_errors:
        message_ = f"mcpcfg: {displayed(project.asked[0])} has errors: what has them is not compared (see mcpcfg check)"
        click.echo(line(message_), err=True)
    for remark in altered(outcome, compilable_, displayed):
        click.echo(line(f"mcpcfg: {remark}"), err=True)
    build = Build(outcome.workspace, operator.over(outcome.project.settings.operator))
    made: list[tuple[_Owner, difference.Object]] = []
    collisions: list[Finding] = []

    layout = outcome.loaded.plan.layout

    def owner(resource: Resource) -> _Owner:
        file = resource.document.file
        applied = layout.applied_from(file, resource.roots)
        # A resource for several clusters has one copy for each. Other files that several objects apply are unclear.
        place = file_path.relpath(applied[0], project.asked[0]) if len(applied) == 1 else ""
        within = file_path.relpath(file, project.asked[0]) if layout.is_isolated(file) else ""
        return resource.kind, resource.printed_namespace, resource.name, place, within

    by_place: dict[str, list[Resource]] = {}
    for resource in compilable_:
        by_place.setdefault(owner(resource)[3], []).append(resource)
    for target in targets:
        for resources in by_place.values():
            kept, clashes = artifacts(target, build, resources)
            collisions += clashes
            made += [
                (owner(artifact.source), artifact.compiled)
                for artifact in kept
                if artifact.source is not None and artifact.compiled
            ]
    if collisions:
        message = (
            f"mcpcfg: {displayed(project.asked[0])} holds resources that compile to the same objects: of those the"
            " first is compared; compare what is for different clusters folder by folder"
        )
        click.echo(line(message), err=True)
    missing = {owner(resource) for resource in outcome.loaded.resources} - {owner(resource) for resource in compilable_}
    return _Side(made, frozenset(missing), tuple(_routes(outcome.workspace)))


def _routes(workspace: Workspace) -> Iterator[tuple[str, str, int | str | None, str]]:
    """Yield each place that names a Service which the files do not declare."""
    for source, use, namespace in undeclared_uses(workspace):
        if namespace is not None:
            label = source.name if source.is_file else f"{source.kind} {source.printed_namespace}/{source.name}"
            yield namespace, use.name, use.port, label
