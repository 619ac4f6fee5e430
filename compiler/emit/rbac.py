"""ServiceAccount, Role and RoleBinding of a workload."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from .build import Object, metadata

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..workspace.resource import Resource

RBAC_GROUP = "rbac.authorization.k8s.io"

PolicyRule: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""API groups, resources, verbs."""

READ = ("get", "list", "watch")
WRITE = (*READ, "create", "update", "patch", "delete")


def service_account(
    owner: Resource,
    name: str,
    labels: Mapping[str, str] | None = None,
    image_pull_secrets: Sequence[Object] | None = None,
) -> Object:
    """Return a ServiceAccount that ``owner`` owns."""
    account: Object = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata(owner, name, labels)}
    if image_pull_secrets:
        account["imagePullSecrets"] = list(image_pull_secrets)
    return account


def role(owner: Resource, name: str, rules: Sequence[PolicyRule], labels: Mapping[str, str] | None = None) -> Object:
    """Return a Role. The order of its rules and verbs is that of the operator."""
    return {
        "apiVersion": f"{RBAC_GROUP}/v1",
        "kind": "Role",
        "metadata": metadata(owner, name, labels),
        "rules": [
            {"apiGroups": list(map(owner.profile.spell, groups)), "resources": list(resources), "verbs": list(verbs)}
            for groups, resources, verbs in rules
        ],
    }


def role_binding(owner: Resource, name: str, labels: Mapping[str, str] | None = None) -> Object:
    """Return a RoleBinding of the Role ``name`` to the ServiceAccount ``name``."""
    return {
        "apiVersion": f"{RBAC_GROUP}/v1",
        "kind": "RoleBinding",
        "metadata": metadata(owner, name, labels),
        "roleRef": {"apiGroup": RBAC_GROUP, "kind": "Role", "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": owner.printed_namespace}],
    }
