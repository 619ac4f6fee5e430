"""Rules about MCPRegistries that the operator refuses, and their volumes that it drops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.named_tuple import NamedTuple
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.version import RECORDED
from ...compiler.kube.typed import decode
from ...compiler.toolhive.constants import (
    PGPASS_PATH,
    PGPASS_SECRET_VOLUME,
    PGPASS_VOLUME,
    REGISTRY_CONTAINER,
    REGISTRY_INIT_CONTAINER,
    REGISTRY_PATH,
    REGISTRY_VOLUME,
    registry_labels,
)
from ..placeholder import are_certain
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpregistry import MCPRegistrySpec
    from ..rule import Check, Finding, Path, Resource, Workspace

RESERVED = rule(
    "MRG001 reserved-registry-name",
    "operator",
    "A volume or init container of an MCPRegistry has a name that the operator reserves",
)
MOUNT_PATH = rule("MRG002 duplicate-registry-mount", "operator", "Two mounts of a registry server have the same path")
UNDECODABLE = rule(
    "MRG003 undecodable-registry-volume",
    "operator",
    "A volume or mount of an MCPRegistry is not in the form that Kubernetes defines",
    unmodelled="all",
)
PGPASS = rule("MRG004 incomplete-pgpass", "operator", "pgpassSecretRef lacks the name or the key of its Secret")
DROPPED = rule(
    "MRG005 dropped-registry-volume",
    "lint",
    "A volume or mount of an MCPRegistry is dropped because its name is already taken",
)
LOST_MOUNT = rule(
    "MRG006 registry-mount-without-volume",
    "operator",
    "An MCPRegistry mounts a volume that its pod does not have",
    unmodelled="all",
)
SELECTOR = rule(
    "MRG007 registry-selector-mismatch",
    "operator",
    "Labels of a registry's pod template hide the pods from their own Deployment",
)
ARGUMENTS = rule(
    "MRG008 lost-registry-arguments",
    "process",
    "Arguments in a registry's pod template replace those that start it with its configuration",
    verified=RECORDED,
)

PGPASS_VOLUMES = (PGPASS_SECRET_VOLUME, PGPASS_VOLUME)
TEMPLATE: Path = ("spec", "podTemplateSpec")


class _Pod(NamedTuple):
    """The decoded pod settings of a registry."""

    volumes: list[dict[str, Any]]
    mounts: list[dict[str, Any]]
    template: dict[str, Any]
    labels: dict[str, Any]


@reads("volumes", "volumeMounts", "pgpassSecretRef", "podTemplateSpec")
def check(resource: Resource[MCPRegistrySpec], _: Workspace) -> Iterator[Finding]:
    """Report volumes, mounts and pod settings of an MCPRegistry that the operator refuses or drops."""
    template = decode(resource.spec.get("podTemplateSpec") or {})
    if template.faults or template.unfilled:
        return  # the operator stops at this fault (POD001)
    yield from _pgpass(resource)
    decoded: dict[str, list[dict[str, Any]]] = {}
    for field, type_name in (("volumes", "Volume"), ("volumeMounts", "VolumeMount")):
        entries = [decode(entry, type_name) for entry in resource.spec.get(field) or ()]
        decoded[field] = [entry.value for entry in entries]
        faults = [(("spec", field, i, *fault.path), fault) for i, entry in enumerate(entries) for fault in entry.faults]
        for path, fault in faults:
            yield resource.finding(UNDECODABLE, path, fault.message, hint=fault.hint)
        # The operator decodes null to empty bytes, which are not valid JSON.
        nothing = [("spec", field, i) for i, entry in enumerate(resource.spec.get(field) or ()) if entry is None]
        for path in nothing:
            yield resource.finding(UNDECODABLE, path, "null where a mapping is needed", hint="remove the entry")
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
    reserved = {REGISTRY_VOLUME, *(PGPASS_VOLUMES if with_pgpass else ())}
    places: list[tuple[Path, list[dict[str, Any]], str]] = [
        (("spec", "volumes"), pod.volumes, "a volume"),
        ((*TEMPLATE, "spec", "volumes"), pod.template.get("volumes") or [], "a volume"),
    ]
    if with_pgpass:
        path = (*TEMPLATE, "spec", "initContainers")
        places.append((path, pod.template.get("initContainers") or [], "an init container"))
    for at, entries, what in places:
        names = {REGISTRY_INIT_CONTAINER} if what == "an init container" else reserved
        for i, entry in enumerate(entries):
            if entry.get("name") in names:
                message = f'the operator has {what} "{entry["name"]}" of its own'
                yield resource.finding(RESERVED, (*at, i, "name"), message, hint="choose another name")


def _mount_paths(resource: Resource[MCPRegistrySpec], pod: _Pod) -> Iterator[Finding]:
    fields_by_path = {REGISTRY_PATH: "configYAML"}
    if "pgpassSecretRef" in resource.spec:
        fields_by_path[PGPASS_PATH] = "pgpassSecretRef"
    mounts: list[tuple[Path, dict[str, Any]]] = [
        (("spec", "volumeMounts", i), mount) for i, mount in enumerate(pod.mounts)
    ]
    for i, container in enumerate(pod.template.get("containers") or ()):
        if container.get("name") == REGISTRY_CONTAINER:
            at: Path = (*TEMPLATE, "spec", "containers", i, "volumeMounts")
            mounts += [((*at, j), mount) for j, mount in enumerate(container.get("volumeMounts") or ())]
            break
    for at, mount in mounts:
        path = mount.get("mountPath", "")
        if path in fields_by_path:
            message = f'"{path}" is taken by {fields_by_path[path]}'
            yield resource.finding(MOUNT_PATH, (*at, "mountPath"), message, hint="choose another path")
        fields_by_path[path] = f'the mount of "{mount.get("name", "")}"'


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
                hint = "remove one of the two"
                yield resource.finding(DROPPED, ("spec", field, i, "name"), message, hint=hint, notes=notes)


def _lost_mounts(resource: Resource[MCPRegistrySpec], pod: _Pod) -> Iterator[Finding]:
    names = {REGISTRY_VOLUME, *(PGPASS_VOLUMES if "pgpassSecretRef" in resource.spec else ())}
    names.update(volume.get("name", "") for volume in (*pod.volumes, *(pod.template.get("volumes") or ())))
    mounts: list[tuple[Path, dict[str, Any]]] = [
        (("spec", "volumeMounts", i), mount) for i, mount in enumerate(pod.mounts)
    ]
    for field in ("initContainers", "containers"):
        for i, container in enumerate(pod.template.get(field) or ()):
            at: Path = (*TEMPLATE, "spec", field, i, "volumeMounts")
            mounts += [((*at, j), mount) for j, mount in enumerate(container.get("volumeMounts") or ())]
    for path, mount in mounts:
        if mount.get("name", "") not in names and are_certain((mount.get("name", ""), *names)):
            message = f'the pod has no volume "{mount.get("name", "")}" to mount'
            from ...compiler.diagnostics.suggestion import did_you_mean

            hint = did_you_mean(mount.get("name", ""), names) or "add it to volumes, or remove the mount"
            yield resource.finding(LOST_MOUNT, (*path, "name"), message, hint=hint)


def _template(resource: Resource, pod: _Pod) -> Iterator[Finding]:
    labels = pod.labels
    for label, value in registry_labels(resource.name).items():
        if labels.get(label, value) != value and not is_placeholder(labels[label]):
            path = (*TEMPLATE, "metadata", "labels", label)
            message = f'the Deployment selects pods with {label} "{value}", but they get "{labels[label]}"'
            yield resource.finding(SELECTOR, path, message, hint="remove the label")
    for i, container in enumerate(pod.template.get("containers") or ()):
        args = container.get("args")
        is_own = container.get("name") == REGISTRY_CONTAINER and not container.keys() & {"image", "command"}
        if is_own and args and not any(arg.startswith("--config") for arg in args) and are_certain(args):
            path = (*TEMPLATE, "spec", "containers", i, "args")
            hint = "add serve and --config=/config/config.yaml"
            yield resource.finding(ARGUMENTS, path, "these replace the arguments that name configYAML", hint=hint)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPRegistry": (check,)}
