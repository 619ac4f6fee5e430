"""Read which folders of the repository Flux and Argo CD apply, and into which namespaces.

A delivery is an object that makes Flux or Argo CD apply folders: a Kustomization, an Application, each Application of
an ApplicationSet, or the Kustomization that a FluxInstance generates. Deliveries form chains, because the files that
one of them applies may declare others.
"""

from __future__ import annotations

import os
import re
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from ..diagnostics import file_path
from ..diagnostics.budget import SpentError, changed_texts
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import listed, mapping, text_at, value_at
from ..diagnostics.secret.text import is_sensitive, is_withheld
from ..disk.files import lies_in
from ..reading.document import Place
from .alteration import UNKNOWN, document_alterations, metadata_pairs, read_alterations
from .kustomization import Kustomization
from .patch_field import PATCH_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.budget import Budget
    from ..diagnostics.span import Path
    from ..reading.document import Document
    from .alteration import Alteration

_RENAMING: Final = ("namePrefix", "nameSuffix")
_PARAMETER: Final = r"\{\{([^{}]*)\}\}"
_SKIPPED: Final = "argocd.argoproj.io/skip-reconcile"  # stops Argo CD from applying changes of an Application
_MOST_PROBED: Final = 8
"""Maximum number of deliveries whose paths are tried, because each path is compared with all files."""
_FOLDER_FIELDS: Final = ("path", "path.path", "path.basename", "path.basenameNormalized")
"""Parameters that the Git directory generator of Argo CD offers, with and without Go templates."""


class Delivery(NamedTuple):
    """An object that makes Flux or Argo CD apply folders of the repository.

    Attributes:
        name: Name that is unique among the deliveries of the file.
        folders: Applied folders, relative to the root of the repository. A last component ``*`` stands for every name.
        applied: Kustomization that describes what happens to the applied files. Its ``folder`` and ``listed`` are
            empty, and its ``components`` are relative to ``folders``, until `as_kustomizations` fills them in.
        is_default: True if the namespace only applies to resources that get none otherwise.
        is_deep: True if folders without a kustomization are applied with their subfolders.
        cluster: Target cluster; empty for the cluster of the object itself.
        variables: Name and value of each variable that Flux substitutes.
        sources: Kind and name of each ConfigMap and Secret with more variables; later ones win.
        repository: Name of the source of a Flux Kustomization, or an empty text.
        is_judged: True if the object may contain objects of the operator, or parts of them.
    """

    document: Document
    name: str
    folders: tuple[str, ...]
    applied: Kustomization
    is_default: bool = False
    is_deep: bool = True
    cluster: str = ""
    variables: tuple[tuple[str, str], ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    repository: str = ""
    is_judged: bool = True

    @property
    def file(self) -> str:
        """Path of the file that declares the object."""
        return self.document.file


def read(document: Document, budget: Budget) -> list[Delivery]:
    """Return the deliveries that an object of Flux or Argo CD declares. An ApplicationSet may declare several.

    If the budget of the file is too small, an ApplicationSet yields fewer Applications.
    """
    data = document.data
    spec = mapping(data.get("spec"))
    name = f"{data['kind']}.{document.index}"
    if document.prefix:  # All objects of a ResourceSet have the index of its document, so a checksum is added.
        name += f".{crc32(repr((document.prefix, data)).encode('utf-8', 'surrogatepass'))}"
    if data["kind"] == "Kustomization":
        return [_read_flux_kustomization(document, spec, name)]
    if data["kind"] == "FluxInstance":
        return list(_read_flux_instance(document, spec, name))
    if data["kind"] == "Application":
        return [_read_argo_cd_source(document, spec, name, ("spec",))]
    return list(_read_application_set(document, spec, name, budget))


def _read_application_set(document: Document, spec: Mapping[str, Any], name: str, budget: Budget) -> Iterator[Delivery]:
    template = mapping(mapping(spec.get("template")).get("spec"))
    path: Path = ("spec", "template", "spec")
    try:
        for number, values in enumerate(_generator_values(spec.get("generators"))):
            budget.spend(objects=1)
            yield _read_argo_cd_source(document, _fill_in(template, values, budget), f"{name}.{number}", path)
    except SpentError:
        return


def _read_flux_kustomization(document: Document, spec: Mapping[str, Any], name: str) -> Delivery:
    namespace = _text(spec.get("targetNamespace"))
    post_build = mapping(spec.get("postBuild"))
    variables = mapping(post_build.get("substitute")).items()
    sources = map(mapping, listed(post_build.get("substituteFrom")))
    alterations, is_plain = document_alterations(document, ("spec",)) if spec.get("patches") else ((), True)
    return Delivery(
        document,
        name,
        (_text(spec.get("path")) or ".",),
        Kustomization(
            "",
            namespace,
            frozenset(),
            text_at(spec, "namePrefix"),
            text_at(spec, "nameSuffix"),
            is_plain=is_plain and not any(spec.get(field) for field in _RENAMING),
            place=Place(document, ("spec", "targetNamespace")) if namespace else None,
            object_name=text_at(mapping(document.data.get("metadata")), "name"),
            alterations=alterations,
            components=frozenset(filter(None, map(_text, listed(spec.get("components"))))),
            labels=metadata_pairs(document.data, "labels"),
            annotations=metadata_pairs(document.data, "annotations"),
            is_suspended=spec.get("suspend") is True,
        ),
        cluster=text_at(mapping(mapping(spec.get("kubeConfig")).get("secretRef")), "name"),
        variables=tuple((str(name), value) for name, value in variables if isinstance(value, str)),
        sources=tuple((str(source.get("kind")), str(source.get("name"))) for source in sources),
        repository=text_at(mapping(spec.get("sourceRef")), "name"),
        is_judged=not spec.keys().isdisjoint({"healthChecks", *PATCH_FIELDS}),
    )


def _read_flux_instance(document: Document, spec: Mapping[str, Any], name: str) -> Iterator[Delivery]:
    """Yield the delivery of a FluxInstance: the Kustomization that the Flux operator generates from ``sync``, if set.

    Source: the FluxInstance API of the Flux operator (sync, kustomize), as of 2026.
    """
    sync = mapping(spec.get("sync"))
    path = _text(sync.get("path"))
    if path is None:
        return
    object_name = text_at(sync, "name") or text_at(mapping(document.data.get("metadata")), "namespace") or "flux-system"
    patches = document_alterations(document, ("spec", "kustomize"))[0]
    alterations = tuple(patch for patch in patches if patch.targets(object_name))
    applied = Kustomization(
        "",
        None,
        frozenset(),
        is_plain=all(patch.is_plain for patch in alterations),
        object_name=object_name,
        alterations=() if all(patch.is_known for patch in alterations) else (UNKNOWN,),
        self_alterations=alterations,
    )
    yield Delivery(document, name, (path,), applied)


def _read_argo_cd_source(document: Document, spec: Mapping[str, Any], name: str, path: Path) -> Delivery:
    sources = [mapping(source) for source in (spec.get("source"), *listed(spec.get("sources")))]
    folders = [_text(source.get("path")) for source in sources if not source.get("chart") and not source.get("helm")]
    builds = [mapping(source.get("kustomize")) for source in sources]
    destination = mapping(spec.get("destination"))
    built_namespace = next((build["namespace"] for build in builds if _text(build.get("namespace"))), None)
    namespace = built_namespace or _text(destination.get("namespace"))
    annotations = metadata_pairs(mapping(value_at(document.data, path[:-1])), "annotations")
    return Delivery(
        document,
        name,
        tuple(folder for folder in folders if folder),
        Kustomization(
            "",
            namespace,
            frozenset(),
            next((build["namePrefix"] for build in builds if _text(build.get("namePrefix"))), ""),
            next((build["nameSuffix"] for build in builds if _text(build.get("nameSuffix"))), ""),
            is_plain=all(
                read_alterations(build, Place(document, path))[1] and not any(build.get(field) for field in _RENAMING)
                for build in builds
            ),
            place=Place(document, (*path, "destination", "namespace")) if namespace and not built_namespace else None,
            components=frozenset(_text(path) or "" for build in builds for path in listed(build.get("components"))),
            is_suspended=(_SKIPPED, "true") in annotations,
        ),
        is_default=built_namespace is None,
        is_deep=any(mapping(source.get("directory")).get("recurse") is True for source in sources),
        cluster=text_at(destination, "name") or text_at(destination, "server"),
    )


def _generator_values(generators: Any) -> Iterator[dict[str, str]]:
    """Yield the string parameters of each list element and of each path pattern of a Git directory generator.

    A pattern may match several folders; `as_kustomizations` expands it. Other generators are skipped.
    """
    for generator in listed(generators):
        for element in listed(mapping(mapping(generator).get("list")).get("elements")):
            yield {str(key): value for key, value in mapping(element).items() if isinstance(value, str)}
        for folder in listed(mapping(mapping(generator).get("git")).get("directories")):
            path = _text(mapping(folder).get("path"))
            if path and mapping(folder).get("exclude") is not True:
                # `as_kustomizations` finds out which folders match, because it knows all files.
                yield dict.fromkeys(_FOLDER_FIELDS, path) | {"path.basename": "*", "path.basenameNormalized": "*"}


def _fill_in(value: Any, values: Mapping[str, str], budget: Budget) -> Any:
    """Return a template in which the parameters ``{{name}}`` and ``{{.name}}`` are replaced by their values.

    As in Argo CD, parameters in a filled-in value are not filled in again. A parameter with the name of a secret stays
    as it is, because findings would show its value. Raises `SpentError` if the budget is too small.
    """

    def fill(match: re.Match[str]) -> str:
        name = match[1].strip().removeprefix(".")
        text = values.get(name, match[0])
        if is_sensitive(name) and is_withheld(text):
            return match[0]
        budget.spend(steps=1, characters=len(text))
        return text

    def fill_text(text: str) -> str:
        # The patches of each Application are read again, so texts without parameters cost something, too.
        budget.spend(characters=len(text))
        return re.compile(_PARAMETER).sub(fill, text)

    return changed_texts(value, fill_text, budget)


def as_kustomizations(
    deliveries: Sequence[Delivery], kustomizations: Sequence[Kustomization], files: Iterable[str], budget: Budget
) -> list[Kustomization]:
    """Return the kustomizations of a project, followed by those that stand for its deliveries.

    A kustomization that lists a file also lists the deliveries that the file declares. A delivery lists the ``files``
    of the project that it applies, or only some of them if the budget of the project is too small.
    """
    tree = _Tree(files, {file_path.normpath(link.folder or ".") for link in kustomizations})
    by_file: dict[str, set[str]] = {}
    delivered: list[Kustomization] = []
    for delivery in deliveries:
        nodes = list(_delivered_kustomizations(delivery, tree, budget))
        delivered += nodes
        by_file.setdefault(file_path.normpath(delivery.file), set()).update(link.folder for link in nodes)
    retargeting = {file_path.normpath(link.folder) for link in kustomizations if link.retargets}
    flux_objects = [link for link in delivered if link.object_name]
    may_relabel = any(link.labels or link.annotations for link in kustomizations)
    linked: list[Kustomization] = []
    for link in (*kustomizations, *delivered):
        declared = [by_file[path] for path in link.listed & by_file.keys()]
        patches = [patch for patch in link.alterations if not patch.is_plain]
        is_known = budget.grants(link.folder, steps=sum(map(len, declared)) + len(patches) * len(flux_objects))
        is_patched = any(may_target_any(patch, flux_objects, may_relabel=may_relabel) for patch in patches if is_known)
        linked.append(
            link._replace(
                listed=link.listed.union(*declared) if is_known else link.listed,
                retargets=link.retargets or not link.replacements.isdisjoint(retargeting),
                is_plain=link.is_plain and is_known and not is_patched,
            )
        )
    return linked


def may_target_any(alteration: Alteration, flux_objects: Iterable[Kustomization], *, may_relabel: bool) -> bool:
    """Return whether a patch may target an object of Flux. With ``may_relabel``, its selectors may match any."""
    if may_relabel:
        alteration = alteration._replace(label_selector="", annotation_selector="")
    verdicts = (alteration.targets(link.object_name, link.labels, link.annotations) for link in flux_objects)
    return any(verdict is not False for verdict in verdicts)


def repository_root_above(deliveries: Sequence[Delivery], files: Iterable[str], asked: Iterable[str]) -> str:
    """Return the root of the repository, relative to the current folder; empty if it is unknown.

    It is the folder from which the path of a delivery leads to a file that was read. Only the first 8 deliveries are
    tried. The result is also empty if ``asked`` contains a folder that is not below the root.

    Args:
        files: Paths of all files that were read.
        asked: Folders that the call names.
    """
    folders = [file_path.abspath(folder) for folder in asked]
    absolute_files = file_path.abspaths(files) if folders else []
    for delivery in deliveries[:_MOST_PROBED]:
        steps = file_path.abspath(os.path.dirname(delivery.file)).split("/")
        for applied_path in delivery.folders:
            path = file_path.normpath(applied_path.strip("/"))
            for count in (count for count in range(1, len(steps)) if steps[count] == path.split("/")[0]):
                root = "/".join(steps[:count]) if count > 1 else f"{steps[0]}/"
                if any(lies_in(file, file_path.join(root, path)) for file in absolute_files):
                    is_shared = all(lies_in(os.path.dirname(folder), root) for folder in folders)
                    return file_path.relpath(root) if is_shared else ""
    return ""


def _delivered_kustomizations(delivery: Delivery, tree: _Tree, budget: Budget) -> Iterator[Kustomization]:
    """Yield the kustomizations that stand for a delivery: one for each text that the ``*`` of its folders matches."""
    matched: dict[str, list[str]] = {}
    for path in delivery.folders:
        for folder, match in tree.find_folders(delivery.file, path):
            matched.setdefault(match, []).append(folder)
    for match, folders in sorted(matched.items()):
        namespace = delivery.applied.namespace and delivery.applied.namespace.replace("*", match)
        if not budget.grants(delivery.file, objects=1, characters=len(namespace or "")):
            return
        paths = (file for folder in folders for file in tree.applied_files(folder, is_deep=delivery.is_deep))
        listed = set(takewhile(lambda _: budget.grants(delivery.file, steps=1), paths))
        inner = delivery.applied.components
        components = frozenset(file_path.normpath(f"{folder}/{path}") for folder in folders for path in inner)
        yield delivery.applied._replace(
            folder=file_path.normpath(f"{delivery.file}#{delivery.name}.{match}"),
            namespace=None if delivery.is_default else namespace,
            listed=frozenset(listed) | components,
            applied_by=f"{os.path.dirname(delivery.file)}/{delivery.cluster}",
            default_namespace=namespace if delivery.is_default else None,
            components=components,
        )


def roots_above(folder: str) -> list[str]:
    """Return the absolute path of a folder, and of each folder above it, outermost first."""
    above = file_path.abspath(folder)
    roots = [above]
    while above != (above := file_path.folder_of(above)):
        roots.append(above)
    return roots[::-1]


class _Tree:
    """The files of a project by folder."""

    def __init__(self, files: Iterable[str], kustomized: set[str]) -> None:
        self._kustomized = kustomized
        self._files: dict[str, list[str]] = {}
        self._subfolders: dict[str, set[str]] = {}
        for file in files:
            path = file_path.normpath(file)
            folder = file_path.folder_of(path) or "."
            if folder not in self._files:
                self._add(folder)
            self._files[folder].append(path)
        self._absolute = dict(zip(file_path.abspaths(self._files), self._files, strict=True))
        self._roots_above: dict[str, list[str]] = {}

    def _add(self, folder: str) -> None:
        self._files.setdefault(folder, [])
        parent = file_path.folder_of(folder) or "."
        if parent != folder and not folder.endswith(".."):
            self._subfolders.setdefault(parent, set()).add(folder)
            if parent not in self._files:
                self._add(parent)

    def find_folders(self, file: str, pattern: str) -> list[tuple[str, str]]:
        """Return the folders that the path in a delivery selects, each with the text that ``*`` matches, or ``""``.

        The root of the repository is unknown. It is taken to be the outermost folder above the file that has the path.

        Args:
            pattern: Path from the root of the repository. Its last component may be ``*``.
        """
        path = pattern.strip("/")
        folder = os.path.dirname(file) or "."
        if folder not in self._roots_above:
            self._roots_above[folder] = roots_above(folder)
        inner = file_path.normpath(path)
        is_below = inner != "." and not inner.startswith("..")
        for root in self._roots_above[folder]:
            wanted = f"{root.rstrip('/')}/{inner}" if is_below else file_path.normpath(file_path.join(root, path))
            if "*" not in path and wanted in self._absolute:
                return [(self._absolute[wanted], "")]
            parent = os.path.dirname(wanted)
            if os.path.basename(wanted) == "*" and "*" not in parent and parent in self._absolute:
                below = sorted(self._subfolders.get(self._absolute[parent], ()))
                return [(folder, os.path.basename(folder)) for folder in below]
        return []

    def applied_files(self, folder: str, *, is_deep: bool) -> Iterator[str]:
        waiting = [folder]
        while waiting:
            current = waiting.pop()
            if current in self._kustomized:
                yield current
                continue
            yield from self._files.get(current, ())
            if is_deep:
                waiting += sorted(self._subfolders.get(current, ()))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
