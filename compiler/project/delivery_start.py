"""Find deliveries that do not deploy this repository: those of another repository, and those that nothing applies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..workspace.context import folders_above

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from .delivery import Delivery
    from .kustomization import Kustomization

OWN_SOURCE: Final = "flux-system"
"""Name of the GitRepository that ``flux bootstrap`` and the Flux operator create for the repository itself."""
_MOST_PROBED: Final = 1_000
"""Maximum number of deliveries that are looked at, because the chain of each is followed."""


def own_deliveries(deliveries: Sequence[Delivery]) -> list[Delivery]:
    """Return the deliveries without those that apply the root of another repository.

    A path such as ``./deploy`` of another repository rarely exists in this one, but its root always does. If no
    delivery has the source ``flux-system``, it is unknown which repository is this one, so all deliveries are returned.
    """
    if all(delivery.repository != OWN_SOURCE for delivery in deliveries):
        return [*deliveries]
    return [
        delivery
        for delivery in deliveries
        if delivery.repository in {"", OWN_SOURCE}
        or any(file_path.normpath(path) not in {".", "/"} for path in delivery.folders)
    ]


def left_out_roots(kustomizations: Iterable[Kustomization], left_out: Container[str]) -> frozenset[str]:
    """Return the roots of deliveries that nothing applies; such a delivery does not start a cluster of its own.

    A root is the folder and cluster of a delivery, as in `Placement.roots`.

    Args:
        kustomizations: All kustomizations of a project, including those that stand for deliveries.
        left_out: The deliveries of `left_out_deliveries`.
    """
    links = list(kustomizations)
    applied = {link.applied_by for link in links if link.applied_by and file_path.normpath(link.folder) not in left_out}
    return frozenset(link.applied_by for link in links if link.applied_by) - applied


def left_out_deliveries(kustomizations: Iterable[Kustomization]) -> dict[str, str]:
    """Return the deliveries that nothing applies, each with the folder of the kustomization that leaves it out.

    That is the nearest kustomization above the file of the delivery. Such a delivery is usually switched off by a
    comment in that kustomization. A kustomization above the folder of the file only counts if it is about deliveries:
    it lists some, or a delivery applies it. A delivery that applies that kustomization is applied by hand, like the
    first Application of Argo CD. If nothing else starts a chain, all deliveries are applied by hand.

    Args:
        kustomizations: All kustomizations of a project, including those that stand for deliveries.
    """
    by_folder = {file_path.normpath(link.folder or "."): link for link in kustomizations}
    kustomized = {folder for folder, link in by_folder.items() if not (link.applied_by or link.retargets)}
    deliveries = [folder for folder, link in by_folder.items() if link.applied_by]
    listed = {path for link in by_folder.values() for path in link.listed}
    delivering = _delivering(by_folder, kustomized, deliveries)
    left_out: dict[str, str] = {}
    for delivery in deliveries[:_MOST_PROBED]:
        file = delivery.partition("#")[0]
        above = [folder or "." for folder in folders_above(file)]
        nearest = next((folder for folder in above if folder in kustomized), None)
        if nearest is None or not listed.isdisjoint({file, delivery}):
            continue
        if nearest in {above[0], *delivering} and nearest not in reached_folders(by_folder, [delivery]):
            left_out[delivery] = nearest
    is_listed = any(not listed.isdisjoint({delivery, delivery.partition("#")[0]}) for delivery in deliveries)
    return left_out if is_listed or len(left_out) < len(deliveries) else {}


def _delivering(
    by_folder: Mapping[str, Kustomization], kustomized: Iterable[str], deliveries: Iterable[str]
) -> frozenset[str]:
    files = {path for delivery in deliveries for path in (delivery, delivery.partition("#")[0])}
    listing = {folder for folder in kustomized if not by_folder[folder].listed.isdisjoint(files)}
    return frozenset(listing | reached_folders(by_folder, deliveries))


def reached_folders(by_folder: Mapping[str, Kustomization], starts: Iterable[str]) -> set[str]:
    """Return ``starts`` and the folders of all kustomizations and deliveries that they reach."""
    waiting = list(starts)
    reached = set(waiting)
    while waiting:
        new = [path for path in by_folder[waiting.pop()].listed if path in by_folder and path not in reached]
        reached.update(new)
        waiting += new
    return reached
