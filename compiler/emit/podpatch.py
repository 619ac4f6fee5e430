"""The pod patch of an MCPServer: how its ``podTemplateSpec`` and secrets reach the proxy runner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..golang.json import compact
from ..kube.typed import decode, encode

if TYPE_CHECKING:
    from ..models.mcpserver import MCPServerSpec
    from ..models.reference import SecretRef
    from ..workspace.resource import Resource

CONTAINER = "mcp"

DECISIVE = (
    "serviceAccountName",
    "containers",
    "volumes",
    "initContainers",
    "tolerations",
    "nodeSelector",
    "affinity",
    "securityContext",
    "priorityClassName",
    "imagePullSecrets",
)
"""A template in which all of these, labels and annotations are empty is not passed on, whatever else it holds."""
_POINTERS = ("affinity", "securityContext")
"""Of these an empty mapping counts too."""


def pod_patch(resource: Resource[MCPServerSpec]) -> dict[str, Any] | None:
    """Return the patch as a typed pod template, ``None`` where it would be empty.

    The container called ``mcp`` gets the Secrets of ``spec.secrets`` as environment, after its own.
    """
    given = resource.spec.get("podTemplateSpec")
    template: dict[str, Any] = decode(given or {}).value
    pod = template.setdefault("spec", {})
    if given is None:
        # Go's `containers` has no omitempty: an empty list without a template, null with one that has none.
        pod["containers"] = []
    # An empty name is no name: the template's own stays.
    account = resource.spec.get("serviceAccount")
    if account is None:
        pod["serviceAccountName"] = f"{resource.name}-sa"
    elif account:
        pod["serviceAccountName"] = account
    secrets = [_secret_variable(secret) for secret in resource.spec.get("secrets") or ()]
    if secrets:
        mcp_container(pod).setdefault("env", []).extend(secrets)
    return template if is_customised(template) else None


def is_customised(template: dict[str, Any]) -> bool:
    """Return whether the operator looks at a typed pod template: one with other fields alone counts as empty."""
    meta, pod = template.get("metadata") or {}, template.get("spec") or {}
    is_stated = any(pod.get(field) for field in DECISIVE) or any(pod.get(field) is not None for field in _POINTERS)
    return is_stated or bool(meta.get("labels") or meta.get("annotations"))


def text(template: dict[str, Any]) -> str:
    """Write a patch as the operator does: compact, in Go's order of fields."""
    return compact(encode(template))


def mcp_container(pod: dict[str, Any]) -> dict[str, Any]:
    """Return the container of the MCP server in a pod; one without anything is added where there is none."""
    containers: list[dict[str, Any]] | None = pod.get("containers")
    if containers is None:
        containers = pod["containers"] = []
    for container in containers:
        if container.get("name") == CONTAINER:
            return container
    made: dict[str, Any] = {"name": CONTAINER}
    containers.append(made)
    return made


def _secret_variable(secret: SecretRef) -> dict[str, Any]:
    name = secret.get("targetEnvName") or secret["key"]
    return {"name": name, "valueFrom": {"secretKeyRef": {"name": secret["name"], "key": secret["key"]}}}
