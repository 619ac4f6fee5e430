"""ServiceAccount, Role and RoleBinding of a workload."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from .build import Object, metadata

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..workspace.resource import Resource

PolicyRule: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""A rule of a Role: its API groups, resources and verbs."""

READ = ("get", "list", "watch")
WRITE = (*READ, "create", "update", "patch", "delete")


def account_with_role(
    owner: Resource,
    name: str,
    rules: Sequence[PolicyRule],
    pull_secrets: Sequence[Object],
    labels: Mapping[str, str] | None = None,
) -> list[Object]:
    """Return a ServiceAccount, its Role and its RoleBinding, named ``name``, in the order of the operator."""
    group, metadata_ = "rbac.authorization.k8s.io", metadata(owner, name, labels)
    role = {
        "apiVersion": f"{group}/v1",
        "kind": "Role",
        "metadata": metadata_,
        "rules": [
            {"apiGroups": list(map(owner.profile.spell, groups)), "resources": list(resources), "verbs": list(verbs)}
            for groups, resources, verbs in rules
        ],
    }
    binding = {
        "apiVersion": f"{group}/v1",
        "kind": "RoleBinding",
        "metadata": metadata_,
        "roleRef": {"apiGroup": group, "kind": "Role", "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": owner.printed_namespace}],
    }
    return [service_account(owner, name, pull_secrets, labels), role, binding]


def service_account(
    owner: Resource, name: str, pull_secrets: Sequence[Object], labels: Mapping[str, str] | None = None
) -> Object:
    """Return a ServiceAccount that ``owner`` owns."""
    account: Object = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata(owner, name, labels)}
    if pull_secrets:
        account["imagePullSecrets"] = list(pull_secrets)
    return account
