"""One reference from a resource to another, and whether what it leads to holds what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from .resource import Resource
    from .source import Path

Problem: TypeAlias = Literal["missing", "other-namespace", "wrong-kind", "not-admitted", "key-missing"]
"""Why a reference leads nowhere.

``missing``: nothing of that name; ``other-namespace``: only in another namespace; ``wrong-kind``: only as another
kind; ``not-admitted``: the file declares it, but the API server would refuse it; ``key-missing``: the Secret or
ConfigMap is declared and lacks the key, or the key is empty.
"""

HOLDING_KEYS = {"ConfigMap": ("data", "binaryData"), "Secret": ("data", "stringData")}
"""Kinds that hold something under keys, and the fields in which they do."""


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

    @property
    def is_unknown(self) -> bool:
        """Nobody knows what it leads to: its name is a placeholder, or the object may well exist elsewhere."""
        return self.target is None and self.problem is None

    def means(self, resource: Resource) -> bool:
        """Return whether it leads to ``resource``, or would if the API server stored that."""
        return self.target is resource and self.problem in (None, "not-admitted")


def has_key(target: Resource, key: str) -> bool:
    """Tell whether a declared Secret or ConfigMap holds ``key``; other kinds hold every key."""
    fields = HOLDING_KEYS.get(target.kind)
    return fields is None or any(key in target.entries(field) for field in fields)
