"""Validation of whole objects, by kind.

Source: Kubernetes 1.35, pkg/apis/core/validation, pkg/apis/apps/validation, pkg/apis/rbac/validation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...diagnostics.fault import Flaw
from ...diagnostics.placeholder import is_placeholder
from .. import names
from .field import PORT_MOST, PROTOCOLS
from .label import label_faults, matching_faults, metadata_faults
from .pod import struct_faults, template_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ...diagnostics.span import Path

DATA_SIZE: Final = 1024 * 1024
"""Maximum bytes of all values of a Secret or ConfigMap (``MaxSecretSize``)."""
AFFINITY_LONGEST: Final = 86400
"""Maximum seconds of session affinity to one pod: a day (``MaxClientIPServiceAffinitySeconds``)."""

NAMES: Final[dict[str, Callable[[str], names.Reasons]]] = {
    "ConfigMap": names.dns_subdomain_faults,
    "Deployment": names.dns_subdomain_faults,
    "Role": names.path_segment_faults,
    "RoleBinding": names.path_segment_faults,
    "Secret": names.dns_subdomain_faults,
    "Service": names.dns_1035_label_faults,
    "ServiceAccount": names.dns_subdomain_faults,
    "StatefulSet": names.dns_label_faults,
}
"""Function that validates a name, by kind. Other kinds are not supported."""


def object_faults(compiled: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield the faults for which the API server refuses to create an object. Placeholders are valid.

    Args:
        compiled: An object of a kind in ``NAMES``, as a controller sends it; its owner reference may lack the uid.

    Raises:
        KeyError: The kind is not supported.
    """
    kind: str = compiled["kind"]
    metadata = compiled["metadata"]
    yield from _name_faults(metadata.get("name", ""), NAMES[kind], ("metadata", "name"))
    yield from _name_faults(metadata.get("namespace", ""), names.dns_label_faults, ("metadata", "namespace"))
    yield from metadata_faults(metadata, ("metadata",))
    if kind in _SPECS:
        yield from _SPECS[kind](compiled)


def _name_faults(name: str, reasons: Callable[[str], names.Reasons], path: Path) -> Iterator[Flaw]:
    if not is_placeholder(name):
        yield from (Flaw(path, "invalid", reason) for reason in reasons(name))


def _workload_faults(compiled: Mapping[str, Any]) -> Iterator[Flaw]:
    spec = compiled["spec"]
    at: Path = ("spec",)
    if (spec.get("replicas") or 0) < 0:
        yield Flaw((*at, "replicas"), "invalid", "must not be negative")
    template = spec["template"]
    yield from matching_faults(spec["selector"], template, at)
    claims = spec.get("volumeClaimTemplates") or ()
    if compiled["kind"] == "StatefulSet":
        if service := spec.get("serviceName"):
            yield from _name_faults(service, names.dns_label_faults, (*at, "serviceName"))
        for i, claim in enumerate(claims):
            place = (*at, "volumeClaimTemplates", i)
            yield from struct_faults("PersistentVolumeClaimSpec", claim["spec"], (*place, "spec"))
            # Checked only when the controller creates the claims of the first pod.
            yield from metadata_faults(claim["metadata"], (*place, "metadata"))
        template = _with_claims(template, claims)
    yield from template_faults(template, (*at, "template"))


def _with_claims(template: Mapping[str, Any], claims: Any) -> Mapping[str, Any]:
    """Return the pod template that the StatefulSet controller makes of ``template`` and the volume claim templates.

    The controller sets host name and subdomain, so they are removed here. Each volume claim template becomes a volume.
    """
    pod = {
        field: value for field, value in (template.get("spec") or {}).items() if field not in {"hostname", "subdomain"}
    }
    claim_names = [claim["metadata"]["name"] for claim in claims]
    volumes = [volume for volume in pod.get("volumes") or () if volume.get("name") not in claim_names]
    # Appended, so the paths of other volumes stay the same unless a claim replaces one.
    pod["volumes"] = volumes + [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in claim_names]
    return {**template, "spec": pod}


def _service_faults(compiled: Mapping[str, Any]) -> Iterator[Flaw]:
    spec = compiled["spec"]
    at: Path = ("spec",)
    ports = spec.get("ports") or ()
    if not ports and spec.get("clusterIP") != "None":
        yield Flaw((*at, "ports"), "required", "is required")
    yield from label_faults(spec.get("selector") or {}, (*at, "selector"))
    for i, port in enumerate(ports):
        yield from _port_faults(port, (*at, "ports", i))
    affinity = spec.get("sessionAffinity") or "None"
    if affinity not in {"ClientIP", "None"}:
        yield Flaw((*at, "sessionAffinity"), "not-supported", "must be ClientIP or None")
    seconds = ((spec.get("sessionAffinityConfig") or {}).get("clientIP") or {}).get("timeoutSeconds", 1)
    if not 0 < seconds <= AFFINITY_LONGEST:
        place = (*at, "sessionAffinityConfig", "clientIP", "timeoutSeconds")
        yield Flaw(place, "invalid", f"must be from 1 to {AFFINITY_LONGEST}")
    if (spec.get("type") or "ClusterIP") not in {"ClusterIP", "LoadBalancer", "NodePort"}:
        yield Flaw((*at, "type"), "not-supported", "must be ClusterIP, LoadBalancer or NodePort")


def _port_faults(port: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    if name := port.get("name"):
        yield from _name_faults(name, names.dns_label_faults, (*path, "name"))
    for field in ("port", "targetPort"):
        number = port.get(field) or (port.get("port") if field == "targetPort" else 0)
        if isinstance(number, str):
            yield from _name_faults(number, names.port_name_faults, (*path, field))
        elif number is None or not 1 <= number <= PORT_MOST:
            yield Flaw((*path, field), "invalid", f"must be from 1 to {PORT_MOST}")
    if (port.get("protocol") or "TCP") not in PROTOCOLS:
        yield Flaw((*path, "protocol"), "not-supported", f"must be {', '.join(PROTOCOLS[:-1])} or {PROTOCOLS[-1]}")


def _data_faults(compiled: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield the faults of keys, and of the size of a ConfigMap. Values of a Secret are unknown, so its size is too."""
    data: Mapping[str, str] = compiled.get("data") or {}
    for key in data:
        yield from (Flaw(("data", key), "invalid-key", reason, on_key=True) for reason in names.config_key_faults(key))
    size = sum(len(value.encode("utf-8", "surrogatepass")) for value in data.values())
    if compiled["kind"] == "ConfigMap" and size > DATA_SIZE:
        yield Flaw(("data",), "too-long", f"must have at most {DATA_SIZE} bytes in all, not {size}")


def _binding_faults(compiled: Mapping[str, Any]) -> Iterator[Flaw]:
    for i, subject in enumerate(compiled.get("subjects") or ()):
        yield from _name_faults(subject["name"], names.dns_subdomain_faults, ("subjects", i, "name"))
    yield from _name_faults(compiled["roleRef"]["name"], names.path_segment_faults, ("roleRef", "name"))


_SPECS: Final[dict[str, Callable[[Mapping[str, Any]], Iterator[Flaw]]]] = {
    "ConfigMap": _data_faults,
    "Deployment": _workload_faults,
    "RoleBinding": _binding_faults,
    "Secret": _data_faults,
    "Service": _service_faults,
    "StatefulSet": _workload_faults,
}
