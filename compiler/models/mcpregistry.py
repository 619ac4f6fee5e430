"""MCPRegistry: a registry API server."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .dated import Since
from .declare import AnyValue, Atomic, Go, Int32, MinLength, PreserveUnknownFields
from .deployment import PodTemplate, PullSecrets
from .reference import SecretKeySelector
from .status import Conditions, ObservedGeneration


class MCPRegistrySpec(TypedDict, total=False):
    """The desired state of the registry server."""

    configYAML: Required[
        Annotated[
            str,
            "Complete configuration file of the server, mounted at /config/config.yaml. Do not put"
            " credentials into it.",
            MinLength(1),
        ]
    ]
    volumes: Annotated[
        list[AnyValue],
        "Volumes of the pod, in Kubernetes format.",
        Atomic(),
        PreserveUnknownFields(),
        Go(type="[]v1.JSON"),
    ]
    volumeMounts: Annotated[
        list[AnyValue],
        "Mounts of the registry-api container, in Kubernetes format. configYAML refers to their paths.",
        Atomic(),
        PreserveUnknownFields(),
        Go(type="[]v1.JSON"),
    ]
    pgpassSecretRef: Annotated[
        SecretKeySelector,
        "Secret with a pgpass file. The pod copies it, restricts its mode and sets PGPASSFILE.",
        Atomic(),
        Go(name="PGPassSecretRef"),
    ]
    displayName: Annotated[str, "Display name. It has no effect."]
    podTemplateSpec: Annotated[PodTemplate, "Pod template of the server. Its container is named registry-api."]
    imagePullSecrets: Annotated[
        PullSecrets, "Registry credentials of the Deployment and of the created ServiceAccount.", Since("0.26.0")
    ]


class MCPRegistryStatus(TypedDict, total=False):
    """The last observed state of the registry server."""

    conditions: Conditions
    observedGeneration: ObservedGeneration
    phase: Annotated[
        Literal["Pending", "Ready", "Failed", "Terminating"], "Pending during creation, Ready, Failed or Terminating."
    ]
    message: Annotated[str, "Details of the phase."]
    url: Annotated[str, "URL of the registry for clients."]
    readyReplicas: Annotated[Int32, "Number of ready pods."]
