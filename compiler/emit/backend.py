"""The StatefulSet and Services that the proxy runner creates for an MCPServer once the runner's pod runs.

The runner takes the pod patch unchanged and fills in the missing fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..kube.typed import encode
from ..toolhive.constants import GENERATION_ANNOTATION, HOST_VARIABLE
from ..toolhive.release import BACKEND_OWNED_SINCE
from . import podpatch, runconfig
from .build import owner_reference, plain_env
from .security import container_security_context, pod_security_context
from .service import backend_labels, backend_services

if TYPE_CHECKING:
    from ..models.mcpserver import MCPServerSpec
    from ..workspace.resource import Resource
    from .build import Build, Object

GENERATION_SINCE = "0.24.1"
"""The first release that annotates the server's pods with the generation of their MCPServer."""

SORTED_SINCE = "0.27.0"
"""The first release that sorts the runner's own variables by name, and writes them after those of the patch."""

OPENSHIFT_ASSIGNS = ("runAsUser", "runAsGroup", "fsGroup")
"""Fields of a security context that OpenShift assigns itself."""


def objects(build: Build, resource: Resource[MCPServerSpec]) -> list[Object]:
    """Return the StatefulSet and, for HTTP transports, the headless and the ordinary Service."""
    config = runconfig.mcp_server(build, resource)
    return [_stateful_set(build, resource, config, backend_labels(resource)), *backend_services(resource)]


def _stateful_set(build: Build, resource: Resource[MCPServerSpec], config: Object, labels: dict[str, str]) -> Object:
    name = config["container_name"]
    template = podpatch.pod_patch(resource) or {}
    pod = template.setdefault("spec", {})
    given = template.get("metadata") or {}
    # The runner takes only labels and annotations from the metadata of a patch.
    template["metadata"] = {"labels": {**(given.get("labels") or {}), **labels}}
    annotations = dict(given.get("annotations") or {})
    if resource.is_judged(since=GENERATION_SINCE):
        annotations[resource.profile.spell(GENERATION_ANNOTATION)] = str(build.generation)
    if annotations:
        template["metadata"]["annotations"] = annotations
    pod.setdefault("restartPolicy", "Always")
    context = pod.get("securityContext")
    pod["securityContext"] = _with_defaults(context, pod_security_context(build, resource), build)
    container = podpatch.mcp_container(pod)
    _fill_container(container, config, build, resource)
    spec: Object = {
        "selector": {"matchLabels": {"app": name}},
        "serviceName": name,
        "template": encode(template),
        "updateStrategy": {},
    }
    replicas = (config.get("scaling_config") or {}).get("backend_replicas")
    if replicas is not None:
        spec["replicas"] = replicas
    metadata: Object = {"name": name, "namespace": resource.printed_namespace, "labels": labels}
    if resource.is_judged(since=BACKEND_OWNED_SINCE):
        metadata["ownerReferences"] = [owner_reference(resource)]
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata, "spec": spec}


def _fill_container(container: dict[str, Any], config: Object, build: Build, resource: Resource) -> None:
    container["image"] = config["image"]
    container["args"] = [*(container.get("args") or ()), *(config.get("cmd_args") or ())]
    given, own_env = container.get("env") or (), sorted(_plain_environment(config), key=_name)
    if resource.is_judged(since=SORTED_SINCE):
        container["env"] = [*given, *own_env]
    else:
        # These releases write their variables in random order. Sorting makes the output deterministic.
        container["env"] = sorted([*given, *own_env], key=_name)
    container["stdin"] = config["transport"] == "stdio"
    container["tty"] = False
    default = container_security_context(build, resource)
    container["securityContext"] = _with_defaults(container.get("securityContext"), default, build)
    if config["transport"] == "sse":
        port = {"containerPort": config["target_port"], "protocol": "TCP"}
        container["ports"] = [*(container.get("ports") or ()), port]


def _name(variable: Object) -> bytes:
    return str(variable["name"]).encode()


def _plain_environment(config: Object) -> list[Object]:
    values = dict(config["env_vars"])
    if config["transport"] != "stdio":
        values[HOST_VARIABLE] = ""
    return [plain_env(name, value) for name, value in values.items()]


def _with_defaults(given: dict[str, Any] | None, default: dict[str, Any], build: Build) -> dict[str, Any]:
    if given is None:
        return default
    filled = {**default, **given}
    if build.on_openshift:
        filled = {key: value for key, value in filled.items() if key not in OPENSHIFT_ASSIGNS}
    return filled
