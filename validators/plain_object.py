"""Decide whether a resource is so plain that Kubernetes surely accepts every object that it compiles to.

Compiling a resource takes longer than all rules together, and nearly all values are obviously valid. Therefore a check
compiles a resource only if some value that becomes part of an object is not plain, while `mcpcfg build` validates every
object. Without this module, the findings are the same, but a check of 2,000 resources takes 2.5 times as long, and a
check of a repository of 1,600 files, 20 of them with resources, 1.2 times as long.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from ..compiler.diagnostics.plain import listed, mapping
from ..compiler.toolhive.constants import OWN_LABEL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace

# Each pattern is compiled on first use.
PLAIN_RESOURCE_NAME: Final = r"[a-z](?:[-a-z0-9]{0,38}[a-z0-9])?"
"""Pattern of resource names that are valid with every prefix and suffix in the names of created objects."""
PLAIN_NAME: Final = r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?"
PLAIN_KEY: Final = r"[A-Za-z0-9_](?:[-._A-Za-z0-9]{0,61}[A-Za-z0-9])?"
PLAIN_LABEL: Final = r"[A-Za-z0-9](?:[-._A-Za-z0-9]{0,61}[A-Za-z0-9])?"
PLAIN_LABEL_KEY: Final = rf"(?:[a-z0-9]+(?:[-.][a-z0-9]+)*/)?{PLAIN_LABEL}"
LONGEST_KEY: Final = 100
"""Longer label keys are validated in full. Kubernetes accepts up to 317 characters, but common keys are short."""
PLAIN_PATH: Final = r"(?:/[A-Za-z0-9_]{1,60}){1,9}"
PLAIN_MOUNT: Final = r"(?:/[-._A-Za-z0-9]{1,60}){1,9}"
PLAIN_PORT: Final = r"[a-z]{1,15}"
PLAIN_AMOUNT: Final = r"([0-9]{1,9})(m|[KMG]i)?"
PLAIN_SIZE: Final = r"[1-9][0-9]{0,8}[KMG]i"
SCALES: Final = {"m": 1, None: 1000, "Ki": 1024_000, "Mi": 1024**2 * 1000, "Gi": 1024**3 * 1000}
"""Factor of each suffix in thousandths, so that amounts with and without ``m`` are compared as integers."""

TEXTS: Final[dict[str, str | None]] = {
    "accessMode": None,
    "cpu": PLAIN_AMOUNT,
    "entitiesJson": r"\[\]",  # its default
    "fieldPath": r"metadata\.name(?:space)?",
    "fsGroupChangePolicy": "Always|OnRootMismatch",
    "headerName": None,
    "hostPath": PLAIN_PATH,
    "image": None,
    "key": PLAIN_KEY,
    "memory": PLAIN_AMOUNT,
    "mountPath": PLAIN_PATH,
    "name": PLAIN_NAME,
    "serviceAccount": PLAIN_NAME,
    "size": PLAIN_SIZE,
    "storageClassName": PLAIN_NAME,
    "targetEnvName": PLAIN_KEY,
    "type": None,
    "value": None,
}
"""Pattern of plain strings, by field; ``None`` if every string that is not empty is plain."""
NESTED: Final = frozenset(
    """
    addHeadersFromSecret addPlaintextHeaders allowPrivilegeEscalation annotations args automountServiceAccountToken
    caBundleRef capabilities command configMap configMapKeyRef configMapRef containers drop enabled env fieldRef
    fsGroup imagePullSecrets inline labels limits metadata nodeSelector podTemplateMetadataOverrides policies
    proxyDeployment proxyService readOnly readOnlyRootFilesystem requests resources runAsGroup runAsNonRoot
    runAsUser seccompProfile secretKeyRef securityContext service spec statefulSet stdin valueFrom valueSecretRef
    """.split()
)
"""Fields that are plain if all values inside them are plain."""
REQUIRED_KEYS: Final = {"configMapKeyRef": {"name", "key"}, "secretKeyRef": {"name", "key"}, "fieldRef": {"fieldPath"}}
"""Keys that a plain mapping must have, by field. It may have no other keys."""
NAMED_ITEMS: Final = frozenset({"containers", "env"})
"""Lists whose items need a name."""
NUMBERS: Final = frozenset({"cpu", "fsGroup", "memory", "runAsGroup", "runAsUser"})
LARGEST: Final = 999_999_999
"""The largest plain number. Ids of users and groups are within Kubernetes' limit up to this number."""
PLAIN_VALUES: Final = {"addPlaintextHeaders": None, "seccompProfile": {"type": "RuntimeDefault"}}
"""The only plain value of a field; ``None`` if every value is plain, because headers never become part of an object."""
PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
TIMES: Final = frozenset({"failureThreshold", "initialDelaySeconds", "periodSeconds", "timeoutSeconds"})
VOLUMES: Final = {"configMap": "name", "emptyDir": "", "persistentVolumeClaim": "claimName", "secret": "secretName"}
"""Types of plain volumes, with the field that names the mounted object; empty if there is none."""
MODES: Final = range(0o1000)
"""File modes that Kubernetes accepts: all permissions, but no set-user-id, set-group-id or sticky bit."""

LARGE: Final = 250_000
"""Maximum characters of a text that surely fits into a ConfigMap. A ConfigMap has at most 1 MiB."""

BACKEND: Final = ("podTemplateSpec", "secrets", "image", "serviceAccount", "env")
"""Fields of ``spec`` of an MCPServer from which its proxy creates a StatefulSet."""
FIELDS_BY_KIND: Final[dict[str, list[str]]] = {
    "MCPServer": "volumes resources resourceOverrides authzConfig".split(),
    "MCPRemoteProxy": "podTemplateSpec resources resourceOverrides serviceAccount headerForward authzConfig".split(),
    "VirtualMCPServer": "podTemplateSpec serviceAccount".split(),
    "MCPRegistry": "podTemplateSpec volumes volumeMounts pgpassSecretRef".split(),
    "EmbeddingServer": "podTemplateSpec resources resourceOverrides env hfTokenSecretRef modelCache image".split(),
}
"""Fields of ``spec`` from which the operator creates objects, by kind."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def targets_to_compile(resource: Resource, workspace: Workspace) -> Iterator[str]:
    """Yield the targets of ``build`` for which a resource must be compiled, because its objects may be invalid.

    A target is ``kubernetes`` for objects of the operator, or ``backend`` for those of an MCPServer's proxy.
    """
    spec: dict[str, Any] = resource.spec  # type: ignore[assignment]
    if not spec:
        return  # the rules of missing_spec report it
    has_plain_name = _compiled(PLAIN_RESOURCE_NAME).fullmatch(resource.name) is not None
    is_large = len(spec.get("configYAML") or "") > LARGE
    if is_large or not (
        has_plain_name and resource.once(_is_plain_itself) and _has_plain_references(resource, workspace)
    ):
        yield "kubernetes"
    if resource.kind == "MCPServer" and not (has_plain_name and resource.once(_has_plain_backend)):
        yield "backend"


def _is_plain_itself(resource: Resource[Any]) -> bool:
    return _are_plain(resource.spec, FIELDS_BY_KIND[resource.kind]) and _keeps_labels(resource)


def _has_plain_backend(resource: Resource[Any]) -> bool:
    spec: dict[str, Any] = resource.spec
    template = mapping(spec.get("podTemplateSpec"))
    pod, containers = mapping(template.get("spec")), listed(mapping(template.get("spec")).get("containers"))
    if len(containers) == 1 and isinstance(containers[0], dict):
        # The proxy adds no volumes and no mounts to those of the template.
        container = dict(containers[0])
        probes = [container.pop(probe) for probe in PROBES if probe in container]
        ports, mounts = container.pop("ports", [{"containerPort": 1}]), container.pop("volumeMounts", [])
        if not (_are_plain_ports(ports) and all(map(_is_plain_probe, probes))):
            return False
        if not _are_plain_mounts(pod.get("volumes", []), mounts):
            return False
        rest = {key: pod[key] for key in pod if key != "volumes"} | {"containers": [container]}
        spec = {**spec, "podTemplateSpec": {**template, "spec": rest}}
    return bool(spec.get("image")) and _are_plain(spec, BACKEND)


def _are_plain_ports(ports: Any) -> bool:
    port = mapping(ports[0]) if isinstance(ports, list) and len(ports) == 1 else {}
    is_named = port.keys() == {"name", "containerPort"} and _is_text(port["name"], PLAIN_PORT)
    return (is_named or port.keys() == {"containerPort"}) and _is_port(port["containerPort"])


def _is_plain_probe(probe: Any) -> bool:
    """Return whether a probe is surely valid: it has an HTTP or TCP handler, and its numbers are within limits."""
    times = {key: value for key, value in mapping(probe).items() if key not in {"httpGet", "tcpSocket"}}
    handlers = [mapping(probe[key]) for key in mapping(probe) if key not in times]
    if len(handlers) != 1 or not times.keys() <= TIMES or not all(map(_is_port, times.values())):
        return False
    port, path = handlers[0].get("port"), handlers[0].get("path", "/")
    is_known = handlers[0].keys() <= {"path", "port"} and _is_text(path, ".*")
    return is_known and (_is_port(port) or _is_text(port, PLAIN_PORT))


def _is_port(value: Any) -> bool:
    return type(value) is int and 0 < value < 1 << 16  # ports have 16 bits


def _are_plain_mounts(volumes: Any, mounts: Any) -> bool:
    """Return whether the volumes of a pod and the mounts of its only container are surely valid together."""
    if not (isinstance(volumes, list) and isinstance(mounts, list)):
        return False
    names = {volume["name"] for volume in map(mapping, volumes) if _is_plain_volume(volume)}
    paths = {mount["mountPath"] for mount in map(mapping, mounts) if _is_plain_mount(mount, names)}
    return (len(names), len(paths)) == (len(volumes), len(mounts))


def _is_plain_volume(volume: Mapping[str, Any]) -> bool:
    sources = [*(volume.keys() & VOLUMES.keys())]
    if len(volume) != 2 or len(sources) != 1 or not _is_text(volume.get("name"), PLAIN_NAME):
        return False
    fields, named = volume[sources[0]], VOLUMES[sources[0]]
    if not isinstance(fields, dict) or (named and not _is_text(fields.get(named), PLAIN_NAME)):
        return False
    return all(_is_plain_detail(fields[key], key) for key in fields if key != named)


def _is_plain_detail(value: Any, key: str) -> bool:
    if key == "items":
        items = [mapping(item) for item in listed(value)]
        return bool(items) and all(_is_text(item.get(part), PLAIN_KEY) for item in items for part in ("key", "path"))
    if key == "defaultMode":
        return isinstance(value, int) and value in MODES
    return key in {"medium", "sizeLimit"} and _is_text(value, "Memory" if key == "medium" else PLAIN_SIZE)


def _is_plain_mount(mount: Mapping[str, Any], volumes: Collection[str]) -> bool:
    is_known = mount.keys() <= {"mountPath", "name", "readOnly"} and isinstance(mount.get("readOnly", True), bool)
    name = mount.get("name")
    return is_known and isinstance(name, str) and name in volumes and _is_text(mount.get("mountPath"), PLAIN_MOUNT)


def _is_text(value: Any, pattern: str) -> bool:
    return isinstance(value, str) and bool(value) and _compiled(pattern).fullmatch(value) is not None


def _are_plain(spec: dict[str, Any], fields: Iterable[str]) -> bool:
    return all(_is_plain(spec[field], field, field) for field in fields if field in spec)


def _is_plain(value: Any, key: str, field: str) -> bool:
    """Return whether a value is surely valid in an object.

    Args:
        value: The value of a key, or an item of the list at that key.
        field: The key of the mapping or list that contains the value.
    """
    if isinstance(value, str):
        return _is_plain_text(value, key, field)
    if key == "policies":  # a text in a ConfigMap, in which JSON may take six bytes for a character
        return all(isinstance(item, str) for item in value) and sum(map(len, value)) <= LARGE // 6
    if key in {"args", "command", "drop"}:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if isinstance(value, list):
        # Several containers may have equal names or ports.
        return (key != "containers" or len(value) == 1) and all(_is_plain(item, key, key) for item in value)
    if isinstance(value, dict):
        return _is_plain_mapping(value, key)
    return isinstance(value, bool) or (isinstance(value, int) and key in NUMBERS and 0 <= value <= LARGEST)


def _is_plain_text(value: str, key: str, field: str) -> bool:
    if key not in TEXTS:
        return False
    pattern = PLAIN_KEY if key == "name" and field == "env" else TEXTS[key]
    return bool(value) if pattern is None else _compiled(pattern).fullmatch(value) is not None


def _is_plain_mapping(value: dict[str, Any], key: str) -> bool:
    if key == "annotations":
        return all(_is_plain_label(name, "") for name in value)
    if key in {"labels", "nodeSelector"}:
        return all(_is_plain_label(name, text) for name, text in value.items())
    if key in PLAIN_VALUES:
        return PLAIN_VALUES[key] in (None, value)
    if key == "valueFrom" and len(value) != 1:
        return False
    if value.keys() != REQUIRED_KEYS.get(key, value.keys()) or (
        key in NAMED_ITEMS and not isinstance(value.get("name"), str)
    ):
        return False
    if key == "env" and "valueFrom" in value and "value" in value:
        return False
    if key == "resources" and not _is_within_limits(value):
        return False
    return all((name in TEXTS or name in NESTED) and _is_plain(inner, name, key) for name, inner in value.items())


def _keeps_labels(resource: Resource[Any]) -> bool:
    template = resource.spec.get("podTemplateSpec")
    if not template:
        return True
    labels = mapping(mapping(mapping(template).get("metadata")).get("labels"))
    own_prefix = resource.profile.spell(OWN_LABEL)
    return not any(name == "app" or "/" in name or name.startswith(own_prefix) for name in labels)


def _is_plain_label(key: str, value: object) -> bool:
    if len(key) > LONGEST_KEY or _compiled(PLAIN_LABEL_KEY).fullmatch(key) is None:
        return False
    return not value or _compiled(PLAIN_LABEL).fullmatch(str(value)) is not None


def _is_within_limits(resources: dict[str, Any]) -> bool:
    limits, requests = resources.get("limits"), resources.get("requests")
    if not isinstance(limits, dict) or not isinstance(requests, dict):
        return True
    return all(name not in limits or _is_within(str(amount), str(limits[name])) for name, amount in requests.items())


@lru_cache(1024)  # projects use only a few amounts
def _is_within(request: str, limit: str) -> bool:
    amount, most = thousandths(request), thousandths(limit)
    return amount is not None and most is not None and amount <= most


def thousandths(amount: str) -> int | None:
    """Return a simple quantity such as ``500m`` or ``2Gi`` in thousandths; ``None`` for another notation."""
    parts = _compiled(PLAIN_AMOUNT).fullmatch(amount)
    return None if parts is None else int(parts[1]) * SCALES[parts[2]]


def _has_plain_references(resource: Resource, workspace: Workspace) -> bool:
    """Return whether a resource and its configurations refer only to Secrets and ConfigMaps with plain names.

    For a virtual server, this includes the members of its group and their configurations.
    """
    if not resource.once(_has_plain_names):
        return False
    for reference in workspace.references(resource):
        target = reference.target
        if target is None or target.kind in {"Secret", "ConfigMap"}:
            continue
        if target.kind != "MCPGroup":
            if not target.once(_has_plain_names):
                return False
        elif resource.kind == "VirtualMCPServer":
            for member in workspace.members(target, resource):
                if not member.once(_has_plain_names) or not _has_plain_references(member, workspace):
                    return False
    return True


def _has_plain_names(resource: Resource) -> bool:
    if resource.kind == "MCPWebhookConfig":
        return False  # its webhooks determine names of volumes and paths
    if resource.kind == "MCPTelemetryConfig":
        spec: dict[str, Any] = resource.spec  # type: ignore[assignment]
        headers = (spec.get("openTelemetry") or {}).get("sensitiveHeaders") or ()
        if any(_compiled(PLAIN_KEY).fullmatch(header.get("name") or "") is None for header in headers):
            return False  # the names of variables contain the names of the headers
    for reference in resource.stated_references:
        if reference.kind in {"Secret", "ConfigMap"}:
            if _compiled(PLAIN_NAME).fullmatch(reference.name) is None:
                return False
            if reference.key is not None and _compiled(PLAIN_KEY).fullmatch(reference.key) is None:
                return False
    return True
