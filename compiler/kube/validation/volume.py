"""Validation of volumes, their content and their mounts.

Source: Kubernetes 1.35, pkg/apis/core/validation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...diagnostics.fault import Flaw
from ...diagnostics.placeholder import is_placeholder
from ..names import dns_subdomain_faults
from ..quantity import QuantityError, parse
from .container import field_faults
from .label import metadata_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path
    from .scheduling import StructCheck

BLOCK: Final = ("persistentVolumeClaim", "ephemeral")
FILE_FIELDS: Final = ("metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations", "metadata.uid")


def mount_faults(pod: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    """Yield the faults of the volume names in a typed pod, and of the mounts and block devices of its containers."""
    volumes: dict[str, Mapping[str, Any]] = {}
    for i, volume in enumerate(pod.get("volumes") or ()):
        name = volume.get("name", "")
        if name and name in volumes:
            yield Flaw((*path, "volumes", i, "name"), "duplicate", "must not be the name of two volumes")
        volumes.setdefault(name, volume)
    for field in ("initContainers", "containers"):
        for i, container in enumerate(pod.get(field) or ()):
            at = (*path, field, i)
            yield from _mounted_faults(container, volumes, (*at, "volumeMounts"))
            yield from _device_faults(container, volumes, (*at, "volumeDevices"))


def _mounted_faults(
    container: Mapping[str, Any], volumes: Mapping[str, Mapping[str, Any]], path: Path
) -> Iterator[Flaw]:
    devices = container.get("volumeDevices") or ()
    has_unknown = any(map(is_placeholder, volumes))
    device_names = {device.get("name") for device in devices}
    taken = {device.get("devicePath") for device in devices}
    for i, mount in enumerate(container.get("volumeMounts") or ()):
        at = (*path, i)
        name, mounted_at = mount.get("name", ""), mount.get("mountPath", "")
        if name and name not in volumes and not (has_unknown or is_placeholder(name)):
            yield Flaw((*at, "name"), "not-found", "must be the name of one of the pod's volumes")
        if name in device_names:
            yield Flaw((*at, "name"), "invalid", "must not be among volumeDevices too")
        if mounted_at and mounted_at in taken:
            yield Flaw((*at, "mountPath"), "duplicate", "must not be the place of two mounts")
        taken.add(mounted_at)
        yield from _mode_faults(mount, container, at)


def _mode_faults(mount: Mapping[str, Any], container: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    if mount.get("subPath") and mount.get("subPathExpr"):
        yield Flaw((*path, "subPathExpr"), "invalid", "must not stand beside subPath")
    propagation = mount.get("mountPropagation")
    if propagation == "Bidirectional" and not (container.get("securityContext") or {}).get("privileged"):
        yield Flaw(
            (*path, "mountPropagation"), "forbidden", "must not be Bidirectional unless the container is privileged"
        )
    if mount.get("recursiveReadOnly") in {"Enabled", "IfPossible"}:
        if not mount.get("readOnly"):
            yield Flaw((*path, "recursiveReadOnly"), "forbidden", "must not be there unless readOnly is true")
        if propagation not in (None, "None"):
            yield Flaw((*path, "recursiveReadOnly"), "forbidden", "must not be there unless mountPropagation is None")


def _device_faults(
    container: Mapping[str, Any], volumes: Mapping[str, Mapping[str, Any]], path: Path
) -> Iterator[Flaw]:
    seen: dict[str, set[str]] = {"name": set(), "devicePath": set()}
    for i, device in enumerate(container.get("volumeDevices") or ()):
        name = device.get("name", "")
        if name and name not in volumes:
            yield Flaw((*path, i, "name"), "not-found", "must be the name of one of the pod's volumes")
        elif name and not any(volumes[name].get(source) is not None for source in BLOCK):
            yield Flaw((*path, i, "name"), "invalid", f"must be a volume of {' or '.join(BLOCK)}")
        for field, taken in seen.items():
            if device.get(field) in taken:
                yield Flaw((*path, i, field), "invalid", "must not be there twice")
            taken.add(device.get(field, ""))


def _claim_faults(claim: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    amount = ((claim.get("resources") or {}).get("requests") or {}).get("storage")
    at = (*path, "resources", "requests", "storage")
    if amount is None:
        yield Flaw(at, "required", "is required")
    elif not is_placeholder(str(amount)):
        try:
            if parse(str(amount)).sign <= 0:
                yield Flaw(at, "invalid", "must be above zero")
        except QuantityError:
            return  # decoding has reported it
    modes = claim.get("accessModes") or ()
    if "ReadWriteOncePod" in modes and len(set(modes)) > 1:
        yield Flaw((*path, "accessModes"), "forbidden", "must not have other modes beside ReadWriteOncePod")


def _empty_dir_faults(source: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    limit = source.get("sizeLimit")
    if limit is not None and str(limit).startswith("-") and parse(str(limit)).sign < 0:
        yield Flaw((*path, "sizeLimit"), "forbidden", "must not be negative")


def _projected_faults(source: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    seen: set[str] = set()
    for i, source_ in enumerate(source.get("sources") or ()):
        for field in ("secret", "configMap", "downwardAPI"):
            for j, item in enumerate((source_.get(field) or {}).get("items") or ()):
                name = item.get("path", "")
                if name and name in seen:
                    yield Flaw(
                        (*path, "sources", i, field, "items", j, "path"), "invalid", "must not be the path of two files"
                    )
                seen.add(name)


def _file_faults(file: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    named = (file.get("fieldRef") or {}).get("fieldPath")
    if named and named not in FILE_FIELDS and not named.startswith(("metadata.labels['", "metadata.annotations['")):
        message = f"must be {', '.join(FILE_FIELDS[:-1])} or {FILE_FIELDS[-1]}"
        yield Flaw((*path, "fieldRef", "fieldPath"), "not-supported", message)
    resource = file.get("resourceFieldRef")
    if resource is not None:
        if not resource.get("containerName"):
            yield Flaw((*path, "resourceFieldRef", "containerName"), "required", "is required")
        yield from field_faults({"resourceFieldRef": resource}, path)


def _secret_faults(source: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    for field in ("nodePublishSecretRef", "secretRef"):
        ref = source.get(field)
        if ref is None:
            continue
        if not ref.get("name"):
            yield Flaw((*path, field, "name"), "required", "is required")
        elif field == "nodePublishSecretRef":
            yield from (Flaw((*path, field, "name"), "invalid", reason) for reason in dns_subdomain_faults(ref["name"]))


def _channel_faults(source: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    """Yield the faults of a Fibre Channel volume. It must have either ``targetWWNs`` with a ``lun``, or ``wwids``."""
    targets, wwids = source.get("targetWWNs"), source.get("wwids")
    if bool(targets) == bool(wwids):
        yield Flaw((*path, "targetWWNs"), "invalid", "must be there, or wwids, and not both")
    if targets and source.get("lun") is None:
        yield Flaw((*path, "lun"), "required", "must be there beside targetWWNs")


def _flocker_faults(source: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    if bool(source.get("datasetName")) == bool(source.get("datasetUUID")):
        yield Flaw((*path, "datasetName"), "invalid", "must be there, or datasetUUID, and not both")


def _template_faults(template: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    metadata = template.get("metadata") or {}
    if template.get("spec") is None:
        yield Flaw((*path, "spec"), "required", "is required")
    yield from metadata_faults(metadata, (*path, "metadata"))
    for field in metadata:
        if field not in {"labels", "annotations"} and metadata[field]:
            yield Flaw((*path, "metadata", field), "forbidden", "must not be there: only labels and annotations may")


VOLUME: Final[dict[str, tuple[StructCheck, ...]]] = {
    "CSIVolumeSource": (_secret_faults,),
    "CinderVolumeSource": (_secret_faults,),
    "DownwardAPIVolumeFile": (_file_faults,),
    "EmptyDirVolumeSource": (_empty_dir_faults,),
    "FCVolumeSource": (_channel_faults,),
    "FlockerVolumeSource": (_flocker_faults,),
    "PersistentVolumeClaimSpec": (_claim_faults,),
    "PersistentVolumeClaimTemplate": (_template_faults,),
    "StorageOSVolumeSource": (_secret_faults,),
    "ProjectedVolumeSource": (_projected_faults,),
}
"""Checks that concern several fields of a struct, by struct."""
