"""Validate the ``metadata`` of an object as the API server does, with strict field validation.

Source: Kubernetes 1.35, k8s.io/apimachinery: pkg/api/validation/objectmeta.go; apiextensions-apiserver:
pkg/apiserver/schema/objectmeta (decoding), pkg/registry/customresource (names).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.fault import Flaw
from ..diagnostics.secret.text import masked
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import MOST_HINTS, VAGUE, did_you_mean
from . import names
from .field_table import struct
from .typed import decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..diagnostics.span import Path

_METADATA: Path = ("metadata",)


_ORPHAN, _FOREGROUND = "orphan", "foregroundDeletion"


def metadata_faults(
    document: Mapping[str, Any],
    *,
    name_reasons: Callable[[str], names.Reasons] = names.dns_subdomain_faults,
    namespaced: bool = True,
) -> tuple[Flaw, ...]:
    """Return the faults of an object's ``metadata``.

    Args:
        document: The whole object. Paths of faults start at its root.
        name_reasons: Returns the reasons why a name is invalid for the kind. The default fits custom resources, Secrets
            and ConfigMaps.
        namespaced: True if objects of the kind have a namespace. It may still be missing, since the request can set it.
    """
    metadata = document.get("metadata")
    decoded = decode(metadata, "ObjectMeta", exact_names=True)
    faults = [fault._replace(path=_METADATA + fault.path) for fault in decoded.faults]
    unknown = enumerate(decoded.unknown)
    faults.extend(_unknown(_METADATA + path, has_hint=number < MOST_HINTS) for number, path in unknown)
    if metadata is not None and not isinstance(metadata, dict):
        return tuple(faults)
    unreadable = {fault.path[1] for fault in faults} | {path[0] for path in decoded.unfilled if path}
    # Values that could not be decoded already have a fault.
    readable = {name: value for name, value in decoded.value.items() if name not in unreadable}
    if "name" not in unreadable:
        faults.extend(_name_faults(readable, name_reasons, given=metadata or {}))
    faults.extend(_namespace_faults(readable.get("namespace", ""), namespaced=namespaced))
    faults.extend(_label_faults(readable.get("labels", {})))
    faults.extend(_annotation_faults(readable.get("annotations", {})))
    faults.extend(_owner_faults(readable.get("ownerReferences", [])))
    faults.extend(_finalizer_faults(readable.get("finalizers", [])))
    return tuple(faults)


_BESIDE = ("apiVersion", "kind", "spec", "data", "stringData")


def _unknown(path: Path, *, has_hint: bool) -> Flaw:
    holder = next((step for step in reversed(path[:-1]) if isinstance(step, str)), "metadata")
    kind = {"ownerReferences": "OwnerReference", "managedFields": "ManagedFieldsEntry"}.get(holder, "ObjectMeta")
    struct_ = struct(kind) if has_hint else None
    hint = did_you_mean(str(path[-1]), (field.name for field in struct_.fields) if struct_ else (), likeness=VAGUE)
    if len(path) == 2 and path[-1] in _BESIDE:
        hint = "it belongs beside metadata: indent it less"
    return Flaw(path, "unknown", f"unknown field {shown(path[-1])} in {holder}", hint)


def _name_faults(
    metadata: Mapping[str, Any], name_reasons: Callable[[str], names.Reasons], *, given: Mapping[str, Any]
) -> Iterator[Flaw]:
    prefix = metadata.get("generateName", "")
    reasons = name_reasons(names.name_prefix(prefix)) if prefix else ()
    if reasons:
        yield _invalid((*_METADATA, "generateName"), "generateName", prefix, reasons)
    name = metadata.get("name", "")
    if name:
        reasons = name_reasons(name)
        if reasons:
            likely = names.likely_name(name)
            is_fit = likely and not name_reasons(likely) and masked(name) == name
            hint = f'"{likely}" would do' if is_fit else None
            yield _invalid((*_METADATA, "name"), "name", name, reasons, hint)
    elif not given.get("generateName"):
        path = (*_METADATA, "name") if given.get("name") is not None else _METADATA
        yield Flaw(path, "required", "metadata has no name", "add name")


def _namespace_faults(namespace: str, *, namespaced: bool) -> Iterator[Flaw]:
    path = (*_METADATA, "namespace")
    if not namespace:
        return
    if not namespaced:
        message = f"namespace {shown(namespace)} on an object that lives in none"
        yield Flaw(path, "forbidden", message, "leave it out")
        return
    reasons = names.dns_label_faults(namespace)
    if reasons:
        yield _invalid(path, "namespace", namespace, reasons)


def _label_faults(labels: Mapping[str, str]) -> Iterator[Flaw]:
    for key, value in labels.items():
        path = (*_METADATA, "labels", key)
        if reasons := names.label_key_faults(key):
            yield _invalid(path, "label key", key, reasons)._replace(code="invalid-key")
        if reasons := names.label_value_faults(value):
            likely = names.likely_text(value, reasons) if masked(value) == value else None
            hint = f"write {likely}" if likely else None
            yield Flaw(path, "invalid", f"value {shown(value)} of label {shown(key)} {', and '.join(reasons)}", hint)


def _annotation_faults(annotations: dict[str, str]) -> Iterator[Flaw]:
    path = (*_METADATA, "annotations")
    for key in annotations:
        if reasons := names.annotation_key_faults(key):
            yield _invalid((*path, key), "annotation key", key, reasons)._replace(code="invalid-key")
    size = names.annotations_size(annotations)
    if size > names.ANNOTATIONS_SIZE:
        message = f"annotations take {size} bytes, more than the {names.ANNOTATIONS_SIZE} that an object may have"
        yield Flaw(path, "too-long", message)


def _owner_faults(owners: list[dict[str, Any]]) -> Iterator[Flaw]:
    controllers: list[str] = []
    for i, owner in enumerate(owners):
        path = (*_METADATA, "ownerReferences", i)
        # The version follows the group, if there is a group.
        lacking = [name for name in ("kind", "name", "uid") if not owner[name]]
        if not owner["apiVersion"].rpartition("/")[2] or owner["apiVersion"].count("/") > 1:
            lacking.insert(0, "apiVersion")
        for name in lacking:
            yield Flaw(path, "required", f"owner reference has no {name}")
        if owner["kind"] == "Event" and owner["apiVersion"] in {"v1", "/v1"}:
            yield Flaw(path, "invalid", "an Event cannot own an object")
        if owner.get("controller"):
            controllers.append(f"{owner['kind']}/{owner['name']}")
            if len(controllers) > 1:
                message = f"a second controlling owner {shown(controllers[-1])} beside {shown(controllers[0])}"
                yield Flaw(path, "invalid", message)


def _finalizer_faults(finalizers: list[str]) -> Iterator[Flaw]:
    path = (*_METADATA, "finalizers")
    for i, finalizer in enumerate(finalizers):
        if reasons := names.label_key_faults(finalizer):
            yield _invalid((*path, i), "finalizer", finalizer, reasons)
    if _ORPHAN in finalizers and _FOREGROUND in finalizers:
        yield Flaw(path, "invalid", f'finalizers "{_ORPHAN}" and "{_FOREGROUND}" exclude each other')


def _invalid(path: Path, what: str, text: str, reasons: names.Reasons, hint: str | None = None) -> Flaw:
    if hint is None and "/" not in text and masked(text) == text and (likely := names.likely_text(text, reasons)):
        hint = f"write {likely}"
    return Flaw(path, "invalid", f"{what} {shown(text)} {', and '.join(reasons)}", hint)
