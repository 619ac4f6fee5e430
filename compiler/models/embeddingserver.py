"""EmbeddingServer: a server that turns texts into vectors, for the optimizer of virtual servers."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from ..toolhive.constants import DEFAULT_PORT
from .declare import Atomic, Default, Int32, ListMap, Minimum
from .deployment import EnvVar, PodTemplate, Port, ResourceMetadataOverrides, ResourceRequirements
from .reference import SecretKeyRef
from .status import Conditions, ObservedGeneration


class ModelCacheConfig(TypedDict, total=False):
    """A volume that keeps the model across restarts."""

    enabled: Annotated[bool, "Whether the volume is created.", Default(value=True)]
    storageClassName: Annotated[str, "StorageClass of the volume; the default of the cluster when missing."]
    size: Annotated[str, "Size of the volume, as a Kubernetes quantity.", Default("10Gi")]
    accessMode: Annotated[
        Literal["ReadWriteOnce", "ReadWriteMany", "ReadOnlyMany"],
        "Access mode of the volume.",
        Default("ReadWriteOnce"),
    ]


class EmbeddingStatefulSetOverrides(TypedDict, total=False):
    """Changes to the StatefulSet of an embedding server."""

    annotations: Annotated[dict[str, str], "Annotations to add."]
    labels: Annotated[dict[str, str], "Labels to add."]
    podTemplateMetadataOverrides: Annotated[ResourceMetadataOverrides, "Metadata to add to the pods."]


class EmbeddingResourceOverrides(TypedDict, total=False):
    """Changes to the objects that the operator creates for an embedding server."""

    statefulSet: Annotated[EmbeddingStatefulSetOverrides, "Changes to the StatefulSet."]
    service: Annotated[ResourceMetadataOverrides, "Changes to the Service."]
    persistentVolumeClaim: Annotated[ResourceMetadataOverrides, "Changes to the volume claim of the cache."]


class EmbeddingServerSpec(TypedDict, total=False):
    """The desired state of the embedding server."""

    model: Annotated[str, "Name of the model on Hugging Face.", Default("BAAI/bge-small-en-v1.5")]
    hfTokenSecretRef: Annotated[SecretKeyRef, "Hugging Face token for downloading the model."]
    image: Annotated[
        str,
        "Image of text-embeddings-inference. Other servers do not work.",
        Default("ghcr.io/huggingface/text-embeddings-inference:cpu-latest"),
    ]
    imagePullPolicy: Annotated[
        Literal["Always", "Never", "IfNotPresent"], "When the image is pulled.", Default("IfNotPresent")
    ]
    port: Annotated[Port, "Port of the server.", Default(DEFAULT_PORT)]
    args: Annotated[list[str], "Additional arguments of the server.", Atomic()]
    env: Annotated[list[EnvVar], "Environment of the server.", ListMap("name")]
    resources: Annotated[ResourceRequirements, "Computing resources of the server."]
    modelCache: Annotated[ModelCacheConfig, "Cache of the model; none when missing."]
    podTemplateSpec: Annotated[PodTemplate, "Pod template of the server. Its container is named embedding."]
    resourceOverrides: Annotated[EmbeddingResourceOverrides, "Changes to the created objects."]
    replicas: Annotated[Int32, "Number of pods of the server.", Minimum(1), Default(1)]


class EmbeddingServerStatus(TypedDict, total=False):
    """The last observed state of the embedding server."""

    conditions: Conditions
    phase: Annotated[
        Literal["Pending", "Downloading", "Ready", "Failed", "Terminating"],
        "Pending during creation, Downloading the model, Ready, Failed or Terminating.",
    ]
    message: Annotated[str, "Details of the phase."]
    url: Annotated[str, "URL of the server."]
    readyReplicas: Annotated[Int32, "Number of ready pods."]
    observedGeneration: ObservedGeneration
