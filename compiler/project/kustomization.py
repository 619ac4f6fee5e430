"""What a kustomization.yaml states about the files that it lists: their namespace and the names of their resources."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from ..diagnostics import file_path
from ..diagnostics.plain import listed, text_at
from ..reading.document import Place

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from ..reading.document import Document
    from .alteration import Alteration, Pairs

_LISTS = ("resources", "components", "bases")
PATCHES = ("patches", "patchesStrategicMerge", "patchesJson6902")
_GENERATORS = (("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret"))
_COMPARING = ("assert", "error")
_APPLYING = ("apply", "create", "update", "patch")
ANY = "*"
"""In place of a name: what is generated may have any."""
_PLAIN = frozenset(
    {
        *(
            "apiVersion",
            "kind",
            "metadata",
            "namespace",
            "resources",
            "bases",
            "buildMetadata",
            "sortOptions",
            "openapi",
        ),
        *("labels", "commonLabels", "commonAnnotations", "images", "replicas"),
        *("configMapGenerator", "secretGenerator", "generatorOptions"),
    }
)
"""Fields that change nothing of what our kinds refer to: neither names nor references nor what there is."""


class Kustomization(NamedTuple):
    """One kustomization file.

    Attributes:
        folder: Where it lies; the paths that it lists are relative to it.
        namespace: What it sets on every resource that it lists, where it does.
        listed: Files and folders that it lists, normalised.
        prefix: What it puts before the name of every resource that it lists.
        suffix: What it puts after it.
        patches: Files that it takes as patches, normalised: parts of resources, which are none themselves.
        patched: Of these files those whose target is known: path, kind and group of it; both are empty where a patch
            names the resource itself, and the group where a target states none.
        generated: Kind and name of what it makes itself and our kinds can refer to. Kustomize adds a hash to these
            names unless disabled, and follows them in kinds that it knows, unless ``configurations`` add some.
        is_plain: Whether it leaves resources as they are written, but for their namespace and labels.
        applied_by: Where it is no file of kustomize, but what a controller applies on its own (`delivery.py`): the
            folder and the cluster of that. ``folder`` is then what tells it from others.
        default_namespace: What it sets on resources that get no namespace otherwise.
        place: Of the namespace.
        retargets: Whether it makes its namespace the target of Flux's Kustomizations that it lists.
        replacements: Files that hold replacements for it.
        called: The name of a controller's object.
        altering: What its patches make of Flux's Kustomizations that it lists.
        components: Those of the listed that are components: what they do is done to all that it lists.
        labels: Of a controller's object its own; else those that it adds to all that it lists.
        annotations: Likewise.
        altered: What patches beside a controller's object make of it itself.
        is_suspended: Whether its controller leaves what it applies as it is.
        transformers: Paths of the transformers that it runs, in order: files, folders, or places in its own file.
        is_transformer: Whether it is no kustomization, but stands for a transformer, whose path ``folder`` is then.
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
    """Read what counts for us from the data of a kustomization, that of a document where places are asked for."""
    folder = os.path.dirname(file)
    namespace = data.get("namespace")
    applied = _files(folder, (entry for field in _LISTS for entry in listed(data.get(field))))
    patches = _files(folder, (entry for field in PATCHES for entry in listed(data.get(field))))
    alterations: tuple[Alteration, ...] = ()
    fields = data.keys() - {"components", "transformers"}
    if document is not None and not fields.isdisjoint(PATCHES):
        from .alteration import document_alterations

        alterations, is_plain = document_alterations(document)
        fields -= set(PATCHES) if is_plain else set()
    return Kustomization(
        folder,
        namespace if isinstance(namespace, str) else None,
        applied,
        text_at(data, "namePrefix"),
        text_at(data, "nameSuffix"),
        patches,
        tuple(_generated(data)),
        fields <= _PLAIN,
        place=Place(document, ("namespace",)) if document is not None and "namespace" in data else None,
        retargets=is_retargeting(listed(data.get("replacements"))),
        replacements=_files(folder, listed(data.get("replacements"))),
        patched=tuple(_patched(folder, data)),
        alterations=alterations,
        components=_files(folder, listed(data.get("components"))),
        labels=tuple(_added(data.get("commonLabels"))) + tuple(_label_pairs(data)),
        annotations=tuple(_added(data.get("commonAnnotations"))),
        transformers=tuple(path for path, _ in transformer_entries(file, data)),
    )


def transformer_entries(file: str, data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield path and text of each transformer that a kustomization lists; the text is empty unless it is written out.

    A path that cannot be read here, such as an address, is one that no file has.
    """
    for number, entry in enumerate(listed(data.get("transformers"))):
        if isinstance(entry, str) and "\n" in entry:
            yield f"{file}#transformers/{number}", entry
        else:
            yield next(iter(_files(os.path.dirname(file), [entry])), ""), ""


def _label_pairs(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for one in _objects(data.get("labels")):
        yield from _added(one.get("pairs"))


def _added(pairs: Any) -> Iterator[tuple[str, str]]:
    stated = pairs.items() if isinstance(pairs, dict) else ()
    yield from ((key, value) for key, value in stated if isinstance(key, str) and isinstance(value, str))


def by_folder(kustomizations: Iterable[Kustomization]) -> dict[str, Kustomization]:
    """Return kustomizations by their folders, as others list them."""
    return {file_path.normpath(one.folder or "."): one for one in kustomizations}


def starts(known: Mapping[str, Kustomization], reached: Container[str]) -> Iterator[str]:
    """Yield the kustomizations with which chains begin, by folder: those that no other lists.

    Of the rest, which list each other in a circle, as a cluster of Flux does with its own Kustomization, those of
    controllers come before others.

    Args:
        known: All of a project, by folder.
        reached: What has been reached from those before: it grows as they are followed.
    """
    listed = {path for one in known.values() for path in one.listed}
    for start in sorted(known, key=lambda one: (one in listed, not known[one].applied_by, one)):
        if start not in listed or start not in reached:
            yield start


def root_of(start: str, known: Mapping[str, Kustomization]) -> str:
    """Return what a chain is known by: the folder and the cluster of a controller's object, or the file."""
    return known[start].applied_by or file_path.join(start, "kustomization.yaml")


def replacements_file(file: str) -> Kustomization:
    """Return what stands for a file of replacements that set the target of Flux's Kustomizations."""
    return Kustomization(file, None, frozenset(), is_plain=True, retargets=True)


def chainsaw_test(file: str, data: Any) -> Kustomization:
    """Return what stands for a test of Chainsaw: the files with which it compares, and that it does not apply.

    Source: the Test API of Chainsaw (apply, create, assert, error), as of 2026.
    """
    compared, applied = set[str](), set[str]()
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for key, found in ((_COMPARING, compared), (_APPLYING, applied)):
                entries = (value.get(one) for one in key)
                found |= {str(one["file"]) for one in entries if isinstance(one, dict) and "file" in one}
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    parts = _files(os.path.dirname(file), sorted(compared - applied))
    return Kustomization(f"{file}#", None, frozenset(), patches=parts, is_plain=True)


def unknown_objects(file: str, kinds: Iterable[str]) -> Kustomization:
    """Return what stands for a file of templates that may make objects of ``kinds``, under any name."""
    generated = tuple((kind, ANY) for kind in sorted(kinds))
    return Kustomization(f"{file}#", None, frozenset(), generated=generated, is_plain=True)


def is_retargeting(replacements: Any) -> bool:
    """Return whether replacements set ``spec.targetNamespace``: all that do so take it from the namespace around."""
    targets = [target for one in _objects(replacements) for target in _objects(one.get("targets"))]
    return any("spec.targetNamespace" in listed(target.get("fieldPaths")) for target in targets)


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    yield from (one for one in listed(value) if isinstance(one, dict))


def _generated(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    # A generated name ends in a hash of the content, which is not computed here, unless that is disabled.
    is_plain = bool(data.get("configurations")) or _is_without_hash(data.get("generatorOptions"))
    for field, kind in _GENERATORS:
        for one in listed(data.get(field)):
            is_named = isinstance(one, dict) and isinstance(one.get("name"), str)
            if is_named and (is_plain or _is_without_hash(one.get("options"))):
                yield kind, one["name"]


def _is_without_hash(options: Any) -> bool:
    return isinstance(options, dict) and options.get("disableNameSuffixHash") is True


def _files(folder: str, entries: Iterable[Any]) -> frozenset[str]:
    """Return the files and folders of a list: texts, or objects with a path. Patches may be written out instead."""
    paths = (entry.get("path") if isinstance(entry, dict) else entry for entry in entries)
    return frozenset(
        file_path.normpath(file_path.join(folder, path))
        for path in paths
        # An address, or a patch that is written out.
        if isinstance(path, str) and "://" not in path and "\n" not in path
    )


def patch_target(patch: Any) -> tuple[str, str] | None:
    """Return kind and group of what a patch is for, empty where it names that itself; ``None`` where it is not known.

    Args:
        patch: An entry of ``patches`` and the like.
    """
    target = patch.get("target") if isinstance(patch, dict) else None
    if target is None:
        return "", ""
    if not isinstance(target, dict):
        return None
    kind, group = target.get("kind"), target.get("group", "")
    return (kind, group) if isinstance(kind, str) and kind and isinstance(group, str) else None


def _patched(folder: str, data: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for field in PATCHES:
        for entry in listed(data.get(field)):
            target = patch_target(entry)
            if target is not None:
                yield from ((path, *target) for path in _files(folder, [entry]))
