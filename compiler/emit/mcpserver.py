"""The objects of an MCPServer: RBAC, configuration, the proxy's Deployment and Service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..toolhive.constants import (
    DEFAULT_PORT,
    GENERATION_ANNOTATION,
    GENERATION_VARIABLE,
    OIDC_SECRET_VARIABLE,
    POD_CHECKSUM_ANNOTATION,
    RUN_CONFIG_PATH,
)
from ..toolhive.release import CHECKSUM_KEPT_SINCE, SESSION_PASSWORD_SINCE
from . import authserver, authz, bundle_checksum, externalauth, oidc, podpatch, rbac, runconfig, telemetry, webhook
from .build import Build, Object, deployment_overrides, merged, metadata, standard_labels
from .container import (
    deployment,
    mounted,
    proxy_container,
    proxy_environment,
    proxy_redis_password,
    pull_secrets,
    scheduling,
    session_password,
    with_defaults,
)
from .security import pod_security_context
from .service import proxy_service
from .session import session_ca
from .volume import Mounted, config_map, host_path

if TYPE_CHECKING:
    from collections.abc import Iterator

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

PODS_KNOW_GENERATION_SINCE = "0.29.0"
"""The first release whose proxy pods have the generation of their MCPServer, as annotation and variable."""


def objects(build: Build, resource: Resource[MCPServerSpec]) -> list[Object]:
    """Return the objects that the operator creates for an MCPServer, in its order."""
    # Both ServiceAccounts get the pull secrets of the proxy's Deployment.
    account = f"{resource.name}-proxy-runner"
    secrets = pull_secrets(build, resource)
    compiled = rbac.account_with_role(resource, account, ROLE_RULES, secrets)
    if resource.spec.get("serviceAccount") is None:
        compiled.append(rbac.service_account(resource, f"{resource.name}-sa", secrets))
    compiled += authz.inline_config_map(resource)
    text = runconfig.text(runconfig.mcp_server(build, resource), resource)
    config, checksum = runconfig.config_map(resource, text, "mcp-server")
    return [*compiled, config, _deployment(build, resource, checksum), proxy_service(build.workspace, resource)]


def _deployment(build: Build, resource: Resource[MCPServerSpec], checksum: str) -> Object:
    labels = standard_labels(resource)
    proxy = deployment_overrides(resource)
    volumes, mounts = mounted(_volumes(build, resource))
    pod: Object = {
        "serviceAccountName": f"{resource.name}-proxy-runner",
        "containers": [_container(build, resource, mounts)],
        "volumes": volumes,
        # In seconds, as deploymentForMCPServer of the operator writes it.
        "terminationGracePeriodSeconds": 30,
        "securityContext": pod_security_context(build, resource),
        **scheduling(resource),
    }
    secrets = pull_secrets(build, resource)
    if secrets:
        pod["imagePullSecrets"] = secrets
    template = {"metadata": _pod_metadata(build, resource, labels, checksum), "spec": pod}
    deployment_metadata = metadata(
        resource, resource.name, merged(labels, proxy.get("labels")), proxy.get("annotations")
    )
    return deployment(deployment_metadata, labels, template, _replicas(resource))


def _pod_metadata(build: Build, resource: Resource[MCPServerSpec], labels: dict[str, str], checksum: str) -> Object:
    """Return the labels and annotations of the pod.

    If the user overrides the pod's annotations, an operator before v0.27.0 writes the Deployment's annotations beside
    them instead of the checksum.
    """
    proxy = deployment_overrides(resource)
    template = proxy.get("podTemplateMetadataOverrides") or {}
    annotations: dict[str, str] = {resource.profile.spell(POD_CHECKSUM_ANNOTATION): checksum}
    annotations |= bundle_checksum.annotation(build.workspace, resource)
    if resource.is_judged(since=PODS_KNOW_GENERATION_SINCE):
        annotations[resource.profile.spell(GENERATION_ANNOTATION)] = str(build.generation)
    if template.get("annotations"):
        operator_annotations = (
            annotations if resource.is_judged(since=CHECKSUM_KEPT_SINCE) else proxy.get("annotations") or {}
        )
        annotations = merged(operator_annotations, template["annotations"])
    return {"labels": merged(labels, template.get("labels")), "annotations": annotations}


def _replicas(resource: Resource[MCPServerSpec]) -> int | None:
    replicas: int | None = resource.spec.get("replicas")
    # Over stdio, the proxy is attached to one process, so the operator starts at most one replica.
    capped = replicas is not None and replicas > 1 and resource.spec.get("transport", "stdio") == "stdio"
    return 1 if capped else replicas


def _container(build: Build, resource: Resource[MCPServerSpec], mounts: list[Object]) -> Object:
    patch = podpatch.pod_patch(resource)
    args = ["run"]
    if patch is not None:
        args.append(f"--k8s-pod-patch={podpatch.text(patch)}")
    args.append(resource.spec.get("image", ""))
    # In seconds, as in deploymentForMCPServer.
    return proxy_container(build, resource, args, _environment(build, resource), mounts, wait=5)


def _environment(build: Build, resource: Resource[MCPServerSpec]) -> list[Object]:
    workspace = build.workspace
    brought = telemetry.environment(workspace, resource)
    brought += externalauth.token_exchange_env(workspace, resource)
    brought += oidc.client_secret_env(workspace, resource, ("spec", "oidcConfigRef"), OIDC_SECRET_VARIABLE)
    env = proxy_environment(resource, brought)
    if resource.is_judged(since=SESSION_PASSWORD_SINCE):
        env += session_password(resource, proxy_redis_password(build, resource))
    if resource.is_judged(since=PODS_KNOW_GENERATION_SINCE):
        env.append(_generation(resource))
    env += authserver.environment(authserver.of_proxy(workspace, resource), resource)
    return with_defaults(resource, env)


def _generation(resource: Resource) -> Object:
    spell = resource.profile.spell
    field = {"apiVersion": "v1", "fieldPath": f"metadata.annotations['{spell(GENERATION_ANNOTATION)}']"}
    return {"name": spell(GENERATION_VARIABLE), "valueFrom": {"fieldRef": field}}


def _volumes(build: Build, resource: Resource[MCPServerSpec]) -> Iterator[Mounted | None]:
    workspace = build.workspace
    yield config_map("runconfig", f"{resource.name}-runconfig", RUN_CONFIG_PATH)
    yield from webhook.volumes(workspace, resource)
    for volume in resource.spec.get("volumes") or ():
        read_only = bool(volume.get("readOnly"))
        yield host_path(volume["name"], volume["hostPath"], volume["mountPath"], read_only=read_only)
    yield authz.volume(resource)
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    yield oidc.ca_volume(oidc.resolve(workspace, resource, ("spec", "oidcConfigRef"), port))
    yield telemetry.ca_volume(workspace, resource)
    yield from authserver.volumes(authserver.of_proxy(workspace, resource), resource)
    yield session_ca(resource)
