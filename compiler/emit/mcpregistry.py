"""The objects of an MCPRegistry: its configuration, RBAC, Deployment and Service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..golang.json import compact
from ..golang.value import json_numbers
from ..kube.typed import decode
from ..toolhive.constants import (
    CHECKSUM_ANNOTATION,
    COMPONENT_LABEL,
    CONFIG_HASH_ANNOTATION,
    DEFAULT_PORT,
    MANAGER,
    MANAGER_LABEL,
    NAME_LABEL,
    PGPASS_PATH,
    PGPASS_SECRET_VOLUME,
    PGPASS_VOLUME,
    REGISTRY_CONTAINER,
    REGISTRY_INIT_CONTAINER,
    REGISTRY_LABEL,
    REGISTRY_PATH,
    REGISTRY_VOLUME,
    TEMPLATE_HASH_ANNOTATION,
    registry_labels,
)
from ..toolhive.profile import TOOLHIVE
from . import rbac
from .build import Object, metadata
from .checksum import hex_digest
from .container import deployment, http_probe, pod_pull_secrets
from .service import service
from .specdump import bytes_hash, spec_hash

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..models.mcpregistry import MCPRegistrySpec
    from ..models.reference import SecretKeySelector
    from ..workspace.resource import Resource
    from .build import Build

ROLE_RULES: tuple[rbac.PolicyRule, ...] = (
    ((TOOLHIVE.api_group,), ("mcpservers", "mcpremoteproxies", "virtualmcpservers"), rbac.READ),
    (("",), ("services",), rbac.READ),
    (("gateway.networking.k8s.io",), ("httproutes", "gateways"), rbac.READ),
    (("",), ("configmaps",), rbac.WRITE),
    (("coordination.k8s.io",), ("leases",), rbac.WRITE),
)
EVENTS_GROUP_SINCE = "0.28.1"
"""The first release whose registry server writes events of ``events.k8s.io`` instead of the core group's."""

PROBE_PORT = 8081
"""The port on which the registry server answers probes, from ``PROBE_PORT_SINCE`` on."""
PROBE_PORT_SINCE = "0.24.1"
"""The first release whose registry server answers probes on a separate port."""


def objects(build: Build, resource: Resource[MCPRegistrySpec]) -> list[Object]:
    """Return the objects that the operator creates for an MCPRegistry, in its order."""
    account = f"{resource.name}-registry-api"
    labels = _labels(resource, account)
    return [
        _config_map(resource),
        *rbac.account_with_role(
            resource, account, (*ROLE_RULES, _events(resource)), _pull_secrets(build, resource), labels
        ),
        _deployment(build, resource),
        _service(resource),
    ]


def _events(resource: Resource) -> rbac.PolicyRule:
    group = "events.k8s.io" if resource.is_judged(since=EVENTS_GROUP_SINCE) else ""
    return (group,), ("events",), ("create", "patch")


def template_annotations(resource: Resource, template: Any) -> dict[str, str] | None:
    """Return the annotation that shows the operator a changed pod template, or ``None`` without a template.

    Its value is the SHA-256 of the template as compact JSON with sorted keys, in which every number is a float64.
    """
    if template is None:
        return None
    digest = hex_digest(compact(json_numbers(template), sort_keys=True))
    return {resource.profile.spell(TEMPLATE_HASH_ANNOTATION): digest}


def _labels(resource: Resource, name: str) -> dict[str, str]:
    return {
        NAME_LABEL: name,
        COMPONENT_LABEL: REGISTRY_CONTAINER,
        MANAGER_LABEL: resource.profile.spell(MANAGER),
        resource.profile.spell(REGISTRY_LABEL): resource.name,
    }


def _selector(resource: Resource) -> dict[str, str]:
    return registry_labels(resource.name)


def _config_map(resource: Resource[MCPRegistrySpec]) -> Object:
    text: str = resource.spec.get("configYAML", "")
    annotations = {resource.profile.spell(CHECKSUM_ANNOTATION): bytes_hash(text.encode())}
    config_map_metadata = metadata(resource, f"{resource.name}-registry-server-config", None, annotations)
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": config_map_metadata, "data": {"config.yaml": text}}


def _deployment(build: Build, resource: Resource[MCPRegistrySpec]) -> Object:
    name = f"{resource.name}-api"
    labels = _labels(resource, name)
    template = resource.spec.get("podTemplateSpec")
    annotations = template_annotations(resource, template)
    deployment_metadata = metadata(resource, name, labels, annotations)
    pod_annotations = {resource.profile.spell(CONFIG_HASH_ANNOTATION): spec_hash(resource)}
    pod_metadata = {"labels": labels, "annotations": pod_annotations}
    default = {"metadata": pod_metadata, "spec": _pod(build, resource)}
    return deployment(deployment_metadata, _selector(resource), _merged(default, template), 1)


def _pod(build: Build, resource: Resource[MCPRegistrySpec]) -> Object:
    config_volume = {"name": REGISTRY_VOLUME, "configMap": {"name": f"{resource.name}-registry-server-config"}}
    volumes = [config_volume]
    mounts: list[Object] = [{"name": REGISTRY_VOLUME, "mountPath": REGISTRY_PATH, "readOnly": True}]
    for volume in resource.spec.get("volumes") or ():
        _append_new(volumes, _typed(volume, "Volume"))
    for mount in resource.spec.get("volumeMounts") or ():
        _append_new(mounts, _typed(mount, "VolumeMount"))
    probed = PROBE_PORT if resource.is_judged(since=PROBE_PORT_SINCE) else DEFAULT_PORT
    container: Object = {
        "name": REGISTRY_CONTAINER,
        "image": build.operator.registry_image(resource.profile),
        "args": ["serve", "--config=/config/config.yaml"],
        "ports": [{"name": "http", "containerPort": DEFAULT_PORT, "protocol": "TCP"}],
        "resources": {
            "limits": {"cpu": "500m", "memory": "512Mi"},
            "requests": {"cpu": "100m", "memory": "128Mi"},
        },
        "volumeMounts": mounts,
        # The times in seconds are those of BuildRegistryAPIContainer in the operator.
        "livenessProbe": http_probe("/health", probed, 30, 10),
        "readinessProbe": http_probe("/readiness", probed, 5, 5),
    }
    pod: Object = {
        "serviceAccountName": f"{resource.name}-registry-api",
        "containers": [container],
        "volumes": volumes,
    }
    if secrets := _pull_secrets(build, resource):
        pod["imagePullSecrets"] = secrets
    ref = resource.spec.get("pgpassSecretRef") or {}
    if ref.get("name") and ref.get("key"):
        _wire_pgpass(pod, container, ref)
    return pod


def _pull_secrets(build: Build, resource: Resource[MCPRegistrySpec]) -> list[Object]:
    return pod_pull_secrets(build, resource, resource.spec.get("imagePullSecrets"))


def _typed(value: Any, kind: str) -> Object:
    shaped: Object = decode(value, kind).value
    return shaped


def _append_new(items: list[Object], item: Object) -> None:
    if all(item.get("name") != other["name"] for other in items):
        items.append(item)


def _wire_pgpass(pod: Object, container: Object, ref: SecretKeySelector) -> None:
    """Add an init container that copies the pgpass file with mode 0600, which the PostgreSQL library requires."""
    items = [{"key": ref["key"], "path": ".pgpass"}]
    _append_new(pod["volumes"], {"name": PGPASS_SECRET_VOLUME, "secret": {"secretName": ref["name"], "items": items}})
    _append_new(pod["volumes"], {"name": PGPASS_VOLUME, "emptyDir": {}})
    mount = {"name": PGPASS_VOLUME, "mountPath": PGPASS_PATH, "subPath": ".pgpass", "readOnly": True}
    _append_new(container["volumeMounts"], mount)
    container["env"] = [{"name": "PGPASSFILE", "value": PGPASS_PATH}]
    pod["initContainers"] = [
        {
            "name": REGISTRY_INIT_CONTAINER,
            "image": "cgr.dev/chainguard/busybox:latest",
            "command": ["sh", "-c", "cp /secret/.pgpass /pgpass/.pgpass && chmod 0600 /pgpass/.pgpass"],
            "resources": {
                "limits": {"cpu": "50m", "memory": "32Mi"},
                "requests": {"cpu": "10m", "memory": "16Mi"},
            },
            "volumeMounts": [
                {"name": PGPASS_SECRET_VOLUME, "mountPath": "/secret", "readOnly": True},
                {"name": PGPASS_VOLUME, "mountPath": "/pgpass"},
            ],
            "securityContext": {
                "runAsNonRoot": True,
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            },
        }
    ]


def _merged(default: Object, given: Any) -> Object:
    """Merge the operator's pod template into the user's. The user's values win, and the user's items come first."""
    if not given:
        return default
    user = decode(given).value
    meta, pod, base = user.get("metadata") or {}, user.get("spec") or {}, default["spec"]
    merged_metadata = dict(meta)
    for field in ("labels", "annotations"):
        merged_metadata[field] = default["metadata"][field] | (meta.get(field) or {})
    merged_pod = dict(pod)
    merged_pod["serviceAccountName"] = pod.get("serviceAccountName") or base["serviceAccountName"]
    for field in ("containers", "initContainers"):
        containers = _merge_containers(pod.get(field) or [], base.get(field) or [])
        if containers:
            merged_pod[field] = containers
    if not pod.get("imagePullSecrets") and base.get("imagePullSecrets"):
        merged_pod["imagePullSecrets"] = base["imagePullSecrets"]
    merged_pod["volumes"] = _joined(pod.get("volumes"), base["volumes"], _same_name)
    return {"metadata": merged_metadata, "spec": merged_pod}


def _merge_containers(user: list[Object], default: list[Object]) -> list[Object]:
    by_name = {container["name"]: container for container in default}
    merged = [
        _merge_container(container, by_name[container["name"]]) if container["name"] in by_name else container
        for container in user
    ]
    user_names = {container["name"] for container in user}
    return merged + [container for container in default if container["name"] not in user_names]


FILLED = tuple(
    """
    image command args workingDir livenessProbe readinessProbe startupProbe securityContext imagePullPolicy
    """.split()
)
"""Fields of a container that the operator's value fills where the user's is empty."""


def _merge_container(user: Object, default: Object) -> Object:
    merged = dict(user)
    for field in FILLED:
        if not merged.get(field) and default.get(field):
            merged[field] = default[field]
    resources = merged.get("resources") or {}
    if not resources.get("limits") and not resources.get("requests"):
        merged["resources"] = default.get("resources", {})
    for field, same in (("ports", _same_port), ("env", _same_name), ("volumeMounts", _same_name)):
        joined = _joined(merged.get(field), default.get(field) or [], same)
        if joined:
            merged[field] = joined
    return merged


def _joined(user: list[Object] | None, default: list[Object], same: Callable[[Object, Object], bool]) -> list[Object]:
    first = user or []
    return [*first, *(item for item in default if not any(same(item, other) for other in first))]


def _same_name(item: Object, other: Object) -> bool:
    return bool(item.get("name") == other.get("name"))


def _same_port(item: Object, other: Object) -> bool:
    named = bool(item.get("name")) and item.get("name") == other.get("name")
    return named or item.get("containerPort") == other.get("containerPort")


def _service(resource: Resource) -> Object:
    name = f"{resource.name}-api"
    service_metadata = metadata(resource, name, _labels(resource, name))
    return service(service_metadata, _selector(resource), DEFAULT_PORT, type="ClusterIP")
