"""The objects of an MCPRemoteProxy: RBAC, configuration, Deployment and Service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kube.strategicmerge import merge
from ..kube.typed import decode
from ..toolhive.constants import DEFAULT_PORT, OIDC_SECRET_VARIABLE, POD_CHECKSUM_ANNOTATION, RUN_CONFIG_PATH
from ..toolhive.release import PROXY_CA_BUNDLE_SINCE, PROXY_PULL_SECRETS_SINCE
from . import authserver, authz, bundle_checksum, externalauth, headerforward, oidc, rbac, runconfig, telemetry
from .build import Object, deployment_overrides, merged, metadata, standard_labels
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
from .mcpregistry import template_annotations
from .security import pod_security_context
from .service import proxy_service
from .session import session_ca
from .volume import Mounted, config_map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.fault import Flaw
    from ..models.mcpremoteproxy import MCPRemoteProxySpec
    from ..workspace.resource import Resource
    from .build import Build

ROLE_RULES: tuple[rbac.PolicyRule, ...] = (
    (("",), ("configmaps",), rbac.READ),
    (("",), ("secrets",), rbac.READ),
)

IMAGE_ARGUMENT = "placeholder-for-remote-proxy"
"""The runner requires an image as its argument, although a remote proxy runs none."""


def objects(build: Build, resource: Resource[MCPRemoteProxySpec]) -> list[Object]:
    """Return the objects that the operator creates for an MCPRemoteProxy, in its order."""
    compiled: list[Object] = []
    if resource.spec.get("serviceAccount") is None:
        secrets = _pull_secrets(build, resource)
        compiled = rbac.account_with_role(resource, _default_account(resource), ROLE_RULES, secrets)
    compiled += authz.inline_config_map(resource)
    text = runconfig.text(runconfig.mcp_remote_proxy(build, resource), resource)
    config, checksum = runconfig.config_map(resource, text, "mcp-remote-proxy")
    return [*compiled, config, _deployment(build, resource, checksum), proxy_service(build.workspace, resource)]


def _pull_secrets(build: Build, resource: Resource[MCPRemoteProxySpec]) -> list[Object]:
    return pull_secrets(build, resource) if resource.is_judged(since=PROXY_PULL_SECRETS_SINCE) else []


def _default_account(resource: Resource) -> str:
    return f"{resource.name}-remote-proxy-runner"


def _deployment(build: Build, resource: Resource[MCPRemoteProxySpec], checksum: str) -> Object:
    labels = standard_labels(resource)
    proxy = deployment_overrides(resource)
    # The user's annotations replace the hash of the template.
    annotations = proxy.get("annotations") or template_annotations(resource, resource.spec.get("podTemplateSpec"))
    deployment_metadata = metadata(resource, resource.name, merged(labels, proxy.get("labels")), annotations)
    # Since v0.30.0, a missing field leaves the number of pods to an autoscaler.
    replicas = resource.spec.get("replicas") if resource.is_judged(since="0.30.0") else 1
    return deployment(
        deployment_metadata, labels, _patched(resource, _pod_template(build, resource, checksum)), replicas
    )


def _pod_template(build: Build, resource: Resource[MCPRemoteProxySpec], checksum: str) -> Object:
    template = deployment_overrides(resource).get("podTemplateMetadataOverrides") or {}
    volumes, mounts = mounted(_volumes(build, resource))
    pod: Object = {
        "containers": [_container(build, resource, mounts)],
        "volumes": volumes,
        "securityContext": pod_security_context(build, resource),
        **scheduling(resource),
    }
    secrets = _pull_secrets(build, resource)
    if secrets:
        pod["imagePullSecrets"] = secrets
    account = resource.spec.get("serviceAccount")
    if account != "":
        pod["serviceAccountName"] = account or _default_account(resource)
    checksums = {resource.profile.spell(POD_CHECKSUM_ANNOTATION): checksum}
    checksums |= bundle_checksum.annotation(build.workspace, resource)
    pod_metadata = {
        "labels": merged(standard_labels(resource), template.get("labels")),
        "annotations": merged(checksums, template.get("annotations")),
    }
    return {"metadata": pod_metadata, "spec": pod}


def template_faults(build: Build, resource: Resource[MCPRemoteProxySpec]) -> tuple[Flaw, ...]:
    """Return the faults that keep the operator from merging the user's pod template, with paths in the template."""
    given = resource.spec.get("podTemplateSpec")
    return merge(_pod_template(build, resource, checksum=""), given).faults if given else ()


def _patched(resource: Resource[MCPRemoteProxySpec], template: Object) -> Object:
    given = resource.spec.get("podTemplateSpec")
    return decode(merge(template, given).value).value if given else template


def _container(build: Build, resource: Resource[MCPRemoteProxySpec], mounts: list[Object]) -> Object:
    args = ["run", "--foreground=true", IMAGE_ARGUMENT]
    # In seconds, as in deploymentForMCPRemoteProxy of the operator.
    return proxy_container(build, resource, args, _environment(build, resource), mounts, wait=15)


def _environment(build: Build, resource: Resource[MCPRemoteProxySpec]) -> list[Object]:
    """Return the proxy's environment. Unlike for an MCPServer, the auth server's entries come after the defaults."""
    workspace = build.workspace
    ref_path = ("spec", "oidcConfigRef")
    brought = oidc.client_secret_env(workspace, resource, ref_path, OIDC_SECRET_VARIABLE)
    brought += externalauth.token_exchange_env(workspace, resource)
    brought += externalauth.bearer_token_env(workspace, resource)
    brought += headerforward.environment(resource)
    password = session_password(resource, proxy_redis_password(build, resource))
    env = with_defaults(resource, proxy_environment(resource, brought) + password)
    return env + authserver.environment(authserver.of_proxy(workspace, resource), resource)


def _volumes(build: Build, resource: Resource[MCPRemoteProxySpec]) -> Iterator[Mounted | None]:
    yield config_map("runconfig", f"{resource.name}-runconfig", RUN_CONFIG_PATH)
    yield authz.volume(resource)
    yield telemetry.ca_volume(build.workspace, resource)
    if resource.is_judged(since=PROXY_CA_BUNDLE_SINCE):
        port = resource.spec.get("proxyPort") or DEFAULT_PORT
        yield oidc.ca_volume(oidc.resolve(build.workspace, resource, ("spec", "oidcConfigRef"), port))
    yield from authserver.volumes(authserver.of_proxy(build.workspace, resource), resource)
    yield session_ca(resource)
