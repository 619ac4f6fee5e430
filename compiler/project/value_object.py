"""Find resources of the operator that are written in the values of a Helm release, so its chart applies them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.plain import mapping, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path
    from ..reading.document import Document

_VALUES: Final[dict[str, tuple[Path, ...]]] = {
    "HelmRelease": (("spec", "values"),),
    "Application": (("spec", "source", "helm", "valuesObject"),),
}
"""Paths of the Helm values in an object, by kind."""
_FIELDS: Final = ("extraDeploy", "extraManifests", "extraObjects", "rawResources")
"""Values under which charts accept whole objects, as a list or by name.

Source: the charts of Bitnami, Grafana, Prometheus and bjw-s, as of 2026.
"""


def value_objects(document: Document, group: str) -> Iterator[Document]:
    """Yield the objects of an API group in the values of a Flux HelmRelease or an Argo CD Application.

    The objects get the namespace of the release. Only values under which common charts accept whole objects are
    searched. Objects without a name, which the chart completes, and objects with a Go template are left out. So are
    objects that state a namespace, because a kustomization that lists the release does not change it.
    """
    data = document.data
    release, spec = mapping(data.get("metadata")), mapping(data.get("spec"))
    destination = mapping(spec.get("destination")).get("namespace")
    namespace = spec.get("targetNamespace") or destination or release.get("namespace")
    for above in _VALUES.get(str(data.get("kind")), ()):
        for field in _FIELDS:
            container = value_at(data, (*above, field))
            entries: list[tuple[Any, Any]] = (
                list(enumerate(container)) if isinstance(container, list) else [*mapping(container).items()]
            )
            for key, entry in entries:
                metadata = mapping(mapping(entry).get("metadata"))
                is_ours = str(mapping(entry).get("apiVersion")).startswith(f"{group}/")
                if is_ours and metadata.get("name") and "namespace" not in metadata and not _is_template(entry):
                    namespace_field = {"namespace": namespace} if isinstance(namespace, str) else {}
                    yield document.part((*above, field, key), {**entry, "metadata": {**metadata, **namespace_field}})


def _is_template(value: Any) -> bool:
    values = [value]
    for item in values:  # which grows by what is within
        if isinstance(item, dict):
            values += item.values()
        elif isinstance(item, list):
            values += item
        elif isinstance(item, str) and "{{" in item:
            return True
    return False
