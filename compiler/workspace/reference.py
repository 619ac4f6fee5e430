"""One reference from a resource to another, and whether what it leads to holds what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from ..diagnostics.placeholder import is_placeholder

if TYPE_CHECKING:
    from ..diagnostics.finding import Note
    from ..diagnostics.span import Path
    from .resource import Resource

Problem: TypeAlias = Literal["missing", "other-namespace", "other-cluster", "wrong-kind", "not-admitted", "key-missing"]
"""Why a reference leads nowhere.

``missing``: nothing of that name; ``other-namespace``: only in another namespace; ``other-cluster``: only where Flux
or Argo CD have it applied to another cluster; ``wrong-kind``: only as another kind; ``not-admitted``: the file declares
it, but the API server would refuse it; ``key-missing``: the Secret or ConfigMap is declared and lacks the key, or the
key is empty.
"""

HOLDING_KEYS = {"ConfigMap": ("data", "binaryData"), "Secret": ("data", "stringData")}
"""Kinds that hold something under keys, and the fields in which they do."""

_MERGED = "kustomize.toolkit.fluxcd.io/ssa"
_MERGING = ("Merge", "IfNotPresent", "Ignore")


class Reference(NamedTuple):
    """One reference from a resource to another.

    Attributes:
        source: The resource that refers.
        path: The field that holds the name.
        kind: The kind that it must lead to.
        name: The name that it states.
        key: The key of the Secret or ConfigMap that it asks for, where it names one.
        key_path: The field that holds the key.
        target: The resource that it leads to, also where the key is missing or it was not admitted.
        problem: Why it leads nowhere; ``None`` where it resolves, or where that cannot be known.
        rival: For ``other-namespace``, ``other-cluster`` and ``wrong-kind``, what was found instead.
        others: For ``key-missing``, what else is declared under the name, and lacks the key as well.
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
    others: tuple[Resource, ...] = ()

    @property
    def lacking(self) -> tuple[Resource, ...]:
        """The Secrets or ConfigMaps that it may mean, of which none has the key; empty where one does."""
        if self.problem != "key-missing" or self.target is None:
            return ()
        return (self.target, *self.others)

    def lacking_notes(self) -> tuple[Note, ...]:
        """Return a note at each object that it may mean and that lacks the key."""
        return tuple(one.note(f'{one.kind} "{one.name}" is here') for one in self.lacking)

    @property
    def is_unknown(self) -> bool:
        """Whether its target is unknown: its name is a placeholder, or the object may well exist elsewhere."""
        return self.target is None and self.problem is None

    @property
    def is_idle(self) -> bool:
        """It does not matter that nothing declares the target.

        Every namespace has a ServiceAccount ``default``. A permission profile from a ConfigMap is refused anyway
        (PRF001). Nobody follows the reference of a virtual server's backend whose type is ``discovered``, or may be.
        """
        if self.kind == "ServiceAccount":
            return self.name == "default"
        path = self.path
        if path[1] != "outgoingAuth":
            return path[1] == "permissionProfile"
        entry: Any = self.source.data
        for step in path[:-2]:
            entry = entry[step]
        type_ = str(entry.get("type"))
        return type_ == "discovered" or is_placeholder(type_)

    def means(self, resource: Resource) -> bool:
        """Return whether it leads to ``resource``, or would if the API server stored that."""
        return self.target is resource and self.problem in (None, "not-admitted")


def held_keys(target: Resource) -> frozenset[str] | None:
    """Return the keys that a declared Secret or ConfigMap holds; ``None`` where that is not known.

    One without any data may be filled at run time, unless it is immutable; one that Flux merges into what is there has
    more than it states; other kinds have no keys.
    """
    fields = HOLDING_KEYS.get(target.kind, ())
    annotations = target.metadata.get("annotations")
    if isinstance(annotations, dict) and annotations.get(_MERGED) in _MERGING:
        return None
    if target.data.get("immutable") is not True and all(target.data.get(field) in (None, {}) for field in fields):
        return None
    return frozenset(str(key) for field in fields for key in target.entries(field))


def holds(target: Resource, key: str) -> bool:
    """Return whether a declared Secret or ConfigMap is known to hold ``key``."""
    return any(key in target.entries(field) for field in HOLDING_KEYS[target.kind])
