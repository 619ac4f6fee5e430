"""Resources of the operator that the values of a Helm release hold literally, for its chart to apply."""

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
"""Kind to the paths of its values."""
_FIELDS: Final = ("extraDeploy", "extraManifests", "extraObjects", "rawResources")
"""Values that contain whole objects, as a list or by name.

Source: the charts of Bitnami, Grafana, Prometheus and bjw-s, as of 2026.
"""


def value_objects(document: Document, group: str) -> Iterator[Document]:
    """Yield the objects of an API group in the values of a Helm release, each with its namespace.

    Left out are objects without a name, which the chart completes, objects with a Go template, and objects that state
    a namespace, which no kustomization changes.
    """
    data = document.data
    release, spec = mapping(data.get("metadata")), mapping(data.get("spec"))
    destination = mapping(spec.get("destination")).get("namespace")
    namespace = spec.get("targetNamespace") or destination or release.get("namespace")
    for above in _VALUES.get(str(data.get("kind")), ()):
        for field in _FIELDS:
            held = value_at(data, (*above, field))
            entries: list[tuple[Any, Any]] = (
                list(enumerate(held)) if isinstance(held, list) else [*mapping(held).items()]
            )
            for key, entry in entries:
                metadata = mapping(mapping(entry).get("metadata"))
                is_ours = str(mapping(entry).get("apiVersion")).startswith(f"{group}/")
                if is_ours and metadata.get("name") and "namespace" not in metadata and not _is_template(entry):
                    placed = {"namespace": namespace} if isinstance(namespace, str) else {}
                    yield document.part((*above, field, key), {**entry, "metadata": {**metadata, **placed}})


def _is_template(value: Any) -> bool:
    """Return whether any text in a value holds a Go template."""
    values = [value]
    for item in values:  # which grows by what is within
        if isinstance(item, dict):
            values += item.values()
        elif isinstance(item, list):
            values += item
        elif isinstance(item, str) and "{{" in item:
            return True
    return False
