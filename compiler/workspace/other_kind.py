"""Select objects of other programs that lints read: routes to Services, and installations of the operator's chart."""

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
    "HorizontalPodAutoscaler": ("autoscaling",),
    "ClusterRoleBinding": ("rbac.authorization.k8s.io",),
    "Ingress": ("networking.k8s.io",),
    "IngressRoute": ("traefik.io", "traefik.containo.us"),
    "NetworkPolicy": ("networking.k8s.io",),
    "OCIRepository": ("source.toolkit.fluxcd.io",),
    "PodDisruptionBudget": ("policy",),
    "PodMonitor": ("monitoring.coreos.com",),
    "ReferenceGrant": ("gateway.networking.k8s.io",),
    "RoleBinding": ("rbac.authorization.k8s.io",),
    "ScaledObject": ("keda.sh",),
    "Service": ("",),
    "ServiceMonitor": ("monitoring.coreos.com",),
    "VMPodScrape": ("operator.victoriametrics.com",),
    "VMServiceScrape": ("operator.victoriametrics.com",),
    "VerticalPodAutoscaler": ("autoscaling.k8s.io",),
    "VirtualService": ("networking.istio.io",),
}
"""The API groups of each kind that lints read."""
_NAMED_ONLY: Final = frozenset({"Application", "HelmChart", "HelmRelease"})
"""Kinds whose metadata alone is kept, unless the object may install the operator. The rest may be large or contain
secrets.
"""
PATCH: Final = "Patch"
"""Placeholder kind of a file that a kustomization uses as a patch."""
_PATCHED_KINDS: Final = ("OCIRepository", "HelmRelease", "HelmChart", "Application")
"""Kinds whose patches may change the version or the values of a chart."""
VALUES_FILE: Final = "HelmValues"
"""Placeholder kind of a file with values of a chart."""
GENERATOR: Final = "Kustomization"
"""Kind of a kustomization that generates ConfigMaps with values, or patches objects that install charts."""
VMCP_FILE: Final = "VMCPConfig"
"""Placeholder kind of a configuration file of the vMCP process."""
_CHART_FILES: Final = {"Chart.yaml": "Chart", "Chart.lock": "ChartLock"}
_OPERATOR_KEY: Final = re.compile(rb"^\s*operator:", re.MULTILINE)


def other_object(document: Document, product: str) -> Resource | None:
    """Convert a document of another program into a resource for lints; return ``None`` if no lint reads it.

    Objects without a name, with a placeholder as the name, or without fields that a lint reads are left out. If lints
    only read the name of an object, its data is reduced to the metadata.

    Args:
        product: The name that the charts of the operator begin with.
    """
    data = document.data
    if not isinstance(data, dict):
        return None  # for example, a file of kustomize with a list of replacements
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
    if kind == "OCIRepository" and product not in f"{name} {mapping(data.get('spec')).get('url')}":
        return None  # of another chart
    is_stated = isinstance(namespace, str) and namespace and not is_placeholder(namespace)
    is_named_only = kind in _NAMED_ONLY and not _may_install(data, name, product)
    kept = {"metadata": metadata} if is_named_only else data
    return Resource(document, kept, kind, name, namespace if is_stated else None, stated_references=())


def _may_install(data: Mapping[str, Any], name: str, product: str) -> bool:
    """Return whether an object may install the operator.

    An object may install it if its chart has the name of the product. A chart in a folder may depend on the operator's
    chart. A source of Flux may have any name, so values with the key ``operator`` count as well.
    """
    spec = mapping(data.get("spec"))
    sources = [*filter(None, map(mapping, (spec.get("source"), *listed(spec.get("sources")))))]
    values = [source.get(key) for source in sources for key in ("chart", "repoURL")]
    chart = spec.get("chart")
    values += [mapping(mapping(chart).get("spec")).get("chart"), mapping(spec.get("chartRef")).get("name"), chart, name]
    texts = [text for text in values if isinstance(text, str)]
    return (
        any(product in text or text.startswith((".", "/")) for text in texts)
        or any("path" in source and "helm" in source for source in sources)
        or ("chartRef" in spec and "operator" in mapping(spec.get("values")))
    )


def health_checks(data: Mapping[str, Any]) -> dict[Path, Mapping[str, Any]]:
    """Return the entries of ``healthChecks`` that a Kustomization of Flux waits for, by path.

    Flux ignores ``healthChecks`` if ``wait`` is true. A suspended Kustomization waits for nothing.

    Source: the Kustomization API of Flux, v1 (healthChecks, suspend, wait).
    """
    spec = mapping(data.get("spec"))
    checks = [] if True in (spec.get("wait"), spec.get("suspend")) else listed(spec.get("healthChecks"))
    return {("spec", "healthChecks", index): mapping(check) for index, check in enumerate(checks)}


def _file(document: Document, product: str) -> Resource | None:
    """Convert a file of Helm, helmfile or kustomize into a resource; ``None`` if it cannot concern the operator.

    The name of the resource is the path of the file. Only entries that may concern the operator's chart are kept.
    """
    data, file = document.data, document.file
    base_name = file.rpartition("/")[2]
    kept = {
        "configMapGenerator": [entry for entry in listed(data.get("configMapGenerator")) if "values" in str(entry)],
        "patches": [
            entry for entry in listed(data.get("patches")) if any(kind in str(entry) for kind in _PATCHED_KINDS)
        ],
    }
    if any(kept.values()):
        return Resource(document, kept, GENERATOR, file, None, stated_references=())
    for kind, field, key in (
        ("Helmfile", "releases", "chart"),
        (_CHART_FILES.get(base_name, ""), "dependencies", "name"),
    ):
        entries = [mapping(entry) for entry in listed(data.get(field))]
        if kind and any(_may_be_chart(entry.get(key), product) for entry in entries):
            charts = [entry if _may_be_chart(entry.get(key), product) else {} for entry in entries]
            return Resource(document, {field: charts}, kind, file, None, stated_references=())
    return Resource(document, data, VALUES_FILE, file, None, stated_references=()) if _is_called_values(file) else None


def _may_be_chart(name: Any, product: str) -> bool:
    """Return whether a chart has a name like the operator's charts, or is in a folder, so it may depend on them."""
    return isinstance(name, str) and (product in name or name.startswith("."))


def may_be_values(text: bytes, file: str, product: str) -> bool:
    """Return whether name and bytes of a file suggest values of the operator's chart. It is not parsed."""
    if not file.endswith((".yaml", ".yml")) or not _is_called_values(file):
        return False
    return product in file or product.encode() in text or _OPERATOR_KEY.search(text) is not None


def _is_called_values(file: str) -> bool:
    return any("values" in part for part in file.rsplit("/", 2)[-2:])
