"""Report Flux Kustomizations whose folder is not in the repository."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from ..admission.table import KINDS
from ..diagnostics import file_path
from ..diagnostics.finding import rule
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import mapping, text_at
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import as_question, is_slip, nearest
from ..disk.walk import may_exist
from ..project.delivery import may_target_any, roots_above
from ..project.delivery_start import OWN_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..diagnostics.finding import Finding
    from ..project.delivery import Delivery
    from .merge import Loaded

LOST_FOLDER = rule(
    "REF030 kustomization-of-no-folder", "lint", "Flux applies a folder that the repository does not have"
)
_MCP: Final = "mcp"


class _Applied(NamedTuple):
    """The folder of a Kustomization.

    Attributes:
        path: The path from the root of the repository.
        root: The outermost folder above the Kustomization that has the path; empty if none has it.
    """

    kustomization: Delivery
    path: str
    root: str


def find_lost_folders(loaded: Loaded, controllers: Iterable[Delivery]) -> Iterator[Finding]:
    """Yield a finding for each Kustomization whose path is no folder of the repository.

    It is only reported if its source is this repository, and if it seems to apply resources of the operator.

    Args:
        controllers: The Kustomizations that Flux applies.
    """
    folders: set[str] = set()
    for folder in file_path.abspaths(set(map(file_path.folder_of, loaded.facts))):
        _add_folders(folder, folders)
    by_source: dict[tuple[str, str], list[_Applied]] = {}
    roots_of_folder: dict[str, list[str]] = {}
    for controller in controllers:
        source = mapping(mapping(controller.document.data.get("spec")).get("sourceRef"))
        path = file_path.normpath(controller.folders[0].strip("/"))
        is_known = path != "." and not path.startswith("..") and not is_placeholder(path) and "*" not in path
        if source.get("kind") == "GitRepository" and is_known:
            if (folder := os.path.dirname(controller.file)) not in roots_of_folder:
                roots_of_folder[folder] = _roots_above(controller.file)
            root = next((root for root in roots_of_folder[folder] if f"{root}/{path}" in folders), "")
            key = (text_at(source, "namespace"), text_at(source, "name"))
            by_source.setdefault(key, []).append(_Applied(controller, path, root))
    for (_, name), applied in by_source.items():
        lost = [each for each in applied if not each.root]
        if lost:
            sound = [each for each in applied if each.root]
            yield from _lost_folders(loaded, lost, sound, is_own=name == OWN_SOURCE)


def _lost_folders(
    loaded: Loaded, lost: Sequence[_Applied], sound: Sequence[_Applied], *, is_own: bool
) -> Iterator[Finding]:
    """Yield the findings for the Kustomizations of one source that have no folder.

    The source is this repository if most of its Kustomizations have a folder here, or if it is called ``flux-system``.

    Args:
        lost: The Kustomizations without a folder.
        sound: The Kustomizations with a folder.
        is_own: True if the source has the name of that for the repository itself.
    """
    roots = {each.root for each in sound}
    if len(roots) > 1 or not (is_own or len(sound) > len(lost)):
        return
    holding: set[str] = set()
    for folder in {os.path.dirname(each.document.file) for each in loaded.resources if each.kind in KINDS}:
        _add_folders(file_path.abspath(folder or "."), holding)
    alterations = [
        alteration
        for link in (*loaded.plan.kustomizations, *(each.kustomization.applied for each in (*lost, *sound)))
        for alteration in (*link.alterations, *link.self_alterations)
        if not alteration.is_plain
    ]
    product = loaded.project.settings.profile.product
    for each in lost:
        controller, path = each.kustomization, each.path
        possible = sorted(roots) or _roots_above(controller.file)
        near = _meant(path, possible, holding, {f"{other.root}/{other.path}" for other in sound})
        words = f"{controller.applied.object_name}/{path}".replace("/", "-").split("-")
        is_ours = product in words or _MCP in words or file_path.abspath(os.path.dirname(controller.file)) in holding
        if near is None and not (is_ours and roots):
            continue
        if any(may_target_any(patch, [controller.applied], may_relabel=True) for patch in alterations):
            continue
        if not any(may_exist(f"{root}/{path}") for root in possible):
            span = controller.document.span(("spec", "path"))
            hint = as_question(f"./{near}") if near else "correct the path, or remove the Kustomization"
            stated: Any = mapping(controller.document.data["spec"]).get("path")
            message = f"the repository has no folder {shown(stated)}, so Flux applies nothing"
            yield LOST_FOLDER.finding(span, message, document=controller.document.index, hint=hint)


def _meant(path: str, roots: Iterable[str], holding: set[str], applied: set[str]) -> str | None:
    """Return the folder that a path probably means, relative to the root, or ``None`` unless exactly one is likely.

    It differs in one component, or has more components in front. It holds resources of the operator, and no other
    Kustomization applies it.
    """
    parts = path.split("/")
    candidates: set[str] = set()
    for root in roots:
        for folder in holding - applied:
            other = folder.removeprefix(f"{root}/")
            if other == folder:
                continue
            pairs = list(zip(parts, other.split("/"), strict=False))
            differing = [pair for pair in pairs if pair[0] != pair[1]]
            is_near = len(parts) == other.count("/") + 1 and len(differing) == 1 and _is_near(*differing[0])
            if is_near or other.endswith(f"/{path}"):
                candidates.add(other)
    return candidates.pop() if len(candidates) == 1 else None


def _is_near(word: str, other: str) -> bool:
    return is_slip(word, other) or nearest(word, [other]) is not None


def _add_folders(folder: str, folders: set[str]) -> None:
    """Add a folder and all folders above it."""
    while folder not in folders:
        folders.add(folder)
        folder = file_path.folder_of(folder)


def _roots_above(file: str) -> list[str]:
    """Return the folders above a file, outermost first, without the root of the file system."""
    return [root.rstrip("/") for root in roots_above(os.path.dirname(file) or ".")]
