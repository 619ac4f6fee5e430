"""What patches make of Flux's Kustomizations, and whether they leave our resources as they are.

Source: the Kustomization API of Flux (patches) and kustomize (patches, targets), as of 2026.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..admission.table import KINDS
from ..diagnostics.plain import listed, mapping, text_at, value_at
from ..kube.label_selector import selects
from ..reading.document import Place, read_documents
from ..workspace.index import CORE_KINDS, SECRET_MAKERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.span import Path
    from ..reading.document import Document

_GROUP: Final = "kustomize.toolkit.fluxcd.io"
FIELDS: Final = ("patches", "patchesStrategicMerge", "patchesJson6902")
_FOREIGN: Final = re.compile(r"([a-z0-9-]+\.)*(fluxcd|argoproj|monitoring\.coreos|cilium|k8s)\.(io|com)\Z")
"""Groups of objects that none of ours leans on."""
_BEARING: Final = frozenset({*KINDS, *CORE_KINDS, *SECRET_MAKERS, "List"} - {"Namespace"})
"""Kinds of ours, and of what they lean on; a Namespace is none that a patch takes away."""
_WEIGHTY: Final = ("targetNamespace", "postBuild", *FIELDS, "components", "namePrefix", "nameSuffix", "path")
"""Fields of a Kustomization that bear on what becomes of our resources."""
Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""Labels or annotations."""
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
        labels: Selects by labels those that it is for; empty for any.
        annotations: Selects them by annotations.
        marks: Whether it sets labels or annotations, by which patches after it may select.
        added: Labels that what lies between it and the Kustomizations adds to them.
        noted: Annotations that are added so.
    """

    names: str = ""
    namespace: str | None = None
    variables: tuple[tuple[str, str], ...] = ()
    sources: tuple[tuple[str, str], ...] | None = None
    is_plain: bool = True
    is_known: bool = True
    place: Place | None = None
    labels: str = ""
    annotations: str = ""
    marks: bool = False
    added: Pairs = ()
    noted: Pairs = ()

    @property
    def changes_variables(self) -> bool:
        """Whether it may bear on what is put in place of variables."""
        return not self.is_known or bool(self.variables) or self.sources is not None

    def is_for(self, name: str, labels: Pairs = (), annotations: Pairs = ()) -> bool | None:
        """Return whether it is for the Kustomization of a name; ``None`` where that is not known.

        Args:
            name: Of the Kustomization.
            labels: As its file states them.
            annotations: As its file states them.
        """
        if self.names and not _fits(self.names, name):
            return False
        selected = (
            selects(self.labels, dict(labels + self.added)),
            selects(self.annotations, dict(annotations + self.noted)),
        )
        return False if False in selected else None if None in selected else True

    def inside(self, labels: Pairs, annotations: Pairs) -> Alteration:
        """Return it for Kustomizations to which these labels and annotations are added before it sees them."""
        return self._replace(added=self.added + labels, noted=self.noted + annotations)


def _fits(pattern: str, text: str) -> bool:
    """Return whether a text is what a target of a patch asks for: a regular expression for all of it.

    Kustomize refuses a pattern that Go cannot compile: nothing fits it.
    """
    if pattern.replace("-", "").isalnum():
        return pattern == text
    from ..golang.regexp import PatternError, compile_pattern

    try:
        return compile_pattern(f"^(?:{pattern})$").search(text)
    except PatternError:
        return False


UNKNOWN: Final = Alteration(is_known=False, is_plain=False)
"""Of a patch that is elsewhere, or for Kustomizations of which it is not known whether they are meant."""

MORE: Final = Alteration(is_known=False)
"""Of what may add variables and does nothing else."""


def bounded(alterations: tuple[Alteration, ...]) -> tuple[Alteration, ...]:
    """Return alterations, or an unknown one in place of very many."""
    return alterations if len(alterations) <= _MOST else (UNKNOWN,)


def document_alterations(document: Document, above: Path = ()) -> tuple[tuple[Alteration, ...], bool]:
    """Return what patches make of Flux's Kustomizations, and whether all others leave our resources alone.

    Args:
        document: That holds the patches.
        above: The way to what has the fields of a kustomization.
    """
    return read_alterations(mapping(value_at(document.data, above)), Place(document, above))


def read_alterations(holder: Mapping[str, Any], place: Place) -> tuple[tuple[Alteration, ...], bool]:
    """Return what `alterations` does, for a holder whose place is known."""
    found: list[Alteration] = []
    is_plain = True
    for field in FIELDS:
        for entry in listed(holder.get(field)):
            at = Place(place.document, (*place.path, field))
            for kind, group, patch, target in _parts(entry, place.document.file):
                if kind == "Kustomization" and group in {"", _GROUP}:
                    found.append(_of_one(patch, mapping(target), at))
                elif _bears(kind, group):
                    is_plain = False
    return tuple(
        one for one in found if one.changes_variables or one.namespace or one.marks or not one.is_plain
    ), is_plain


def _bears(kind: str, group: str) -> bool:
    """Return whether a patch of objects of a kind, a regular expression, may bear on ours; empty texts for any."""
    if _FOREIGN.match(group):
        return False
    is_plain = kind.isalnum()
    return not kind or (kind in _BEARING if is_plain else any(_fits(kind, one) for one in _BEARING))


def _parts(entry: Any, file: str) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield kind and group of what an entry patches, empty where that is not known, the patch, and its target."""
    target = entry.get("target") if isinstance(entry, dict) else None
    text = entry.get("patch") if isinstance(entry, dict) else entry
    if isinstance(target, dict) and isinstance(target.get("kind"), str):
        kind, group = target["kind"], str(target.get("group") or "")
        if _fits(kind, "Kustomization") and (not group or _fits(group, _GROUP)):
            yield from (
                ("Kustomization", (group and _GROUP) or _group_of(one), one, target) for one in _read(text, file)
            )
        if kind != "Kustomization":
            yield kind, group, None, target
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
    return text_at(mapping(patch), "apiVersion").rpartition("/")[0]


def _of_one(patch: Any, target: Mapping[str, Any], place: Place) -> Alteration:
    names = text_at(target, "name")
    if isinstance(patch, list):
        found = _of_operations(patch, place)
    elif isinstance(patch, dict):
        found = _of_part(mapping(patch.get("spec")), place)
        metadata = mapping(patch.get("metadata"))
        found = found._replace(marks=bool(metadata.get("labels") or metadata.get("annotations")))
    else:
        found = UNKNOWN
    labels, annotations = target.get("labelSelector") or "", target.get("annotationSelector") or ""
    touches = found.changes_variables or found.namespace or not found.is_plain
    if touches and (target.get("namespace") or not (isinstance(labels, str) and isinstance(annotations, str))):
        return UNKNOWN._replace(names=names)
    return found._replace(names=names, place=place, labels=str(labels), annotations=str(annotations))


def _of_part(spec: Mapping[str, Any], place: Place) -> Alteration:
    """Return what a part of a Kustomization sets where it is merged into others."""
    after = mapping(spec.get("postBuild"))
    namespace = spec.get("targetNamespace")
    inner, is_plain = read_alterations(spec, place)
    sources = after.get("substituteFrom")
    return Alteration(
        namespace=namespace if isinstance(namespace, str) and namespace else None,
        variables=tuple((str(name), text) for name, text in mapping(after.get("substitute")).items() if _is_text(text)),
        sources=tuple(_named(sources)) if isinstance(sources, list) else None,
        is_plain=is_plain
        and all(one.is_plain for one in inner)
        and not any(spec.get(field) for field in ("components", "namePrefix", "nameSuffix", "path")),
        is_known=not any(one.changes_variables or one.namespace or not one.is_plain for one in inner),
    )


def _of_operations(operations: Iterable[Any], place: Place) -> Alteration:
    """Return what a JSON patch sets."""
    spec: dict[str, Any] = {}
    is_marking = False
    for one in map(mapping, operations):
        steps = str(one.get("path")).split("/")[1:]
        is_marking = is_marking or steps[:1] == ["metadata"] or steps == [""]
        if steps[:1] != ["spec"] or (len(steps) > 1 and steps[1] not in _WEIGHTY):
            continue
        if one.get("op") not in ("add", "replace") or len(steps) != 2 or steps[1] in FIELDS:
            return UNKNOWN
        spec[steps[1]] = one.get("value")
    return _of_part(spec, place)._replace(marks=is_marking)


def metadata_pairs(data: Mapping[str, Any], field: str) -> Pairs:
    """Return the labels or annotations that an object has by its file."""
    stated = mapping(mapping(data.get("metadata")).get(field))
    return tuple((str(key), value) for key, value in stated.items() if isinstance(value, str))


def _named(sources: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for one in map(mapping, sources):
        yield str(one.get("kind")), str(one.get("name"))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)
