"""What compile steps take, and the small shapes that they share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

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

Held = TypeVar("Held")

Object: TypeAlias = dict[str, Any]
"""A Kubernetes object as plain data."""

FIRST_GENERATION = 1
"""``metadata.generation`` of a resource that is applied for the first time."""
_NO_PART_OF_A_VARIABLE: Final = re.compile("[^A-Z0-9_]")


class Build(NamedTuple):
    """The surroundings of a compile step: the resolved workspace and what the operator takes from its own environment.

    A step reads the workspace only; the same workspace and settings yield the same objects.

    Attributes:
        workspace: The resources.
        operator: What the operator takes from its own environment.
        generation: ``metadata.generation`` of every resource: how often the cluster saw its spec change.
    """

    workspace: Workspace
    operator: OperatorSettings
    generation: int = FIRST_GENERATION

    @property
    def on_openshift(self) -> bool:
        """Whether security contexts are those of OpenShift."""
        return self.operator.platform == "openshift"


def omit_empty(fields: dict[str, Any]) -> dict[str, Any]:
    """Drop what Go's ``omitempty`` drops; keys keep their order.

    An empty object is kept: where it occurs it stands for a non-nil pointer to a struct. Empty maps have to be given
    as ``None``.
    """
    return {key: value for key, value in fields.items() if value or (value == {} and isinstance(value, dict))}


def sorted_map(mapping: Mapping[str, str] | None) -> dict[str, str] | None:
    """Sort a map by the bytes of its keys, as Go writes it; ``None`` for an empty one."""
    return {key: mapping[key] for key in sorted(mapping, key=str.encode)} if mapping else None


def merged(defaults: Mapping[str, str], user: Mapping[str, str] | None) -> dict[str, str]:
    """Add a user's labels or annotations to the operator's; on a conflict the operator's win."""
    return {**(user or {}), **defaults}


def deployment_overrides(resource: Resource[ProxySpec]) -> ProxyDeploymentOverrides:
    """Return what an MCPServer or MCPRemoteProxy changes in the proxy's Deployment, empty where that is no mapping."""
    return held(held(resource.spec.get("resourceOverrides")).get("proxyDeployment"))


def service_overrides(resource: Resource[ProxySpec]) -> ResourceMetadataOverrides:
    """Return what an MCPServer or MCPRemoteProxy changes in the proxy's Service, empty where that is no mapping."""
    return held(held(resource.spec.get("resourceOverrides")).get("proxyService"))


def held(value: Held | None) -> Held:
    """Return a mapping as it is, and an empty one for what is missing or a placeholder."""
    given: Any = value if isinstance(value, dict) else {}
    mapping: Held = given
    return mapping


def owner_reference(resource: Resource) -> Object:
    """Name the resource as the controller of an object that is made for it; the ``uid`` is assigned by the cluster."""
    return {
        "apiVersion": resource.profile.api_version(),
        "kind": resource.kind,
        "name": resource.name,
        "controller": True,
        "blockOwnerDeletion": True,
    }


def metadata(
    owner: Resource,
    name: str,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
) -> Object:
    """Return the metadata of an object that ``owner`` owns."""
    made: Object = {"name": name, "namespace": owner.printed_namespace}
    if labels:
        made["labels"] = dict(labels)
    if annotations:
        made["annotations"] = dict(annotations)
    made["ownerReferences"] = [owner_reference(owner)]
    return made


def standard_labels(resource: Resource) -> dict[str, str]:
    """Return the labels by which the operator finds the pods of a workload; selectors use exactly these."""
    app, spell = resource.kind.lower(), resource.profile.spell
    return {
        "app": app,
        NAME_LABEL: app,
        INSTANCE_LABEL: resource.name,
        spell(OWN_LABEL): "true",
        spell(WORKLOAD_LABEL): resource.name,
    }


def env_name(text: str) -> str:
    """Spell a name as part of an environment variable: upper case, ``-`` as ``_``, nothing else changed."""
    return upper(text).replace("-", "_")


def strict_env_name(text: str) -> str:
    """Spell a name as part of an environment variable: upper case, all but letters, digits and ``_`` as ``_``."""
    return _NO_PART_OF_A_VARIABLE.sub("_", upper(text))


def secret_env(name: str, ref: SecretKeyRef) -> Object:
    """Return an environment entry whose value is a key of a Secret; Go leaves an empty name of the Secret out."""
    return {"name": name, "valueFrom": {"secretKeyRef": omit_empty({"name": ref["name"]}) | {"key": ref["key"]}}}


def plain_env(name: str, value: str) -> Object:
    """Return an environment entry with a plain value; Go leaves an empty one out."""
    return {"name": name, "value": value} if value else {"name": name}
