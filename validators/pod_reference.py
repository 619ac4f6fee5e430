"""Find the Secrets, ConfigMaps and ServiceAccounts that a pod template names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..compiler.diagnostics.plain import expanded, mapping, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..compiler.diagnostics.span import Path
    from ..compiler.workspace.reference import Reference
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace

_CONTAINERS: Final = ("containers", "initContainers", "ephemeralContainers")
_IN_CONTAINER: Final = (
    (("env", "*", "valueFrom", "secretKeyRef", "name"), "Secret"),
    (("env", "*", "valueFrom", "configMapKeyRef", "name"), "ConfigMap"),
    (("envFrom", "*", "secretRef", "name"), "Secret"),
    (("envFrom", "*", "configMapRef", "name"), "ConfigMap"),
)
_IN_VOLUME: Final = (
    (("secret", "secretName"), "Secret"),
    (("configMap", "name"), "ConfigMap"),
    (("csi", "nodePublishSecretRef", "name"), "Secret"),
    (("projected", "sources", "*", "secret", "name"), "Secret"),
    (("projected", "sources", "*", "configMap", "name"), "ConfigMap"),
)
_POD: Final[Path] = ("spec", "podTemplateSpec", "spec")
_PLACES: Final[tuple[tuple[Path, str], ...]] = (
    ((*_POD, "serviceAccountName"), "ServiceAccount"),
    ((*_POD, "imagePullSecrets", "*", "name"), "Secret"),
    *(((*_POD, field, "*", *path), kind) for field in _CONTAINERS for path, kind in _IN_CONTAINER),
    *(((*_POD, "volumes", "*", *path), kind) for path, kind in _IN_VOLUME),
)
_REGISTRY_VOLUMES: Final[tuple[tuple[Path, str], ...]] = tuple(
    (("spec", "volumes", "*", *path), kind) for path, kind in _IN_VOLUME
)


def pod_references(resource: Resource[Any], workspace: Workspace) -> Iterator[Reference]:
    """Yield the references of a resource's pod template, except those that may dangle.

    Source: the fields of a pod in Kubernetes that name a Secret, a ConfigMap or a ServiceAccount.
    """
    places = (*_PLACES, *_REGISTRY_VOLUMES) if resource.kind == "MCPRegistry" else _PLACES
    for pattern, kind in places:
        for path in expanded(resource.data, pattern):
            name = value_at(resource.data, path)
            holder = mapping(value_at(resource.data, path[:-1]))
            if isinstance(name, str) and name and holder.get("optional") is not True and name != "default":
                yield workspace.resolve(resource, path, kind, name)
