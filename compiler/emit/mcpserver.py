"""The objects of an MCPServer: RBAC, configuration, the proxy's Deployment and Service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..toolhive.constants import DEFAULT_PORT, OIDC_SECRET_VARIABLE, RUN_CONFIG_PATH
from . import authserver, authz, externalauth, oidc, podpatch, rbac, runconfig, telemetry
from .build import Build, Object, deployment_overrides, merged, metadata, omit_empty, service_overrides, standard_labels
from .checksum import POD_CHECKSUM_ANNOTATION
from .container import http_probe, mounted, proxy_environment, resource_requirements, service, with_defaults
from .security import container_security_context, pod_security_context
from .volume import Mounted, config_map, host_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..models.deployment import ProxyDeploymentOverrides
    from ..models.mcpserver import MCPServerSpec
    from ..workspace.resource import Resource

ROLE_RULES: tuple[rbac.PolicyRule, ...] = (
    (("apps",), ("statefulsets",), rbac.WRITE),
    (("",), ("services",), rbac.WRITE),
    (("",), ("pods",), rbac.READ),
    (("",), ("pods/log",), ("get",)),
    (("",), ("pods/attach",), ("create", "get")),
    (("",), ("configmaps",), rbac.READ),
)


def objects(build: Build, resource: Resource[MCPServerSpec]) -> list[Object]:
    """Return every object that the operator creates for an MCPServer, in the order in which it does."""
    # Both ServiceAccounts get the pull secrets of the proxy's Deployment.
    account = f"{resource.name}-proxy-runner"
    pull_secrets = _pull_secrets(resource)
    made = [
        rbac.service_account(resource, account, image_pull_secrets=pull_secrets),
        rbac.role(resource, account, ROLE_RULES),
        rbac.role_binding(resource, account),
    ]
    if resource.spec.get("serviceAccount") is None:
        made.append(rbac.service_account(resource, f"{resource.name}-sa", image_pull_secrets=pull_secrets))
    made += authz.inline_config_map(resource)
    text = runconfig.text(runconfig.mcp_server(build, resource))
    config, checksum = runconfig.config_map(resource, text, "mcp-server")
    return [*made, config, _deployment(build, resource, checksum), _service(resource)]


def _pull_secrets(resource: Resource[MCPServerSpec]) -> list[Object]:
    """Return the image pull secrets; one without a name stays, as an empty object."""
    given = deployment_overrides(resource).get("imagePullSecrets") or ()
    return [omit_empty({"name": secret.get("name")}) for secret in given]


def _deployment(build: Build, resource: Resource[MCPServerSpec], checksum: str) -> Object:
    labels = standard_labels(resource)
    proxy = deployment_overrides(resource)
    volumes, mounts = mounted(_volumes(build, resource))
    pod: Object = {
        "serviceAccountName": f"{resource.name}-proxy-runner",
        "containers": [_container(build, resource, mounts)],
        "volumes": volumes,
        "terminationGracePeriodSeconds": 30,
        "securityContext": pod_security_context(openshift=build.on_openshift),
    }
    pull_secrets = _pull_secrets(resource)
    if pull_secrets:
        pod["imagePullSecrets"] = pull_secrets
    spec: Object = {
        "selector": {"matchLabels": labels},
        "strategy": {},
        "template": {"metadata": _pod_metadata(proxy, labels, checksum), "spec": pod},
    }
    replicas = _replicas(resource)
    # Absent, not 1: the cluster's own count stays.
    if replicas is not None:
        spec["replicas"] = replicas
    made = metadata(resource, resource.name, merged(labels, proxy.get("labels")), proxy.get("annotations"))
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": made, "spec": spec}


def _pod_metadata(proxy: ProxyDeploymentOverrides, labels: dict[str, str], checksum: str) -> Object:
    """Return labels and annotations of the pod.

    Where the user overrides the pod's annotations, the operator loses its checksum and takes the Deployment's
    annotations instead.
    """
    template = proxy.get("podTemplateMetadataOverrides") or {}
    annotations: dict[str, str] = {POD_CHECKSUM_ANNOTATION: checksum}
    if template.get("annotations"):
        annotations = merged(proxy.get("annotations") or {}, template["annotations"])
    return {"labels": merged(labels, template.get("labels")), "annotations": annotations}


def _replicas(resource: Resource[MCPServerSpec]) -> int | None:
    replicas: int | None = resource.spec.get("replicas")
    # The proxy is attached to one process over stdio: the operator starts one replica, whatever is asked for.
    capped = replicas is not None and replicas > 1 and resource.spec.get("transport", "stdio") == "stdio"
    return 1 if capped else replicas


def _container(build: Build, resource: Resource[MCPServerSpec], mounts: list[Object]) -> Object:
    patch = podpatch.pod_patch(resource)
    args = ["run"]
    if patch is not None:
        args.append(f"--k8s-pod-patch={podpatch.text(patch)}")
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    more = {"failureThreshold": 3}
    return {
        "name": "toolhive",
        "image": build.operator.images.proxy_runner,
        "args": [*args, resource.spec.get("image", "")],
        "ports": [{"name": "http", "containerPort": port, "protocol": "TCP"}],
        "env": _environment(build, resource),
        "resources": resource_requirements(resource.spec.get("resources")),
        "volumeMounts": mounts,
        "livenessProbe": http_probe("/health", "http", 30, 10, timeoutSeconds=5, **more),
        "readinessProbe": http_probe("/health", "http", 5, 5, timeoutSeconds=3, **more),
        "securityContext": container_security_context(openshift=build.on_openshift),
    }


def _environment(build: Build, resource: Resource[MCPServerSpec]) -> list[Object]:
    workspace = build.workspace
    brought: list[Object] = []
    found = telemetry.config(workspace, resource)
    if found is not None:
        brought += telemetry.environment(found, resource)
    brought += externalauth.token_exchange_env(workspace, resource)
    brought += oidc.client_secret_env(workspace, resource, ("spec", "oidcConfigRef"), OIDC_SECRET_VARIABLE)
    env = proxy_environment(resource, brought)
    server = authserver.of_proxy(workspace, resource)
    if server is not None:
        env += authserver.environment(server)
    return with_defaults(env)


def _volumes(build: Build, resource: Resource[MCPServerSpec]) -> Iterator[Mounted | None]:
    workspace = build.workspace
    yield config_map("runconfig", f"{resource.name}-runconfig", RUN_CONFIG_PATH)
    for volume in resource.spec.get("volumes") or ():
        read_only = bool(volume.get("readOnly"))
        yield host_path(volume["name"], volume["hostPath"], volume["mountPath"], read_only=read_only)
    yield authz.volume(resource)
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    incoming = oidc.resolve(workspace, resource, ("spec", "oidcConfigRef"), port)
    if incoming is not None:
        yield oidc.ca_volume(incoming)
    found = telemetry.config(workspace, resource)
    if found is not None:
        yield telemetry.ca_volume(found)
    server = authserver.of_proxy(workspace, resource)
    if server is not None:
        yield from authserver.volumes(server)


def _service(resource: Resource[MCPServerSpec]) -> Object:
    labels = standard_labels(resource)
    given = service_overrides(resource)
    made = metadata(
        resource, f"mcp-{resource.name}-proxy", merged(labels, given.get("labels")), given.get("annotations")
    )
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    affinity = resource.spec.get("sessionAffinity") or "ClientIP"
    return service(made, labels, port, sessionAffinity=affinity)
