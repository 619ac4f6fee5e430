"""MCPRegistries that the operator refuses, and volumes that it drops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcfg.compiler.finding import Rule
from mcpcfg.compiler.kube.typed import decode
from mcpcfg.validators.rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcpregistry import MCPRegistrySpec
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

SOURCE = "Source: the validation of MCPRegistry in the operator, v0.21.0."

RESERVED = Rule(
    id="MRG001",
    name="reserved-registry-name",
    stage="operator",
    severity="error",
    title="A volume or init container of an MCPRegistry has a name that the operator keeps for itself.",
    doc=f"""A volume or init container of an MCPRegistry has a name that the operator keeps for itself.

Flagged: a volume called `registry-server-config`, and with `pgpassSecretRef` also `pgpass-secret` or `pgpass`, in
`spec.volumes` or `podTemplateSpec.spec.volumes`; with `pgpassSecretRef` an init container called `setup-pgpass`.

Why it bites: the operator sets the registry to Failed and creates nothing.

Example: `volumes: [{{name: registry-server-config, emptyDir: {{}}}}]`.

Cure: choose another name.

{SOURCE}
""",
)
MOUNT_PATH = Rule(
    id="MRG002",
    name="duplicate-registry-mount",
    stage="operator",
    severity="error",
    title="Two mounts of a registry server are at the same path.",
    doc=f"""Two mounts of a registry server are at the same path.

Flagged: a `mountPath` that occurs twice among `spec.volumeMounts`, the mounts of the container `registry-api` in
`podTemplateSpec`, `/config`, and with `pgpassSecretRef` `/home/appuser/.pgpass`. Paths are compared as texts.

Why it bites: the operator sets the registry to Failed and creates nothing.

Example: `volumeMounts: [{{name: extra, mountPath: /config}}]`.

Cure: mount it elsewhere; `configYAML` is at `/config/config.yaml`.

{SOURCE}
""",
)
UNDECODABLE = Rule(
    id="MRG003",
    name="undecodable-registry-volume",
    stage="operator",
    severity="error",
    title="A volume or mount of an MCPRegistry is not one as Kubernetes writes it.",
    doc=f"""A volume or mount of an MCPRegistry does not decode.

Flagged: in `spec.volumes` and `spec.volumeMounts`, a value of another type than Kubernetes' field has.

Why it bites: the API server keeps these lists unseen. The operator decodes them, sets the registry to Failed and
creates nothing.

Example: `volumes: [{{name: data, emptyDir: yes}}]`.

Cure: write volumes as in a pod: `{{name: data, emptyDir: {{}}}}`.

{SOURCE}
""",
)
PGPASS = Rule(
    id="MRG004",
    name="incomplete-pgpass",
    stage="operator",
    severity="error",
    title="pgpassSecretRef lacks the name or the key of its Secret.",
    doc=f"""`pgpassSecretRef` does not say which Secret, or which key of it.

Flagged: an empty or missing `pgpassSecretRef.name`, an empty `pgpassSecretRef.key`.

Why it bites: the operator sets the registry to Failed and creates nothing.

Example: `pgpassSecretRef: {{key: .pgpass}}`.

Cure: name the Secret and the key that holds the pgpass file.

{SOURCE}
""",
)
DROPPED = Rule(
    id="MRG005",
    name="dropped-registry-volume",
    stage="lint",
    severity="warning",
    title="A volume or mount of an MCPRegistry is dropped, because its name is there already.",
    doc=f"""A volume or mount of an MCPRegistry is dropped, because its name is there already.

Flagged: in `spec.volumes` a name that occurs twice; in `spec.volumeMounts` a volume that is mounted twice.

Why it bites: the operator keeps the first and drops the rest without a word. One volume can be mounted only once, even
at another path or with another `subPath`.

Example: `volumeMounts: [{{name: a, mountPath: /x}}, {{name: a, mountPath: /y}}]`.

Cure: declare a second volume with the same source under another name.

{SOURCE}
""",
)
LOST_MOUNT = Rule(
    id="MRG006",
    name="registry-mount-without-volume",
    stage="lint",
    severity="warning",
    title="An MCPRegistry mounts a volume that its pod does not have.",
    doc=f"""An MCPRegistry mounts a volume that its pod does not have.

Flagged: a `name` in `spec.volumeMounts`, or in the mounts of a container in `podTemplateSpec`, that is no volume of
`spec.volumes`, of `podTemplateSpec`, or of the operator.

Why it bites: the operator does not look. Kubernetes refuses the Deployment, and no pod starts.

Example: `volumeMounts: [{{name: data, mountPath: /data}}]` without `volumes`.

Cure: add the volume.

{SOURCE}
""",
)
SELECTOR = Rule(
    id="MRG007",
    name="registry-selector-mismatch",
    stage="lint",
    severity="warning",
    title="Labels of a registry's pod template hide the pods from their own Deployment.",
    doc="""Labels in an MCPRegistry's pod template replace those by which its Deployment and Service find the pods.

Flagged: `podTemplateSpec.metadata.labels` with another value for `app.kubernetes.io/name` or
`app.kubernetes.io/component` than the operator's.

Why it bites: the user's labels win, the selectors stay as they are. Kubernetes refuses the Deployment.

Example: `labels: {app.kubernetes.io/name: registry}`.

Cure: use other labels.

Source: the Deployment of an MCPRegistry, v0.21.0; Kubernetes, validation of Deployments.
""",
)
ARGUMENTS = Rule(
    id="MRG008",
    name="lost-registry-arguments",
    stage="lint",
    severity="warning",
    title="Arguments in a registry's pod template replace those that start it with its configuration.",
    doc="""The container `registry-api` of a pod template has `args` that do not name the configuration.

Flagged: `args` of the container `registry-api` in `podTemplateSpec` without an argument that begins with `--config`.

Why it bites: they replace the operator's own, `serve --config=/config/config.yaml`, completely; the server does not
read `configYAML`.

Example: `containers: [{name: registry-api, args: [serve, --debug]}]`.

Cure: repeat the operator's arguments beside your own.

Source: the Deployment of an MCPRegistry, v0.21.0.
""",
)
RULES = (RESERVED, MOUNT_PATH, UNDECODABLE, PGPASS, DROPPED, LOST_MOUNT, SELECTOR, ARGUMENTS)

CONFIG_VOLUME = "registry-server-config"
CONFIG_PATH = "/config"
PGPASS_PATH = "/home/appuser/.pgpass"
PGPASS_VOLUMES = ("pgpass-secret", "pgpass")
INIT_CONTAINER = "setup-pgpass"
CONTAINER = "registry-api"
TEMPLATE: Path = ("spec", "podTemplateSpec")


class _Pod(NamedTuple):
    """What a registry says about its pod, decoded.

    Attributes:
        volumes: Of ``spec.volumes``.
        mounts: Of ``spec.volumeMounts``.
        template: ``spec`` of the pod template.
        labels: Labels of the pod template.
    """

    volumes: list[dict[str, Any]]
    mounts: list[dict[str, Any]]
    template: dict[str, Any]
    labels: dict[str, Any]


@reads("volumes", "volumeMounts", "pgpassSecretRef", "podTemplateSpec")
def check(resource: Resource[MCPRegistrySpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell what the operator refuses in an MCPRegistry, and what it drops."""
    del workspace
    template = decode(resource.spec.get("podTemplateSpec") or {})
    if template.faults or template.unfilled:
        return  # the operator looks no further, see POD001
    yield from _pgpass(resource)
    decoded: dict[str, list[dict[str, Any]]] = {}
    for field, type_name in (("volumes", "Volume"), ("volumeMounts", "VolumeMount")):
        entries = [decode(entry, type_name) for entry in resource.spec.get(field) or ()]
        decoded[field] = [entry.value for entry in entries]
        faults = [(("spec", field, i, *fault.path), fault) for i, entry in enumerate(entries) for fault in entry.faults]
        for path, fault in faults:
            yield resource.finding(UNDECODABLE, path, fault.message, hint=fault.hint)
        # The operator keeps nothing of a null, and nothing is no JSON.
        nothing = [("spec", field, i) for i, entry in enumerate(resource.spec.get(field) or ()) if entry is None]
        for path in nothing:
            yield resource.finding(UNDECODABLE, path, "null where a mapping is needed")
        if faults or nothing or any(entry.unfilled for entry in entries):
            return
    labels = (template.value.get("metadata") or {}).get("labels") or {}
    pod = _Pod(decoded["volumes"], decoded["volumeMounts"], template.value.get("spec") or {}, labels)
    for look in (_reserved, _mount_paths, _dropped, _lost_mounts, _template):
        yield from look(resource, pod)


def _pgpass(resource: Resource[MCPRegistrySpec]) -> Iterator[Finding]:
    ref = resource.spec.get("pgpassSecretRef")
    if ref is None:
        return
    for field in ("name", "key"):
        if not ref.get(field):
            path = ("spec", "pgpassSecretRef", field)
            yield resource.finding(PGPASS, path, f"pgpassSecretRef has no {field}", hint=f"add {field}")


def _reserved(resource: Resource[MCPRegistrySpec], pod: _Pod) -> Iterator[Finding]:
    with_pgpass = "pgpassSecretRef" in resource.spec
    reserved = {CONFIG_VOLUME, *(PGPASS_VOLUMES if with_pgpass else ())}
    places: list[tuple[Path, list[dict[str, Any]], str]] = [
        (("spec", "volumes"), pod.volumes, "a volume"),
        ((*TEMPLATE, "spec", "volumes"), pod.template.get("volumes") or [], "a volume"),
    ]
    if with_pgpass:
        path = (*TEMPLATE, "spec", "initContainers")
        places.append((path, pod.template.get("initContainers") or [], "an init container"))
    for at, entries, what in places:
        names = {INIT_CONTAINER} if what == "an init container" else reserved
        for i, entry in enumerate(entries):
            if entry.get("name") in names:
                message = f'the operator has {what} "{entry["name"]}" of its own'
                yield resource.finding(RESERVED, (*at, i, "name"), message, hint="choose another name")


def _mount_paths(resource: Resource[MCPRegistrySpec], pod: _Pod) -> Iterator[Finding]:
    taken = {CONFIG_PATH: "configYAML"}
    if "pgpassSecretRef" in resource.spec:
        taken[PGPASS_PATH] = "pgpassSecretRef"
    mounts: list[tuple[Path, dict[str, Any]]] = [(("spec", "volumeMounts", i), one) for i, one in enumerate(pod.mounts)]
    for i, container in enumerate(pod.template.get("containers") or ()):
        if container.get("name") == CONTAINER:
            at: Path = (*TEMPLATE, "spec", "containers", i, "volumeMounts")
            mounts += [((*at, j), one) for j, one in enumerate(container.get("volumeMounts") or ())]
            break
    for at, mount in mounts:
        path = mount.get("mountPath", "")
        if path in taken:
            yield resource.finding(MOUNT_PATH, (*at, "mountPath"), f'"{path}" is taken by {taken[path]}')
        taken[path] = f'the mount of "{mount.get("name", "")}"'


def _dropped(resource: Resource, pod: _Pod) -> Iterator[Finding]:
    for field, entries, what in (
        ("volumes", pod.volumes, "there is a volume"),
        ("volumeMounts", pod.mounts, "there is a mount of volume"),
    ):
        seen: dict[str, int] = {}
        for i, entry in enumerate(entries):
            name = entry.get("name", "")
            first = seen.setdefault(name, i)
            if first != i:
                notes = (resource.note("the first is here", ("spec", field, first, "name")),)
                message = f'{what} "{name}" already, so this one is dropped'
                yield resource.finding(DROPPED, ("spec", field, i, "name"), message, notes=notes)


def _lost_mounts(resource: Resource[MCPRegistrySpec], pod: _Pod) -> Iterator[Finding]:
    names = {CONFIG_VOLUME, *(PGPASS_VOLUMES if "pgpassSecretRef" in resource.spec else ())}
    names.update(volume.get("name", "") for volume in (*pod.volumes, *(pod.template.get("volumes") or ())))
    mounts: list[tuple[Path, dict[str, Any]]] = [(("spec", "volumeMounts", i), one) for i, one in enumerate(pod.mounts)]
    for field in ("initContainers", "containers"):
        for i, container in enumerate(pod.template.get(field) or ()):
            at: Path = (*TEMPLATE, "spec", field, i, "volumeMounts")
            mounts += [((*at, j), one) for j, one in enumerate(container.get("volumeMounts") or ())]
    for path, mount in mounts:
        if mount.get("name", "") not in names:
            message = f'the pod has no volume "{mount.get("name", "")}" to mount'
            yield resource.finding(LOST_MOUNT, (*path, "name"), message)


def _template(resource: Resource, pod: _Pod) -> Iterator[Finding]:
    labels = pod.labels
    own = {"app.kubernetes.io/name": f"{resource.name}-api", "app.kubernetes.io/component": CONTAINER}
    for label, value in own.items():
        if labels.get(label, value) != value:
            path = (*TEMPLATE, "metadata", "labels", label)
            message = f'the Deployment looks for pods with {label} "{value}", but they get "{labels[label]}"'
            yield resource.finding(SELECTOR, path, message, hint="remove the label")
    for i, container in enumerate(pod.template.get("containers") or ()):
        args = container.get("args")
        if container.get("name") == CONTAINER and args and not any(arg.startswith("--config") for arg in args):
            path = (*TEMPLATE, "spec", "containers", i, "args")
            hint = "add serve and --config=/config/config.yaml"
            yield resource.finding(ARGUMENTS, path, "these replace the arguments that name configYAML", hint=hint)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPRegistry": (check,)}
