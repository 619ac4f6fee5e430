"""EmbeddingServer: a server that turns texts into vectors, for the optimizer of virtual servers."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from ..toolhive.constants import DEFAULT_PORT
from .declare import Atomic, Default, Int32, ListMap, Minimum
from .deployment import EnvVar, PodTemplate, Port, ResourceMetadataOverrides, ResourceRequirements
from .reference import SecretKeyRef
from .status import Conditions, ObservedGeneration


class ModelCacheConfig(TypedDict, total=False):
    """A volume that keeps the model from start to start."""

    enabled: Annotated[bool, "Whether there is such a volume.", Default(value=True)]
    storageClassName: Annotated[str, "StorageClass of the volume; that of the cluster when missing."]
    size: Annotated[str, "Size of the volume, as a Kubernetes quantity.", Default("10Gi")]
    accessMode: Annotated[
        Literal["ReadWriteOnce", "ReadWriteMany", "ReadOnlyMany"],
        "How the volume may be mounted.",
        Default("ReadWriteOnce"),
    ]


class EmbeddingStatefulSetOverrides(TypedDict, total=False):
    """What to change in the StatefulSet."""

    annotations: Annotated[dict[str, str], "Annotations to add."]
    labels: Annotated[dict[str, str], "Labels to add."]
    podTemplateMetadataOverrides: Annotated[ResourceMetadataOverrides, "Metadata to add to the pods."]


class EmbeddingResourceOverrides(TypedDict, total=False):
    """What to change in the created objects."""

    statefulSet: Annotated[EmbeddingStatefulSetOverrides, "Changes to the StatefulSet."]
    service: Annotated[ResourceMetadataOverrides, "Changes to the Service."]
    persistentVolumeClaim: Annotated[ResourceMetadataOverrides, "Changes to the volume claim of the cache."]


class EmbeddingServerSpec(TypedDict, total=False):
    """The embedding server that is wanted."""

    model: Annotated[str, "Model, as Hugging Face names it.", Default("BAAI/bge-small-en-v1.5")]
    hfTokenSecretRef: Annotated[SecretKeyRef, "Token to download the model with."]
    image: Annotated[
        str,
        "Image of text-embeddings-inference; no other will do.",
        Default("ghcr.io/huggingface/text-embeddings-inference:cpu-latest"),
    ]
    imagePullPolicy: Annotated[
        Literal["Always", "Never", "IfNotPresent"], "When the image is pulled.", Default("IfNotPresent")
    ]
    port: Annotated[Port, "Port of the server.", Default(DEFAULT_PORT)]
    args: Annotated[list[str], "More arguments of the server.", Atomic()]
    env: Annotated[list[EnvVar], "Environment of the server.", ListMap("name")]
    resources: Annotated[ResourceRequirements, "Computing resources of the server."]
    modelCache: Annotated[ModelCacheConfig, "Cache of the model; none when missing."]
    podTemplateSpec: Annotated[PodTemplate, "Pod template of the server; its container is called embedding."]
    resourceOverrides: Annotated[EmbeddingResourceOverrides, "Changes to the created objects."]
    replicas: Annotated[Int32, "Pods of the server.", Minimum(1), Default(1)]


class EmbeddingServerStatus(TypedDict, total=False):
    """The embedding server as it was last seen."""

    conditions: Conditions
    phase: Annotated[
        Literal["Pending", "Downloading", "Ready", "Failed", "Terminating"],
        "Pending while it is created, Downloading the model, Ready, Failed, Terminating.",
    ]
    message: Annotated[str, "More about the phase."]
    url: Annotated[str, "Where the server is reached."]
    readyReplicas: Annotated[Int32, "Pods that are ready."]
    observedGeneration: ObservedGeneration
