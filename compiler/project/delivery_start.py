"""Find deliveries that do not deploy this repository: those of another repository, and those that nothing applies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..workspace.layout import folders_above

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .delivery import Delivery
    from .kustomization import Kustomization

_OWN_SOURCE: Final = "flux-system"
"""Name of the GitRepository that ``flux bootstrap`` and the Flux operator create for the repository itself."""


def own_deliveries(deliveries: Sequence[Delivery]) -> list[Delivery]:
    """Return the deliveries without those that apply the root of another repository.

    A path such as ``./deploy`` of another repository rarely exists in this one, but its root always does. If no
    delivery has the source ``flux-system``, it is unknown which repository is this one, so all deliveries are returned.
    """
    if all(delivery.repository != _OWN_SOURCE for delivery in deliveries):
        return [*deliveries]
    return [
        delivery
        for delivery in deliveries
        if delivery.repository in {"", _OWN_SOURCE}
        or any(file_path.normpath(path) not in {".", "/"} for path in delivery.folders)
    ]


def left_out_roots(kustomizations: Iterable[Kustomization]) -> frozenset[str]:
    """Return the roots of deliveries that nothing applies, because a kustomization above their file leaves it out.

    A root is the folder and cluster of a delivery, as in `Placement.roots`. Such a delivery is usually switched off by
    a comment in that kustomization, so it does not start a cluster of its own.

    Args:
        kustomizations: All kustomizations of a project, including those that stand for deliveries.
    """
    links = list(kustomizations)
    kustomized = {file_path.normpath(link.folder or ".") for link in links if not (link.applied_by or link.retargets)}
    listed = {path for link in links for path in link.listed}
    applied = set[str]()
    left_out = set[str]()
    for link in links:
        file = link.folder.partition("#")[0]
        if link.applied_by:
            is_left_out = file not in listed and any((folder or ".") in kustomized for folder in folders_above(file))
            (left_out if is_left_out else applied).add(link.applied_by)
    return frozenset(left_out - applied)
