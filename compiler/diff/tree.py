"""Compile two trees, and compare the compiled objects."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Final, TypeAlias

from ..check.compilable import altered, compilable, refusing_later
from ..check.full import Options, check
from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..disk import revision
from ..disk.confinement import opened_to
from ..emit.build import Build
from ..emit.made_service import ports_of, undeclared_uses
from ..emit.target import Collisions, compiled_objects, object_path
from ..project.discovery import discover
from ..project.snapshot import write_snapshot
from ..workspace.context import distinct_parts
from . import difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ..project.discovery import Project
    from ..toolhive.operator import OperatorSettings
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

_MOST_NAMED: Final = 8
"""Maximum number of resources that a remark names, so the remark stays one sentence."""
_Owner: TypeAlias = tuple[str, str, str, str, str]
"""The resource of an object: kind, namespace, name, the folder that a delivery applies, and its file if isolated."""
_Part: TypeAlias = tuple[str, str]
"""A cluster and an isolated file, each empty if there is none. The objects of each part are compared separately."""


class Side(NamedTuple):
    """One of the two compared trees.

    Attributes:
        objects: The compiled objects, each after its resource.
        left_out: The resources that were not compiled, because they have errors.
        routes: Namespace, name and port of each undeclared Service that a route or URL names, and a label of the route
            for messages.
        remarks: Clauses that say which parts of the tree are not compared.
    """

    objects: list[tuple[_Owner, difference.Object]]
    left_out: frozenset[_Owner]
    routes: tuple[tuple[str, str, int | str | None, str], ...] = ()
    remarks: tuple[str, ...] = ()

    def ports(self) -> dict[tuple[str, str], set[int | str | None]]:
        """Return the port numbers and names of each compiled Service. Each set also has ``None``, for any port."""
        ports: dict[tuple[str, str], set[int | str | None]] = {}
        for _, compiled in self.objects:
            if compiled["kind"] == "Service":
                namespace, _, name = difference.identity(compiled)
                ports.setdefault((namespace, name), {None}).update(ports_of(compiled))
        return ports

    def compared_with(self, other: Side, names: Mapping[str, str]) -> dict[_Part, list[difference.Object]]:
        """Return the objects to compare, by cluster and isolated file.

        Args:
            other: The other tree. Objects whose resource has errors in the other tree are left out.
            names: Name of the cluster for each folder; empty for a single cluster.
        """
        parts: dict[_Part, list[difference.Object]] = {}
        for owner, compiled in self.objects:
            if owner not in other.left_out:
                parts.setdefault((names.get(owner[3], ""), owner[4]), []).append(compiled)
        return parts

    def has_several_clusters(self) -> bool:
        """Return whether two folders of the tree compile to the same object, so they must be for different clusters."""
        places: dict[difference.Identity, str] = {}
        places_of = [(difference.identity(compiled), owner[3]) for owner, compiled in self.objects]
        return any(places.setdefault(identity, place) != place for identity, place in places_of)


def changes_between(before: Side, after: Side) -> list[difference.ObjectChange]:
    """Return the changes of compiled objects between two trees. Changes of Services name the routes that they break."""
    return _with_broken_routes(_changes(before, after), before, after)


def refused_remark(before: Side, after: Side) -> str | None:
    """Return a clause that names the first resources with errors in either tree, or ``None`` if there are none."""
    unknown = sorted({owner[:3] for owner in before.left_out | after.left_out})
    if not unknown:
        return None
    named = ", ".join(f"{kind} {namespace}/{name}" for kind, namespace, name in unknown[:_MOST_NAMED])
    more = f" and {len(unknown) - _MOST_NAMED} more" if len(unknown) > _MOST_NAMED else ""
    return f"not compared, as one side refuses it: {named}{more}"


def _changes(before: Side, after: Side) -> list[difference.ObjectChange]:
    names: Mapping[str, str] = {}
    if before.has_several_clusters() or after.has_several_clusters():
        names = distinct_parts({owner[3] for side in (before, after) for owner, _ in side.objects} - {""})
    old, new = before.compared_with(after, names), after.compared_with(before, names)
    return [
        change._replace(cluster=cluster, file=file)
        for cluster, file in sorted(old.keys() | new.keys())
        for change in difference.compare(old.get((cluster, file), ()), new.get((cluster, file), ()))
    ]


def _with_broken_routes(
    changes: list[difference.ObjectChange], before: Side, after: Side
) -> list[difference.ObjectChange]:
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


def revision_side(
    project: Project, against: str, compiled_side: Callable[[Project, Callable[[str], str]], Side]
) -> Side:
    """Return the compiled side of a project in the state of a Git revision.

    Args:
        compiled_side: Compiles a project. Its second argument returns a path as messages show it, with the revision.

    Raises:
        InputError: There is no repository or revision of that name.
    """
    repository = revision.repository_of(project.asked)
    commit = revision.commit_of(repository, against)
    with tempfile.TemporaryDirectory(prefix="mcpcfg-") as folder, opened_to(folder):

        def at_revision(path: str) -> str:
            return f"{against}:{file_path.relpath(path, folder)}"

        # The files of the revision are checked in a temporary folder, so the work tree stays untouched.
        paths = write_snapshot(repository, commit, project, folder)
        return compiled_side(discover(paths, within=folder), at_revision) if paths else Side([], frozenset())


def compiled_tree(
    project: Project,
    targets: Iterable[str],
    options: Options = Options(),  # noqa: B008 - a tuple, which nothing changes
    displayed: Callable[[str], str] = str,
    operator: Callable[[OperatorSettings], OperatorSettings] = lambda settings: settings,
) -> Side:
    """Compile the resources of a tree. Resources with errors are left out, and a remark tells the user.

    Args:
        targets: Targets of ``build`` that make objects.
        displayed: Returns a path as remarks show it.
        operator: Returns the settings of the operator to use, from those of the project's configuration.
    """
    outcome = refusing_later(check(project, options))
    compilable_, left_out, has_errors = compilable(outcome, displayed)
    remarks = [*left_out]
    if has_errors:
        remarks.append(f"{displayed(project.asked[0])} has errors: what has them is not compared (see mcpcfg check)")
    remarks += altered(outcome, compilable_, displayed)
    build = Build(outcome.workspace, operator(outcome.project.settings.operator))
    objects: list[tuple[_Owner, difference.Object]] = []
    has_collisions = False

    layout = outcome.loaded.plan.layout

    def owner(resource: Resource) -> _Owner:
        file = resource.document.file
        applied = layout.delivery_folders(file, resource.roots)
        # A resource for several clusters has one copy for each. For other files that several objects apply, the folder
        # is unknown.
        place = file_path.relpath(applied[0], project.asked[0]) if len(applied) == 1 else ""
        within = file_path.relpath(file, project.asked[0]) if layout.is_isolated(file) else ""
        return resource.kind, resource.printed_namespace, resource.name, place, within

    by_place: dict[str, list[Resource]] = {}
    for resource in compilable_:
        by_place.setdefault(owner(resource)[3], []).append(resource)
    for target in targets:
        for resources in by_place.values():
            collisions = Collisions(build)
            objects += [
                (owner(resource), compiled)
                for resource, compiled in compiled_objects(target, build, resources)
                if collisions.is_first(resource, object_path(compiled), compiled)
            ]
            has_collisions = has_collisions or bool(collisions.findings)
    if has_collisions:
        remarks.append(
            f"{displayed(project.asked[0])} holds resources that compile to the same objects: of those the first is"
            " compared; compare what is for different clusters folder by folder"
        )
    missing = {owner(resource) for resource in outcome.loaded.resources} - {owner(resource) for resource in compilable_}
    return Side(objects, frozenset(missing), tuple(_routes(outcome.workspace)), tuple(remarks))


def _routes(workspace: Workspace) -> Iterator[tuple[str, str, int | str | None, str]]:
    for source, use, namespace in undeclared_uses(workspace):
        if namespace is not None:
            label = source.name if source.is_file else f"{source.kind} {source.printed_namespace}/{source.name}"
            yield namespace, use.name, use.port, label
