"""Answer queries about the resources of a check and the references between them."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ..diagnostics.placeholder import is_placeholder
from .context import ProjectContext
from .index import CORE_KINDS, MEMBER_KINDS, Index
from .reference import DATA_FIELDS, Reference, declares_key

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Self, TypeAlias

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..models.spec import MemberSpec
    from .reference import Problem
    from .resource import Resource, Result, SpecT

    Resolved: TypeAlias = tuple[Reference, Resource[SpecT]] | None
    """A reference with the resource that it resolves to, or ``None`` if it does not resolve."""

__all__ = ["CORE_KINDS", "MEMBER_KINDS", "UNREADABLE", "Verdicts", "Workspace"]

_MOST_OTHERS = 8
"""Maximum number of further objects that a finding about a missing key lists, so that the report stays readable."""
UNREADABLE = frozenset({"ADM010", "DEC001", "RLM001"})
"""Rules about values that the API server stores, but that the types of the operator cannot decode.

The operator ignores such a resource: it is no member of a group, and its references have no effect.
"""


class Verdicts:
    """Collects the results of rules. Resources themselves never change."""

    def __init__(self) -> None:
        self._refusals: dict[Resource[Any], str] = {}
        self._errors: dict[Resource[Any], tuple[Path, ...]] = {}

    def record(self, resource: Resource[Any], findings: Sequence[Finding]) -> None:
        """Record the findings of a check about a resource.

        If several errors say that the operator refuses the resource, the first one is its refusal.
        """
        errors = [finding for finding in findings if finding.severity == "error"]
        for finding in errors:
            if finding.stage == "operator":
                self._refusals.setdefault(resource, finding.rule)
        self._errors[resource] = self.errors(resource) + tuple([finding.path for finding in errors if finding.path])

    def refusal(self, resource: Resource[Any]) -> str | None:
        """Return the rule for which the operator, or first the API server, refuses a resource, or ``None``."""
        return resource.refused or self._refusals.get(resource)

    def errors(self, resource: Resource[Any]) -> tuple[Path, ...]:
        """Return the paths of the errors that rules have reported about a resource, from the root of its document."""
        return self._errors.get(resource, ())


class Workspace:
    """The resources of a check and the references between them. All methods are queries.

    An isolated file sees only its own resources, and other files do not see these. `around` returns the part that a
    file sees. Methods about a resource answer from the view of its file.

    Args:
        resources: All resources, in reading order.

    Attributes:
        verdicts: The results of the rules that have run so far. All views share them.
    """

    def __init__(self, resources: Iterable[Resource], context: ProjectContext = ProjectContext()) -> None:  # noqa: B008 - immutable
        all_resources = list(resources)
        self._isolated: dict[str, list[Resource]] = {}
        for resource in all_resources:
            if context.layout.is_isolated(resource.document.file):
                self._isolated.setdefault(resource.document.file, []).append(resource)
        self.verdicts = Verdicts()
        self._views: dict[str | None, Self] = {}
        """The workspace that each isolated file sees; under ``None``, the workspace that all other files see."""
        self._index_resources(all_resources, context)

    def _index_resources(self, resources: Sequence[Resource], context: ProjectContext) -> None:
        self.context = context
        self._index = Index(resources, context.layout)
        self._references: dict[Resource, tuple[Reference, ...]] = {}
        self._by_path: dict[Resource, dict[Path, Reference]] = {}
        self._has_unknown_group: bool | None = None
        self._refused_referrer_kinds: dict[tuple[str, str], set[str]] | None = None
        self._computed: dict[Callable[[Any], Any], Any] = {}

    def once(self, work: Callable[[Self], Result]) -> Result:
        """Return ``work(self)``, which is computed only once.

        What depends on refusals may only be computed after the rules about each kind have run.
        """
        if work not in self._computed:
            self._computed[work] = work(self)
        result: Result = self._computed[work]
        return result

    def around(self, file: str) -> Self:
        """Return the workspace that a file sees: this one, or a part of it if some files are isolated."""
        if not self._isolated:
            return self
        view_key = file if file in self._isolated else None
        if view_key not in self._views:
            self._views[view_key] = self._view(view_key)
        return self._views[view_key]

    def views(self) -> list[Self]:
        """Return the workspaces that do not see one another and together contain all resources."""
        return [self] if not self._isolated else [self.around(file) for file in ("", *self._isolated)]

    def _view(self, file: str | None) -> Self:
        """Return the workspace of an isolated file; for ``None``, the workspace of all other files."""
        from copy import copy

        view = copy(self)
        # All resources of a view see one another, so a view needs no views.
        vars(view).update(_isolated={}, _views={})
        if file is None:
            visible = [resource for resource in self.resources if resource.document.file not in self._isolated]
            others = [other for other in self.context.others if other.document.file not in self._isolated]
            view._index_resources(visible, self.context._replace(others=others))  # noqa: SLF001 - of the same class
        else:
            others = [other for other in self.context.others if other.document.file == file]
            context = self.context._replace(complete=True, overlays=None, others=others)
            view._index_resources(self._isolated[file], context)  # noqa: SLF001 - as there
        return view

    @property
    def resources(self) -> Sequence[Resource]:
        """All resources, in reading order."""
        return self._index.resources

    # --- looking up -------------------------------------------------------------------------------------------

    def of_kind(self, kind: str) -> list[Resource[SpecT]]:
        """Return the admitted resources of ``kind``, in reading order. The caller's annotation selects the model."""
        declared: Sequence[Resource[SpecT]] = self.read_of_kind(kind)
        return [resource for resource in declared if resource.admitted]

    def in_different_clusters(self, resource: Resource[Any], other: Resource[Any]) -> bool:
        """Return whether it is known that no cluster gets both resources."""
        layout = self.context.layout
        return layout.in_different_clusters(
            layout.roots(resource.document.file, resource.roots), layout.roots(other.document.file, other.roots)
        )

    def in_same_units(self, resource: Resource[Any], other: Resource[Any]) -> bool:
        """Return whether two resources share a file or their units, so Flux variables have the same values in both."""
        layout = self.context.layout
        return resource.document.file == other.document.file or (
            layout.units(resource.document.file, resource.roots) == layout.units(other.document.file, other.roots)
        )

    def read_of_kind(self, kind: str) -> Sequence[Resource[SpecT]]:
        """Return all resources of ``kind``, admitted or not, in reading order. The annotation selects the model."""
        declared: Sequence[Any] = self._index.of_kind(kind)
        return declared

    def position(self, resource: Resource) -> int:
        """Return the zero-based position of a resource in reading order."""
        return self._index.position(resource)

    def has_any(self, kinds: Iterable[str]) -> bool:
        """Return whether there is an admitted resource of one of ``kinds``."""
        return any(resource.admitted for kind in kinds for resource in self._index.of_kind(kind))

    def kinds(self) -> frozenset[str]:
        """Return the kinds of all resources."""
        return self._index.kinds()

    def nearest(self, kind: str, namespace: str | None, name: str) -> str | None:
        """Return the nearest name of an admitted resource, as `Index.nearest` does."""
        return self._index.nearest(kind, namespace, name)

    def find(self, kind: str, namespace: str | None, name: str, file: str) -> Resource | None:
        """Return the resource, admitted or not, that a reference in ``file`` refers to, or ``None``.

        An unknown namespace fits every namespace. `Index.find` describes the choice among several.
        """
        return self.around(file)._index.find(kind, namespace, name, file)  # noqa: SLF001 - of the same class

    def refused_referrer_kinds(self, kind: str, name: str) -> Collection[str]:
        """Return the kinds of refused resources that refer to an object, and will use it once they are fixed."""
        if self._refused_referrer_kinds is None:
            self._refused_referrer_kinds = {}
            for resource in self.resources:
                for target in () if resource.admitted else resource.targets:
                    self._refused_referrer_kinds.setdefault(target, set()).add(resource.kind)
        return self._refused_referrer_kinds.get((kind, name), ())

    def has(self, kind: str, namespace: str | None, name: str) -> bool:
        """Return whether there is an admitted resource with exactly this identity."""
        return any(resource.admitted for resource in self._index.with_identity(kind, namespace, name))

    def is_declared_nowhere(self, kind: str, name: str) -> bool:
        """Return whether neither a file nor the configuration declares an object with this kind and name."""
        index = self._index
        return not (self.context.has(kind, name) or index.may_be_called(kind, name) or index.with_name(kind, name))

    def clusters(self) -> Mapping[Resource, tuple[str, ...]]:
        """Return the names of the clusters of each resource, as `Layout.clusters` does."""
        return self.context.layout.clusters(self.resources)

    def is_repetition(self, resource: Resource) -> bool:
        """Return whether a resource is not admitted and repeats another one, as `Index.is_repetition` defines it."""
        return not resource.admitted and self._index.is_repetition(resource)

    def is_refused(self, resource: Resource | None) -> bool:
        """Return whether the operator refuses ``resource``, if any, after the rules about its kind have run."""
        return resource is not None and self.verdicts.refusal(resource) is not None

    # --- references -------------------------------------------------------------------------------------------

    def references(self, resource: Resource) -> tuple[Reference, ...]:
        """Return every reference of ``resource``, resolved, in the order of the fields of its kind."""
        references = self._references.get(resource)
        if references is None:
            view = self.around(resource.document.file)
            references = self._references[resource] = tuple(
                [view.resolve(resource, *reference) for reference in resource.stated_references]
            )
        return references

    def reference(self, resource: Resource, *path: str | int) -> Reference | None:
        """Return the resolved reference at ``path``, such as ``"spec", "oidcConfigRef", "name"``, or ``None``."""
        by_path = self._by_path.get(resource)
        if by_path is None:
            # Reversed, so the first of two references at one path wins.
            by_path = self._by_path[resource] = {
                reference.path: reference for reference in reversed(self.references(resource))
            }
        return by_path.get(path)

    def target(self, resource: Resource, *path: str | int) -> Resource[SpecT] | None:
        """Return the resource that the reference at ``path`` resolves to, or ``None``."""
        reference = self.reference(resource, *path)
        resolved: Any = None if reference is None or reference.problem is not None else reference.target
        target: Resource[SpecT] | None = resolved
        return target

    def resolved(self, resource: Resource, *path: str | int) -> Resolved[SpecT]:
        """Return the reference at ``path`` and the resource that it resolves to, or ``None`` if it does not resolve."""
        reference = self.reference(resource, *path)
        if reference is None or reference.problem is not None or reference.target is None:
            return None
        target: Any = reference.target
        return reference, target

    def referrers(self, resource: Resource) -> list[Reference]:
        """Return the references of admitted resources that resolve to ``resource``, or would if it were admitted."""
        return list(self.around(resource.document.file)._references_to(resource))  # noqa: SLF001 - of the same class

    def is_referred(self, resource: Resource) -> bool:
        """Return whether an admitted resource refers to ``resource``, which may itself be refused.

        If several resources have its identity, a reference to any of them counts.
        """
        view = self.around(resource.document.file)
        if len(view._index.with_identity(*resource.identity)) > 1:  # noqa: SLF001 - of the same class
            return any(map(self._is_readable, view._index.sources_by_name(*resource.identity)))  # noqa: SLF001 - as there
        return any(True for _ in view._references_to(resource))  # noqa: SLF001 - as there

    def _references_to(self, resource: Resource) -> Iterator[Reference]:
        for source in self._sources(resource):
            for reference in self.references(source):
                if reference.resolves_to(resource):
                    yield reference

    def _sources(self, resource: Resource) -> list[Resource]:
        return [source for source in self._index.sources(resource) if self._is_readable(source)]

    def may_have_other_members(self) -> bool:
        """Return whether a member states its group as a placeholder, so any group may have further members."""
        if self._has_unknown_group is None:
            self._has_unknown_group = any(
                target == "MCPGroup" and is_placeholder(name)
                for kind in MEMBER_KINDS
                for resource in self.read_of_kind(kind)
                for target, name in resource.targets
            )
        return self._has_unknown_group

    def members(self, group: Resource, seen_from: Resource | None = None) -> list[Resource[MemberSpec]]:
        """Return the admitted members of ``group`` that may be in the cluster of ``seen_from``, sorted by name.

        If no member refers to ``group`` itself and several groups have its name, all members that state this name in
        its namespace count, because the groups may be the same object.

        Args:
            seen_from: The resource that uses the members; default: the group. If several members have one identity,
                only the one nearest to this resource is returned.
        """
        seen_from = seen_from or group
        view = self.around(seen_from.document.file)
        if view is not self:
            return view.members(group, seen_from)
        members: list[Any] = [member for member in self._sources(group) if member.kind in MEMBER_KINDS]
        if not members:
            members = [member for member in self._sources_of_namesake(group) if member.kind in MEMBER_KINDS]
        return sorted(self._index.nearest_of_each(members, seen_from), key=attrgetter("name", "kind"))

    def _sources_of_namesake(self, group: Resource) -> list[Resource]:
        """Return the resources that name a group if several groups have this name; otherwise an empty list.

        Another declaration may be the same object as ``group``, so the members of all declarations belong to it.
        """
        if len(self._index.with_name(group.kind, group.name)) < 2:
            return []
        return [source for source in self._index.sources_by_name(*group.identity) if self._is_readable(source)]

    def resolve(
        self,
        source: Resource,
        path: Path,
        kind: str,
        name: str,
        key: str | None = None,
        key_path: Path | None = None,
    ) -> Reference:
        """Return the reference from ``source`` with its target, or with the reason why it does not resolve.

        Args:
            path: The field that states the name.
            key: The key of a Secret or ConfigMap, if the reference needs one.
            key_path: The field that states the key.
        """
        target = self._index.find(kind, source.namespace, name, source.document.file, source.roots)
        problem: Problem | None = None
        rival: Resource | None = None
        others: tuple[Resource, ...] = ()
        if is_placeholder(name):
            target = None
        elif target is None:
            problem, rival = self._missing_problem(source, kind, name)
        elif not target.admitted:
            problem = "not-admitted"
        elif key is not None and not is_placeholder(key) and kind in DATA_FIELDS:
            target_with_key = target if declares_key(target, key) else self._target_with_key(source, kind, name, key)
            if target_with_key is None:
                problem, others = "key-missing", self._other_candidates(source, target)
            target = target_with_key or target
        if problem is None and key == "":  # no object has an empty key
            problem = "key-missing"
        return Reference(source, path, kind, name, key, key_path, target, problem, rival, others)

    def _target_with_key(self, source: Resource, kind: str, name: str, key: str) -> Resource | None:
        """Return the nearest Secret or ConfigMap of that name that contains a key or may get it, or ``None``."""
        for candidates in self._index.candidates(kind, source.namespace, name, self._index.roots(source)):
            with_key = candidates.holding(key)
            if with_key is not None:
                return with_key.nearest(source.document.file, source.roots)
        return None

    def _other_candidates(self, source: Resource, target: Resource) -> tuple[Resource, ...]:
        candidates = self._index.candidates(target.kind, source.namespace, target.name, self._index.roots(source))
        others = {other for namesakes in candidates for other in namesakes.admitted()} - {target}
        return tuple(sorted(others, key=self._index.position)[:_MOST_OTHERS])

    def _missing_problem(self, source: Resource, kind: str, name: str) -> tuple[Problem | None, Resource | None]:
        """Return the problem of a reference that matches no resource, and the resource that was found instead.

        Both are ``None`` if the target may exist outside the files, or under a name with a placeholder.
        """
        if (kind in CORE_KINDS and not self.context.closed) or self.context.has(kind, name):
            return None, None
        if self._index.may_be_called(kind, name):
            return None, None
        elsewhere = self._index.with_name(kind, name)
        if elsewhere:
            same_namespace = next(
                (resource for resource in elsewhere if resource.namespace in (None, source.namespace)), None
            )
            return ("other-namespace", elsewhere[0]) if same_namespace is None else ("other-cluster", same_namespace)
        if kind not in CORE_KINDS:
            for other in self._index.with_name_of_any_kind(name):
                if other.kind not in CORE_KINDS and other.kind != source.kind:
                    return "wrong-kind", other
        return "missing", None

    def _is_readable(self, resource: Resource) -> bool:
        return self.verdicts.refusal(resource) not in UNREADABLE
