"""Rules about EmbeddingServers whose settings contradict each other or have no effect."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import value_at
from ...compiler.toolhive.constants import CACHE_VARIABLE, MODEL_VARIABLE, TOKEN_VARIABLE, embedding_labels
from ...compiler.toolhive.release import EMBEDDING_TEMPLATE_SINCE
from ..placeholder import has_placeholder
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.embeddingserver import EmbeddingServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

FOREIGN_IMAGE = rule(
    "EMB001 foreign-embedding-image", "lint", "The image of an EmbeddingServer is not text-embeddings-inference"
)
TWICE = rule(
    "EMB002 contested-embedding-environment",
    "lint",
    "An environment variable of an EmbeddingServer is set by the operator too",
)

IGNORED_TEMPLATE = rule(
    "EMB003 ignored-embedding-template",
    "lint",
    "A part of an EmbeddingServer's pod template is not used",
    until=EMBEDDING_TEMPLATE_SINCE,
)
SELECTOR = rule(
    "EMB004 embedding-selector-mismatch", "lint", "Labels for an EmbeddingServer's pods hide them from their Service"
)

PROGRAM = "text-embeddings-inference"
PROGRAM_PATTERN = r"embedding|(?<![a-z0-9])tei(?![a-z0-9])"
"""Pattern of image names that contain, or may contain, the program that the operator starts."""
TEMPLATE: Path = ("spec", "podTemplateSpec")
TAKEN_OF_POD = frozenset(("nodeSelector", "affinity", "tolerations", "securityContext", "serviceAccountName"))
LABELS: Path = ("spec", "resourceOverrides", "statefulSet", "podTemplateMetadataOverrides", "labels")


@reads("image")
def check_image(resource: Resource[EmbeddingServerSpec], _workspace: Workspace) -> Iterator[Finding]:
    """Report an image whose name suggests that it lacks the program that the operator starts in it."""
    image: str = resource.spec["image"]
    path, _, name = image.partition("@")[0].rpartition("/")
    repository = f"{path}/{name.partition(':')[0]}".lower()
    if re.search(PROGRAM_PATTERN, repository) is None and image and not is_placeholder(image):
        message = f'the operator starts the image as {PROGRAM}, which "{image}" does not seem to be'
        yield resource.finding(FOREIGN_IMAGE, ("spec", "image"), message, hint="use an image of that program")


@reads("env")
def check_environment(resource: Resource[EmbeddingServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report environment variables that the operator also sets, from other fields of the resource."""
    spec = resource.spec
    operator_variables = {MODEL_VARIABLE: "model"}
    if "hfTokenSecretRef" in spec:
        operator_variables[TOKEN_VARIABLE] = "hfTokenSecretRef"
    if (spec.get("modelCache") or {}).get("enabled"):
        operator_variables[CACHE_VARIABLE] = "modelCache"
    for i, entry in enumerate(spec["env"]):
        field = operator_variables.get(entry.get("name", ""))
        if field is not None:
            message = f"{field} sets {entry['name']} too"
            yield resource.finding(TWICE, ("spec", "env", i, "name"), message, hint=f"use only {field}")


INSTEAD: dict[str | int, str] = {
    "metadata": "use resourceOverrides.statefulSet.podTemplateMetadataOverrides",
    "env": "use spec.env",
    "image": "use spec.image",
    "args": "use spec.args",
    "resources": "use spec.resources",
}


@reads("podTemplateSpec")
def check_template(resource: Resource[EmbeddingServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report fields of the pod template that the operator drops."""
    given: dict[str, Any] = resource.spec["podTemplateSpec"]
    pod = given.get("spec")
    unused: list[Path] = [(field,) for field in given if field.lower() != "spec"]
    containers = pod.get("containers") if isinstance(pod, dict) else None
    if isinstance(pod, dict):
        unused += [("spec", field) for field in pod if field not in TAKEN_OF_POD and field != "containers"]
    seen = False
    for i, container in enumerate(containers if isinstance(containers, list) else ()):
        if not isinstance(container, dict):
            continue  # reported by POD001
        if (container.get("name") != "embedding" and not has_placeholder(container.get("name"))) or seen:
            unused.append(("spec", "containers", i))
            continue
        seen = "securityContext" in container
        unused += [("spec", "containers", i, field) for field in container if field not in ("name", "securityContext")]
    for path in unused:
        word = "this container" if isinstance(path[-1], int) else path[-1]
        message = f"an EmbeddingServer does not use {word} from its pod template"
        hint = INSTEAD.get(path[-1]) if path[0] == "metadata" or "containers" in path else None
        hint = hint or "remove it: it has no effect"
        yield resource.finding(IGNORED_TEMPLATE, (*TEMPLATE, *path), message, hint=hint, on="key")


@reads("resourceOverrides")
def check_labels(resource: Resource, _: Workspace) -> Iterator[Finding]:
    """Report pod labels that keep the Service from selecting the pods."""
    labels = value_at(resource.data, LABELS) or {}
    for label, value in embedding_labels(resource.name, resource.profile).items():
        if labels.get(label, value) != value and not is_placeholder(labels[label]):
            message = f'the Service selects pods with {label} "{value}", but they get "{labels[label]}"'
            yield resource.finding(SELECTOR, (*LABELS, label), message, hint="remove the label")


CHECKS: dict[str, tuple[Check, ...]] = {
    "EmbeddingServer": (check_image, check_environment, check_template, check_labels)
}
