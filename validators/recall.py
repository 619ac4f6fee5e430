"""What rules found last time, told again where nothing that they looked at has changed.

A rule learns of other resources from the workspace alone. `Watched` is a workspace that notes what it is asked, as
*keys*: ``kind/namespace/name`` for a lookup, ``kind/*`` for all of a kind, ``>kind/namespace/name`` for all that refer
to something. A resource in turn bears on the keys under which it can be come upon. What a rule found about one resource
stands as long as no resource that bears on one of its keys has changed, come or gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.compiler.workspace import Workspace, World

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.naming import Named
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Problem, Reference

    from .rule import Judgement

Looked = TypeVar("Looked")

ALL = "*"
"""The key that every resource bears on; in place of a namespace, any."""
UNSTATED = "?"
"""In place of a namespace: nothing states it."""


class Verdict(NamedTuple):
    """What the rules said about one resource, or one survey about all.

    Attributes:
        keys: What they looked at.
        findings: What they found.
        refused: The rule by which the operator refuses the resource.
        notes: What surveys noted about it, by their names.
    """

    keys: Collection[str]
    findings: list[Finding]
    refused: str | None = None
    notes: Mapping[str, Any] = {}


def bears_on(kind: str, namespace: str | None, name: str, named: Iterable[Named | tuple[Any, ...]]) -> set[str]:
    """Give the keys that a resource bears on: its own, and those of what it names."""
    place = namespace or UNSTATED
    keys = {ALL, f"{kind}/*", f"*/{name}", f"{kind}/{place}/{name}", f"{kind}/*/{name}"}
    for one in named:
        keys.add(f">{one[1]}/{place}/{one[2]}")
        keys.add(f">{one[1]}/*/{one[2]}")
        if is_placeholder(one[2]):
            keys.add(unknown_key(one[1]))
    return keys


def unknown_key(kind: str) -> str:
    """Give the key that resources bear on that name some object of ``kind``, and nobody knows which."""
    return f">{kind}/$"


def own_key(resource: Resource) -> str:
    """Give the key of a resource itself."""
    return f"{resource.kind}/{resource.namespace or UNSTATED}/{resource.name}"


class Watched(Workspace):
    """A workspace that notes what it is asked."""

    def __init__(self, resources: Iterable[Resource], world: World = World()) -> None:  # noqa: B008 - immutable
        self._keys: set[str] = set()
        self._noted: set[int] = set()  # resources whose references are among the keys
        self._behind: dict[int, set[str]] = {}
        super().__init__(resources, world)

    def watch(self, work: Callable[[], Looked], *keys: str) -> tuple[Looked, set[str]]:
        """Do ``work``; give its result, and the keys of all that it asked beside ``keys``, and of nothing else."""
        outer = self._keys, self._noted
        self._keys, self._noted = set(keys), set()
        try:
            return work(), self._keys
        finally:
            self._keys, self._noted = outer

    @property
    def resources(self) -> tuple[Resource, ...]:
        """All resources."""
        self._keys.add(ALL)
        return self._resources

    @resources.setter
    def resources(self, resources: tuple[Resource, ...]) -> None:
        self._resources = resources

    def of_kind(self, kind: str) -> list[Resource]:
        """As `Workspace.of_kind`."""
        self._keys.add(f"{kind}/*")
        return super().of_kind(kind)

    def nearest(self, kind: str, name: str) -> str | None:
        """As `Workspace.nearest`."""
        self._keys.add(f"{kind}/*")
        return super().nearest(kind, name)

    def kinds(self) -> frozenset[str]:
        """As `Workspace.kinds`."""
        self._keys.add(ALL)
        return super().kinds()

    def find(self, kind: str, namespace: str | None, name: str) -> Resource | None:
        """As `Workspace.find`."""
        found = super().find(kind, namespace, name)
        if found is None:
            self._keys.add(f"*/{name}")
        elif found.admitted and found.namespace == namespace:
            self._keys.add(f"{kind}/{namespace or UNSTATED}/{name}")  # which goes before all others
        elif namespace is None:
            self._keys.add(f"{kind}/*/{name}")
        else:
            self._keys.add(f"{kind}/{namespace}/{name}")
            self._keys.add(f"{kind}/{UNSTATED}/{name}")
        return found

    def is_refused(self, resource: Resource | None) -> bool:
        """As `Workspace.is_refused`."""
        if resource is not None:
            self._keys.add(own_key(resource))
        return super().is_refused(resource)

    def refused_by(self, resource: Resource | None) -> str | None:
        """As `Workspace.refused_by`."""
        if resource is not None:
            self._keys.add(own_key(resource))
        return super().refused_by(resource)

    def references(self, resource: Resource) -> tuple[Reference, ...]:
        """As `Workspace.references`."""
        identity = id(resource)
        if identity not in self._noted:
            self._note_references(resource)
        return self._references[identity]

    def reference(self, resource: Resource, *path: str | int) -> Reference | None:
        """As `Workspace.reference`."""
        identity = id(resource)
        if identity not in self._noted:
            self._note_references(resource)
        return self._at.get((identity, path))

    def _note_references(self, resource: Resource) -> None:
        """Note what is asked when the references of ``resource`` are resolved; they are resolved once."""
        identity = id(resource)
        behind = self._behind.get(identity)
        if behind is None:
            behind = {own_key(resource)}
            outer, self._keys = self._keys, behind
            try:
                super().references(resource)
            finally:
                self._keys = outer
            self._behind[identity] = behind
        self._keys |= behind
        self._noted.add(identity)

    def _naming(self, kind: str, namespace: str | None, name: str) -> Sequence[Resource]:
        outer, self._keys = self._keys, set()
        try:
            return super()._naming(kind, namespace, name)
        finally:
            self._keys = outer
            if namespace is None:
                outer.add(f">{kind}/*/{name}")
            else:
                outer.add(f">{kind}/{namespace}/{name}")
                outer.add(f">{kind}/{UNSTATED}/{name}")

    def may_have_other_members(self) -> bool:
        """As `Workspace.may_have_other_members`."""
        self._keys.add(unknown_key("MCPGroup"))
        return super().may_have_other_members()

    def _why_missing(self, source: Resource, kind: str, name: str) -> tuple[Problem | None, Resource | None]:
        outer, self._keys = self._keys, set()
        try:
            return super()._why_missing(source, kind, name)
        finally:
            self._keys = outer
            outer.add(f"*/{name}")


class Recall:
    """Verdicts of before, as far as they still stand, and those of now.

    Attributes:
        verdicts: Those about single resources, by the identity of the resource.
        judged: The resources that were judged anew.
        moved: Those about which other files now decide otherwise: their namespace, or whether they are admitted.
        surveys: Those of surveys, by their names.

    Args:
        workspace: What the rules look at.
        known: Verdicts of before, by the identity of the resource.
        doubtful: Those of them that may not stand.
        surveys: Those of surveys, by their names.
        changed: Keys that something bore or bears on that has changed since.
        moved: As the attribute.
    """

    def __init__(
        self,
        workspace: Watched,
        known: dict[int, Verdict] | None = None,
        doubtful: Container[int] = (),
        surveys: Mapping[str, Verdict] = {},
        changed: Iterable[str] = (),
        moved: Container[int] = (),
    ) -> None:
        self._workspace = workspace
        self._known = known or {}
        self._doubtful = doubtful
        self._known_surveys = surveys
        self._changed = set(changed)
        self.verdicts: dict[int, Verdict] = {}
        self.judged: set[int] = set()
        self.moved = moved
        self.surveys: dict[str, Verdict] = {}

    def standing(self, resource: Resource) -> Verdict | None:
        """Give what was found about one resource before, ``None`` where that need not stand."""
        identity = id(resource)
        known = self._known.get(identity)
        if known is None or identity in self._doubtful or (self._changed and self._changed.intersection(known.keys)):
            return None
        if known.refused is not None:
            self._workspace.refused[identity] = known.refused
        self.verdicts[identity] = known
        return known

    def about(self, resource: Resource, judge: Callable[[], Judgement]) -> Verdict:
        """Find out what there is to say about one resource; ``judge`` runs the rules, and marks what is refused."""
        identity = id(resource)
        (findings, notes), keys = self._workspace.watch(judge, own_key(resource))
        verdict = Verdict(keys, findings, self._workspace.refused.get(identity), notes)
        known = self._known.get(identity)
        if known is not None and (verdict.refused != known.refused or notes != known.notes):
            self._changed |= bears_on(resource.kind, resource.namespace, resource.name, resource.named)
        self.judged.add(identity)
        self.verdicts[identity] = verdict
        return verdict

    def about_all(self, survey: str, kinds: Iterable[str], tell: Callable[[], list[Finding]]) -> list[Finding]:
        """Give what one survey of ``kinds`` says."""
        known = self._known_surveys.get(survey)
        if known is not None and self._changed.isdisjoint(known.keys):
            verdict = known
        else:
            findings, keys = self._workspace.watch(tell, *[f"{kind}/*" for kind in kinds])
            verdict = Verdict(keys, findings)
        self.surveys[survey] = verdict
        return verdict.findings
