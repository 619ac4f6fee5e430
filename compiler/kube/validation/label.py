"""Validation of labels, annotations and selectors.

Source: Kubernetes 1.35, k8s.io/apimachinery: pkg/apis/meta/v1/validation, pkg/api/validation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Flaw
from ...diagnostics.placeholder import is_placeholder
from .. import names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path


def metadata_faults(metadata: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    """Yield the faults of the labels and annotations in ``metadata`` of an object or pod template."""
    yield from label_faults(metadata.get("labels") or {}, (*path, "labels"))
    annotations: Mapping[str, str] = metadata.get("annotations") or {}
    for key in annotations:
        if not is_placeholder(key):
            for reason in names.annotation_key_faults(key):
                yield Flaw((*path, "annotations", key), "invalid-key", reason, on_key=True)
    size = names.annotations_size(dict(annotations))
    if size > names.ANNOTATIONS_SIZE:
        message = f"must have at most {names.ANNOTATIONS_SIZE} bytes in all, not {size}"
        yield Flaw((*path, "annotations"), "too-long", message)


def label_faults(labels: Mapping[str, str], path: Path) -> Iterator[Flaw]:
    """Yield the faults of the keys and values of labels, or of the labels in a selector. Placeholders are valid."""
    for key, value in labels.items():
        if not is_placeholder(key):
            for reason in names.label_key_faults(key):
                yield Flaw((*path, key), "invalid-key", reason, on_key=True)
        if not is_placeholder(value):
            for reason in names.label_value_faults(value):
                yield Flaw((*path, key), "invalid", reason)


def unselected(selector: Mapping[str, Any], labels: Mapping[str, str]) -> str | None:
    """Return the key of the first ``matchLabels`` entry that is not among ``labels``, or ``None`` if all are."""
    wanted: Mapping[str, str] = selector.get("matchLabels") or {}
    return next((key for key, value in wanted.items() if labels.get(key) != value), None)


def matching_faults(selector: Mapping[str, Any], template: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    """Yield the faults of a workload's selector, which must match the labels of the workload's pod template.

    Args:
        selector: A selector that has only labels, as controllers write it.
        path: Path of the spec that contains both.
    """
    if not selector.get("matchLabels"):
        yield Flaw((*path, "selector"), "invalid", "must not be empty")
        return
    yield from label_faults(selector["matchLabels"], (*path, "selector", "matchLabels"))
    labels = (template.get("metadata") or {}).get("labels") or {}
    missed = unselected(selector, labels)
    if missed is not None and not is_placeholder(labels.get(missed, "")):
        wanted = selector["matchLabels"][missed]
        place = (*path, "template", "metadata", "labels", missed)
        yield Flaw(place, "invalid", f'must be "{wanted}", by which the pods are selected')
