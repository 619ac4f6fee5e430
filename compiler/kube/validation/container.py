"""Validation of fields of a container that depend on each other, and of several containers of a pod together.

Source: Kubernetes 1.35, pkg/apis/core/validation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...diagnostics.fault import Flaw
from .text import descending_path_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path
    from .scheduling import StructCheck

PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
DEFAULT_GRACE: Final = 30
"""Kubernetes' default of ``terminationGracePeriodSeconds``, in seconds."""
FIELD_PATHS: Final = tuple(
    """
    metadata.name metadata.namespace metadata.uid spec.nodeName spec.serviceAccountName spec.host status.hostIP
    status.hostIPs status.podIP status.podIPs
    """.split()
)
RESOURCES: Final = ("cpu", "memory", "ephemeral-storage", "hugepages-")


def container_faults(pod: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    """Yield the faults of a typed pod's containers that concern several fields or several containers."""
    if not pod.get("containers"):
        yield Flaw((*path, "containers"), "required", "is required")
    names: set[str] = set()
    ports: set[tuple[Any, ...]] = set()
    # In this order, the second of two equal names is the one that the API server reports.
    for field in ("containers", "initContainers"):
        for i, container in enumerate(pod.get(field) or ()):
            at = (*path, field, i)
            name = container.get("name", "")
            if name and name in names:
                yield Flaw((*at, "name"), "duplicate", "must not be the name of two containers")
            names.add(name)
            taken = ports if field == "containers" else set()
            yield from _port_faults(
                container, at, taken, on_host=field == "containers" and bool(pod.get("hostNetwork"))
            )
            yield from _environment_faults(container, at)
            yield from _context_faults(container, pod, at)
            yield from _resize_faults(container, at)
            if field == "initContainers" and container.get("restartPolicy") != "Always":
                yield from _init_faults(container, at)
            else:
                yield from _life_faults(container, pod, at)


def _init_faults(container: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    handlers = {"postStart", "preStop"} & (container.get("lifecycle") or {}).keys()
    for field in (*(("lifecycle",) if handlers else ()), *PROBES):
        if container.get(field) is not None:
            message = "must not be in an init container without restartPolicy: Always"
            yield Flaw((*path, field), "forbidden", message)


def _life_faults(container: Mapping[str, Any], pod: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    for field in PROBES:
        probe = container.get(field) or {}
        if field == "readinessProbe":
            if probe.get("terminationGracePeriodSeconds") is not None:
                yield Flaw(
                    (*path, field, "terminationGracePeriodSeconds"), "invalid", "must not be in a readiness probe"
                )
        elif probe.get("successThreshold") not in (None, 0, 1):
            yield Flaw((*path, field, "successThreshold"), "invalid", "must be 1")
        yield from _port_of_probe_faults(probe, (*path, field))
    grace = pod.get("terminationGracePeriodSeconds")
    longest = DEFAULT_GRACE if grace is None else grace
    life = container.get("lifecycle") or {}
    for field in ("postStart", "preStop"):
        handler = life.get(field) or {}
        yield from _port_of_probe_faults(handler, (*path, "lifecycle", field))
        seconds = (handler.get("sleep") or {}).get("seconds")
        if seconds is not None and not 0 <= seconds <= longest:
            message = f"must be from 0 to {longest}, the pod's terminationGracePeriodSeconds"
            yield Flaw((*path, "lifecycle", field, "sleep", "seconds"), "invalid", message)


def _port_of_probe_faults(handler: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    from ..names import port_name_faults

    for field in ("httpGet", "tcpSocket"):
        if handler.get(field) is None:
            continue
        port = handler[field].get("port", 0)
        at = (*path, field, "port")
        if isinstance(port, str):
            yield from (Flaw(at, "invalid", reason) for reason in port_name_faults(port))
        elif not 1 <= port <= 65535:
            yield Flaw(at, "invalid", "must be from 1 to 65535")


def _port_faults(
    container: Mapping[str, Any], path: Path, taken: set[tuple[Any, ...]], *, on_host: bool
) -> Iterator[Flaw]:
    names: set[str] = set()
    for i, port in enumerate(container.get("ports") or ()):
        at = (*path, "ports", i)
        name, host = port.get("name"), port.get("hostPort")
        if name and name in names:
            yield Flaw((*at, "name"), "duplicate", "must not be the name of two ports")
        names.add(name or "")
        if host:
            key = (port.get("protocol") or "TCP", port.get("hostIP") or "", host)
            if key in taken:
                yield Flaw((*at, "hostPort"), "duplicate", "must not be taken twice")
            taken.add(key)
            if on_host and host != port.get("containerPort"):
                yield Flaw((*at, "hostPort"), "invalid", "must be the containerPort where hostNetwork is true")


def _environment_faults(container: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    for i, entry in enumerate(container.get("env") or ()):
        source = entry.get("valueFrom")
        if source is None:
            continue
        at = (*path, "env", i, "valueFrom")
        if entry.get("value"):
            yield Flaw(at, "invalid", "must not stand beside a value")
        yield from field_faults(source, at)


def field_faults(source: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    """Yield the faults of a ``fieldRef`` or ``resourceFieldRef`` of an environment variable or a volume's file."""
    named = (source.get("fieldRef") or {}).get("fieldPath")
    if named and named not in FIELD_PATHS and not _is_subscripted(named):
        # Five examples, so that the message stays readable.
        yield Flaw(
            (*path, "fieldRef", "fieldPath"), "not-supported", f"must be {', '.join(FIELD_PATHS[:5])} and the like"
        )
    resource = (source.get("resourceFieldRef") or {}).get("resource")
    if resource:
        of, _, what = resource.partition(".")
        if of not in {"limits", "requests"} or not (what in RESOURCES[:3] or what.startswith(RESOURCES[3])):
            message = "must be limits. or requests. and cpu, memory or ephemeral-storage"
            yield Flaw((*path, "resourceFieldRef", "resource"), "not-supported", message)


def _is_subscripted(field: str) -> bool:
    from ..names import label_key_faults

    for of in ("metadata.labels", "metadata.annotations"):
        if field.startswith(f"{of}['") and field.endswith("']"):
            key = field[len(of) + 2 : -2]
            return not label_key_faults(key.lower() if of.endswith("annotations") else key)
    return False


def _context_faults(container: Mapping[str, Any], pod: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    context = container.get("securityContext") or {}
    at = (*path, "securityContext")
    if context.get("allowPrivilegeEscalation") is False:
        added = (context.get("capabilities") or {}).get("add") or ()
        if context.get("privileged"):
            yield Flaw((*at, "privileged"), "invalid", "must not be true where allowPrivilegeEscalation is false")
        if "CAP_SYS_ADMIN" in added:
            message = "must not have CAP_SYS_ADMIN where allowPrivilegeEscalation is false"
            yield Flaw((*at, "capabilities", "add"), "invalid", message)
    if context.get("procMount") == "Unmasked" and pod.get("hostUsers") is not False:
        yield Flaw((*at, "procMount"), "invalid", "must not be Unmasked unless hostUsers is false")
    if context.get("windowsOptions") is not None and (pod.get("os") or {}).get("name") == "linux":
        yield Flaw((*at, "windowsOptions"), "forbidden", "must not be in a pod for linux")


def _profile_faults(profile: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    """Yield the faults of a seccomp or AppArmor profile. Only the type Localhost has ``localhostProfile``."""
    named, is_local = profile.get("localhostProfile"), profile.get("type") == "Localhost"
    at = (*path, "localhostProfile")
    if is_local and not named:
        yield Flaw(at, "required", "must be there where the type is Localhost")
    elif is_local and path[-1] == "seccompProfile":
        yield from (Flaw(at, "invalid", reason) for reason in descending_path_faults(str(named)))
    elif is_local and str(named) != str(named).strip():
        yield Flaw(at, "invalid", "must not begin or end with spaces")
    elif named is not None and not is_local:
        yield Flaw(at, "invalid", "must not be there unless the type is Localhost")


def _resize_faults(container: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    seen: set[str] = set()
    if container.get("restartPolicyRules") and container.get("restartPolicy") is None:
        yield Flaw((*path, "restartPolicy"), "required", "must be there beside restartPolicyRules")
    for i, policy in enumerate(container.get("resizePolicy") or ()):
        name = policy.get("resourceName", "")
        if name in seen:
            yield Flaw((*path, "resizePolicy", i, "resourceName"), "duplicate", "must not be there twice")
        seen.add(name)


CONTAINER: Final[dict[str, tuple[StructCheck, ...]]] = {
    "AppArmorProfile": (_profile_faults,),
    "SeccompProfile": (_profile_faults,),
}
"""Checks that concern several fields of a struct, by struct."""
