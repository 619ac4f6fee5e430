"""Compute the effects of kustomize patches on Flux Kustomizations, and find patches that may change other objects.

Source: the Kustomization API of Flux (patches) and kustomize (patches, targets), as of 2026.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..admission.table import KINDS
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import listed, mapping, text_at, value_at
from ..kube.label_selector import selects
from ..reading.document import Place, read_documents
from ..workspace.index import CORE_KINDS, SECRET_MAKERS
from .patch_field import PATCH_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.span import Path
    from ..reading.document import Document

_GROUP: Final = "kustomize.toolkit.fluxcd.io"
_FOREIGN: Final = re.compile(r"([a-z0-9-]+\.)*(fluxcd|argoproj|monitoring\.coreos|cilium|k8s)\.(io|com)\Z")
"""Pattern of API groups whose objects no resource of the operator depends on."""
_CHECKED_KINDS: Final = frozenset({*KINDS, *CORE_KINDS, *SECRET_MAKERS, "List"} - {"Namespace"})
"""Kinds that may change what is checked: kinds of the operator, and kinds that they refer to.

A Namespace is left out, because no patch deletes it.
"""
_RELEVANT: Final = ("targetNamespace", "postBuild", *PATCH_FIELDS, "components", "namePrefix", "nameSuffix", "path")
"""Fields of a Flux Kustomization that decide which resources it applies, and how."""
Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""Labels or annotations as pairs of key and value."""
_MARKS: Final = dict.fromkeys(map(ord, "-."))
"""Translation that removes dashes and dots. A pattern of only these, letters and digits is compared without regexp."""
_MOST: Final = 64
"""Maximum number of patches on one chain, because each patch is matched with each object.

The effect of a chain with more patches is unknown.
"""


class Alteration(NamedTuple):
    """The effect of one patch on the Flux Kustomizations that it targets.

    Attributes:
        name_pattern: Go regular expression for the whole name of a target; empty for any name.
        variables: Name and value of each entry that the patch adds to ``postBuild.substitute``.
        sources: Kind and name of each object in the ``substituteFrom`` that the patch sets; ``None`` if it sets none.
        is_plain: False if the patch may change the resources that a target applies, or select other resources.
        is_known: False if the patch may change variables in ways that ``variables`` and ``sources`` do not contain.
        place: Place of the list that contains the patch.
        label_selector: Selector for the labels of a target; empty for any.
        annotation_selector: Selector for the annotations of a target; empty for any.
        changes_metadata: True if the patch changes labels or annotations. Later patches may select by them.
        added_labels: Labels that kustomizations between the target and the patch add before the patch runs.
    """

    name_pattern: str = ""
    namespace: str | None = None
    variables: tuple[tuple[str, str], ...] = ()
    sources: tuple[tuple[str, str], ...] | None = None
    is_plain: bool = True
    is_known: bool = True
    place: Place | None = None
    label_selector: str = ""
    annotation_selector: str = ""
    changes_metadata: bool = False
    added_labels: Pairs = ()
    added_annotations: Pairs = ()

    @property
    def changes_variables(self) -> bool:
        """True if the patch may change the variables that a target fills in."""
        return not self.is_known or bool(self.variables) or self.sources is not None

    @property
    def has_effect(self) -> bool:
        """True if the patch may change what a target applies, and not only the metadata of the target."""
        return self.changes_variables or bool(self.namespace) or not self.is_plain

    def targets(self, name: str, labels: Pairs = (), annotations: Pairs = ()) -> bool | None:
        """Return whether the patch targets a Kustomization; ``None`` if a selector cannot be parsed."""
        if self.name_pattern and not _matches_whole(self.name_pattern, name):
            return False
        selected = (
            selects(self.label_selector, dict(labels + self.added_labels)),
            selects(self.annotation_selector, dict(annotations + self.added_annotations)),
        )
        return False if False in selected else None if None in selected else True

    def after_adding(self, labels: Pairs, annotations: Pairs) -> Alteration:
        """Return a copy of this alteration, with labels and annotations that its targets get before the patch runs."""
        return self._replace(
            added_labels=self.added_labels + labels, added_annotations=self.added_annotations + annotations
        )


def _matches_whole(pattern: str, text: str) -> bool:
    """Return whether a regular expression in the target of a patch matches the whole of ``text``.

    A pattern that Go cannot compile matches nothing, because kustomize refuses it.
    """
    if pattern.translate(_MARKS).isalnum():
        # Go's dot is any character, and a name has no line breaks.
        pairs = zip(pattern, text, strict=False)
        return len(pattern) == len(text) and all(part in {".", character} for part, character in pairs)
    from ..golang.regexp import PatternError, compile_pattern

    try:
        return compile_pattern(f"^(?:{pattern})$").search(text)
    except PatternError:
        return False


UNKNOWN: Final = Alteration(is_known=False, is_plain=False)
"""The alteration of a patch that cannot be read, or of which it is unknown whether it targets a Kustomization."""

MORE_VARIABLES: Final = Alteration(is_known=False)
"""An alteration that may add variables and has no other effect."""


def bounded(alterations: tuple[Alteration, ...]) -> tuple[Alteration, ...]:
    """Return the alterations; if there are more than 64, return a tuple of only `UNKNOWN`."""
    return alterations if len(alterations) <= _MOST else (UNKNOWN,)


def document_alterations(document: Document, above: Path = ()) -> tuple[tuple[Alteration, ...], bool]:
    """Return the alterations of the patches in a document, and whether its other patches are harmless.

    Alterations describe patches for Flux Kustomizations. Other patches are harmless if they change neither resources of
    the operator nor objects that these refer to.

    Args:
        above: Path of the mapping that has the patch fields of a kustomization.
    """
    return read_alterations(mapping(value_at(document.data, above)), Place(document, above))


def read_alterations(holder: Mapping[str, Any], place: Place) -> tuple[tuple[Alteration, ...], bool]:
    """Return the same as `document_alterations`, for a mapping with patch fields that is written at ``place``."""
    alterations: list[Alteration] = []
    is_plain = True
    for field in PATCH_FIELDS:
        for entry in listed(holder.get(field)):
            list_place = Place(place.document, (*place.path, field))
            for kind, group, patch, target in _patch_targets(entry, place.document.file):
                if kind == "Kustomization" and group in {"", _GROUP}:
                    alterations.append(_patch_alteration(patch, mapping(target), list_place))
                elif _may_change_checked(kind, group):
                    is_plain = False
    effective = (alteration for alteration in alterations if alteration.has_effect or alteration.changes_metadata)
    return tuple(effective), is_plain


def _may_change_checked(kind: str, group: str) -> bool:
    """Return whether a patch may change a checked object. Kind and group are patterns, or empty for any."""
    if _FOREIGN.match(group):
        return False
    is_literal = kind.isalnum()
    return not kind or (
        kind in _CHECKED_KINDS if is_literal else any(_matches_whole(kind, kind_name) for kind_name in _CHECKED_KINDS)
    )


def _patch_targets(entry: Any, file: str) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield the kind, API group, content and ``target`` of each patch in an entry of a patch field.

    Kind and group are those of the patched object, or empty if they are not known. The content is ``None`` if it is in
    another file.
    """
    target = entry.get("target") if isinstance(entry, dict) else None
    text = entry.get("patch") if isinstance(entry, dict) else entry
    if isinstance(target, dict) and isinstance(target.get("kind"), str):
        kind, group = target["kind"], str(target.get("group") or "")
        if _matches_whole(kind, "Kustomization") and (not group or _matches_whole(group, _GROUP)):
            yield from (
                ("Kustomization", (group and _GROUP) or _api_group(patch), patch, target)
                for patch in _patch_data(text, file)
            )
        if kind != "Kustomization":
            yield kind, group, None, target
    elif target is None:
        for patch in _patch_data(text, file):
            name = mapping(patch).get("metadata")
            target = {"name": re.escape(str(mapping(name).get("name") or ""))}
            yield str(mapping(patch).get("kind") or ""), _api_group(patch), patch, target
    else:
        yield "", "", None, target


def _patch_data(text: Any, file: str) -> list[Any]:
    if not isinstance(text, str) or "\n" not in text:
        return [None]
    documents, findings = read_documents(text, file)
    return [document.data for document in documents] if documents and not findings else [None]


def _api_group(patch: Any) -> str:
    return text_at(mapping(patch), "apiVersion").rpartition("/")[0]


def _patch_alteration(patch: Any, target: Mapping[str, Any], place: Place) -> Alteration:
    """Return the alteration of one patch for Flux Kustomizations.

    Args:
        patch: Content of the patch; ``None`` if it is in another file.
        target: Target that the list entry states; empty if the patch names its object itself.
    """
    name_pattern = text_at(target, "name")
    if isinstance(patch, list):
        alteration = _json_patch_alteration(patch, place)
    elif isinstance(patch, dict):
        alteration = _spec_alteration(mapping(patch.get("spec")), place)
        metadata = mapping(patch.get("metadata"))
        alteration = alteration._replace(changes_metadata=bool(metadata.get("labels") or metadata.get("annotations")))
    else:
        alteration = UNKNOWN
    labels, annotations = target.get("labelSelector") or "", target.get("annotationSelector") or ""
    is_certain = not target.get("namespace") and isinstance(labels, str) and isinstance(annotations, str)
    if alteration.has_effect and not is_certain:
        return UNKNOWN._replace(name_pattern=name_pattern)
    return alteration._replace(
        name_pattern=name_pattern, place=place, label_selector=str(labels), annotation_selector=str(annotations)
    )


def _spec_alteration(spec: Mapping[str, Any], place: Place) -> Alteration:
    post_build = mapping(spec.get("postBuild"))
    namespace = spec.get("targetNamespace")
    inner, is_plain = read_alterations(spec, place)
    sources = post_build.get("substituteFrom")
    return Alteration(
        namespace=namespace if isinstance(namespace, str) and namespace else None,
        variables=tuple(
            (str(name), text) for name, text in mapping(post_build.get("substitute")).items() if isinstance(text, str)
        ),
        sources=tuple(_source_names(sources)) if isinstance(sources, list) else None,
        is_plain=is_plain
        and all(alteration.is_plain for alteration in inner)
        and not any(spec.get(field) for field in ("components", "namePrefix", "nameSuffix", "path")),
        is_known=not any(alteration.has_effect for alteration in inner),
    )


def _json_patch_alteration(operations: Iterable[Any], place: Place) -> Alteration:
    """Return the alteration of a JSON patch.

    The alteration is ``UNKNOWN`` if an operation removes a relevant field, changes only a part of one, or changes
    patches or the whole ``spec``.
    """
    spec: dict[str, Any] = {}
    changes_metadata = False
    for operation in map(mapping, operations):
        steps = str(operation.get("path")).split("/")[1:]
        changes_metadata = changes_metadata or steps[:1] == ["metadata"] or steps == [""]
        if steps[:1] != ["spec"] or (len(steps) > 1 and steps[1] not in _RELEVANT):
            continue
        if operation.get("op") not in ("add", "replace") or len(steps) != 2 or steps[1] in PATCH_FIELDS:
            return UNKNOWN
        spec[steps[1]] = operation.get("value")
    return _spec_alteration(spec, place)._replace(changes_metadata=changes_metadata)


def metadata_pairs(data: Mapping[str, Any], field: str) -> Pairs:
    """Return the pairs of text in the labels or annotations of an object; ``field`` names which."""
    stated = mapping(mapping(data.get("metadata")).get(field))
    return tuple((str(key), value) for key, value in stated.items() if isinstance(value, str))


def _source_names(sources: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for source in map(mapping, sources):
        yield str(source.get("kind")), str(source.get("name"))
