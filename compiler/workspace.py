"""All resources of a call, indexed; every reference of every kind resolved, once, here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from .reading.placeholder import is_placeholder
from .tables import reference_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .resource import Resource
    from .source import Path

Problem: TypeAlias = Literal["missing", "other-namespace", "wrong-kind", "not-admitted", "key-missing"]
"""Why a reference leads nowhere.

``missing``: nothing of that name; ``other-namespace``: only in another namespace; ``wrong-kind``: only as another
kind; ``not-admitted``: the file declares it, but the API server would refuse it; ``key-missing``: the Secret or
ConfigMap is declared and lacks the key.
"""

CORE_KINDS = frozenset({"ConfigMap", "Secret", "ServiceAccount", "Namespace"})
"""Kinds of Kubernetes itself that references lead to; undeclared ones are taken to exist in an open world."""


class World(NamedTuple):
    """What the call says about resources outside its files.

    Attributes:
        closed: The given files are all there is: every reference must resolve.
        external: Kind to the names (or ``*``) that exist elsewhere.
        complete: The call names whole folders or a known project; else a missing resource may be in a file unnamed.
    """

    closed: bool = False
    external: Mapping[str, frozenset[str]] = {}
    complete: bool = True

    def has(self, kind: str, name: str) -> bool:
        """Tell whether the configuration lists ``name`` as existing elsewhere."""
        names = self.external.get(kind)
        return names is not None and (name in names or "*" in names)


class Reference(NamedTuple):
    """One reference from a resource to another.

    Attributes:
        source: The resource that refers.
        path: The field that holds the name.
        kind: The kind that it must lead to.
        name: The name that it gives.
        key: The key of the Secret or ConfigMap that it asks for, where it names one.
        key_path: The field that holds the key.
        target: The resource that it leads to, also where the key is missing or it was not admitted.
        problem: Why it leads nowhere; ``None`` where it resolves, or where that cannot be known.
        rival: For ``other-namespace`` and ``wrong-kind``, what was found instead.
    """

    source: Resource
    path: Path
    kind: str
    name: str
    key: str | None
    key_path: Path | None
    target: Resource | None
    problem: Problem | None
    rival: Resource | None = None


class Workspace:
    """The resources of one call and the graph between them."""

    def __init__(self, resources: Iterable[Resource], world: World = World()) -> None:  # noqa: B008 - immutable
        self.world = world
        self.resources: tuple[Resource, ...] = tuple(resources)
        self._by_name: dict[tuple[str, str], list[Resource]] = {}
        self._by_kind: dict[str, list[Resource]] = {}
        self._names: dict[str, list[Resource]] | None = None
        self._references: dict[int, tuple[Reference, ...]] = {}
        self._members: dict[str, list[Resource]] | None = None
        self._referrers: dict[int, list[Reference]] | None = None
        self.refused: dict[int, str] = {}
        for resource in self.resources:
            self._by_name.setdefault((resource.kind, resource.name), []).append(resource)
            self._by_kind.setdefault(resource.kind, []).append(resource)

    # --- looking up -------------------------------------------------------------------------------------------

    def of_kind(self, kind: str) -> list[Resource]:
        """Give the admitted resources of ``kind``, in reading order."""
        return [resource for resource in self._by_kind.get(kind, ()) if resource.admitted]

    def kinds(self) -> frozenset[str]:
        """Give the kinds that occur."""
        return frozenset(self._by_kind)

    def find(self, kind: str, namespace: str | None, name: str) -> Resource | None:
        """Give the resource of that identity, admitted or not; an unknown namespace fits any.

        Where several fit, an admitted one of exactly that namespace comes first; of two alike, the first read.
        """
        found = self._by_name.get((kind, name))
        if not found:
            return None
        best: Resource | None = None
        for resource in found:
            if resource.namespace == namespace and resource.admitted:
                return resource
            fits = resource.namespace is None or namespace is None or resource.namespace == namespace
            if fits and (best is None or (resource.admitted and not best.admitted)):
                best = resource
        return best

    def is_refused(self, resource: Resource | None) -> bool:
        """Tell whether the operator refuses ``resource``; the rules of referenced kinds have run before."""
        return resource is not None and id(resource) in self.refused

    # --- references -------------------------------------------------------------------------------------------

    def references(self, resource: Resource) -> tuple[Reference, ...]:
        """Give every reference of ``resource``, resolved, in the order of its kind's fields."""
        known = self._references.get(id(resource))
        if known is None:
            known = self._references[id(resource)] = tuple(self._resolve_all(resource))
        return known

    def reference(self, resource: Resource, *path: str | int) -> Reference | None:
        """Give the reference whose name stands at ``path`` (``"spec", "oidcConfigRef", "name"``), or ``None``."""
        for reference in self.references(resource):
            if reference.path == path:
                return reference
        return None

    def target(self, resource: Resource, *path: str | int) -> Resource | None:
        """Give what the reference at ``path`` leads to, ``None`` where there is none or it leads nowhere."""
        reference = self.reference(resource, *path)
        return None if reference is None or reference.problem is not None else reference.target

    def referrers(self, resource: Resource) -> list[Reference]:
        """Give the references of admitted resources that lead to ``resource``."""
        if self._referrers is None:
            self._referrers = {}
            for source in self.resources:
                if source.admitted:
                    for reference in self.references(source):
                        if reference.target is not None and reference.problem is None:
                            self._referrers.setdefault(id(reference.target), []).append(reference)
        return self._referrers.get(id(resource), [])

    def members(self, group: Resource) -> list[Resource]:
        """Give the admitted members of ``group`` (MCPServer, MCPRemoteProxy, MCPServerEntry), sorted by name."""
        if self._members is None:
            self._members = {}
            for kind in ("MCPServer", "MCPRemoteProxy", "MCPServerEntry"):
                for member in self.of_kind(kind):
                    ref = member.spec.get("groupRef")
                    name = ref.get("name") if isinstance(ref, dict) else None
                    if isinstance(name, str):
                        self._members.setdefault(name, []).append(member)
        found = (
            member
            for member in self._members.get(group.name, ())
            if member.namespace is None or group.namespace is None or member.namespace == group.namespace
        )
        return sorted(found, key=lambda member: (member.name, member.kind))

    def resolve(
        self, source: Resource, path: Path, kind: str, name: str, key: tuple[str, Path] | None = None
    ) -> Reference:
        """Resolve one name that ``source`` gives at ``path``; ``key`` is the key asked for and its place."""
        target = self.find(kind, source.namespace, name)
        asked, key_path = key if key is not None else (None, None)
        problem: Problem | None = None
        rival: Resource | None = None
        if is_placeholder(name):
            target = None
        elif target is None:
            problem, rival = self._why_missing(source, kind, name)
        elif not target.admitted:
            problem = "not-admitted"
        elif asked is not None and not is_placeholder(asked) and not has_key(target, asked):
            problem = "key-missing"
        return Reference(source, path, kind, name, asked, key_path, target, problem, rival)

    def _why_missing(self, source: Resource, kind: str, name: str) -> tuple[Problem | None, Resource | None]:
        if self.world.has(kind, name):
            return None, None
        elsewhere = self._by_name.get((kind, name))
        if kind in CORE_KINDS and not self.world.closed:
            return None, None
        if elsewhere:
            return "other-namespace", elsewhere[0]
        if kind not in CORE_KINDS:
            if self._names is None:
                self._names = {}
                for resource in self.resources:
                    self._names.setdefault(resource.name, []).append(resource)
            for other in self._names.get(name, ()):
                if other.kind not in CORE_KINDS and other.kind != source.kind:
                    return "wrong-kind", other
        return "missing", None

    def _resolve_all(self, resource: Resource) -> Iterator[Reference]:
        for field in reference_fields(resource.kind):
            for path, name in walk(resource.data, field.steps):
                if not isinstance(name, str) or not name or not _counts(resource.data, path, field.when):
                    continue
                key = None
                if field.key is not None:
                    key = key_of(resource.data, path, field.key, field.key_default)
                yield self.resolve(resource, path, field.kind, name, key)


def walk(data: Any, steps: tuple[str, ...], at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Give every value under ``steps``, with its path; ``*`` stands for each item of a list or value of a mapping."""
    if not steps:
        yield at, data
        return
    step, rest = steps[0], steps[1:]
    if step != "*":
        if isinstance(data, dict) and step in data:
            yield from walk(data[step], rest, (*at, step))
    elif isinstance(data, list):
        for i, item in enumerate(data):
            yield from walk(item, rest, (*at, i))
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from walk(value, rest, (*at, key))


def _counts(data: Any, path: Path, when: tuple[str, str] | None) -> bool:
    """Tell whether the field beside a name, on which it depends whether the name refers to anything, says so."""
    if when is None:
        return True
    parent = data
    for step in path[:-1]:
        parent = parent[step]
    return bool(parent.get(when[0]) == when[1])


def key_of(data: Any, path: Path, field: str, default: str | None) -> tuple[str, Path] | None:
    """Give the key that stands beside the name at ``path``, and its place; the default where it is missing or empty."""
    parent = data
    for step in path[:-1]:
        parent = parent[step]
    key = parent.get(field) if isinstance(parent, dict) else None
    if isinstance(key, str) and key:
        return key, (*path[:-1], field)
    return (default, path) if default is not None else None


def has_key(target: Resource, key: str) -> bool:
    """Tell whether a declared Secret or ConfigMap holds ``key``; other kinds hold every key."""
    if target.kind == "ConfigMap":
        fields: tuple[str, ...] = ("data", "binaryData")
    elif target.kind == "Secret":
        fields = ("data", "stringData")
    else:
        return True
    return any(isinstance(target.data.get(field), dict) and key in target.data[field] for field in fields)
