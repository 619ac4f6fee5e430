"""What Flux and Argo CD apply: folders of the repository, and the namespace that each of them goes into.

A delivery is a Kustomization of Flux or an Application of Argo CD; an ApplicationSet makes several, and a FluxInstance
the first of a cluster. What a repository applies is a chain of them: a cluster's own one leads to a folder, whose files
hold more.
"""

from __future__ import annotations

import os
import re
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zlib import crc32

from ..diagnostics import file_path
from ..diagnostics.budget import SpentError
from ..diagnostics.plain import listed, mapping, text_at, value_at
from ..diagnostics.secret_text import is_sensitive, is_withheld
from ..disk.files import lies_in
from ..reading.document import Place
from .alteration import UNKNOWN, document_alterations, metadata_pairs, read_alterations
from .kustomization import Kustomization

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.budget import Budget
    from ..diagnostics.span import Path
    from ..reading.document import Document
    from .alteration import Alteration

_ALTERING: Final = ("namePrefix", "nameSuffix")
_PARAMETER: Final = re.compile(r"\{\{([^{}]*)\}\}")
_SKIPPED: Final = "argocd.argoproj.io/skip-reconcile"
_MOST_ASKED: Final = 8
_FOLDER_FIELDS: Final = ("path", "path.path", "path.basename", "path.basenameNormalized")


class Delivery(NamedTuple):
    """One object by which a controller applies folders of the repository.

    Attributes:
        document: The document that declares it.
        name: The name that tells it from others of the file.
        folders: The folders that it applies, from the root of the repository; with ``*`` in one, all that match.
        applied: What it does to all that it applies. ``folder`` and ``listed`` are empty, and ``components`` are paths
            in its folders: where these are shows when all files are known.
        is_default: Whether its namespace is only for resources that have none by kustomizations either.
        is_deep: Whether it applies what lies in folders below, too.
        cluster: The cluster that it applies them to, if that is not its own.
        variables: What Flux puts in place of ``${NAME}``, by name.
        sources: Kind and name of ConfigMaps and Secrets that hold more variables; later ones win.
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

    @property
    def file(self) -> str:
        """The file that declares it."""
        return self.document.file


def read(document: Document, budget: Budget) -> list[Delivery]:
    """Return the deliveries that a document declares; none where it states no folder of a repository.

    Args:
        document: An object of Flux or Argo CD.
        budget: That of its file: an ApplicationSet makes no more Applications than it grants.
    """
    data = document.data
    spec = mapping(data.get("spec"))
    name = f"{data['kind']}.{document.index}"
    if document.prefix:  # of a ResourceSet, which may make several in one place
        name += f".{crc32(repr((document.prefix, data)).encode('utf-8', 'surrogatepass'))}"
    if data["kind"] == "Kustomization":
        return [_of_flux(document, spec, name)]
    if data["kind"] == "FluxInstance":
        return list(_of_instance(document, spec, name))
    if data["kind"] == "Application":
        return [_of_argo_cd(document, spec, name, ("spec",))]
    return list(_of_set(document, spec, name, budget))


def _of_set(document: Document, spec: Mapping[str, Any], name: str, budget: Budget) -> Iterator[Delivery]:
    template = mapping(mapping(spec.get("template")).get("spec"))
    path: Path = ("spec", "template", "spec")
    try:
        for number, values in enumerate(_generated(spec.get("generators"))):
            budget.spend(objects=1)
            yield _of_argo_cd(document, _filled(template, values, budget), f"{name}.{number}", path)
    except SpentError:
        return


def _of_flux(document: Document, spec: Mapping[str, Any], name: str) -> Delivery:
    cluster = mapping(mapping(spec.get("kubeConfig")).get("secretRef")).get("name")
    namespace = _text(spec.get("targetNamespace"))
    after = mapping(spec.get("postBuild"))
    stated = {name: value for name, value in mapping(after.get("substitute")).items() if isinstance(value, str)}
    sources = map(mapping, listed(after.get("substituteFrom")))
    altering, is_plain = document_alterations(document, ("spec",)) if spec.get("patches") else ((), True)
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
            is_plain=is_plain and not any(spec.get(field) for field in _ALTERING),
            place=Place(document, ("spec", "targetNamespace")) if namespace else None,
            object_name=text_at(mapping(document.data.get("metadata")), "name"),
            alterations=altering,
            components=frozenset(filter(None, map(_text, listed(spec.get("components"))))),
            labels=metadata_pairs(document.data, "labels"),
            annotations=metadata_pairs(document.data, "annotations"),
            is_suspended=spec.get("suspend") is True,
        ),
        cluster=_text(cluster) or "",
        variables=tuple((str(name), value) for name, value in stated.items()),
        sources=tuple((str(one.get("kind")), str(one.get("name"))) for one in sources),
    )


def _of_instance(document: Document, spec: Mapping[str, Any], name: str) -> Iterator[Delivery]:
    """Yield the Kustomization that the Flux operator makes of what an instance is to synchronize, if it is to.

    Source: the FluxInstance API of the Flux operator (sync, kustomize), as of 2026.
    """
    sync = mapping(spec.get("sync"))
    path = _text(sync.get("path"))
    if path is None:
        return
    called = _text(sync.get("name")) or _text(mapping(document.data.get("metadata")).get("namespace")) or "flux-system"
    patches = document_alterations(document, ("spec", "kustomize"))[0]
    altered = tuple(one for one in patches if one.targets(called))
    applied = Kustomization(
        "",
        None,
        frozenset(),
        is_plain=all(one.is_plain for one in altered),
        object_name=called,
        alterations=() if all(one.is_known for one in altered) else (UNKNOWN,),
        self_alterations=altered,
    )
    yield Delivery(document, name, (path,), applied)


def _of_argo_cd(document: Document, spec: Mapping[str, Any], name: str, path: Path) -> Delivery:
    sources = [mapping(one) for one in (spec.get("source"), *listed(spec.get("sources")))]
    folders = [_text(one.get("path")) for one in sources if not one.get("chart") and not one.get("helm")]
    kustomize = [mapping(one.get("kustomize")) for one in sources]
    destination = mapping(spec.get("destination"))
    own = next((one["namespace"] for one in kustomize if _text(one.get("namespace"))), None)
    namespace = own or _text(destination.get("namespace"))
    place = (*path, "destination", "namespace")
    return Delivery(
        document,
        name,
        tuple(folder for folder in folders if folder),
        Kustomization(
            "",
            namespace,
            frozenset(),
            next((one["namePrefix"] for one in kustomize if _text(one.get("namePrefix"))), ""),
            next((one["nameSuffix"] for one in kustomize if _text(one.get("nameSuffix"))), ""),
            is_plain=all(
                read_alterations(one, Place(document, path))[1] and not any(one.get(field) for field in _ALTERING)
                for one in kustomize
            ),
            place=Place(document, place) if namespace and own is None else None,
            components=frozenset(_text(path) or "" for one in kustomize for path in listed(one.get("components"))),
            is_suspended=(_SKIPPED, "true")
            in metadata_pairs(mapping(value_at(document.data, path[:-1])), "annotations"),
        ),
        is_default=own is None,
        is_deep=any(mapping(one.get("directory")).get("recurse") is True for one in sources),
        cluster=text_at(destination, "name") or text_at(destination, "server"),
    )


def _generated(generators: Any) -> Iterator[dict[str, str]]:
    """Yield the values of each Application that list and Git generators make; others know what is elsewhere."""
    for one in listed(generators):
        for element in listed(mapping(mapping(one).get("list")).get("elements")):
            yield {str(key): value for key, value in mapping(element).items() if isinstance(value, str)}
        for folder in listed(mapping(mapping(one).get("git")).get("directories")):
            path = _text(mapping(folder).get("path"))
            if path and mapping(folder).get("exclude") is not True:
                # Which folders match shows when all files are known.
                yield dict.fromkeys(_FOLDER_FIELDS, path) | {"path.basename": "*", "path.basenameNormalized": "*"}


def _filled(value: Any, values: Mapping[str, str], budget: Budget) -> Any:
    """Return a template with the parameters of a generator filled in: ``{{name}}`` or ``{{.name}}``.

    As in Argo CD a value that holds the name of another parameter is not filled in again. A parameter whose name says
    that it is secret stays as it is: findings would show its value.
    """
    if isinstance(value, (dict, list)):
        budget.spend(steps=1 + len(value))
    if isinstance(value, dict):
        return {key: _filled(one, values, budget) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, values, budget) for one in value]
    if not isinstance(value, str):
        return value
    # Patches are read for each Application, so that texts without parameters count, too.
    budget.spend(characters=len(value))

    def fill(match: re.Match[str]) -> str:
        name = match[1].strip().removeprefix(".")
        found = values.get(name, match[0])
        if is_sensitive(name) and is_withheld(found):
            return match[0]
        budget.spend(steps=1, characters=len(found))
        return found

    return _PARAMETER.sub(fill, value)


def as_kustomizations(
    deliveries: Sequence[Delivery], kustomizations: Sequence[Kustomization], files: Iterable[str], budget: Budget
) -> list[Kustomization]:
    """Return the kustomizations of a project and one for each delivery, each with all that it leads to.

    Args:
        deliveries: Of all files.
        kustomizations: Of all files.
        files: All that were read.
        budget: That of the project. A delivery for which it is too small applies fewer files.
    """
    tree = _Tree(files, {file_path.normpath(one.folder or ".") for one in kustomizations})
    by_file: dict[str, set[str]] = {}
    made: list[Kustomization] = []
    for one in deliveries:
        nodes = list(_nodes(one, tree, budget))
        made += nodes
        by_file.setdefault(file_path.normpath(one.file), set()).update(node.folder for node in nodes)
    retargeting = {file_path.normpath(one.folder) for one in kustomizations if one.retargets}
    called = [one for one in made if one.object_name]
    may_be_marked = any(one.labels or one.annotations for one in kustomizations)
    whole: list[Kustomization] = []
    for node in (*kustomizations, *made):
        leading = [by_file[path] for path in node.listed & by_file.keys()]
        weighty = [each for each in node.alterations if not each.is_plain]
        is_known = budget.grants(node.folder, steps=sum(map(len, leading)) + len(weighty) * len(called))
        is_altered = any(_is_for_one(each, called, may_be_marked=may_be_marked) for each in weighty if is_known)
        whole.append(
            node._replace(
                listed=node.listed.union(*leading) if is_known else node.listed,
                retargets=node.retargets or not node.replacements.isdisjoint(retargeting),
                is_plain=node.is_plain and is_known and not is_altered,
            )
        )
    return whole


def _is_for_one(alteration: Alteration, called: Iterable[Kustomization], *, may_be_marked: bool) -> bool:
    """Return whether a patch that is not plain may change our resources by an object of Flux that it is for.

    Args:
        alteration: The patch.
        called: The objects of Flux.
        may_be_marked: Whether they may have more labels and annotations than they state.
    """
    if may_be_marked:
        alteration = alteration._replace(label_selector="", annotation_selector="")
    return any(alteration.targets(one.object_name, one.labels, one.annotations) is not False for one in called)


def folder_of_paths(deliveries: Sequence[Delivery], files: Iterable[str], asked: Iterable[str]) -> str:
    """Return the folder at which the paths of deliveries begin, where that lies above all that is asked for.

    Nothing where it does not: then what is applied is all there. Only the first few deliveries are looked at.

    Args:
        deliveries: Of all files.
        files: All that were read.
        asked: The folders of the call.
    """
    folders = [file_path.abspath(one) for one in asked]
    known = [file_path.abspath(one) for one in files] if folders else []
    for one in deliveries[:_MOST_ASKED]:
        steps = file_path.abspath(os.path.dirname(one.file)).split("/")
        for text in one.folders:
            path = file_path.normpath(text.strip("/"))
            for count in (count for count in range(1, len(steps)) if steps[count] == path.split("/")[0]):
                root = "/".join(steps[:count]) if count > 1 else f"{steps[0]}/"
                if any(lies_in(file, file_path.join(root, path)) for file in known):
                    is_shared = all(lies_in(os.path.dirname(each), root) for each in folders)
                    return file_path.relpath(root) if is_shared else ""
    return ""


def _nodes(one: Delivery, tree: _Tree, budget: Budget) -> Iterator[Kustomization]:
    """Yield what a delivery applies as kustomizations; several if its namespace depends on the folder."""
    matched: dict[str, list[str]] = {}
    for text in one.folders:
        for folder, star in tree.located(one.file, text):
            matched.setdefault(star, []).append(folder)
    for star, folders in sorted(matched.items()):
        namespace = one.applied.namespace and one.applied.namespace.replace("*", star)
        if not budget.grants(one.file, objects=1, characters=len(namespace or "")):
            return
        paths = (path for folder in folders for path in tree.applied(folder, is_deep=one.is_deep))
        listed = set(takewhile(lambda _: budget.grants(one.file, steps=1), paths))
        paths_in = one.applied.components
        components = frozenset(file_path.normpath(f"{folder}/{path}") for folder in folders for path in paths_in)
        yield one.applied._replace(
            folder=file_path.normpath(f"{one.file}#{one.name}.{star}"),
            namespace=None if one.is_default else namespace,
            listed=frozenset(listed) | components,
            applied_by=f"{os.path.dirname(one.file)}/{one.cluster}",
            default_namespace=namespace if one.is_default else None,
            components=components,
        )


class _Tree:
    """The folders of a project.

    Args:
        files: That were read.
        built: The folders that have a kustomization.
    """

    def __init__(self, files: Iterable[str], built: set[str]) -> None:
        self._built = built
        self._files: dict[str, list[str]] = {}
        self._below: dict[str, set[str]] = {}
        for file in files:
            path = file_path.normpath(file)
            folder = os.path.dirname(path) or "."
            if folder not in self._files:
                self._add(folder)
            self._files[folder].append(path)
        shared = file_path.commonpath(map(file_path.abspath, self._files)) if self._files else ""
        self._absolute = {file_path.abspath(one): one for one in self._files}
        self._absolute = {path: one for path, one in self._absolute.items() if lies_in(path, shared)}

    def _add(self, folder: str) -> None:
        self._files.setdefault(folder, [])
        above = os.path.dirname(folder) or "."
        if above != folder and not folder.endswith(".."):
            self._below.setdefault(above, set()).add(folder)
            if above not in self._files:
                self._add(above)

    def located(self, file: str, text: str) -> list[tuple[str, str]]:
        """Return the folders that a path from the root of the repository means, each with what a star stands for.

        The root is the outermost folder above the file below which there is such a folder.
        """
        path = text.strip("/")
        above = file_path.abspath(os.path.dirname(file) or ".")
        roots = [above]
        while above != os.path.dirname(above):
            above = os.path.dirname(above)
            roots.append(above)
        for root in reversed(roots):
            wanted = file_path.normpath(file_path.join(root, path))
            if "*" not in path and wanted in self._absolute:
                return [(self._absolute[wanted], "")]
            parent = os.path.dirname(wanted)
            if os.path.basename(wanted) == "*" and "*" not in parent and parent in self._absolute:
                below = sorted(self._below.get(self._absolute[parent], ()))
                return [(folder, os.path.basename(folder)) for folder in below]
        return []

    def applied(self, folder: str, *, is_deep: bool) -> Iterator[str]:
        """Yield what a controller applies of a folder: its kustomization, else its files and those below."""
        waiting = [folder]
        while waiting:
            one = waiting.pop()
            if one in self._built:
                yield one
                continue
            yield from self._files.get(one, ())
            if is_deep:
                waiting += sorted(self._below.get(one, ()))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
