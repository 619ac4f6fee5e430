"""Validation of a pod template: of single fields, and of fields that depend on each other.

Source: Kubernetes 1.35, pkg/apis/core/validation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Flaw
from ...diagnostics.placeholder import is_placeholder
from ..field_table import struct
from ..names import dns_subdomain_faults
from ..scalar import SCALARS
from .amount import amount_faults, claim_faults
from .container import CONTAINER, container_faults
from .field import FIELDS, ONE_OF, Alternatives, Demand
from .label import label_faults, metadata_faults
from .scheduling import SCHEDULING
from .volume import VOLUME, mount_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path

CONTAINER_LISTS = ("initContainers", "containers")
_UNSEEN = ("ephemeralContainers",)


def template_faults(template: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    """Yield the faults of the pod template of a Deployment or StatefulSet.

    Args:
        path: Path of the template from the root of its object.
    """
    yield from metadata_faults(template.get("metadata") or {}, (*path, "metadata"))
    pod = template.get("spec") or {}
    at = (*path, "spec")
    yield from struct_faults("PodSpec", pod, at)
    yield from _pod_faults(pod, at)
    yield from container_faults(pod, at)
    yield from mount_faults(pod, at)


def struct_faults(kind: str, value: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    """Yield the faults of a typed value of the struct ``kind`` and of its nested structs, each struct on its own.

    Raises:
        KeyError: The field table has no such struct.
    """
    shape = struct(kind)
    if shape is None:
        raise KeyError(kind)
    demands = FIELDS.get(kind, {})
    for name, demand in demands.items():
        if demand.is_required and value.get(name) in (None, "", []):
            yield Flaw((*path, name), "required", "is required")
    for field in shape.fields:
        content = value.get(field.name)
        # An empty string counts as missing, unless the Go field is a pointer.
        if content is None or (content == "" and not field.pointer) or field.name in _UNSEEN:
            continue
        at = (*path, field.name)
        demand_ = demands.get(field.name)
        for place, item in _elements(content, field.shape, at):
            if field.kind not in SCALARS:
                yield from struct_faults(field.kind, item, place)
            elif demand_ is not None:
                yield from _demand_faults(demand_, item, place)
    yield from _alternative_faults(kind, value, path)
    for check in (*CONTAINER.get(kind, ()), *SCHEDULING.get(kind, ()), *VOLUME.get(kind, ())):
        yield from check(value, path)


def _elements(content: Any, shape: str, path: Path) -> Iterator[tuple[Path, Any]]:
    if shape == "list":
        yield from (((*path, i), item) for i, item in enumerate(content))
    elif shape == "map":
        yield from (((*path, key), item) for key, item in content.items())
    else:
        yield path, content


def _demand_faults(demand: Demand, value: Any, path: Path) -> Iterator[Flaw]:
    if isinstance(value, str):
        if is_placeholder(value):
            return
        if demand.choices and value not in demand.choices:
            yield Flaw(path, "not-supported", f"must be {_listed(demand.choices)}")
        for reason in demand.form(value) if demand.form else ():
            yield Flaw(path, "invalid", reason)
    elif isinstance(value, int):
        low, high = demand.least, demand.most
        if (low is not None and value < low) or (high is not None and value > high):
            bounds = f"from {low} to {high}" if high is not None else f"at least {low}"
            yield Flaw(path, "invalid", f"must be {bounds}")


def _listed(choices: tuple[str, ...]) -> str:
    return " or ".join(choices) if len(choices) < 3 else f"{', '.join(choices[:-1])} or {choices[-1]}"


def _alternative_faults(kind: str, value: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    alternatives: Alternatives | None = ONE_OF.get(kind)
    if alternatives is None:
        return
    shape = struct(kind)
    fields = alternatives.fields or tuple(
        field.name for field in (shape.fields if shape else ()) if field.name != "name"
    )
    given = [name for name in fields if value.get(name) is not None]
    if len(given) > 1:
        yield Flaw((*path, given[1]), "forbidden", f"must not stand beside {given[0]}: only one of them may be there")
    elif not given and alternatives.is_required:
        # At most six, so that the message stays readable.
        yield Flaw(path, "required", f"must have one of {_listed(fields[:6])}")


def _pod_faults(pod: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    if pod.get("ephemeralContainers"):
        yield Flaw((*path, "ephemeralContainers"), "forbidden", "must not be in a pod template")
    if pod.get("activeDeadlineSeconds") is not None:
        yield Flaw((*path, "activeDeadlineSeconds"), "forbidden", "must not be in pods that are to run for ever")
    yield from label_faults(pod.get("nodeSelector") or {}, (*path, "nodeSelector"))
    for field, list_field in (("resources", ""), ("overhead", "limits")):
        if pod.get(field):
            requirements = {list_field: pod[field]} if list_field else pod[field]
            yield from amount_faults(requirements, (*path, field), nested=not list_field, of_pod=not list_field)
    account = pod.get("serviceAccount")  # the former name of serviceAccountName, used if that is empty
    if account and not pod.get("serviceAccountName") and not is_placeholder(account):
        for reason in dns_subdomain_faults(account):
            yield Flaw((*path, "serviceAccount"), "invalid", reason)
    if (pod.get("resources") or {}).get("claims") is not None:
        yield Flaw((*path, "resources", "claims"), "forbidden", "must be in containers")
    claims = {claim.get("name") for claim in pod.get("resourceClaims") or ()}
    for lists in CONTAINER_LISTS:
        for i, container in enumerate(pod.get(lists) or ()):
            resources, at = container.get("resources") or {}, (*path, lists, i, "resources")
            yield from amount_faults(resources, at)
            yield from claim_faults(resources.get("claims") or (), claims, (*at, "claims"))
    yield from _host_faults(pod, path)
    dns = pod.get("dnsConfig") or {}
    if pod.get("dnsPolicy") == "None" and not dns.get("nameservers"):
        yield Flaw((*path, "dnsConfig"), "required", "must have nameservers where dnsPolicy is None")
    # MaxDNSNameservers and MaxDNSSearchPaths of Kubernetes.
    for field, most in (("nameservers", 3), ("searches", 32)):
        if len(dns.get(field) or ()) > most:
            yield Flaw((*path, "dnsConfig", field), "invalid", f"must have at most {most}")


def _host_faults(pod: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    """Yield the conflicts of a pod's settings: namespaces of the node, kernel parameters and Windows options."""
    if pod.get("hostUsers") is False:
        for field in ("hostNetwork", "hostPID", "hostIPC"):
            if pod.get(field):
                yield Flaw((*path, field), "forbidden", "must not be true where hostUsers is false")
    context = pod.get("securityContext") or {}
    if pod.get("shareProcessNamespace") and pod.get("hostPID"):
        yield Flaw((*path, "shareProcessNamespace"), "invalid", "must not be true where hostPID is")
    seen: set[str] = set()
    for i, sysctl in enumerate(context.get("sysctls") or ()):
        name = sysctl.get("name", "")
        if name in seen:
            yield Flaw((*path, "securityContext", "sysctls", i, "name"), "duplicate", "must not be there twice")
        seen.add(name)
    windows = context.get("windowsOptions")
    if windows is not None and (pod.get("os") or {}).get("name") == "linux":
        yield Flaw((*path, "securityContext", "windowsOptions"), "forbidden", "must not be in a pod for linux")
