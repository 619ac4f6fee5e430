"""Kinds of other programs that lints look at: they send requests to what the operator makes, or are beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping
from .resource import Resource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..reading.document import Document

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "Application": ("argoproj.io",),
    "GRPCRoute": ("gateway.networking.k8s.io",),
    "HTTPRoute": ("gateway.networking.k8s.io",),
    "HelmRelease": ("helm.toolkit.fluxcd.io",),
    "Ingress": ("networking.k8s.io",),
    "IngressRoute": ("traefik.io", "traefik.containo.us"),
    "OCIRepository": ("source.toolkit.fluxcd.io",),
    "ReferenceGrant": ("gateway.networking.k8s.io",),
    "Service": ("",),
    "ServiceMonitor": ("monitoring.coreos.com",),
    "VirtualService": ("networking.istio.io",),
}
"""Kind to the API groups that it is of."""
_NAMED_ONLY: Final = frozenset({"Application", "HelmRelease", "Service"})
"""Kinds of which the metadata is enough, unless it has to do with the operator: the rest may be large, or secret."""


def other_object(document: Document, product: str) -> Resource | None:
    """Return an object of another program that lints look at as a resource; ``None`` for any other, or without name.

    Args:
        document: The object.
        product: The name that its chart begins with, if the object installs the operator.
    """
    data = document.data
    if not isinstance(data, dict):
        return None  # such as a list of replacements for kustomize
    kind, metadata = data.get("kind"), data.get("metadata")
    groups = GROUPS.get(kind, ()) if isinstance(kind, str) else ()
    if (
        not isinstance(kind, str)
        or str(data.get("apiVersion")).rpartition("/")[0] not in groups
        or not isinstance(metadata, dict)
    ):
        return None
    name, namespace = metadata.get("name"), metadata.get("namespace")
    if not isinstance(name, str) or is_placeholder(name):
        return None
    is_stated = isinstance(namespace, str) and namespace and not is_placeholder(namespace)
    is_named_only = kind in _NAMED_ONLY and not any(product in chart for chart in charts_of(data))
    held = {"metadata": metadata} if is_named_only else data
    return Resource(document, held, kind, name, namespace if is_stated else None, named=())


def charts_of(data: Mapping[str, Any]) -> list[str]:
    """Return what a HelmRelease or an Application calls the charts that it installs: by name or address."""
    spec = mapping(data.get("spec"))
    several = map(mapping, (spec.get("source"), *listed(spec.get("sources"))))
    named = [one.get(key) for one in several for key in ("chart", "repoURL")]
    chart = mapping(mapping(spec.get("chart")).get("spec")).get("chart")
    return [one for one in (chart, mapping(spec.get("chartRef")).get("name"), *named) if isinstance(one, str)]
