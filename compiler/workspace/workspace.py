"""All resources of a call, indexed; every reference of every kind resolved, once, here."""

from __future__ import annotations

from copy import copy
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ..diagnostics.placeholder import is_placeholder
from .external import World
from .index import CORE_KINDS, MEMBER_KINDS, Index
from .namesake import Namesakes
from .reference import HOLDING_KEYS, Reference, holds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Self

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..diagnostics.suggestion import Names
    from ..models.spec import MemberSpec
    from .reference import Problem
    from .resource import Identity, Resource, SpecT

__all__ = ["CORE_KINDS", "MEMBER_KINDS", "UNREADABLE", "Verdicts", "Workspace"]

_MOST_OTHERS = 8
"""Namesakes of a Secret or ConfigMap to which a finding points, beside the nearest."""

UNREADABLE = frozenset({"ADM010", "DEC001", "RLM001"})
"""Rules of stored values that the operator's types do not hold: it cannot read the resource, which is then no member
and no referrer of anything.
"""


class Verdicts:
    """The verdicts of the rules that have run so far; a resource itself never changes."""

    def __init__(self) -> None:
        self._refusals: dict[Resource[Any], str] = {}
        self._errors: dict[Resource[Any], tuple[Path, ...]] = {}

    def record(self, resource: Resource[Any], findings: Sequence[Finding]) -> None:
        """Record what a check reports about a resource; the first refusal by the operator counts."""
        errors = [finding for finding in findings if finding.severity == "error"]
        for finding in errors:
            if finding.stage == "operator":
                self._refusals.setdefault(resource, finding.rule)
        self._errors[resource] = self.errors(resource) + tuple([finding.path for finding in errors if finding.path])

    def refusal(self, resource: Resource[Any]) -> str | None:
        """Return the first rule by which the operator refuses a resource; admission comes before rules."""
        return resource.refused or self._refusals.get(resource)

    def errors(self, resource: Resource[Any]) -> tuple[Path, ...]:
        """Return the places of the errors that rules have reported about a resource, as findings name them."""
        return self._errors.get(resource, ())


class Workspace:
    """The resources of one call and the graph between them. It answers questions; nothing in it is changed by them.

    Isolated files see nothing but themselves, and no other sees them: `around` returns what a file sees. What is asked
    about a resource is answered as its file sees it.

    Args:
        resources: All of them, in reading order.
        world: What the call states about resources outside its files.

    Attributes:
        world: As the argument.
        verdicts: What the rules that have run so far say about the resources; its views share them.
    """

    def __init__(self, resources: Iterable[Resource], world: World = World()) -> None:  # noqa: B008 - immutable
        found = list(resources)
        self._isolated: dict[str, list[Resource]] = {}
        for one in found:
            if world.layout.is_isolated(one.document.file):
                self._isolated.setdefault(one.document.file, []).append(one)
        self.verdicts = Verdicts()
        self._views: dict[str | None, Self] = {}
        """What files see: isolated ones, and under ``None`` all others, where some are isolated."""
        self._look_at(found, world)

    def _look_at(self, resources: Sequence[Resource], world: World) -> None:
        """Limit this workspace to some resources."""
        self.world = world
        self._index = Index(resources, world.layout)
        self._spellings: dict[str, Names] = {}
        self._references: dict[Resource, tuple[Reference, ...]] = {}
        self._at: dict[Resource, dict[Path, Reference]] = {}
        self._has_unknown_group: bool | None = None
        self._named_by_refused: dict[tuple[str, str], set[str]] | None = None

    def around(self, file: str) -> Self:
        """Return what the resources of a file see: this workspace, or a part of it where some files are isolated."""
        if not self._isolated:
            return self
        place = file if file in self._isolated else None
        if place not in self._views:
            self._views[place] = self._view(place)
        return self._views[place]

    def views(self) -> list[Self]:
        """Return the workspaces that see nothing of one another and together hold all resources."""
        return [self] if not self._isolated else [self.around(file) for file in ("", *self._isolated)]

    def _view(self, file: str | None) -> Self:
        """Return what an isolated file sees, or what all files see that are not isolated."""
        view = copy(self)
        # A view has no views of its own: what it holds sees all of it.
        vars(view).update(_isolated={}, _views={})
        if file is None:
            rest = [one for one in self.resources if one.document.file not in self._isolated]
            others = [one for one in self.world.others if one.document.file not in self._isolated]
            view._look_at(rest, self.world._replace(others=others))  # noqa: SLF001 - of the same class
        else:
            others = [one for one in self.world.others if one.document.file == file]
            world = self.world._replace(complete=True, made=None, others=others)
            view._look_at(self._isolated[file], world)  # noqa: SLF001 - as there
        return view

    @property
    def resources(self) -> Sequence[Resource]:
        """All resources, in reading order."""
        return self._index.resources

    # --- looking up -------------------------------------------------------------------------------------------

    def of_kind(self, kind: str) -> list[Resource[SpecT]]:
        """Return the admitted resources of ``kind``, in reading order; the caller states their model."""
        read: Sequence[Resource[SpecT]] = self.read_of_kind(kind)
        return [one for one in read if one.admitted]

    def are_apart(self, one: Resource[Any], other: Resource[Any]) -> bool:
        """Return whether two objects are only applied to different clusters."""
        layout = self.world.layout
        return layout.are_apart(
            layout.roots(one.document.file, one.roots), layout.roots(other.document.file, other.roots)
        )

    def are_together(self, one: Resource[Any], other: Resource[Any]) -> bool:
        """Return whether two objects are applied by the same kustomizations, which fill in variables alike."""
        layout = self.world.layout
        return one.document.file == other.document.file or (
            layout.places(one.document.file, one.roots) == layout.places(other.document.file, other.roots)
        )

    def read_of_kind(self, kind: str) -> Sequence[Resource[SpecT]]:
        """Return all resources of ``kind``, admitted or not, in reading order; for their model see `of_kind`."""
        found: Sequence[Any] = self._index.of_kind(kind)
        return found

    def position(self, resource: Resource) -> int:
        """Return the place of a resource in the reading order."""
        return self._index.position(resource)

    def has_any(self, kinds: Iterable[str]) -> bool:
        """Return whether there is an admitted resource of one of ``kinds``."""
        return any(one.admitted for kind in kinds for one in self._index.of_kind(kind))

    def kinds(self) -> frozenset[str]:
        """Return the kinds that occur."""
        return self._index.kinds()

    def nearest(self, kind: str, name: str) -> str | None:
        """Return the name of an admitted resource of ``kind`` that was probably meant by ``name``."""
        if kind not in self._spellings:
            from ..diagnostics.suggestion import Names

            self._spellings[kind] = Names([one.name for one in self.of_kind(kind)])
        return self._spellings[kind].nearest(name)

    def find(self, kind: str, namespace: str | None, name: str, file: str) -> Resource | None:
        """Return the resource of that identity, admitted or not, that ``file`` means; an unknown namespace fits any.

        Where several fit see `Index.find`.
        """
        return self.around(file)._index.find(kind, namespace, name, file)  # noqa: SLF001 - of the same class

    def named_by_refused(self, kind: str, name: str) -> Collection[str]:
        """Return the kinds of the resources that the API server refuses, and that name an object: they will, fixed."""
        if self._named_by_refused is None:
            self._named_by_refused = {}
            for one in self.resources:
                for target in () if one.admitted else one.targets:
                    self._named_by_refused.setdefault(target, set()).add(one.kind)
        return self._named_by_refused.get((kind, name), ())

    def has(self, kind: str, namespace: str | None, name: str) -> bool:
        """Return whether there is an admitted resource of exactly that identity."""
        return any(one.admitted for one in self._index.alike(kind, namespace, name))

    def is_declared_nowhere(self, kind: str, name: str) -> bool:
        """Return whether no file and no configuration knows an object of that name, in any namespace."""
        index = self._index
        return not (self.world.has(kind, name) or index.may_be_called(kind, name) or index.called(kind, name))

    def is_repetition(self, resource: Resource) -> bool:
        """Return whether a resource is one object with another before it, and refused for that."""
        return not resource.admitted and self._index.is_repetition(resource)

    def is_refused(self, resource: Resource | None) -> bool:
        """Return whether the operator refuses ``resource``; the rules of referenced kinds have run before."""
        return resource is not None and self.verdicts.refusal(resource) is not None

    # --- references -------------------------------------------------------------------------------------------

    def references(self, resource: Resource) -> tuple[Reference, ...]:
        """Return every reference of ``resource``, resolved, in the order of its kind's fields."""
        known = self._references.get(resource)
        if known is None:
            view = self.around(resource.document.file)
            known = self._references[resource] = tuple([view.resolve(resource, *one) for one in resource.named])
        return known

    def reference(self, resource: Resource, *path: str | int) -> Reference | None:
        """Return the reference whose name stands at ``path`` (``"spec", "oidcConfigRef", "name"``), or ``None``."""
        at = self._at.get(resource)
        if at is None:
            # Reversed: of two references at one path the first one stays.
            at = self._at[resource] = {one.path: one for one in reversed(self.references(resource))}
        return at.get(path)

    def target(self, resource: Resource, *path: str | int) -> Resource[SpecT] | None:
        """Return what the reference at ``path`` leads to, ``None`` where there is none or it leads nowhere."""
        reference = self.reference(resource, *path)
        found: Any = None if reference is None or reference.problem is not None else reference.target
        target: Resource[SpecT] | None = found
        return target

    def leading(self, resource: Resource, *path: str | int) -> tuple[Reference, Resource[SpecT]] | None:
        """Return the reference at ``path`` with what it leads to, ``None`` where there is none or it leads nowhere."""
        reference = self.reference(resource, *path)
        if reference is None or reference.problem is not None or reference.target is None:
            return None
        target: Any = reference.target
        return reference, target

    def referrers(self, resource: Resource) -> list[Reference]:
        """Return the references of admitted resources that lead to ``resource``, or would if it were admitted."""
        return list(self.around(resource.document.file)._leading_to(resource))  # noqa: SLF001 - of the same class

    def is_referred(self, resource: Resource) -> bool:
        """Return whether any admitted resource refers to ``resource``, admitted or not, or to what may be the same."""
        view = self.around(resource.document.file)
        if len(view._index.alike(*resource.identity)) > 1:  # noqa: SLF001 - of the same class
            return any(map(self._is_readable, view._index.naming(*resource.identity)))  # noqa: SLF001 - as there
        return any(True for _ in view._leading_to(resource))  # noqa: SLF001 - as there

    def _leading_to(self, resource: Resource) -> Iterator[Reference]:
        for source in self._naming(resource):
            for reference in self.references(source):
                if reference.means(resource):
                    yield reference

    def _naming(self, resource: Resource) -> list[Resource]:
        """Return the resources that the operator can read and that mean ``resource`` by a name.

        Those of other namespaces than its own, where it is known, mean another and are left out.
        """
        return [source for source in self._index.meaning(resource) if self._is_readable(source)]

    def may_have_other_members(self) -> bool:
        """Return whether a member names its group by a placeholder: that may be any group."""
        if self._has_unknown_group is None:
            self._has_unknown_group = any(
                target == "MCPGroup" and is_placeholder(name)
                for kind in MEMBER_KINDS
                for one in self.read_of_kind(kind)
                for target, name in one.targets
            )
        return self._has_unknown_group

    def members(self, group: Resource, seen_from: Resource | None = None) -> list[Resource[MemberSpec]]:
        """Return the admitted members of ``group`` (MCPServer, MCPRemoteProxy, MCPServerEntry), sorted by name.

        Args:
            group: The group.
            seen_from: A resource that reaches them: of members of one identity the nearest to it counts, which is in
                its cluster where one is declared for each of several.
        """
        seen_from = seen_from or group
        view = self.around(seen_from.document.file)
        if view is not self:
            return view.members(group, seen_from)
        joining: list[Any] = [one for one in self._naming(group) if one.kind in MEMBER_KINDS]
        if not joining:
            joining = [one for one in self._naming_namesake(group) if one.kind in MEMBER_KINDS]
        return sorted(self._nearest_of_each(joining, seen_from), key=attrgetter("name", "kind"))

    def _nearest_of_each(self, resources: Iterable[Resource], seen_from: Resource) -> list[Any]:
        """Return resources of different identities: of those of one identity the nearest to another."""
        alike: dict[Identity, list[Resource]] = {}
        for one in self._index.reached(resources, seen_from):
            alike.setdefault(one.identity, []).append(one)
        layout, file, roots = self.world.layout, seen_from.document.file, seen_from.roots
        return [own[0] if len(own) == 1 else Namesakes(own, layout).nearest(file, roots) for own in alike.values()]

    def _naming_namesake(self, group: Resource) -> list[Resource]:
        """Return what `_naming` returns of a group that may be the same object as ``group``: one declared twice."""
        if len(self._index.called(group.kind, group.name)) < 2:
            return []
        return [source for source in self._index.naming(*group.identity) if self._is_readable(source)]

    def resolve(
        self,
        source: Resource,
        path: Path,
        kind: str,
        name: str,
        key: str | None = None,
        key_path: Path | None = None,
    ) -> Reference:
        """Resolve one name that ``source`` states at ``path``; ``key`` is the key asked for, ``key_path`` its place."""
        target = self._index.find(kind, source.namespace, name, source.document.file, source.roots)
        problem: Problem | None = None
        rival: Resource | None = None
        others: tuple[Resource, ...] = ()
        if is_placeholder(name):
            target = None
        elif target is None:
            problem, rival = self._why_missing(source, kind, name)
        elif not target.admitted:
            problem = "not-admitted"
        elif key is not None and not is_placeholder(key) and kind in HOLDING_KEYS:
            holder = target if holds(target, key) else self._holder(source, kind, name, key)
            if holder is None:
                problem, others = "key-missing", self._others(source, target)
            target = holder or target
        if problem is None and key == "":  # whatever the object is, it has no such key
            problem = "key-missing"
        return Reference(source, path, kind, name, key, key_path, target, problem, rival, others)

    def _holder(self, source: Resource, kind: str, name: str, key: str) -> Resource | None:
        """Return the nearest Secret or ConfigMap of that name that holds a key, or may come to hold it."""
        for fitting in self._index.fitting(kind, source.namespace, name, self._index.roots(source)):
            holding = fitting.holding(key)
            if holding is not None:
                return holding.nearest(source.document.file, source.roots)
        return None

    def _others(self, source: Resource, target: Resource) -> tuple[Resource, ...]:
        """Return what else a reference to ``target`` may mean, in reading order, the first few."""
        fitting = self._index.fitting(target.kind, source.namespace, target.name, self._index.roots(source))
        found = {other for one in fitting for other in one.admitted()} - {target}
        return tuple(sorted(found, key=self._index.position)[:_MOST_OTHERS])

    def _why_missing(self, source: Resource, kind: str, name: str) -> tuple[Problem | None, Resource | None]:
        if (kind in CORE_KINDS and not self.world.closed) or self.world.has(kind, name):
            return None, None
        if self._index.may_be_called(kind, name):
            return None, None
        elsewhere = self._index.called(kind, name)
        if elsewhere:
            inside = next((one for one in elsewhere if one.namespace in (None, source.namespace)), None)
            return ("other-namespace", elsewhere[0]) if inside is None else ("other-cluster", inside)
        if kind not in CORE_KINDS:
            for other in self._index.of_name(name):
                if other.kind not in CORE_KINDS and other.kind != source.kind:
                    return "wrong-kind", other
        return "missing", None

    def _is_readable(self, resource: Resource) -> bool:
        return self.verdicts.refusal(resource) not in UNREADABLE
