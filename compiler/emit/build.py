"""The input of compile steps, and small objects that they share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from ..diagnostics.named_tuple import NamedTuple
from ..golang.letter import upper
from ..toolhive.constants import INSTANCE_LABEL, NAME_LABEL, OWN_LABEL, WORKLOAD_LABEL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..models.deployment import ProxyDeploymentOverrides, ResourceMetadataOverrides
    from ..models.reference import SecretKeyRef
    from ..models.spec import ProxySpec
    from ..toolhive.operator import OperatorSettings
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

MappingT = TypeVar("MappingT")

Object: TypeAlias = dict[str, Any]
"""A Kubernetes object as plain data."""

FIRST_GENERATION = 1
"""``metadata.generation`` of a resource that is applied for the first time."""
_NOT_IN_VARIABLES: Final = re.compile("[^A-Z0-9_]")


class Build(NamedTuple):
    """The input of a compile step. The same input yields the same objects.

    Attributes:
        workspace: The resources with their references resolved. Steps only read it.
        operator: Settings from the operator's own environment.
        generation: ``metadata.generation`` of every resource, which counts changes of its spec.
    """

    workspace: Workspace
    operator: OperatorSettings
    generation: int = FIRST_GENERATION

    @property
    def on_openshift(self) -> bool:
        """Whether the operator writes the security contexts of OpenShift."""
        return self.operator.platform == "openshift"


def omit_empty(fields: dict[str, Any]) -> dict[str, Any]:
    """Return ``fields`` without the empty values that Go's ``omitempty`` leaves out, in their order.

    An empty object stays, because it stands for a non-nil pointer to a struct. Pass ``None`` for an empty map.
    """
    return {key: value for key, value in fields.items() if value or (value == {} and isinstance(value, dict))}


def merged(defaults: Mapping[str, str], user: Mapping[str, str] | None) -> dict[str, str]:
    """Return a user's labels or annotations merged with the operator's. If a key is in both, the operator's wins."""
    return {**(user or {}), **defaults}


def deployment_overrides(resource: Resource[ProxySpec]) -> ProxyDeploymentOverrides:
    """Return the overrides for the proxy's Deployment, empty if they are missing or a placeholder."""
    return mapping_or_empty(mapping_or_empty(resource.spec.get("resourceOverrides")).get("proxyDeployment"))


def service_overrides(resource: Resource[ProxySpec]) -> ResourceMetadataOverrides:
    """Return the overrides for the proxy's Service, empty if they are missing or a placeholder."""
    return mapping_or_empty(mapping_or_empty(resource.spec.get("resourceOverrides")).get("proxyService"))


def mapping_or_empty(value: MappingT | None) -> MappingT:
    """Return the value if it is a mapping, and an empty mapping if it is missing or a placeholder."""
    given: Any = value if isinstance(value, dict) else {}
    mapping: MappingT = given
    return mapping


def owner_reference(resource: Resource) -> Object:
    """Return the owner reference that makes the resource the controller of an object. The cluster adds the ``uid``."""
    return {
        "apiVersion": resource.profile.api_version(),
        "kind": resource.kind,
        "name": resource.name,
        "controller": True,
        "blockOwnerDeletion": True,
    }


def metadata(
    owner: Resource, name: str, labels: Mapping[str, str] | None = None, annotations: Mapping[str, str] | None = None
) -> Object:
    """Return the metadata of an object that ``owner`` owns. The object is in the owner's namespace."""
    fields: Object = {"name": name, "namespace": owner.printed_namespace}
    if labels:
        fields["labels"] = dict(labels)
    if annotations:
        fields["annotations"] = dict(annotations)
    fields["ownerReferences"] = [owner_reference(owner)]
    return fields


def standard_labels(resource: Resource) -> dict[str, str]:
    """Return the labels of a workload's pods, which the operator's selectors require."""
    app, spell = resource.kind.lower(), resource.profile.spell
    return {
        "app": app,
        NAME_LABEL: app,
        INSTANCE_LABEL: resource.name,
        spell(OWN_LABEL): "true",
        spell(WORKLOAD_LABEL): resource.name,
    }


def env_name(text: str) -> str:
    """Return a part of a variable's name: ``text`` in upper case, with ``_`` for ``-``."""
    return upper(text).replace("-", "_")


def strict_env_name(text: str) -> str:
    """Return a part of a variable's name: ``text`` in upper case, with ``_`` for all but letters and digits."""
    return _NOT_IN_VARIABLES.sub("_", upper(text))


def secret_env(name: str, ref: SecretKeyRef) -> Object:
    """Return an environment entry that reads a key of a Secret. As in Go, an empty name of the Secret is left out."""
    return {"name": name, "valueFrom": {"secretKeyRef": omit_empty({"name": ref["name"]}) | {"key": ref["key"]}}}


def plain_env(name: str, value: str) -> Object:
    """Return an environment entry with a plain value. As in Go, an empty value is left out."""
    return {"name": name, "value": value} if value else {"name": name}
