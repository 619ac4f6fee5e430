"""Which files are kustomizations, what they apply together, and which are no resources or lie elsewhere."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from ..diagnostics import file_path
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
"""Stands in every file of replacements that decide where Flux's Kustomizations put what they apply."""
TRANSFORMING = b"apiVersion: builtin"
"""Stands in every file that configures a transformer of kustomize itself."""
DELIVERY_KINDS = frozenset(
    {
        *("Kustomization", "Component", "FluxInstance", "ResourceSet", "ResourceSetInputProvider"),
        *("Application", "ApplicationSet", "Test"),
    }
)
"""Kinds of objects that decide which files are applied, and how."""
FILE_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")


class DeliveryObjects(NamedTuple):
    """What one file says about how the project is delivered to clusters.

    Attributes:
        kustomizations: The file as a kustomization, with the files that it takes as patches.
        controllers: What its objects of Flux and Argo CD apply.
        pins: The releases of the operator that it has installed.
        templates: The number of templates in it, which are not read.
    """

    kustomizations: tuple[Kustomization, ...] = ()
    controllers: tuple[Delivery, ...] = ()
    pins: tuple[Pin, ...] = ()
    templates: int = 0


def is_file_name(file: str) -> bool:
    """Return whether a file is a kustomization by its name alone."""
    return file.endswith(FILE_NAMES) and os.path.basename(file) in FILE_NAMES


def is_kustomization(file: str, data: Any) -> bool:
    """Return whether a document is a kustomization: by the name of its file or by its kind."""
    if not isinstance(data, dict):
        return False
    if is_file_name(file):
        return True
    return data.get("kind") == "Kustomization" and str(data.get("apiVersion", "")).startswith(
        "kustomize.config.k8s.io/"
    )


def is_delivery(data: Any) -> bool:
    """Return whether a document is an object of Flux or Argo CD that applies folders."""
    if not isinstance(data, dict):
        return False
    version, kind = str(data.get("apiVersion", "")), data.get("kind")
    if kind == "FluxInstance":
        return version.startswith(_FLUX_OPERATOR)
    return (kind == "Kustomization" and version.startswith(_FLUX)) or (
        kind in ("Application", "ApplicationSet") and version.startswith(_ARGO_CD)
    )


def is_test(data: Any) -> bool:
    """Return whether a document is a test of Chainsaw."""
    if not isinstance(data, dict) or data.get("kind") != "Test":
        return False
    return str(data.get("apiVersion", "")).startswith("chainsaw.kyverno.io/")


def read_objects(document: Document, file: str, text: bytes, budget: Budget) -> DeliveryObjects | None:
    """Return what a document has kustomize or a controller apply; ``None`` where it is about something else."""
    data = document.data
    is_built, is_compared = is_kustomization(file, data), is_test(data)
    if is_built or is_compared or (isinstance(data, list) and RETARGETING in text):
        from . import kustomization

        if is_built:
            built = kustomization.read(file, data, document)
            return DeliveryObjects((built, *_written_out(file, document)) if built.transformers else (built,))
        if is_compared:
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


def _written_out(file: str, document: Document) -> Iterator[Kustomization]:
    """Yield what stands for the transformers that a kustomization writes out itself."""
    from . import kustomization, transformer

    for path, text in kustomization.transformer_entries(file, document.data):
        if text:
            yield from transformer.read_inline(path, text, document)


def join_objects(parts: Sequence[DeliveryObjects], pins: Sequence[Pin], templates: Sequence[object]) -> DeliveryObjects:
    """Return the delivery objects of a file.

    Args:
        parts: The delivery objects of each document.
        pins: The releases of the operator that the file has installed.
        templates: The templates of the file.
    """
    return DeliveryObjects(
        tuple([one for part in parts for one in part.kustomizations]),
        tuple([one for part in parts for one in part.controllers]),
        tuple(pins),
        len(templates),
    )


def read_pins(documents: Sequence[Document], text: bytes, profile: Profile) -> Sequence[Pin]:
    """Return the releases of the operator that a file has installed."""
    product = profile.product.encode()
    is_definition = b"CustomResourceDefinition" in text and profile.api_group.encode() in text
    is_repository = b"/" + product in text and (b"GitRepository" in text or b"/charts/operator" in text)
    is_named = product + b"-operator" in text or product + b"/operator" in text
    if not (is_definition or is_repository or is_named):
        return ()
    from .pin import read

    return tuple(read(documents, profile))


def patch_holders(data: Any) -> Iterator[Path]:
    """Yield the paths of the parts of a kustomization, or of an object of Flux or Argo CD, that write out patches."""
    from .kustomization import PATCHES

    for above in delivery_parts(data) if is_delivery(data) else ((),):
        holder = value_at(data, above)
        if isinstance(holder, dict) and not holder.keys().isdisjoint(PATCHES):
            yield above


def delivery_parts(data: Mapping[str, Any]) -> list[Path]:
    """Return the ways to those parts of an object of Flux or Argo CD that may hold what a kustomization holds."""
    if data["kind"] == "Kustomization":
        return [("spec",)]
    if data["kind"] == "FluxInstance":
        return [("spec", "kustomize")]
    above: Path = ("spec",) if data["kind"] == "Application" else ("spec", "template", "spec")
    sources = value_at(data, (*above, "sources"))
    several = len(sources) if isinstance(sources, list) else 0
    return [(*above, *one, "kustomize") for one in (("source",), *(("sources", number) for number in range(several)))]


def paths_outside(kustomizations: list[Kustomization], folders: Iterable[str]) -> list[str]:
    """Return what kustomizations list that lies in none of the ``folders``, sorted: the base of an overlay, mostly."""
    within = [file_path.abspath(folder) for folder in folders]
    listed = sorted({path for k in kustomizations for path in k.listed})
    return [path for path in listed if not any(lies_in(file_path.abspath(path), folder) for folder in within)]


def patch_files(kustomizations: list[Kustomization]) -> frozenset[str]:
    """Return the files that are parts of resources alone; one that is listed as a resource as well is a resource."""
    return frozenset(path for one in kustomizations for path in one.patches) - {
        path for one in kustomizations for path in one.listed
    }


def isolation_test(project: Project, *, is_each: bool) -> Callable[[str], bool] | None:
    """Return the test for a file that is a project of its own, ``None`` where none is."""
    if is_each:
        return lambda _: True
    if not project.settings.isolated:
        return None
    from ..disk.gitignore import is_ignored, patterns

    known = patterns(project.settings.isolated)
    root = file_path.realpath(project.root)
    folders: dict[str, bool] = {}
    files: dict[str, bool] = {}

    def below_root(path: str) -> str:
        return file_path.relpath(
            file_path.join(file_path.realpath(os.path.dirname(path)), os.path.basename(path)), root
        )

    def matches(below: str) -> bool:
        """Return whether a folder, or one above it, is matched; as in a walk, nothing within it is let out again."""
        if below in ("", ".") or below.startswith(".."):
            return False
        if below not in folders:
            folders[below] = matches(os.path.dirname(below)) or bool(is_ignored(below, known, is_folder=True))
        return folders[below]

    def is_isolated(file: str) -> bool:
        if file not in files:
            below = below_root(file)
            files[file] = matches(os.path.dirname(below)) or bool(is_ignored(below, known, is_folder=False))
        return files[file]

    return is_isolated
