"""Kinds of other programs that lints look at: they send requests to what the operator makes, or are beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..diagnostics.placeholder import is_placeholder
from .resource import Resource

if TYPE_CHECKING:
    from ..reading.document import Document

_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "GRPCRoute": ("gateway.networking.k8s.io",),
    "HTTPRoute": ("gateway.networking.k8s.io",),
    "HelmRelease": ("helm.toolkit.fluxcd.io",),
    "Ingress": ("networking.k8s.io",),
    "IngressRoute": ("traefik.io", "traefik.containo.us"),
    "ReferenceGrant": ("gateway.networking.k8s.io",),
    "Service": ("",),
    "ServiceMonitor": ("monitoring.coreos.com",),
    "VirtualService": ("networking.istio.io",),
}
"""Kind to the API groups that it is of."""
_NAMED_ONLY: Final = frozenset({"HelmRelease", "Service"})
"""Kinds of which the metadata is enough: what else they hold may be large, or secret."""


def other_object(document: Document) -> Resource | None:
    """Return an object of another program that lints look at as a resource; ``None`` for any other, or without name."""
    data = document.data
    kind, metadata = data.get("kind"), data.get("metadata")
    groups = _GROUPS.get(kind) if isinstance(kind, str) else None
    if groups is None or str(data.get("apiVersion")).rpartition("/")[0] not in groups or not isinstance(metadata, dict):
        return None
    name, namespace = metadata.get("name"), metadata.get("namespace")
    if not isinstance(name, str) or is_placeholder(name):
        return None
    is_stated = isinstance(namespace, str) and namespace and not is_placeholder(namespace)
    held = {"metadata": metadata} if kind in _NAMED_ONLY else data
    return Resource(document, held, kind, name, namespace if is_stated else None, named=())
