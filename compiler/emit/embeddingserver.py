"""The objects of an EmbeddingServer: StatefulSet, Service and the claim of its model cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..kube.quantity import canonical
from ..kube.strategicmerge import merge
from ..kube.typed import decode
from ..toolhive.constants import CACHE_VARIABLE, DEFAULT_PORT, MODEL_VARIABLE, TOKEN_VARIABLE, embedding_labels
from ..toolhive.release import EMBEDDING_TEMPLATE_SINCE
from .build import Object, mapping_or_empty, metadata, omit_empty, plain_env, secret_env
from .container import http_probe, pod_pull_secrets, resource_requirements
from .service import service

if TYPE_CHECKING:
    from ..diagnostics.fault import Flaw
    from ..models.embeddingserver import EmbeddingResourceOverrides, EmbeddingServerSpec
    from ..workspace.resource import Resource
    from .build import Build

CONTAINER = "embedding"
CACHE_VOLUME = "model-cache"
CACHE_FOLDER = "/data"
TAKEN_FROM_TEMPLATE = ("nodeSelector", "affinity", "tolerations", "securityContext", "serviceAccountName")
"""The fields of a pod template that an operator before v0.26.0 uses, beside the container's security context."""


def objects(build: Build, resource: Resource[EmbeddingServerSpec]) -> list[Object]:
    """Return the StatefulSet and the Service."""
    return [_stateful_set(build, resource), _service(resource)]


def _port(resource: Resource[EmbeddingServerSpec]) -> int:
    port: int = resource.spec.get("port") or DEFAULT_PORT
    return port


def _overrides(resource: Resource[EmbeddingServerSpec]) -> EmbeddingResourceOverrides:
    return mapping_or_empty(resource.spec.get("resourceOverrides"))


def _pod_template(resource: Resource[EmbeddingServerSpec]) -> Object:
    overrides = mapping_or_empty(
        mapping_or_empty(_overrides(resource).get("statefulSet")).get("podTemplateMetadataOverrides")
    )
    pod_metadata: Object = {"labels": _pod_labels(resource)}
    if overrides.get("annotations"):
        pod_metadata["annotations"] = overrides["annotations"]
    return {"metadata": pod_metadata, "spec": _pod(resource)}


def _pod_labels(resource: Resource[EmbeddingServerSpec]) -> dict[str, str]:
    overrides = mapping_or_empty(
        mapping_or_empty(_overrides(resource).get("statefulSet")).get("podTemplateMetadataOverrides")
    )
    return embedding_labels(resource.name, resource.profile) | (overrides.get("labels") or {})


def template_faults(resource: Resource[EmbeddingServerSpec]) -> tuple[Flaw, ...]:
    """Return the faults that keep the operator from merging the user's pod template, with paths in the template."""
    given = resource.spec.get("podTemplateSpec")
    return merge(_pod_template(resource), given).faults if _is_patched(resource, given) else ()


def _stateful_set(build: Build, resource: Resource[EmbeddingServerSpec]) -> Object:
    pod_labels = _pod_labels(resource)
    replicas = resource.spec.get("replicas")
    spec: Object = {
        "replicas": 1 if replicas is None else replicas,
        "selector": {"matchLabels": pod_labels},
        "serviceName": resource.name,
        "template": _pod_template(resource),
        "updateStrategy": {},
    }
    if secrets := pod_pull_secrets(build, resource, ()):
        spec["template"]["spec"]["imagePullSecrets"] = secrets
    template = resource.spec.get("podTemplateSpec")
    if _is_patched(resource, template):
        patched = merge(spec["template"], template)
        if not patched.faults:
            spec["template"] = decode(patched.value).value
    claim = _claim(resource)
    if claim is not None:
        spec["volumeClaimTemplates"] = [claim]
    given = mapping_or_empty(_overrides(resource).get("statefulSet"))
    set_metadata = metadata(resource, resource.name, pod_labels | (given.get("labels") or {}), given.get("annotations"))
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": set_metadata, "spec": spec}


def _pod(resource: Resource[EmbeddingServerSpec]) -> Object:
    container = _container(resource)
    pod: Object = {"containers": [container]}
    given = resource.spec.get("podTemplateSpec")
    decoded = decode(given or {})
    if given is None or decoded.faults or _is_patched(resource, given):
        return pod
    shaped = decoded.value.get("spec") or {}
    pod |= {field: shaped[field] for field in TAKEN_FROM_TEMPLATE if shaped.get(field) not in (None, "", [])}
    for candidate in shaped.get("containers") or ():
        if candidate.get("name") == CONTAINER and candidate.get("securityContext") is not None:
            container["securityContext"] = candidate["securityContext"]
            break
    return pod


def _is_patched(resource: Resource, given: Any) -> bool:
    """Return whether the operator merges the whole pod template. Before v0.26.0, only a few fields are used."""
    return bool(given) and resource.is_judged(since=EMBEDDING_TEMPLATE_SINCE) and not decode(given).faults


def _container(resource: Resource[EmbeddingServerSpec]) -> Object:
    spec, port = resource.spec, _port(resource)
    container: Object = {
        "name": CONTAINER,
        **omit_empty({"image": spec.get("image")}),
        "imagePullPolicy": spec.get("imagePullPolicy") or "IfNotPresent",
        "args": ["--model-id", spec.get("model", ""), "--port", str(port), *(spec.get("args") or ())],
        "ports": [{"name": "http", "containerPort": port, "protocol": "TCP"}],
        "env": _environment(resource),
        "resources": resource_requirements(spec.get("resources")),
        # The times in seconds are those of buildLivenessProbe and buildReadinessProbe in the operator.
        "livenessProbe": http_probe("/health", port, 60, 30, timeoutSeconds=10, failureThreshold=3),
        "readinessProbe": http_probe("/health", port, 30, 10, timeoutSeconds=5, failureThreshold=3),
    }
    if _has_cache(resource):
        container["volumeMounts"] = [{"name": CACHE_VOLUME, "mountPath": CACHE_FOLDER}]
    return container


def _environment(resource: Resource[EmbeddingServerSpec]) -> list[Object]:
    spec = resource.spec
    env = [plain_env(MODEL_VARIABLE, spec.get("model", ""))]
    if spec.get("hfTokenSecretRef"):
        env.append(secret_env(TOKEN_VARIABLE, spec["hfTokenSecretRef"]))
    env += [plain_env(entry["name"], entry.get("value", "")) for entry in spec.get("env") or ()]
    if _has_cache(resource):
        env.append({"name": CACHE_VARIABLE, "value": CACHE_FOLDER})
    return env


def _has_cache(resource: Resource[EmbeddingServerSpec]) -> bool:
    cache = resource.spec.get("modelCache")
    return bool(cache is not None and cache.get("enabled"))


def _claim(resource: Resource[EmbeddingServerSpec]) -> Object | None:
    if not _has_cache(resource):
        return None
    cache = resource.spec["modelCache"]
    given = mapping_or_empty(_overrides(resource).get("persistentVolumeClaim"))
    labels = embedding_labels(resource.name, resource.profile) | (given.get("labels") or {})
    claim_metadata: Object = {"name": CACHE_VOLUME, "labels": labels}
    if given.get("annotations"):
        claim_metadata["annotations"] = given["annotations"]
    spec: Object = {
        "accessModes": [cache.get("accessMode") or "ReadWriteOnce"],
        "resources": {"requests": {"storage": canonical(cache.get("size") or "10Gi")}},
    }
    if cache.get("storageClassName") is not None:
        spec["storageClassName"] = cache["storageClassName"]
    return {"metadata": claim_metadata, "spec": spec, "status": {}}


def _service(resource: Resource[EmbeddingServerSpec]) -> Object:
    labels = embedding_labels(resource.name, resource.profile)
    given = mapping_or_empty(_overrides(resource).get("service"))
    service_metadata = metadata(resource, resource.name, labels | (given.get("labels") or {}), given.get("annotations"))
    return service(service_metadata, labels, _port(resource))
