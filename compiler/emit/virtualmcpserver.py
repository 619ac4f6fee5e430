"""The objects of a VirtualMCPServer: RBAC, secret, configuration, Deployment and Service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..golang.json import compact
from ..kube.strategicmerge import merge
from ..kube.typed import decode
from ..toolhive.constants import (
    COMPONENT_LABEL,
    INSTANCE_LABEL,
    MANAGER,
    MANAGER_LABEL,
    NAME_LABEL,
    POD_CHECKSUM_ANNOTATION,
    PULL_SECRETS_ANNOTATION,
    PURPOSE_ANNOTATION,
    VIRTUAL_SERVER_LABEL,
    VMCP_CONTAINER,
    VMCP_PORT,
)
from ..toolhive.profile import TOOLHIVE
from ..toolhive.release import ENTRY_HEADERS_SINCE, VIRTUAL_TEMPLATE_SINCE
from . import (
    authserver,
    bundle_checksum,
    headerforward,
    listener,
    oidc,
    rbac,
    runconfig,
    telemetry,
    vmcpauth,
    vmcpbackend,
    vmcpconfig,
    vmcpincoming,
)
from .build import Object, metadata, secret_env, standard_labels
from .checksum import hex_digest
from .container import deployment, http_probe, mounted, pod_pull_secrets, session_password, with_defaults
from .mcpregistry import template_annotations
from .podpatch import is_customized
from .security import container_security_context, pod_security_context
from .service import virtual_server_service
from .session import session_ca
from .volume import Mounted, config_map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.fault import Flaw
    from ..models.mcpserverentry import MCPServerEntrySpec
    from ..models.reference import SecretKeyRef
    from ..models.spec import MemberSpec
    from ..models.virtualmcpserver import VirtualMCPServerSpec
    from ..workspace.resource import Resource
    from .build import Build

RANDOM = "<random>"
"""The placeholder in a compiled Secret for a value that the operator generates randomly."""

LONGEST_VOLUME_NAME = 63
"""Kubernetes' limit for the name of a volume, which is a DNS label."""
STATUS_RULES: tuple[rbac.PolicyRule, ...] = (
    ((TOOLHIVE.api_group,), ("virtualmcpservers",), ("get",)),
    ((TOOLHIVE.api_group,), ("virtualmcpservers/status",), ("update", "patch")),
)

DISCOVERY_RULES: tuple[rbac.PolicyRule, ...] = (
    (("",), ("configmaps", "secrets"), rbac.READ),
    (
        (TOOLHIVE.api_group,),
        ("mcpgroups", "mcpservers", "mcpremoteproxies", "mcpserverentries", "mcpexternalauthconfigs", "mcptoolconfigs"),
        rbac.READ,
    ),
)


def objects(build: Build, resource: Resource[VirtualMCPServerSpec]) -> list[Object]:
    """Return the objects that the operator creates for a VirtualMCPServer, in its order."""
    compiled: list[Object] = []
    if not resource.spec.get("serviceAccount"):
        account = f"{resource.name}-vmcp"
        rules = STATUS_RULES if vmcpauth.is_inline(resource) else DISCOVERY_RULES + STATUS_RULES
        compiled = rbac.account_with_role(resource, account, rules, _pull_secrets(build, resource))
    config, checksum = _config_map(build, resource)
    compiled += [_hmac_secret(resource), config, _deployment(build, resource, checksum)]
    return [*compiled, virtual_server_service(resource)]


def _pull_secrets(build: Build, resource: Resource[VirtualMCPServerSpec]) -> list[Object]:
    return pod_pull_secrets(build, resource, resource.spec.get("imagePullSecrets"))


def _pull_secrets_hash(build: Build, resource: Resource[VirtualMCPServerSpec]) -> dict[str, str]:
    """Return the annotation with a hash of the pull secrets, if any, so the operator notices that they changed."""
    given = sorted(_pull_secrets(build, resource), key=lambda secret: secret.get("name", "").encode())
    if not given:
        return {}
    return {resource.profile.spell(PULL_SECRETS_ANNOTATION): hex_digest(compact(given))}


def _config_map(build: Build, resource: Resource[VirtualMCPServerSpec]) -> tuple[Object, str]:
    label, data = resource.profile.spell(VIRTUAL_SERVER_LABEL), vmcpconfig.files(build, resource)
    return runconfig.labeled_config_map(resource, f"{resource.name}-vmcp-config", "vmcp-config", label, data)


def _hmac_secret(resource: Resource[VirtualMCPServerSpec]) -> Object:
    labels = {
        NAME_LABEL: "virtualmcpserver",
        INSTANCE_LABEL: resource.name,
        COMPONENT_LABEL: "session-security",
        MANAGER_LABEL: resource.profile.spell(MANAGER),
    }
    purpose = {resource.profile.spell(PURPOSE_ANNOTATION): "hmac-secret-for-session-token-binding"}
    secret_metadata = metadata(resource, f"{resource.name}-hmac-secret", labels, purpose)
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": secret_metadata,
        "type": "Opaque",
        "data": {"hmac-secret": RANDOM},
    }


def _deployment(build: Build, resource: Resource[VirtualMCPServerSpec], checksum: str) -> Object:
    labels = standard_labels(resource)
    given = resource.spec.get("podTemplateSpec")
    annotations = (template_annotations(resource, given) or {}) | _pull_secrets_hash(build, resource)
    template = _patched(resource, _pod_template(build, resource, labels, checksum), given)
    deployment_metadata = metadata(resource, resource.name, labels, annotations)
    return deployment(deployment_metadata, labels, template, resource.spec.get("replicas"))


def _pod_template(
    build: Build, resource: Resource[VirtualMCPServerSpec], labels: dict[str, str], checksum: str
) -> Object:
    volumes, mounts = mounted(_volumes(build, resource))
    pod = {
        "volumes": volumes,
        "containers": [_container(build, resource, mounts)],
        # In seconds, as deploymentForVirtualMCPServer of the operator writes it.
        "terminationGracePeriodSeconds": 30,
        "serviceAccountName": resource.spec.get("serviceAccount") or f"{resource.name}-vmcp",
        "securityContext": pod_security_context(build, resource),
    }
    if secrets := _pull_secrets(build, resource):
        pod["imagePullSecrets"] = secrets
    annotations = {resource.profile.spell(POD_CHECKSUM_ANNOTATION): checksum}
    annotations |= bundle_checksum.annotation(build.workspace, resource)
    return {"metadata": {"labels": labels, "annotations": annotations}, "spec": pod}


def keeps_pod_labels(resource: Resource[VirtualMCPServerSpec]) -> bool:
    """Return whether the user's pod template keeps the pod labels that the operator searches for."""
    labels = standard_labels(resource)
    template: Object = {"metadata": {"labels": labels}, "spec": {}}
    metadata: Object = _patched(resource, template, resource.spec.get("podTemplateSpec")).get("metadata") or {}
    patched: dict[str, str] = metadata.get("labels") or {}
    return labels.items() <= patched.items()


def template_faults(build: Build, resource: Resource[VirtualMCPServerSpec]) -> tuple[Flaw, ...]:
    """Return the faults that keep the operator from merging the user's pod template, with paths in the template."""
    given = resource.spec.get("podTemplateSpec")
    if not _is_merged(resource, given):
        return ()
    return merge(_pod_template(build, resource, standard_labels(resource), checksum=""), given).faults


def _patched(resource: Resource, template: Object, given: Any) -> Object:
    return decode(merge(template, given).value).value if _is_merged(resource, given) else template


def _is_merged(resource: Resource, given: Any) -> bool:
    """Return whether the operator merges a pod template.

    An operator before v0.32.0 ignores a template that sets no decisive field; see `is_customized`.
    """
    return bool(given) and (resource.is_judged(since=VIRTUAL_TEMPLATE_SINCE) or is_customized(decode(given).value))


def _container(build: Build, resource: Resource[VirtualMCPServerSpec], mounts: list[Object]) -> Object:
    operational = (resource.spec.get("config") or {}).get("operational") or {}
    debug = ["--debug"] if operational.get("logLevel") == "debug" else []
    return {
        "name": VMCP_CONTAINER,
        "image": build.operator.vmcp_image(resource.profile),
        "imagePullPolicy": "IfNotPresent",
        "args": [
            "serve",
            f"--config=/etc/vmcp-config/{vmcpconfig.CONFIG_FILE}",
            "--host=0.0.0.0",
            f"--port={VMCP_PORT}",
            *debug,
        ],
        "ports": [
            {"name": "http", "containerPort": VMCP_PORT, "protocol": "TCP"},
            *listener.container_ports(resource.spec.get("authServerConfig"), resource),
        ],
        "env": _environment(build, resource),
        "volumeMounts": mounts,
        "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"cpu": "500m", "memory": "512Mi"}},
        # The times in seconds are those of deploymentForVirtualMCPServer.
        "livenessProbe": http_probe("/health", "http", 30, 10, timeoutSeconds=5, failureThreshold=3),
        "readinessProbe": http_probe("/readyz", "http", 15, 5, timeoutSeconds=3, failureThreshold=3),
        "securityContext": container_security_context(build, resource),
    }


def _environment(build: Build, resource: Resource[VirtualMCPServerSpec]) -> list[Object]:
    workspace = build.workspace
    env: list[Object] = [
        {"name": "VMCP_NAME", "value": resource.name},
        {"name": "VMCP_NAMESPACE", "value": resource.printed_namespace},
    ]
    resolved = oidc.resolve(workspace, resource, vmcpauth.OIDC_REF, VMCP_PORT)
    if resolved is not None and resolved.client_secret_ref:
        env.append(secret_env(vmcpincoming.CLIENT_SECRET_ENV, resolved.client_secret_ref))
    env += vmcpauth.secret_environment(workspace, resource, _members(build, resource))
    if resource.is_judged(since=ENTRY_HEADERS_SINCE):
        env += headerforward.entries_environment(
            cast("Resource[MCPServerEntrySpec]", member)
            for member in _members(build, resource)
            if member.kind == "MCPServerEntry"
        )
    hmac: SecretKeyRef = {"name": f"{resource.name}-hmac-secret", "key": "hmac-secret"}
    env.append(secret_env("VMCP_SESSION_HMAC_SECRET", hmac))
    env += session_password(resource, build.operator.default_redis(resource.release)[1])
    env += telemetry.environment(workspace, resource)
    secrets = authserver.environment(resource.spec.get("authServerConfig"), resource)
    # v0.31.0 moved the variables of the authorization server before the defaults.
    if resource.is_judged(since="0.31.0"):
        return with_defaults(resource, env + secrets)
    return with_defaults(resource, env) + secrets


def _members(build: Build, resource: Resource[VirtualMCPServerSpec]) -> list[Resource[MemberSpec]]:
    group = build.workspace.target(resource, "spec", "groupRef", "name")
    return build.workspace.members(group, resource) if group is not None else []


def _volumes(build: Build, resource: Resource[VirtualMCPServerSpec]) -> Iterator[Mounted | None]:
    workspace = build.workspace
    yield config_map("vmcp-config", f"{resource.name}-vmcp-config", "/etc/vmcp-config")
    yield oidc.ca_volume(oidc.resolve(workspace, resource, vmcpauth.OIDC_REF, VMCP_PORT))
    for member in _members(build, resource):
        entry = cast("Resource[MCPServerEntrySpec]", member)
        ca = vmcpbackend.ca_config_map(entry) if member.kind == "MCPServerEntry" else None
        if ca is not None:
            folder = vmcpbackend.ca_folder(entry)
            yield config_map(ca_volume_name(member.name), ca[0], folder, {ca[1]: ca[1]})
    yield telemetry.ca_volume(workspace, resource)
    yield from authserver.volumes(resource.spec.get("authServerConfig"), resource)
    yield session_ca(resource)


def ca_volume_name(entry: str) -> str:
    """Return the volume name of an entry's CA bundle. A name that is too long is cut and gets a hash."""
    name = f"ca-bundle-{entry}"
    if len(name) <= LONGEST_VOLUME_NAME:
        return name
    # 10 + 44 + 1 + 8 characters are 63. A hyphen at the cut is dropped, so no two hyphens follow each other.
    return f"ca-bundle-{entry[:44].rstrip('-')}-{hex_digest(entry)[:8]}"
