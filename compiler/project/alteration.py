"""What patches make of Flux's Kustomizations, and whether they leave our resources as they are.

Source: the Kustomization API of Flux (patches) and kustomize (patches, targets), as of 2026.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.plain import listed, mapping
from ..reading.document import Place, read_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.span import Path
    from ..reading.document import Document

_GROUP: Final = "kustomize.toolkit.fluxcd.io"
FIELDS: Final = ("patches", "patchesStrategicMerge", "patchesJson6902")
_FOREIGN: Final = re.compile(r"([a-z0-9-]+\.)*(fluxcd|argoproj|monitoring\.coreos|cilium|k8s)\.(io|com)\Z")
"""Groups of objects that none of ours leans on."""
_FOREIGN_KINDS: Final = frozenset(
    {
        *("HelmRelease", "HelmRepository", "OCIRepository", "GitRepository", "HTTPRoute", "Ingress", "Gateway"),
        *("Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "PersistentVolumeClaim", "ServiceMonitor"),
        *("Namespace", "Service", "NetworkPolicy", "CustomResourceDefinition"),
    }
)
"""Kinds of such objects; a Namespace is none that a patch takes away."""
_WEIGHTY: Final = ("targetNamespace", "postBuild", *FIELDS, "components", "namePrefix", "nameSuffix", "path")
"""Fields of a Kustomization that bear on what becomes of our resources."""
_MOST: Final = 64
"""Patches on one way: of more it is unknown what they make."""


class Alteration(NamedTuple):
    """What one patch makes of the Kustomizations that it is for.

    Attributes:
        names: Of these: a regular expression for all of the name; empty for any.
        namespace: The target namespace that it sets, if it does.
        variables: What it adds to ``substitute``, by name.
        sources: What it puts in place of ``substituteFrom``, if it does: kind and name of each.
        is_plain: Whether the Kustomization then does no more to our resources than before.
        is_known: Whether that is all.
        place: Of the patch.
    """

    names: str = ""
    namespace: str | None = None
    variables: tuple[tuple[str, str], ...] = ()
    sources: tuple[tuple[str, str], ...] | None = None
    is_plain: bool = True
    is_known: bool = True
    place: Place | None = None

    @property
    def fills(self) -> bool:
        """Whether it may bear on what is put in place of variables."""
        return not self.is_known or bool(self.variables) or self.sources is not None

    def is_for(self, name: str) -> bool:
        """Return whether it is for the Kustomization of a name."""
        if not self.names:
            return True
        if not re.fullmatch(r"[\w.|()*-]{1,200}", self.names) or self.names.count("*") > 2:
            return self.names == name
        try:
            return re.fullmatch(self.names, name) is not None
        except re.error:
            return False


UNKNOWN: Final = Alteration(is_known=False, is_plain=False)
"""Of a patch that is elsewhere, or that is for Kustomizations with labels."""

MORE: Final = Alteration(is_known=False)
"""Of what may add variables and does nothing else."""


def bounded(alterations: tuple[Alteration, ...]) -> tuple[Alteration, ...]:
    """Return alterations, or an unknown one in place of very many."""
    return alterations if len(alterations) <= _MOST else (UNKNOWN,)


def alterations(document: Document, above: Path = ()) -> tuple[tuple[Alteration, ...], bool]:
    """Return what the patches of a kustomization make of Flux's Kustomizations, and whether others leave ours alone.

    Args:
        document: That holds the patches.
        above: The way to what has the fields of a kustomization.
    """
    holder = document.data
    for step in above:
        holder = mapping(holder).get(step) if isinstance(step, str) else holder[step]
    return of_patches(mapping(holder), Place(document, above))


def of_patches(holder: Mapping[str, Any], place: Place) -> tuple[tuple[Alteration, ...], bool]:
    """Return what `alterations` does, for a holder whose place is known."""
    found: list[Alteration] = []
    is_plain = True
    for field in FIELDS:
        for entry in listed(holder.get(field)):
            at = Place(place.document, (*place.path, field))
            for kind, group, patch, target in _parts(entry, place.document.file):
                if kind == "Kustomization" and group in {"", _GROUP}:
                    found.append(_of_one(patch, mapping(target), at))
                elif kind not in _FOREIGN_KINDS and _FOREIGN.match(group) is None:
                    is_plain = False
    weighty = tuple(one for one in found if one.fills or one.namespace or not one.is_plain)
    return weighty, is_plain and all(one.is_plain for one in weighty)


def _parts(entry: Any, file: str) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield kind and group of what an entry patches, empty where that is not known, the patch, and its target."""
    target = entry.get("target") if isinstance(entry, dict) else None
    text = entry.get("patch") if isinstance(entry, dict) else entry
    if isinstance(target, dict) and isinstance(target.get("kind"), str):
        kind, group = target["kind"], str(target.get("group") or "")
        is_ours = kind == "Kustomization" and group in {"", _GROUP}
        patches = _read(text, file) if is_ours else [None]
        yield from ((kind, group or _group_of(one), one, target) for one in patches)
    elif target is None:
        for one in _read(text, file):
            name = mapping(one).get("metadata")
            own = {"name": re.escape(str(mapping(name).get("name") or ""))}
            yield str(mapping(one).get("kind") or ""), _group_of(one), one, own
    else:
        yield "", "", None, target


def _read(text: Any, file: str) -> list[Any]:
    """Return the patches that a text holds, an unknown one where it is a path."""
    if not isinstance(text, str) or "\n" not in text:
        return [None]
    documents, findings = read_documents(text, file)
    return [one.data for one in documents] if documents and not findings else [None]


def _group_of(patch: Any) -> str:
    version = mapping(patch).get("apiVersion")
    return version.rpartition("/")[0] if isinstance(version, str) else ""


def _of_one(patch: Any, target: Mapping[str, Any], place: Place) -> Alteration:
    names = target.get("name")
    names = names if isinstance(names, str) else ""
    if isinstance(patch, list):
        found = _of_operations(patch, place)
    elif isinstance(patch, dict):
        found = _of_part(mapping(patch.get("spec")), place)
    else:
        found = UNKNOWN
    touches = found.fills or found.namespace or not found.is_plain
    if touches and any(target.get(field) for field in ("labelSelector", "annotationSelector", "namespace")):
        return UNKNOWN._replace(names=names)
    return found._replace(names=names, place=place)


def _of_part(spec: Mapping[str, Any], place: Place) -> Alteration:
    """Return what a part of a Kustomization sets where it is merged into others."""
    after = mapping(spec.get("postBuild"))
    namespace = spec.get("targetNamespace")
    inner, is_plain = of_patches(spec, place)
    sources = after.get("substituteFrom")
    return Alteration(
        namespace=namespace if isinstance(namespace, str) and namespace else None,
        variables=tuple((str(name), text) for name, text in mapping(after.get("substitute")).items() if _is_text(text)),
        sources=tuple(_named(sources)) if isinstance(sources, list) else None,
        is_plain=is_plain and not any(spec.get(field) for field in ("components", "namePrefix", "nameSuffix", "path")),
        is_known=not inner,
    )


def _of_operations(operations: Iterable[Any], place: Place) -> Alteration:
    """Return what a JSON patch sets."""
    spec: dict[str, Any] = {}
    for one in map(mapping, operations):
        steps = str(one.get("path")).split("/")[1:]
        if steps[:1] != ["spec"] or (len(steps) > 1 and steps[1] not in _WEIGHTY):
            continue
        if one.get("op") not in ("add", "replace") or len(steps) != 2 or steps[1] in FIELDS:
            return UNKNOWN
        spec[steps[1]] = one.get("value")
    return _of_part(spec, place)


def _named(sources: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for one in map(mapping, sources):
        yield str(one.get("kind")), str(one.get("name"))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)
