"""MCPRegistry: a registry API server."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .dated import Since
from .declare import AnyValue, Atomic, Go, Int32, MinLength, PreserveUnknownFields
from .deployment import PodTemplate, PullSecrets
from .reference import SecretKeySelector
from .status import Conditions, ObservedGeneration


class MCPRegistrySpec(TypedDict, total=False):
    """The registry server that is wanted."""

    configYAML: Required[
        Annotated[
            str,
            "The server's whole configuration file, mounted at /config/config.yaml; put no credentials into it.",
            MinLength(1),
        ]
    ]
    volumes: Annotated[
        list[AnyValue],
        "Volumes of the pod, as Kubernetes writes them.",
        Atomic(),
        PreserveUnknownFields(),
        Go(type="[]v1.JSON"),
    ]
    volumeMounts: Annotated[
        list[AnyValue],
        "Mounts of the registry-api container, as Kubernetes writes them; their paths are those of configYAML.",
        Atomic(),
        PreserveUnknownFields(),
        Go(type="[]v1.JSON"),
    ]
    pgpassSecretRef: Annotated[
        SecretKeySelector,
        "Secret with a pgpass file; it is copied, protected and named in PGPASSFILE.",
        Atomic(),
        Go(name="PGPassSecretRef"),
    ]
    displayName: Annotated[str, "Name for people; without any effect."]
    podTemplateSpec: Annotated[PodTemplate, "Pod template of the server; its container is called registry-api."]
    imagePullSecrets: Annotated[
        PullSecrets, "Registry credentials of the Deployment and of the created ServiceAccount.", Since("0.26.0")
    ]


class MCPRegistryStatus(TypedDict, total=False):
    """The registry server as it was last seen."""

    conditions: Conditions
    observedGeneration: ObservedGeneration
    phase: Annotated[
        Literal["Pending", "Ready", "Failed", "Terminating"],
        "Pending while it is created, Ready, Failed, Terminating.",
    ]
    message: Annotated[str, "More about the phase."]
    url: Annotated[str, "Where clients reach the registry."]
    readyReplicas: Annotated[Int32, "Pods that are ready."]
