"""Parts of the proxy's container that MCPServer and MCPRemoteProxy share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..kube.quantity import canonical
from ..kube.typed import decode
from ..toolhive.constants import (
    DEFAULT_PORT,
    PROCESS_ENVIRONMENT,
    PROXY_CONTAINER,
    SECRET_PREFIX,
    SECRETS_PROVIDER,
    SESSION_PASSWORD_VARIABLE,
)
from ..toolhive.operator import PULL_SECRETS_SINCE
from ..toolhive.release import DEFAULT_PASSWORD_SINCE, PROXY_RESOURCES_SINCE
from . import authserver, listener
from .build import (
    Object,
    deployment_overrides,
    omit_empty,
    plain_env,
    secret_env,
)
from .security import container_security_context

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..models.deployment import ResourceRequirements
    from ..models.reference import PullSecretReference, SecretKeyRef
    from ..models.spec import ProxySpec
    from ..models.virtualmcpserver import VirtualMCPServerSpec
    from ..workspace.resource import Resource
    from .build import Build
    from .volume import Mounted


_DEFAULT_RESOURCES: Final = {
    "limits": {"cpu": "200m", "memory": "256Mi"},
    "requests": {"cpu": "50m", "memory": "64Mi"},
}
"""The resources of an MCPRemoteProxy since v0.67.0. A stated quantity wins over the default of the same name."""


def http_probe(path: str, port: str | int, initial_delay: int, period: int, **more: int) -> Object:
    """Return an HTTP probe. ``more`` may set ``timeoutSeconds`` and ``failureThreshold``."""
    return {
        "httpGet": {"path": path, "port": port},
        "initialDelaySeconds": initial_delay,
        "periodSeconds": period,
        **more,
    }


def pull_secrets(build: Build, resource: Resource[ProxySpec]) -> list[Object]:
    """Return the image pull secrets of a proxy's pod. A secret without a name becomes an empty object."""
    return pod_pull_secrets(build, resource, deployment_overrides(resource).get("imagePullSecrets"))


def pod_pull_secrets(build: Build, resource: Resource, given: Sequence[PullSecretReference] | None) -> list[Object]:
    """Return the pull secrets of a pod. From v0.26.0 on, new default secrets of the operator follow ``given``."""
    names = [secret.get("name", "") for secret in given or ()]
    if resource.is_judged(since=PULL_SECRETS_SINCE):
        names = list(dict.fromkeys((*names, *build.operator.pull_secrets)))
    return [omit_empty({"name": name}) for name in names]


def session_password(
    resource: Resource[ProxySpec | VirtualMCPServerSpec], default: tuple[str, str] | None = None
) -> list[Object]:
    """Return the environment entry with the password of the Redis that stores sessions, or an empty list without one.

    Args:
        default: Secret and key of the operator's default Redis, used if the resource has no ``sessionStorage``.
    """
    storage = resource.spec.get("sessionStorage")
    ref: SecretKeyRef | None = None
    if storage is None and default is not None:
        ref = {"name": default[0], "key": default[1]}
    elif storage is not None and storage.get("provider") == "redis":
        ref = storage.get("passwordRef")
    return [secret_env(resource.profile.spell(SESSION_PASSWORD_VARIABLE), ref)] if ref else []


def proxy_redis_password(build: Build, resource: Resource[ProxySpec]) -> tuple[str, str] | None:
    """Return the Secret and key with the password of the operator's default Redis, if proxies get it."""
    return (
        build.operator.default_redis(resource.release)[1] if resource.is_judged(since=DEFAULT_PASSWORD_SINCE) else None
    )


def scheduling(resource: Resource[ProxySpec]) -> Object:
    """Return the fields of a proxy's pod that choose its node; empty before v0.45.0."""
    overrides = deployment_overrides(resource)
    given: Object = {
        field: value for field in ("nodeSelector", "affinity", "tolerations") if (value := overrides.get(field))
    }
    if not given or not resource.is_judged(since="0.45.0"):
        return {}
    pod = decode({"spec": given}).value["spec"]
    return {field: pod[field] for field in given if field in pod}


def startup_probe(resource: Resource[ProxySpec]) -> Object:
    """Return the container field with a probe that gives a proxy 90 seconds to start, which v0.28.0 introduced."""
    if not resource.is_judged(since="0.28.0"):
        return {}
    check = {"httpGet": {"path": "/health", "port": "http"}}
    # 18 attempts every 5 seconds are 90 seconds, as in deploymentForMCPRemoteProxy of the operator.
    return {"startupProbe": {**check, "periodSeconds": 5, "timeoutSeconds": 3, "failureThreshold": 18}}


def resource_requirements(resources: ResourceRequirements | None) -> Object:
    """Return a container's CPU and memory resources, with each stated quantity in its canonical form."""
    requirements: Object = {}
    for part in ("limits", "requests"):
        given = (resources or {}).get(part) or {}
        quantities = {name: canonical(text) for name in ("cpu", "memory") if (text := given.get(name))}
        if quantities:
            requirements[part] = quantities
    return requirements


def _proxy_resources(resource: Resource[ProxySpec]) -> Object:
    given: Any = resource.spec.get("resources") or {}
    if resource.kind == "MCPRemoteProxy" and resource.is_judged(since=PROXY_RESOURCES_SINCE):
        given = {part: defaults | (given.get(part) or {}) for part, defaults in _DEFAULT_RESOURCES.items()}
    return resource_requirements(given)


def proxy_environment(resource: Resource[ProxySpec], before: Iterable[Object]) -> list[Object]:
    """Return the proxy's environment: the entries in ``before``, then those in the user's overrides."""
    env = list(before)
    env += [
        plain_env(entry["name"], entry.get("value", "")) for entry in deployment_overrides(resource).get("env") or ()
    ]
    return env


def process_environment(resource: Resource) -> list[Object]:
    """Return the fixed environment of the proxy runner and of virtual servers."""
    return [{"name": resource.profile.spell(name), "value": value} for name, value in PROCESS_ENVIRONMENT.items()]


def secrets_provider(resource: Resource) -> Object:
    """Return the environment entry that makes the proxy read secrets from its environment."""
    return SECRETS_PROVIDER | {"name": resource.profile.spell(SECRETS_PROVIDER["name"])}


def with_defaults(resource: Resource, env: list[Object]) -> list[Object]:
    """Return the entries of ``env``, followed by the fixed entries whose names ``env`` does not have.

    If an entry passes a secret to the proxy, the entry of the secrets provider is added at the end.
    """
    names = {entry["name"] for entry in env}
    env = env + [entry for entry in process_environment(resource) if entry["name"] not in names]
    if any(entry["name"].startswith(resource.profile.spell(SECRET_PREFIX)) for entry in env):
        env.append(secrets_provider(resource))
    return env


def mounted(volumes: Iterable[Mounted | None]) -> tuple[list[Object], list[Object]]:
    """Return the volumes of the pod and the mounts of its container, in the same order, without ``None`` entries."""
    present = [volume for volume in volumes if volume is not None]
    return [volume.volume for volume in present], [volume.mount for volume in present]


def proxy_container(
    build: Build, resource: Resource[ProxySpec], args: list[str], env: list[Object], mounts: list[Object], wait: int
) -> Object:
    """Return the container of a proxy. ``wait`` is the delay of its readiness probe in seconds.

    Source: ``deploymentForMCPServer`` and ``deploymentForMCPRemoteProxy`` in the operator. Times are in seconds.
    """
    port = resource.spec.get("proxyPort") or DEFAULT_PORT
    server = authserver.of_proxy(build.workspace, resource)
    return {
        "name": resource.profile.spell(PROXY_CONTAINER),
        "image": build.operator.proxy_runner_image(resource.profile),
        "args": args,
        "ports": [
            {"name": "http", "containerPort": port, "protocol": "TCP"},
            *listener.container_ports(server, resource),
        ],
        "env": env,
        "resources": _proxy_resources(resource),
        "volumeMounts": mounts,
        **startup_probe(resource),
        "livenessProbe": http_probe("/health", "http", 30, 10, timeoutSeconds=5, failureThreshold=3),
        "readinessProbe": http_probe("/health", "http", wait, 5, timeoutSeconds=3, failureThreshold=3),
        "securityContext": container_security_context(build, resource),
    }


def deployment(metadata: Object, labels: Mapping[str, str], template: Object, replicas: int | None) -> Object:
    """Return a Deployment. With ``None`` for ``replicas``, the cluster keeps its number of pods."""
    spec: Object = {"selector": {"matchLabels": labels}, "strategy": {}, "template": template}
    if replicas is not None:
        spec["replicas"] = replicas
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
