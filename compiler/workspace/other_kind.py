"""Kinds of other programs that lints look at: they send requests to what the operator makes, or are beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping
from .resource import Resource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..diagnostics.span import Path
    from ..reading.document import Document

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "Application": ("argoproj.io",),
    "GRPCRoute": ("gateway.networking.k8s.io",),
    "HTTPRoute": ("gateway.networking.k8s.io",),
    "HelmChart": ("helm.cattle.io",),
    "HelmChartConfig": ("helm.cattle.io",),
    "HelmRelease": ("helm.toolkit.fluxcd.io",),
    "Kustomization": ("kustomize.toolkit.fluxcd.io",),
    "Ingress": ("networking.k8s.io",),
    "IngressRoute": ("traefik.io", "traefik.containo.us"),
    "OCIRepository": ("source.toolkit.fluxcd.io",),
    "ReferenceGrant": ("gateway.networking.k8s.io",),
    "Service": ("",),
    "ServiceMonitor": ("monitoring.coreos.com",),
    "VirtualService": ("networking.istio.io",),
}
"""The API groups of each kind."""
_NAMED_ONLY: Final = frozenset({"Application", "HelmChart", "HelmRelease", "Service"})
"""Kinds of which only the metadata is kept, unless they may install the operator: the rest may be large or secret."""
PATCH: Final = "Patch"
"""Stands for the kind of a file that kustomizations take as a patch."""
_PATCHED: Final = ("OCIRepository", "HelmRelease", "HelmChart", "Application")
VALUES_FILE: Final = "HelmValues"
"""Stands for the kind of a file with values of a chart."""
GENERATOR: Final = "Kustomization"
"""The kind of a kustomization that generates ConfigMaps or patches what installs charts."""
VMCP_FILE: Final = "VMCPConfig"
"""Stands for the kind of a configuration file of the vMCP process."""
_CHART_FILES: Final = {"Chart.yaml": "Chart", "Chart.lock": "ChartLock"}
_VALUES: Final = re.compile(rb"^\s*operator:", re.MULTILINE)


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
    if not isinstance(kind, str) or "configMapGenerator" in data or ("patches" in data and "spec" not in data):
        return _file(document, product)
    groups = GROUPS.get(kind, ())
    if str(data.get("apiVersion")).rpartition("/")[0] not in groups or not isinstance(metadata, dict):
        return None
    if kind == "Kustomization" and not health_checks(data):
        return None
    name, namespace = metadata.get("name"), metadata.get("namespace")
    if not isinstance(name, str) or is_placeholder(name):
        return None
    is_stated = isinstance(namespace, str) and namespace and not is_placeholder(namespace)
    is_named_only = kind in _NAMED_ONLY and not _may_install(data, name, product)
    held = {"metadata": metadata} if is_named_only else data
    return Resource(document, held, kind, name, namespace if is_stated else None, named=())


def _may_install(data: Mapping[str, Any], name: str, product: str) -> bool:
    """Return whether an object may install the operator: its chart, or one in a folder that may depend on that."""
    spec = mapping(data.get("spec"))
    sources = [*filter(None, map(mapping, (spec.get("source"), *listed(spec.get("sources")))))]
    named = [source.get(key) for source in sources for key in ("chart", "repoURL")]
    chart = spec.get("chart")
    named += [mapping(mapping(chart).get("spec")).get("chart"), mapping(spec.get("chartRef")).get("name"), chart, name]
    texts = [text for text in named if isinstance(text, str)]
    return any(product in text or text.startswith((".", "/")) for text in texts) or any(
        "path" in source and "helm" in source for source in sources
    )


def health_checks(data: Mapping[str, Any]) -> dict[Path, Mapping[str, Any]]:
    """Return the objects for which a Kustomization of Flux waits, by their places.

    Flux ignores them beside ``wait``, and if the Kustomization is suspended.

    Source: the Kustomization API of Flux, v1 (healthChecks, suspend, wait).
    """
    spec = mapping(data.get("spec"))
    checks = [] if True in (spec.get("wait"), spec.get("suspend")) else listed(spec.get("healthChecks"))
    return {("spec", "healthChecks", number): mapping(check) for number, check in enumerate(checks)}


def _file(document: Document, product: str) -> Resource | None:
    """Return a file of Helm, helmfile or kustomize that may state values of the operator's chart as a resource."""
    data, file = document.data, document.file
    base = file.rpartition("/")[2]
    kept = {
        "configMapGenerator": [entry for entry in listed(data.get("configMapGenerator")) if "values" in str(entry)],
        "patches": [entry for entry in listed(data.get("patches")) if any(kind in str(entry) for kind in _PATCHED)],
    }
    if any(kept.values()):
        return Resource(document, kept, GENERATOR, file, None, named=())
    for kind, field, key in (("Helmfile", "releases", "chart"), (_CHART_FILES.get(base, ""), "dependencies", "name")):
        entries = [mapping(entry) for entry in listed(data.get(field))]
        if kind and any(_may_be_chart(entry.get(key), product) for entry in entries):
            charts = [entry if _may_be_chart(entry.get(key), product) else {} for entry in entries]
            return Resource(document, {field: charts}, kind, file, None, named=())
    return Resource(document, data, VALUES_FILE, file, None, named=()) if _is_called_values(file) else None


def _may_be_chart(name: Any, product: str) -> bool:
    return isinstance(name, str) and (product in name or name.startswith("."))


def may_be_values(text: bytes, file: str, product: str) -> bool:
    """Return cheaply whether a file may hold values of the operator's chart."""
    if not file.endswith((".yaml", ".yml")) or not _is_called_values(file):
        return False
    return product in file or product.encode() in text or _VALUES.search(text) is not None


def _is_called_values(file: str) -> bool:
    return any("values" in part for part in file.rsplit("/", 2)[-2:])
