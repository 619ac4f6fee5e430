"""The pod patch with which an MCPServer's ``podTemplateSpec`` and secrets reach the proxy runner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..golang.json import compact
from ..kube.typed import decode, encode

if TYPE_CHECKING:
    from ..models.mcpserver import MCPServerSpec
    from ..models.reference import SecretRef
    from ..workspace.resource import Resource

CONTAINER = "mcp"

DECISIVE = tuple(
    """
    serviceAccountName containers volumes initContainers tolerations nodeSelector affinity securityContext
    priorityClassName imagePullSecrets
    """.split()
)
"""Decisive fields. The operator ignores a template without decisive fields, labels and annotations."""
_POINTERS = ("affinity", "securityContext")
"""Decisive fields for which an empty mapping counts too, because they are pointers in Go."""


def pod_patch(resource: Resource[MCPServerSpec]) -> dict[str, Any] | None:
    """Return the pod patch as a typed pod template, or ``None`` if the operator would not pass a patch.

    The container ``mcp`` gets the Secrets of ``spec.secrets`` as environment variables, after its own variables.
    """
    given = resource.spec.get("podTemplateSpec")
    template: dict[str, Any] = decode(given or {}).value
    pod = template.setdefault("spec", {})
    if given is None:
        # Go's `containers` has no omitempty. Go writes an empty list without a template, and null for one without
        # containers.
        pod["containers"] = []
    # An empty name counts as missing, so the account of the template stays.
    account = resource.spec.get("serviceAccount")
    if account is None:
        pod["serviceAccountName"] = f"{resource.name}-sa"
    elif account:
        pod["serviceAccountName"] = account
    secrets = [_secret_variable(secret) for secret in resource.spec.get("secrets") or ()]
    if secrets:
        mcp_container(pod).setdefault("env", []).extend(secrets)
    return template if is_customized(template) else None


def is_customized(template: dict[str, Any]) -> bool:
    """Return whether the operator uses a typed pod template. It must set a decisive field, a label or an annotation."""
    meta, pod = template.get("metadata") or {}, template.get("spec") or {}
    is_stated = any(pod.get(field) for field in DECISIVE) or any(pod.get(field) is not None for field in _POINTERS)
    return is_stated or bool(meta.get("labels") or meta.get("annotations"))


def text(template: dict[str, Any]) -> str:
    """Return the text of a patch as the operator writes it, compact and in Go's order of fields."""
    return compact(encode(template))


def mcp_container(pod: dict[str, Any]) -> dict[str, Any]:
    """Return the container ``mcp`` of a pod. A missing container is added to the pod."""
    containers: list[dict[str, Any]] | None = pod.get("containers")
    if containers is None:
        containers = pod["containers"] = []
    for container in containers:
        if container.get("name") == CONTAINER:
            return container
    new_container: dict[str, Any] = {"name": CONTAINER}
    containers.append(new_container)
    return new_container


def _secret_variable(secret: SecretRef) -> dict[str, Any]:
    name = secret.get("targetEnvName") or secret["key"]
    return {"name": name, "valueFrom": {"secretKeyRef": {"name": secret["name"], "key": secret["key"]}}}
