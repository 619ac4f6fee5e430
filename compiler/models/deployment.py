"""Settings of the pods and objects that the operator creates for a resource."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypedDict

from .dated import Since
from .declare import Atomic, Default, Go, Int32, ListMap, Maximum, Minimum, PreserveUnknownFields, Switch
from .reference import PullSecretReference
from .scheduling import Affinity, Toleration

Port = Annotated[Int32, Minimum(1), Maximum(65535)]

ReplicaCount = Annotated[Int32, Minimum(0)]

SessionAffinity = Annotated[
    Literal["ClientIP", "None"],
    "Whether the Service sends a client to the same pod each time (ClientIP).",
    Default("ClientIP"),
]

TrustProxyHeaders = Annotated[
    Switch, "Whether the headers X-Forwarded-Proto, -Host, -Port and -Prefix determine the URLs of endpoints."
]

PodTemplate = Annotated[dict[str, Any], PreserveUnknownFields(), Go(type="runtime.RawExtension", pointer=True)]
"""A pod template as the user writes it; the API server keeps all of it, the operator decodes it."""


class EnvVar(TypedDict, total=False):
    """An environment variable with a plain value."""

    name: Required[Annotated[str, "Name of the variable."]]
    value: Required[Annotated[str, "Value of the variable."]]


class Volume(TypedDict, total=False):
    """A file or folder of the node that is mounted into the container."""

    name: Required[Annotated[str, "Name of the volume."]]
    hostPath: Required[Annotated[str, "Path on the node."]]
    mountPath: Required[Annotated[str, "Path in the container."]]
    readOnly: Annotated[Switch, "Whether it is mounted read-only."]


class ResourceList(TypedDict, total=False):
    """Amounts of computing resources."""

    cpu: Annotated[str, "CPU in cores, as a Kubernetes quantity: 500m."]
    memory: Annotated[str, "Memory in bytes, as a Kubernetes quantity: 64Mi."]


class ResourceRequirements(TypedDict, total=False):
    """Computing resources of a container."""

    limits: Annotated[ResourceList, "Maximum amounts."]
    requests: Annotated[ResourceList, "Reserved amounts."]


class ResourceMetadataOverrides(TypedDict, total=False):
    """Metadata to add to a created object."""

    annotations: Annotated[dict[str, str], "Annotations to add."]
    labels: Annotated[dict[str, str], "Labels to add."]


PullSecrets = Annotated[list[Annotated[PullSecretReference, Atomic()]], Atomic()]


class ProxyDeploymentOverrides(TypedDict, total=False):
    """Changes to the Deployment of the proxy."""

    annotations: Annotated[dict[str, str], "Annotations to add."]
    labels: Annotated[dict[str, str], "Labels to add."]
    podTemplateMetadataOverrides: Annotated[ResourceMetadataOverrides, "Metadata to add to the proxy's pods."]
    env: Annotated[
        list[EnvVar], "Environment of the proxy process. The server behind the proxy does not get it.", ListMap("name")
    ]
    imagePullSecrets: Annotated[
        PullSecrets, "Registry credentials of the Deployment and of the created ServiceAccounts."
    ]
    nodeSelector: Annotated[dict[str, str], "Labels of the nodes that the proxy's pods may run on.", Since("0.45.0")]
    tolerations: Annotated[
        list[Toleration], "Taints of nodes that the proxy's pods tolerate.", Atomic(), Since("0.45.0")
    ]
    affinity: Annotated[Affinity, "Nodes and pods that attract or repel the proxy's pods.", Since("0.45.0")]


class ResourceOverrides(TypedDict, total=False):
    """Changes to the objects that the operator creates for a proxy."""

    proxyDeployment: Annotated[ProxyDeploymentOverrides, "Changes to the Deployment."]
    proxyService: Annotated[ResourceMetadataOverrides, "Changes to the Service."]
