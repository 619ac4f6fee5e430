"""Read the effects of a kustomization.yaml on the files that it lists. Other objects are described in the same form."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import listed, text_at
from ..reading.document import Place
from .patch_field import PATCH_FIELDS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from ..reading.document import Document
    from .alteration import Alteration, Pairs

_LISTS = ("resources", "components", "bases")
_GENERATORS = (("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret"))
_COMPARING = ("assert", "error")
_APPLYING = ("apply", "create", "update", "patch")
"""Operations of a Chainsaw test that apply a file; those in `_COMPARING` only compare it with the cluster."""
ANY = "*"
"""Stands for any name, for generated objects whose names are unknown."""
_PLAIN = frozenset(
    """
    apiVersion kind metadata namespace resources bases buildMetadata sortOptions openapi labels commonLabels
    commonAnnotations images replicas configMapGenerator secretGenerator generatorOptions
    """.split()
)
"""Fields that change neither names nor references of what is checked."""


class Kustomization(NamedTuple):
    """The effect of a kustomization on the files that it lists.

    An instance stands for a file of kustomize (`read`), a delivery (`delivery.as_kustomizations`), a transformer, a
    file of replacements, or a Chainsaw test. Paths are normalized.

    Attributes:
        folder: Folder of the file, which is unique. For other objects, a path that is unique to the object.
        namespace: Namespace that is set on every listed resource, if any.
        listed: Paths of listed files and folders.
        prefix: Prefix of the name of every listed resource.
        suffix: Suffix of the name of every listed resource.
        patches: Files with patches. They contain parts of resources, so they are not checked as resources.
        patched: Path, kind and API group for each file in ``patches`` whose target is known. Kind and group are empty
            if the patch names its target itself. The group is also empty if the target states none.
        generated: Kind and name of each generated object that resources of the operator can refer to. Names that get a
            hash are left out: kustomize does not add it to references in kinds that it does not know.
        is_plain: True if resources stay as they are written, except for their namespace and labels.
        applied_by: Folder of the file and target cluster of a delivery; empty for others.
        default_namespace: Namespace of listed resources that get none otherwise.
        place: Place that states the namespace.
        retargets: True if replacements copy the namespace into the ``targetNamespace`` of listed Flux Kustomizations.
        object_name: Name of a Flux Kustomization; empty for others.
        alterations: Effects of the patches on Flux Kustomizations in the listed files.
        components: The paths in ``listed`` that are components. They also change the other listed resources.
        labels: Labels that are added to all listed resources; for a Flux Kustomization, its own labels.
        annotations: Annotations that are added to all listed resources; for a Flux Kustomization, its own annotations.
        self_alterations: Effects of the patches in a FluxInstance on the Flux Kustomization that is generated from it.
        is_suspended: True for a delivery whose controller does not apply changes at present.
        transformers: Paths of transformers in the order in which they run: files, folders, or
            ``FILE#transformers/NUMBER`` for one that is written in the kustomization.
        is_transformer: True if the instance stands for a transformer.
    """

    folder: str
    namespace: str | None
    listed: frozenset[str]
    prefix: str = ""
    suffix: str = ""
    patches: frozenset[str] = frozenset()
    generated: tuple[tuple[str, str], ...] = ()
    is_plain: bool = False
    applied_by: str = ""
    default_namespace: str | None = None
    place: Place | None = None
    retargets: bool = False
    replacements: frozenset[str] = frozenset()
    patched: tuple[tuple[str, str, str], ...] = ()
    object_name: str = ""
    alterations: tuple[Alteration, ...] = ()
    components: frozenset[str] = frozenset()
    labels: Pairs = ()
    annotations: Pairs = ()
    self_alterations: tuple[Alteration, ...] = ()
    is_suspended: bool = False
    transformers: tuple[str, ...] = ()
    is_transformer: bool = False


def read(file: str, data: Mapping[str, Any], document: Document | None = None) -> Kustomization:
    """Return the kustomization in a file.

    Args:
        document: Document with this content. Without it, places and the alterations of patches are left out.
    """
    folder = os.path.dirname(file)
    namespace = data.get("namespace")
    listed_paths = _local_paths(folder, (entry for field in _LISTS for entry in listed(data.get(field))))
    patches = _local_paths(folder, (entry for field in PATCH_FIELDS for entry in listed(data.get(field))))
    alterations: tuple[Alteration, ...] = ()
    fields = data.keys() - {"components", "transformers"}
    if document is not None and not fields.isdisjoint(PATCH_FIELDS):
        from .alteration import document_alterations

        alterations, is_plain = document_alterations(document)
        fields -= set(PATCH_FIELDS) if is_plain else set()
    return Kustomization(
        folder,
        namespace if isinstance(namespace, str) else None,
        listed_paths,
        text_at(data, "namePrefix"),
        text_at(data, "nameSuffix"),
        patches,
        tuple(_referable_names(data)),
        fields <= _PLAIN,
        place=Place(document, ("namespace",)) if document is not None and "namespace" in data else None,
        retargets=is_retargeting(listed(data.get("replacements"))),
        replacements=_local_paths(folder, listed(data.get("replacements"))),
        patched=tuple(_patch_targets(folder, data)),
        alterations=alterations,
        components=_local_paths(folder, listed(data.get("components"))),
        labels=tuple(_text_pairs(data.get("commonLabels"))) + tuple(_label_pairs(data)),
        annotations=tuple(_text_pairs(data.get("commonAnnotations"))),
        transformers=tuple(path for path, _ in transformer_entries(file, data)),
    )


def transformer_entries(file: str, data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each transformer that a kustomization lists.

    The text is empty if the transformer is in another file. The path is empty if the entry is a URL or has a wrong
    type, because such a transformer is not read.
    """
    for number, entry in enumerate(listed(data.get("transformers"))):
        if isinstance(entry, str) and "\n" in entry:
            yield f"{file}#transformers/{number}", entry
        else:
            yield next(iter(_local_paths(os.path.dirname(file), [entry])), ""), ""


def _label_pairs(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for entry in _objects(data.get("labels")):
        yield from _text_pairs(entry.get("pairs"))


def _text_pairs(pairs: Any) -> Iterator[tuple[str, str]]:
    stated = pairs.items() if isinstance(pairs, dict) else ()
    yield from ((key, value) for key, value in stated if isinstance(key, str) and isinstance(value, str))


def by_folder(kustomizations: Iterable[Kustomization]) -> dict[str, Kustomization]:
    """Return the kustomizations by their normalized folder. Other kustomizations list folders in this form."""
    return {file_path.normpath(link.folder or "."): link for link in kustomizations}


def chain_starts(links: Mapping[str, Kustomization], reached: Container[str]) -> Iterator[str]:
    """Yield the folders of the kustomizations that chains start at: those that no other kustomization lists.

    In a cycle, another kustomization lists each member; for example, the first Kustomization of a Flux cluster often
    lists itself. If no other start reaches a cycle, one of its members is a start as well, preferably a delivery.

    Args:
        reached: Folders that the caller has reached from earlier starts. The caller extends it between two results.
    """
    listed = {path for link in links.values() for path in link.listed}
    for start in sorted(links, key=lambda folder: (folder in listed, not links[folder].applied_by, folder)):
        if start not in listed or start not in reached:
            yield start


def root_of(start: str, links: Mapping[str, Kustomization]) -> str:
    """Return the identity of a chain that starts at the folder ``start``.

    It is the folder and cluster of a delivery, or the path of a ``kustomization.yaml``.
    """
    return links[start].applied_by or file_path.join(start, "kustomization.yaml")


def replacements_file(file: str) -> Kustomization:
    """Return the `Kustomization` for a replacements file that sets ``spec.targetNamespace`` of Flux Kustomizations."""
    return Kustomization(file, None, frozenset(), is_plain=True, retargets=True)


def chainsaw_test(file: str, data: Any) -> Kustomization:
    """Return the `Kustomization` for a Chainsaw test.

    Its patches are the files that Chainsaw compares with objects and never applies.

    Source: the Test API of Chainsaw (apply, create, assert, error), as of 2026.
    """
    compared, applied = set[str](), set[str]()
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for key, files in ((_COMPARING, compared), (_APPLYING, applied)):
                entries = (value.get(name) for name in key)
                files |= {str(entry["file"]) for entry in entries if isinstance(entry, dict) and "file" in entry}
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    parts = _local_paths(os.path.dirname(file), sorted(compared - applied))
    return Kustomization(f"{file}#", None, frozenset(), patches=parts, is_plain=True)


def unknown_objects(file: str, kinds: Iterable[str]) -> Kustomization:
    """Return the `Kustomization` for templates that may generate objects of ``kinds`` under any name."""
    generated = tuple((kind, ANY) for kind in sorted(kinds))
    return Kustomization(f"{file}#", None, frozenset(), generated=generated, is_plain=True)


def is_retargeting(replacements: Any) -> bool:
    """Return whether replacements set ``spec.targetNamespace``.

    The source is assumed to be the namespace of the kustomization, as in all projects that are known to do this.
    """
    targets = [target for entry in _objects(replacements) for target in _objects(entry.get("targets"))]
    return any("spec.targetNamespace" in listed(target.get("fieldPaths")) for target in targets)


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    yield from (item for item in listed(value) if isinstance(item, dict))


def _referable_names(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    # Kustomize adds a hash to a generated name unless that is disabled. It adds the hash to references in kinds of the
    # operator, too, if `configurations` name their fields.
    is_resolved = bool(data.get("configurations")) or _is_without_hash(data.get("generatorOptions"))
    for field, kind in _GENERATORS:
        for generator in listed(data.get(field)):
            is_named = isinstance(generator, dict) and isinstance(generator.get("name"), str)
            if is_named and (is_resolved or _is_without_hash(generator.get("options"))):
                yield kind, generator["name"]


def _is_without_hash(options: Any) -> bool:
    return isinstance(options, dict) and options.get("disableNameSuffixHash") is True


def _local_paths(folder: str, entries: Iterable[Any]) -> frozenset[str]:
    """Return the local paths in a list field of a kustomization, without URLs and inline patches."""
    paths = (entry.get("path") if isinstance(entry, dict) else entry for entry in entries)
    return frozenset(
        file_path.normpath(file_path.join(folder, path))
        for path in paths
        # Other texts are addresses, or patches that are written in the kustomization.
        if isinstance(path, str) and "://" not in path and "\n" not in path
    )


def patch_target(patch: Any) -> tuple[str, str] | None:
    """Return the kind and the API group that the target of a patch states.

    Both are empty if the patch has no target, so it names its object itself. The group is empty if it is not stated.
    The result is ``None`` if the target does not state a kind, or cannot be read.

    Args:
        patch: Entry of a list of patches.
    """
    target = patch.get("target") if isinstance(patch, dict) else None
    if target is None:
        return "", ""
    if not isinstance(target, dict):
        return None
    kind, group = target.get("kind"), target.get("group", "")
    return (kind, group) if isinstance(kind, str) and kind and isinstance(group, str) else None


def _patch_targets(folder: str, data: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for field in PATCH_FIELDS:
        for entry in listed(data.get(field)):
            target = patch_target(entry)
            if target is not None:
                yield from ((path, *target) for path in _local_paths(folder, [entry]))
