"""Security contexts of the pods that the operator starts, on Kubernetes and on OpenShift.

Source: the security contexts of the operator and the proxy runner, v0.21.0 and v0.44.0; the restricted ones on plain
Kubernetes came with v0.30.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..workspace.resource import Resource
    from .build import Build

USER = 1000
"""The user and group id that the operator and the runner write for pods on plain Kubernetes."""
RESTRICTED_SINCE = "0.30.1"
"""The first release whose pods meet the restricted Pod Security Standard on plain Kubernetes too."""
SECCOMP_PROFILE = {"type": "RuntimeDefault"}


def _is_restricted(build: Build, resource: Resource) -> bool:
    return build.on_openshift or resource.is_judged(since=RESTRICTED_SINCE)


def pod_security_context(build: Build, resource: Resource) -> dict[str, Any]:
    """Return the security context of a pod. OpenShift assigns user and group, so they are left out there."""
    context: dict[str, Any] = {"runAsNonRoot": True}
    if not build.on_openshift:
        context = {"runAsUser": USER, "runAsGroup": USER, "runAsNonRoot": True, "fsGroup": USER}
    return context | ({"seccompProfile": SECCOMP_PROFILE} if _is_restricted(build, resource) else {})


def container_security_context(build: Build, resource: Resource) -> dict[str, Any]:
    """Return a container's security context. OpenShift assigns user and group, so they are left out there."""
    context: dict[str, Any] = {
        "privileged": False,
        "runAsNonRoot": True,
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
    }
    if not build.on_openshift:
        context |= {"runAsUser": USER, "runAsGroup": USER}
    if _is_restricted(build, resource):
        context |= {"capabilities": {"drop": ["ALL"]}, "seccompProfile": SECCOMP_PROFILE}
    return context
