"""EmbeddingServers whose settings contradict each other or are not used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.finding import Rule
from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.validators.rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.embeddingserver import EmbeddingServerSpec
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

SOURCE = "Source: the StatefulSet of an EmbeddingServer, v0.21.0."

FOREIGN_IMAGE = Rule(
    id="EMB001",
    name="foreign-embedding-image",
    stage="lint",
    severity="warning",
    title="The image of an EmbeddingServer is not text-embeddings-inference.",
    doc=f"""The image of an EmbeddingServer is not one of text-embeddings-inference.

Flagged: an `image` whose path does not end with `text-embeddings-inference`.

Why it bites: the operator starts it with that program's arguments (`--model-id`, `--port`) and asks `/health`; virtual
servers ask it for vectors as that program answers. Another program does not start, or is never ready.

Example: `image: ollama/ollama:0.6`.

Cure: use an image of `ghcr.io/huggingface/text-embeddings-inference`, or a mirror of it under the same name.

{SOURCE}
""",
)
TWICE = Rule(
    id="EMB002",
    name="contested-embedding-environment",
    stage="lint",
    severity="warning",
    title="An environment variable of an EmbeddingServer is set by the operator too.",
    doc=f"""An environment variable is set that the operator sets too.

Flagged: in `env` of an EmbeddingServer, `MODEL_ID`; `HF_TOKEN` beside `hfTokenSecretRef`; `HF_HOME` beside an enabled
`modelCache`.

Why it bites: both stand in the pod, and the last wins: the user's `MODEL_ID` and `HF_TOKEN`, the operator's `HF_HOME`.
Two places then say different things about one setting.

Example: `env: [{{name: MODEL_ID, value: intfloat/e5-base}}]` beside `model: BAAI/bge-m3`.

Cure: use `model`, `hfTokenSecretRef` and `modelCache`.

{SOURCE}
""",
)
IGNORED_TEMPLATE = Rule(
    id="EMB003",
    name="ignored-embedding-template",
    stage="lint",
    severity="warning",
    title="A part of an EmbeddingServer's pod template is not used.",
    doc=f"""A part of an EmbeddingServer's pod template is not used.

Flagged: everything in `podTemplateSpec` but `nodeSelector`, `affinity`, `tolerations`, `securityContext` and
`serviceAccountName` of the pod, and `securityContext` of the container `embedding`.

Why it bites: the operator takes these parts and drops the rest without a word.

Example: `podTemplateSpec: {{spec: {{priorityClassName: high}}}}`.

Cure: labels and annotations go into `resourceOverrides.statefulSet.podTemplateMetadataOverrides`, resources into
`resources`; the rest cannot be set.

{SOURCE}
""",
)
SELECTOR = Rule(
    id="EMB004",
    name="embedding-selector-mismatch",
    stage="lint",
    severity="warning",
    title="Labels for an EmbeddingServer's pods hide them from their Service.",
    doc=f"""Labels for an EmbeddingServer's pods replace those by which its Service finds them.

Flagged: in `resourceOverrides.statefulSet.podTemplateMetadataOverrides.labels`, another value for
`app.kubernetes.io/name`, `/instance`, `/component` or `/managed-by` than the operator's.

Why it bites: the user's labels win, the Service's selector stays as it is and finds no pod. Virtual servers cannot
reach the embedding server.

Example: `labels: {{app.kubernetes.io/name: tei}}`.

Cure: use other labels.

{SOURCE}
""",
)
RULES = (FOREIGN_IMAGE, TWICE, IGNORED_TEMPLATE, SELECTOR)

PROGRAM = "text-embeddings-inference"
TEMPLATE: Path = ("spec", "podTemplateSpec")
TAKEN_OF_POD = frozenset(("nodeSelector", "affinity", "tolerations", "securityContext", "serviceAccountName"))
LABELS: Path = ("spec", "resourceOverrides", "statefulSet", "podTemplateMetadataOverrides", "labels")


@reads("image")
def check_image(resource: Resource[EmbeddingServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell an image of another program."""
    del workspace
    image: str = resource.spec["image"]
    path = image.partition("@")[0].rpartition("/")[2].partition(":")[0]
    if path != PROGRAM and image and not is_placeholder(image):
        message = f'the operator starts the image as {PROGRAM}, which "{image}" is not'
        yield resource.finding(FOREIGN_IMAGE, ("spec", "image"), message, hint="use an image of that program")


@reads("env")
def check_environment(resource: Resource[EmbeddingServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell variables that the operator sets too."""
    del workspace
    spec = resource.spec
    own = {"MODEL_ID": "model"}
    if "hfTokenSecretRef" in spec:
        own["HF_TOKEN"] = "hfTokenSecretRef"  # noqa: S105 - the name of a field
    if (spec.get("modelCache") or {}).get("enabled"):
        own["HF_HOME"] = "modelCache"
    for i, entry in enumerate(spec["env"]):
        field = own.get(entry.get("name", ""))
        if field is not None:
            message = f"{field} sets {entry['name']} too"
            yield resource.finding(TWICE, ("spec", "env", i, "name"), message, hint=f"use {field} alone")


INSTEAD: dict[str | int, str] = {
    "metadata": "use resourceOverrides.statefulSet.podTemplateMetadataOverrides",
    "env": "use spec.env",
    "image": "use spec.image",
    "args": "use spec.args",
    "resources": "use spec.resources",
}


@reads("podTemplateSpec")
def check_template(resource: Resource[EmbeddingServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell parts of the pod template that are dropped."""
    del workspace
    given: dict[str, Any] = resource.spec["podTemplateSpec"]
    pod = given.get("spec")
    unused: list[Path] = [(field,) for field in given if field.lower() != "spec"]
    containers = pod.get("containers") if isinstance(pod, dict) else None
    if isinstance(pod, dict):
        unused += [("spec", field) for field in pod if field not in TAKEN_OF_POD and field != "containers"]
    seen = False
    for i, container in enumerate(containers if isinstance(containers, list) else ()):
        if not isinstance(container, dict):
            continue  # told by POD001
        if container.get("name") != "embedding" or seen:
            unused.append(("spec", "containers", i))
            continue
        seen = "securityContext" in container
        unused += [("spec", "containers", i, field) for field in container if field not in ("name", "securityContext")]
    for path in unused:
        word = "this container" if isinstance(path[-1], int) else path[-1]
        message = f"an EmbeddingServer does not take {word} from its pod template"
        hint = INSTEAD.get(path[-1]) if path[0] == "metadata" or "containers" in path else None
        yield resource.finding(IGNORED_TEMPLATE, (*TEMPLATE, *path), message, hint=hint, on="key")


@reads("resourceOverrides")
def check_labels(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Tell labels that hide the pods from their Service."""
    del workspace
    labels: Any = resource.data
    for step in LABELS:
        labels = labels.get(step) or {}
    own = {
        "app.kubernetes.io/name": "embeddingserver",
        "app.kubernetes.io/instance": resource.name,
        "app.kubernetes.io/component": "embedding-server",
        "app.kubernetes.io/managed-by": "toolhive-operator",
    }
    for label, value in own.items():
        if labels.get(label, value) != value:
            message = f'the Service looks for pods with {label} "{value}", but they get "{labels[label]}"'
            yield resource.finding(SELECTOR, (*LABELS, label), message, hint="remove the label")


CHECKS: dict[str, tuple[Check, ...]] = {
    "EmbeddingServer": (check_image, check_environment, check_template, check_labels)
}
