"""Recognize kustomizations and objects of Flux and Argo CD, and find the files that they list."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import value_at
from ..disk.files import lies_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.budget import Budget
    from ..diagnostics.span import Path
    from ..reading.document import Document
    from ..toolhive.profile import Profile
    from .delivery import Delivery
    from .discovery import Project
    from .kustomization import Kustomization
    from .pin import Pin

_FLUX = "kustomize.toolkit.fluxcd.io/"
_FLUX_OPERATOR = "fluxcd.controlplane.io/"
_ARGO_CD = "argoproj.io/"
RETARGETING = b"spec.targetNamespace"
"""Bytes that every file of replacements for the target namespace of Flux Kustomizations contains."""
TRANSFORMING = b"apiVersion: builtin"
"""Bytes that every file with a built-in transformer of kustomize contains."""
DELIVERY_KINDS = frozenset(
    {
        *("Kustomization", "Component", "FluxInstance", "ResourceSet", "ResourceSetInputProvider"),
        *("Application", "ApplicationSet", "Test"),
    }
)
"""Kinds of objects that decide which files are applied, and how."""
FILE_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
"""The names that kustomize accepts for the file of a kustomization."""


class DeliveryObjects(NamedTuple):
    """The statements of a file about the delivery of the project to clusters.

    Attributes:
        kustomizations: The kustomization in the file, and those that stand for transformers, replacements or a test.
        controllers: Deliveries of the Flux and Argo CD objects in the file.
        pins: Places that state an installed release of the operator.
        templates: Number of unreadable templates in the file.
    """

    kustomizations: tuple[Kustomization, ...] = ()
    controllers: tuple[Delivery, ...] = ()
    pins: tuple[Pin, ...] = ()
    templates: int = 0


def has_kustomization_name(file: str) -> bool:
    """Return whether the name of a file makes it a kustomization."""
    return file.endswith(FILE_NAMES) and os.path.basename(file) in FILE_NAMES


def is_kustomization(file: str, data: Any) -> bool:
    """Return whether a document is a kustomization, because of the name of its file or because of its kind."""
    if not isinstance(data, dict):
        return False
    if has_kustomization_name(file):
        return True
    return data.get("kind") == "Kustomization" and str(data.get("apiVersion", "")).startswith(
        "kustomize.config.k8s.io/"
    )


def is_delivery(data: Any) -> bool:
    """Return whether a document is an object of Flux or Argo CD that applies folders of the repository."""
    if not isinstance(data, dict):
        return False
    version, kind = str(data.get("apiVersion", "")), data.get("kind")
    if kind == "FluxInstance":
        return version.startswith(_FLUX_OPERATOR)
    return (kind == "Kustomization" and version.startswith(_FLUX)) or (
        kind in ("Application", "ApplicationSet") and version.startswith(_ARGO_CD)
    )


def is_test(data: Any) -> bool:
    """Return whether a document is a Chainsaw test."""
    if not isinstance(data, dict) or data.get("kind") != "Test":
        return False
    return str(data.get("apiVersion", "")).startswith("chainsaw.kyverno.io/")


def read_objects(document: Document, text: bytes, budget: Budget) -> DeliveryObjects | None:
    """Return the kustomizations and deliveries that a document declares; ``None`` if it declares neither."""
    data, file = document.data, document.file
    is_kustomization_file, is_chainsaw_test = is_kustomization(file, data), is_test(data)
    if is_kustomization_file or is_chainsaw_test or (isinstance(data, list) and RETARGETING in text):
        from . import kustomization

        if is_kustomization_file:
            link = kustomization.read(file, data, document)
            return DeliveryObjects((link, *_inline_transformers(document)) if link.transformers else (link,))
        if is_chainsaw_test:
            return DeliveryObjects((kustomization.chainsaw_test(file, data),))
        return DeliveryObjects((kustomization.replacements_file(file),) if kustomization.is_retargeting(data) else ())
    if isinstance(data, dict) and data.get("apiVersion") == "builtin":
        from . import transformer

        if transformer.is_transformer(data):
            return DeliveryObjects((transformer.read_transformer(file, document),))
    if is_delivery(data):
        from . import delivery

        return DeliveryObjects(controllers=tuple(delivery.read(document, budget)))
    return None


def _inline_transformers(document: Document) -> Iterator[Kustomization]:
    from . import kustomization, transformer

    for path, text in kustomization.transformer_entries(document.file, document.data):
        if text:
            yield from transformer.read_inline(path, text, document)


def join_objects(parts: Sequence[DeliveryObjects]) -> DeliveryObjects:
    """Return the delivery objects of all parts of a file."""
    return DeliveryObjects(
        tuple([link for part in parts for link in part.kustomizations]),
        tuple([delivery for part in parts for delivery in part.controllers]),
        tuple([pin for part in parts for pin in part.pins]),
        sum([part.templates for part in parts]),
    )


def read_pins(documents: Sequence[Document], text: bytes, profile: Profile) -> tuple[Pin, ...]:
    """Return the places in a file that state an installed release.

    A text without the name of the operator, of its repository or of its CRDs has none, so its documents are not
    searched.
    """
    product = profile.product.encode()
    has_crd = b"CustomResourceDefinition" in text and profile.api_group.encode() in text
    has_repository = b"/" + product in text and (b"GitRepository" in text or b"/charts/operator" in text)
    has_name = product + b"-operator" in text or product + b"/operator" in text
    if not (has_crd or has_repository or has_name):
        return ()
    from .pin import read

    return tuple(read(documents, profile))


def patch_holders(data: Any) -> Iterator[Path]:
    """Yield the paths of the mappings in a document that may have patch fields and have at least one.

    The document is a kustomization or an object of Flux or Argo CD.
    """
    from .patch_field import PATCH_FIELDS

    for above in kustomization_parts(data) if is_delivery(data) else ((),):
        holder = value_at(data, above)
        if isinstance(holder, dict) and not holder.keys().isdisjoint(PATCH_FIELDS):
            yield above


def kustomization_parts(data: Mapping[str, Any]) -> list[Path]:
    """Return the paths in a Flux or Argo CD object where fields of a kustomization may stand."""
    if data["kind"] == "Kustomization":
        return [("spec",)]
    if data["kind"] == "FluxInstance":
        return [("spec", "kustomize")]
    above: Path = ("spec",) if data["kind"] == "Application" else ("spec", "template", "spec")
    sources = value_at(data, (*above, "sources"))
    count = len(sources) if isinstance(sources, list) else 0
    source_paths: list[Path] = [("source",), *(("sources", number) for number in range(count))]
    return [(*above, *path, "kustomize") for path in source_paths]


def paths_outside(kustomizations: list[Kustomization], folders: Iterable[str]) -> list[str]:
    """Return the paths that kustomizations list and that are in none of the folders, sorted.

    For example, an overlay often lists a base in a sibling folder.
    """
    absolute_folders = file_path.abspaths(folders)
    listed = sorted({path for link in kustomizations for path in link.listed})
    pairs = zip(listed, file_path.abspaths(listed), strict=True)
    return [path for path, place in pairs if not any(lies_in(place, folder) for folder in absolute_folders)]


def patch_files(kustomizations: list[Kustomization]) -> frozenset[str]:
    """Return the patch files of the kustomizations, without files that any of them lists as resources."""
    return frozenset(path for link in kustomizations for path in link.patches) - {
        path for link in kustomizations for path in link.listed
    }


def isolation_test(project: Project, *, is_each: bool) -> Callable[[str], bool] | None:
    """Return a function that tells whether a file is checked as a project of its own; ``None`` if no file is.

    Args:
        is_each: True if every file is checked on its own.
    """
    if is_each:
        return lambda _: True
    if not project.settings.isolated:
        return None
    from ..disk.gitignore import is_ignored, patterns

    ignore_patterns = patterns(project.settings.isolated)
    root = file_path.realpath(project.root)
    folders: dict[str, bool] = {}
    files: dict[str, bool] = {}

    def path_below_root(path: str) -> str:
        return file_path.relpath(
            file_path.join(file_path.realpath(os.path.dirname(path)), os.path.basename(path)), root
        )

    def is_folder_isolated(relative_path: str) -> bool:
        """Return whether a pattern matches the folder or one above it. Negated patterns below have no effect."""
        if relative_path in ("", ".") or relative_path.startswith(".."):
            return False
        if relative_path not in folders:
            folders[relative_path] = is_folder_isolated(os.path.dirname(relative_path)) or bool(
                is_ignored(relative_path, ignore_patterns, is_folder=True)
            )
        return folders[relative_path]

    def is_isolated(file: str) -> bool:
        if file not in files:
            relative_path = path_below_root(file)
            files[file] = is_folder_isolated(os.path.dirname(relative_path)) or bool(
                is_ignored(relative_path, ignore_patterns, is_folder=False)
            )
        return files[file]

    return is_isolated
