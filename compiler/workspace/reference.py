"""The type of a resolved reference, with its target or the problem, and the keys and values of targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from ..diagnostics.finding import Finding, Note, Rule
    from ..diagnostics.span import Path
    from .resource import Resource

    Problem: TypeAlias = Literal[
        "missing", "other-namespace", "other-cluster", "wrong-kind", "not-admitted", "key-missing"
    ]
    """The reason why a reference does not resolve.

    ``missing``: no object has that name. ``other-namespace``: the object is only declared in another namespace.
    ``other-cluster``: Flux or Argo CD apply the object to another cluster only. ``wrong-kind``: only an object of
    another kind has that name. ``not-admitted``: the object is declared, but the API server refuses it.
    ``key-missing``: the Secret or ConfigMap is declared and lacks the key, or the reference states an empty key.
    """

DATA_FIELDS = {"ConfigMap": ("data", "binaryData"), "Secret": ("data", "stringData")}
"""The fields with keys, by kind."""

_MERGE_ANNOTATION = "kustomize.toolkit.fluxcd.io/ssa"
_MERGE_VALUES = ("Merge", "IfNotPresent", "Ignore")
"""Values of the annotation with which Flux keeps data of the existing object that the declaration lacks."""
_PLAIN: Final = {"Secret": "stringData", "ConfigMap": "data"}
_CODED: Final = {"Secret": "data", "ConfigMap": "binaryData"}
_FILLED_BY: Final = tuple(
    """
    inject-trusted-cabundle inject-cabundle replicator.v1.mittwald.de/ secret-generator.v1.mittwald.de/
    reflector.v1.k8s.emberstack.com/ avp.kubernetes.io/ vault.security.banzaicloud.io/
    """.split()
)
"""Parts of labels and annotations of objects whose values a program in the cluster fills in or replaces."""
_REFERRING: Final = ("ENC[", "ref+", "vault:", "<path:", "{{")
"""Beginnings of values that another program replaces: SOPS, vals, Vault, the Vault plugin of Argo CD, templates."""


class Reference(NamedTuple):
    """A reference from a resource to another object.

    Attributes:
        path: The field that states the name.
        kind: The kind that the target must have.
        name: The name that the field states.
        key: The key of the Secret or ConfigMap, if the reference needs one.
        key_path: The field that states the key.
        target: The target, even if it lacks the key or was refused; ``None`` if nothing matches.
        problem: The reason why the reference does not resolve; ``None`` if it resolves, or if that is unknown.
        rival: The object that was found instead, for ``other-namespace``, ``other-cluster`` and ``wrong-kind``.
        others: Further objects with the kind and name that lack the key as well, for ``key-missing``.
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
    def without_key(self) -> tuple[Resource, ...]:
        """The Secrets or ConfigMaps that the reference may mean, if all of them lack the key; else empty."""
        if self.problem != "key-missing" or self.target is None:
            return ()
        return (self.target, *self.others)

    def notes_without_key(self) -> tuple[Note, ...]:
        """Return a note at each Secret or ConfigMap that the reference may mean, if all of them lack the key."""
        return tuple(target.note(f'{target.kind} "{target.name}" is here') for target in self.without_key)

    def finding_about_target(
        self,
        rule: Rule,
        place: Path,
        message: str,
        *,
        hint: str | None = None,
        note: str = "it is here",
        more: tuple[Note, ...] = (),
    ) -> Finding:
        """Return a finding at the reference about a fault of the resource that it resolves to.

        Args:
            place: Path of the fault in the target, where a note points.
            message: The fault; the kind and name of the target are put before it.
            hint: Advice on what to do.
            more: Further notes.
        """
        target = self.target
        assert target is not None, "only a reference that resolves has a target"
        text = f'{target.kind} "{target.name}": {message}'
        return self.source.finding(rule, self.path, text, hint=hint, notes=(target.note(note, place), *more))

    @property
    def is_unknown(self) -> bool:
        """True if the target is unknown: its name is a placeholder, or it may exist outside the files."""
        return self.target is None and self.problem is None

    @property
    def may_dangle(self) -> bool:
        """True if a missing target has no effect, or another finding reports it.

        Every namespace has a ServiceAccount ``default``. A permission profile from a ConfigMap is refused by PRF001 in
        any case. If a backend of a virtual server has the type ``discovered``, or may have it, the operator ignores the
        reference.
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

    def resolves_to(self, resource: Resource) -> bool:
        """Return whether the reference resolves to ``resource``, or would if the API server admitted it."""
        return self.target is resource and self.problem in (None, "not-admitted")


def declared_keys(target: Resource) -> frozenset[str] | None:
    """Return the keys of a declared Secret or ConfigMap; ``None`` if more keys may exist in the cluster.

    An object without data may be filled at run time, unless it is immutable. An object that Flux merges into the
    existing one may have more keys than it declares. Objects of other kinds have no keys.
    """
    fields = DATA_FIELDS.get(target.kind, ())
    annotations = target.metadata.get("annotations")
    if isinstance(annotations, dict) and annotations.get(_MERGE_ANNOTATION) in _MERGE_VALUES:
        return None
    if target.data.get("immutable") is not True and all(target.data.get(field) in (None, {}) for field in fields):
        return None
    return frozenset(str(key) for field in fields for key in target.entries(field))


def declares_key(target: Resource, key: str) -> bool:
    """Return whether a declared Secret or ConfigMap contains ``key``."""
    return any(key in target.entries(field) for field in DATA_FIELDS[target.kind])


def declared_value(reference: Reference | None) -> tuple[bytes, Path] | None:
    """Return the value that a reference to a key leads to, and its path in the Secret or ConfigMap.

    Return ``None`` if the value is unknown or invalid, such as a placeholder, or the target is not declared.
    """
    if reference is None or reference.target is None or reference.problem is not None or not reference.key:
        return None
    target, key = reference.target, reference.key
    if target.kind not in _PLAIN or declared_keys(target) is None or _is_filled_later(target):
        return None
    # The API server writes stringData over data.
    plain, coded = _PLAIN[target.kind], _CODED[target.kind]
    text = target.entries(plain).get(key)
    if isinstance(text, str):
        return None if _is_unknown(text) else (text.encode("utf-8", "replace"), (plain, key))
    text = target.entries(coded).get(key)
    if not isinstance(text, str) or _is_unknown(text):
        return None
    import binascii

    try:
        return binascii.a2b_base64(text), (coded, key)
    except ValueError:
        return None


def _is_unknown(text: str) -> bool:
    return is_placeholder(text) or text.lstrip().startswith(_REFERRING)


def _is_filled_later(target: Resource) -> bool:
    """Return whether a program in the cluster, or SOPS, may change the values."""
    stated = (target.metadata.get(field) for field in ("labels", "annotations"))
    marks = [str(mark) for marked in stated if isinstance(marked, dict) for mark in marked]
    return "sops" in target.data or any(part in mark for mark in marks for part in _FILLED_BY)
