"""The objects of a VirtualMCPServer: RBAC, secret, configuration, Deployment and Service."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

from ..kube.strategicmerge import merge
from ..kube.typed import decode
from ..toolhive.constants import (
    COMPONENT_LABEL,
    INSTANCE_LABEL,
    MANAGER,
    MANAGER_LABEL,
    NAME_LABEL,
    OWN_COMPONENT_LABEL,
    OWN_MANAGER_LABEL,
    PROCESS_ENVIRONMENT,
    VMCP_PORT,
)
from . import authserver, oidc, rbac, telemetry, vmcpauth, vmcpbackend, vmcpconfig
from .build import Object, metadata, secret_env, standard_labels
from .checksum import CHECKSUM_ANNOTATION, POD_CHECKSUM_ANNOTATION, content_checksum
from .container import http_probe, mounted, service
from .mcpregistry import TEMPLATE_HASH_ANNOTATION, template_hash
from .podpatch import DECISIVE
from .security import container_security_context, pod_security_context
from .volume import Mounted, config_map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..models.mcpserverentry import MCPServerEntrySpec
    from ..models.reference import SecretKeyRef
    from ..models.spec import MemberSpec
    from ..models.virtualmcpserver import VirtualMCPServerSpec
    from ..workspace.resource import Resource
    from .build import Build

GROUP = "toolhive.stacklok.dev"
RANDOM = "<random>"
"""Stands for what the operator draws at random."""

LONGEST_VOLUME_NAME = 63
STATUS_RULES: tuple[rbac.PolicyRule, ...] = (
    ((GROUP,), ("virtualmcpservers",), ("get",)),
    ((GROUP,), ("virtualmcpservers/status",), ("update", "patch")),
)
DISCOVERY_RULES: tuple[rbac.PolicyRule, ...] = (
    (("",), ("configmaps", "secrets"), rbac.READ),
    (
        (GROUP,),
        (
            "mcpgroups",
            "mcpservers",
            "mcpremoteproxies",
            "mcpserverentries",
            "mcpexternalauthconfigs",
            "mcptoolconfigs",
        ),
        rbac.READ,
    ),
)


def objects(build: Build, resource: Resource[VirtualMCPServerSpec]) -> list[Object]:
    """Return every object that the operator creates for a VirtualMCPServer, in the order in which it does."""
    made: list[Object] = []
    if not resource.spec.get("serviceAccount"):
        account = f"{resource.name}-vmcp"
        rules = STATUS_RULES if vmcpauth.is_inline(resource) else DISCOVERY_RULES + STATUS_RULES
        made = [
            rbac.service_account(resource, account),
            rbac.role(resource, account, rules),
            rbac.role_binding(resource, account),
        ]
    config, checksum = _config_map(build, resource)
    return [*made, _hmac_secret(resource), config, _deployment(build, resource, checksum), _service(resource)]


def _config_map(build: Build, resource: Resource[VirtualMCPServerSpec]) -> tuple[Object, str]:
    data = vmcpconfig.files(build, resource)
    labels = {
        OWN_COMPONENT_LABEL: "vmcp-config",
        "toolhive.stacklok.io/virtual-mcp-server": resource.name,
        OWN_MANAGER_LABEL: MANAGER,
    }
    checksum = content_checksum(data, labels)
    made = metadata(resource, f"{resource.name}-vmcp-config", labels, {CHECKSUM_ANNOTATION: checksum})
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": made, "data": data}, checksum


def _hmac_secret(resource: Resource[VirtualMCPServerSpec]) -> Object:
    labels = {
        NAME_LABEL: "virtualmcpserver",
        INSTANCE_LABEL: resource.name,
        COMPONENT_LABEL: "session-security",
        MANAGER_LABEL: MANAGER,
    }
    purpose = {"toolhive.stacklok.dev/purpose": "hmac-secret-for-session-token-binding"}
    made = metadata(resource, f"{resource.name}-hmac-secret", labels, purpose)
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": made,
        "type": "Opaque",
        "data": {"hmac-secret": RANDOM},
    }


def _deployment(build: Build, resource: Resource[VirtualMCPServerSpec], checksum: str) -> Object:
    labels = standard_labels(resource)
    given = resource.spec.get("podTemplateSpec")
    annotations = None if given is None else {TEMPLATE_HASH_ANNOTATION: template_hash(given)}
    spec: Object = {
        "selector": {"matchLabels": labels},
        "strategy": {},
        "template": _patched(_pod_template(build, resource, labels, checksum), given),
    }
    if resource.spec.get("replicas") is not None:
        spec["replicas"] = resource.spec["replicas"]
    made = metadata(resource, resource.name, labels, annotations)
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": made, "spec": spec}


def _pod_template(
    build: Build, resource: Resource[VirtualMCPServerSpec], labels: dict[str, str], checksum: str
) -> Object:
    volumes, mounts = mounted(_volumes(build, resource))
    pod = {
        "volumes": volumes,
        "containers": [_container(build, resource, mounts)],
        "terminationGracePeriodSeconds": 30,
        "serviceAccountName": resource.spec.get("serviceAccount") or f"{resource.name}-vmcp",
        "securityContext": pod_security_context(openshift=build.on_openshift),
    }
    return {"metadata": {"labels": labels, "annotations": {POD_CHECKSUM_ANNOTATION: checksum}}, "spec": pod}


def finds_its_pods(resource: Resource[VirtualMCPServerSpec]) -> bool:
    """Return whether the pods keep the labels that the operator looks for; a pod template may change them."""
    labels = standard_labels(resource)
    template: Object = {"metadata": {"labels": labels}, "spec": {}}
    metadata: Object = _patched(template, resource.spec.get("podTemplateSpec")).get("metadata") or {}
    patched: dict[str, str] = metadata.get("labels") or {}
    return labels.items() <= patched.items()


def _patched(template: Object, given: Any) -> Object:
    """Apply the user's template as a strategic merge patch, where it holds anything that the operator looks for."""
    if not given:
        return template
    patch = decode(given).value
    meta, pod = patch.get("metadata") or {}, patch.get("spec") or {}
    # So a template with other fields alone, such as hostNetwork, changes nothing.
    if not any(pod.get(field) for field in DECISIVE) and not meta.get("labels") and not meta.get("annotations"):
        return template
    patched: Object = decode(merge(template, given).value).value
    return patched


def _container(build: Build, resource: Resource[VirtualMCPServerSpec], mounts: list[Object]) -> Object:
    operational = (resource.spec.get("config") or {}).get("operational") or {}
    debug = ["--debug"] if operational.get("logLevel") == "debug" else []
    return {
        "name": "vmcp",
        "image": build.operator.images.vmcp,
        "imagePullPolicy": "IfNotPresent",
        "args": [
            "serve",
            f"--config=/etc/vmcp-config/{vmcpconfig.CONFIG_FILE}",
            "--host=0.0.0.0",
            f"--port={VMCP_PORT}",
            *debug,
        ],
        "ports": [{"name": "http", "containerPort": VMCP_PORT, "protocol": "TCP"}],
        "env": _environment(build, resource),
        "volumeMounts": mounts,
        "resources": {
            "requests": {"cpu": "100m", "memory": "128Mi"},
            "limits": {"cpu": "500m", "memory": "512Mi"},
        },
        "livenessProbe": http_probe("/health", "http", 30, 10, timeoutSeconds=5, failureThreshold=3),
        "readinessProbe": http_probe("/readyz", "http", 15, 5, timeoutSeconds=3, failureThreshold=3),
        "securityContext": container_security_context(openshift=build.on_openshift),
    }


def _environment(build: Build, resource: Resource[VirtualMCPServerSpec]) -> list[Object]:
    workspace, spec = build.workspace, resource.spec
    env: list[Object] = [
        {"name": "VMCP_NAME", "value": resource.name},
        {"name": "VMCP_NAMESPACE", "value": resource.printed_namespace},
    ]
    resolved = oidc.resolve(workspace, resource, vmcpauth.OIDC_REF, VMCP_PORT)
    if resolved is not None and resolved.client_secret_ref:
        env.append(secret_env(vmcpauth.CLIENT_SECRET_ENV, resolved.client_secret_ref))
    env += vmcpauth.secret_environment(workspace, resource, _members(build, resource))
    hmac: SecretKeyRef = {"name": f"{resource.name}-hmac-secret", "key": "hmac-secret"}
    env.append(secret_env("VMCP_SESSION_HMAC_SECRET", hmac))
    storage = spec.get("sessionStorage") or {}
    if storage.get("provider") == "redis" and storage.get("passwordRef"):
        env.append(secret_env("THV_SESSION_REDIS_PASSWORD", storage["passwordRef"]))
    found = telemetry.config(workspace, resource)
    if found is not None:
        env += telemetry.environment(found, resource)
    env += [{"name": name, "value": value} for name, value in PROCESS_ENVIRONMENT.items()]
    server = spec.get("authServerConfig")
    return env + (authserver.environment(server) if server is not None else [])


def _members(build: Build, resource: Resource[VirtualMCPServerSpec]) -> list[Resource[MemberSpec]]:
    group = build.workspace.target(resource, "spec", "groupRef", "name")
    return build.workspace.members(group, resource) if group is not None else []


def _volumes(build: Build, resource: Resource[VirtualMCPServerSpec]) -> Iterator[Mounted | None]:
    workspace = build.workspace
    yield config_map("vmcp-config", f"{resource.name}-vmcp-config", "/etc/vmcp-config")
    resolved = oidc.resolve(workspace, resource, vmcpauth.OIDC_REF, VMCP_PORT)
    if resolved is not None:
        yield oidc.ca_volume(resolved)
    for member in _members(build, resource):
        ca = (
            vmcpbackend.ca_config_map(cast("Resource[MCPServerEntrySpec]", member))
            if member.kind == "MCPServerEntry"
            else None
        )
        if ca is not None:
            folder = f"{vmcpbackend.CA_FOLDER}/{member.name}"
            yield config_map(ca_volume_name(member.name), ca[0], folder, {ca[1]: ca[1]})
    found = telemetry.config(workspace, resource)
    if found is not None:
        yield telemetry.ca_volume(found)
    server = resource.spec.get("authServerConfig")
    if server is not None:
        yield from authserver.volumes(server)


def ca_volume_name(entry: str) -> str:
    """Name the volume of an entry's CA bundle; a name that is too long is cut and made unique by a hash."""
    name = f"ca-bundle-{entry}"
    if len(name) <= LONGEST_VOLUME_NAME:
        return name
    # 10 + 44 + 1 + 8 characters are 63, the most that Kubernetes takes; a dash before the dash is dropped.
    return f"ca-bundle-{entry[:44].rstrip('-')}-{sha256(entry.encode()).hexdigest()[:8]}"


def _service(resource: Resource[VirtualMCPServerSpec]) -> Object:
    labels = standard_labels(resource)
    made = metadata(resource, f"vmcp-{resource.name}", labels)
    return service(
        made,
        labels,
        VMCP_PORT,
        type=resource.spec.get("serviceType") or "ClusterIP",
        sessionAffinity=resource.spec.get("sessionAffinity") or "ClientIP",
    )
