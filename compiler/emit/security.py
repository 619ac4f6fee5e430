"""Security contexts of the pods that the operator starts, on Kubernetes and on OpenShift."""

from __future__ import annotations

from typing import Any

USER = 1000


def pod_security_context(*, openshift: bool) -> dict[str, Any]:
    """Return the pod's context; OpenShift assigns user and group itself."""
    if openshift:
        return {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
    return {"runAsUser": USER, "runAsGroup": USER, "runAsNonRoot": True, "fsGroup": USER}


def container_security_context(*, openshift: bool) -> dict[str, Any]:
    """Return the container's context."""
    context: dict[str, Any] = {
        "privileged": False,
        "runAsNonRoot": True,
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
    }
    if openshift:
        return context | {"capabilities": {"drop": ["ALL"]}, "seccompProfile": {"type": "RuntimeDefault"}}
    return context | {"runAsUser": USER, "runAsGroup": USER}
