"""Rules about pod templates that do not decode, that lose fields, or that Kubernetes refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from ...compiler.admission.place import dotted
from ...compiler.diagnostics.fault_to_finding import restaged
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.suggestion import VAGUE, did_you_mean
from ...compiler.diagnostics.version import RECORDED
from ...compiler.kube.field_table import struct
from ...compiler.toolhive.constants import DEFAULT_PORT
from ...compiler.toolhive.release import EMBEDDING_TEMPLATE_SINCE
from ..placeholder import are_certain
from ..pod import OWN_CONTAINERS, containers_of, decoded
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...compiler.diagnostics.finding import Stage
    from ...compiler.kube.typed import Decoded
    from ...compiler.models.mcpserver import MCPServerSpec
    from ...compiler.models.spec import TemplatedSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

UNDECODABLE = rule(
    "POD001 undecodable-pod-template",
    "operator",
    "A value in a pod template has a type that Kubernetes does not accept there",
    unmodelled="all",
)

UNKNOWN_FIELD = rule("POD002 unknown-pod-template-field", "lint", "A field of a pod template is silently dropped")
TWICE = rule(
    "POD003 duplicate-pod-template-entry",
    "process",
    "A pod template has two entries with the same key in a list that Kubernetes keys",
    unmodelled="all",
    verified=RECORDED,
)
LOST_MOUNT = rule(
    "POD004 mount-without-volume",
    "process",
    "A container mounts a volume that the pod does not have",
    unmodelled="all",
    verified=RECORDED,
)
NO_IMAGE = rule(
    "POD005 container-without-image",
    "operator",
    "A container of a pod template has no image and is not the one that gets the server's image",
    unmodelled="all",
)
WHOSE: Final = {"MCPRemoteProxy": "the proxy's"}
_MOST_HINTS = 100
"""Maximum number of unknown fields with a suggestion, because each suggestion compares a name with all fields."""


TEMPLATE: Path = ("spec", "podTemplateSpec")
MERGED: Final = ("VirtualMCPServer", "MCPRemoteProxy", "EmbeddingServer")
"""Kinds whose pod template is a strategic merge patch, so it may contain directives such as ``$patch``."""
POD_KEYS: dict[str, tuple[str, ...]] = {
    "volumes": ("name",),
    "initContainers": ("name",),
    "containers": ("name",),
    "ephemeralContainers": ("name",),
    "imagePullSecrets": ("name",),
    "hostAliases": ("ip",),
    "topologySpreadConstraints": ("topologyKey", "whenUnsatisfiable"),
    "schedulingGates": ("name",),
    "resourceClaims": ("name",),
}
CONTAINER_KEYS: dict[str, tuple[str, ...]] = {
    "env": ("name",),
    "ports": ("containerPort", "protocol"),
    "volumeMounts": ("mountPath",),
    "volumeDevices": ("devicePath",),
}
"""Lists of a container, with the fields that identify their entries; ``POD_KEYS`` has those of a pod.

Source: the list-map keys of Kubernetes' API, 1.35.
"""
CONTAINER_LISTS = ("initContainers", "containers", "ephemeralContainers")
_Container: TypeAlias = "tuple[str, int, Mapping[str, Any]]"
"""A container: the field of the list that contains it, its index in the list, and its content."""
LEVELS = {"PodTemplateSpec": "podTemplateSpec itself", "PodSpec": "podTemplateSpec.spec", "Container": "the container"}


@reads("podTemplateSpec")
def check(resource: Resource[TemplatedSpec], _: Workspace) -> Iterator[Finding]:
    """Report values of a pod template that the operator cannot decode."""
    yield from _undecodable(resource, resource.once(decoded).faults)


@reads("podTemplateSpec")
def check_contents(resource: Resource[TemplatedSpec], _: Workspace) -> Iterator[Finding]:
    """Report unknown fields of a pod template, and faults of its valid fields.

    If the template does not decode, only the images of valid containers are checked.
    """
    if resource.kind == "EmbeddingServer" and not resource.is_judged(since=EMBEDDING_TEMPLATE_SINCE):
        return  # the operator drops most of the template (EMB003)
    template = resource.once(decoded)
    for number, path in enumerate(template.unknown):
        if resource.kind in MERGED and str(path[-1]).startswith("$"):
            continue  # a directive of a strategic merge patch
        message = f'a pod template has no field "{path[-1]}" here, so it is dropped'
        hint = _unknown_field_hint(path) if number < _MOST_HINTS else None
        yield resource.finding(UNKNOWN_FIELD, (*TEMPLATE, *path), message, hint=hint, on="key")
    if template.unfilled:
        return
    if template.faults:
        yield from _images(resource, list(_sound_containers(resource, template)))
        return
    pod: dict[str, Any] = template.value.get("spec") or {}
    containers = list(_containers(pod))
    if resource.kind == "MCPServer":
        server = cast("Resource[MCPServerSpec]", resource)
        yield from _duplicates(server, pod, containers)
        yield from _mounts(server, pod, containers)
    yield from _images(resource, containers)


def _unknown_field_hint(path: Path) -> str:
    field, here = str(path[-1]), _level(path)
    known_fields = {level: _fields(level) for level in LEVELS}
    level = struct(here)
    inner = [inner_field.name for inner_field in (level.fields if level else ()) if field in _fields(inner_field.kind)]
    home = next((level for level, fields in known_fields.items() if level != here and field in fields), None)
    if here and (home is not None or len(inner) == 1):
        return f"it belongs in {inner[0] if home is None else LEVELS[home]}"
    place = ".".join(["pod", *(step for step in path[:-1] if isinstance(step, str))])
    hint = did_you_mean(field, known_fields.get(here, ()), likeness=VAGUE)
    return hint or f"kubectl explain {place} lists the fields"


def _fields(kind: str) -> list[str]:
    known_struct = struct(kind)
    return [field.name for field in known_struct.fields] if known_struct is not None else []


def _level(path: Path) -> str:
    if len(path) == 1:
        return "PodTemplateSpec"
    if path[:-1] == ("spec",):
        return "PodSpec"
    return "Container" if len(path) == 4 and path[1] in CONTAINER_LISTS else ""


def _undecodable(resource: Resource, faults: tuple[Any, ...]) -> Iterator[Finding]:
    for fault in faults:
        message = f"{_field(fault.path)}{fault.message}"
        yield resource.finding(UNDECODABLE, (*TEMPLATE, *fault.path), message, hint=fault.hint)


def _field(path: Path) -> str:
    names = [step for step in path if isinstance(step, str)][-2:]
    return f"{dotted(tuple(names))}: " if names else ""


def _sound_containers(resource: Resource[TemplatedSpec], template: Decoded) -> Iterator[_Container]:
    faulty = {fault.path for fault in template.faults}
    for path, container in containers_of(resource.spec):
        place = path[len(TEMPLATE) :]
        is_named = isinstance(container.get("name"), str)
        if is_named and faulty.isdisjoint((place, (*place, "name"), (*place, "image"))):
            yield str(path[-2]), int(path[-1]), container


def _containers(pod: Mapping[str, Any]) -> Iterator[_Container]:
    for field in CONTAINER_LISTS:
        for i, container in enumerate(pod.get(field) or ()):
            yield field, i, container


def _duplicates(
    resource: Resource[MCPServerSpec], pod: Mapping[str, Any], containers: list[_Container]
) -> Iterator[Finding]:
    at: Path = (*TEMPLATE, "spec")
    for field, keys in POD_KEYS.items():
        if _may_repeat(pod.get(field)):
            yield from _list_duplicates(resource, pod[field], keys, (*at, field))
    for field, i, container in containers:
        is_server = field == "containers" and container.get("name") == "mcp"
        for inner, keys in CONTAINER_KEYS.items():
            if is_server and inner == "env":
                continue  # ENV003 reports duplicates, including those of spec.env
            entries = container.get(inner)
            if is_server and inner == "ports" and resource.spec.get("transport") == "sse":
                entries = [*(entries or ()), {"containerPort": resource.spec.get("mcpPort") or DEFAULT_PORT}]
            if _may_repeat(entries):
                yield from _list_duplicates(resource, entries, keys, (*at, field, i, inner))
        claims = (container.get("resources") or {}).get("claims")
        if _may_repeat(claims):
            yield from _list_duplicates(resource, claims, ("name",), (*at, field, i, "resources", "claims"))
    claims = (pod.get("resources") or {}).get("claims")
    if _may_repeat(claims):
        yield from _list_duplicates(resource, claims, ("name",), (*at, "resources", "claims"))


def _may_repeat(entries: Sequence[Any] | None) -> bool:
    return entries is not None and len(entries) > 1


def _list_duplicates(resource: Resource, entries: Any, keys: tuple[str, ...], at: Path) -> Iterator[Finding]:
    seen: dict[tuple[Any, ...], int] = {}
    for i, entry in enumerate(entries):
        key = tuple(entry.get(field) or ("TCP" if field == "protocol" else None) for field in keys)
        first = seen.setdefault(key, i)
        if first != i:
            shown = " ".join(f"{field} {value}" for field, value in zip(keys, key, strict=True))
            added = not resource.states(*at, i)
            place = (*at, first if added else i, keys[0])
            notes = () if added else (resource.note("the first is here", (*at, first, keys[0])),)
            message = f"the product adds {shown} to {at[-1]}" if added else f"{at[-1]} has {shown} twice"
            hint = "remove the entry" if added else "remove one of the two"
            yield resource.finding(TWICE, place, message, hint=hint, notes=notes)


def _mounts(
    resource: Resource[MCPServerSpec], pod: Mapping[str, Any], containers: list[_Container]
) -> Iterator[Finding]:
    names = {volume.get("name") or "" for volume in pod.get("volumes") or ()}
    for field, i, container in containers:
        for j, mount in enumerate(container.get("volumeMounts") or ()):
            if (name := mount.get("name") or "") not in names and are_certain((name, *names)):
                path = (*TEMPLATE, "spec", field, i, "volumeMounts", j, "name")
                message = f'the pod has no volume "{name}" to mount'
                in_spec = any(volume.get("name") == name for volume in resource.spec.get("volumes") or ())
                hint = "add it to podTemplateSpec.spec.volumes: spec.volumes is for the proxy" if in_spec else None
                yield resource.finding(LOST_MOUNT, path, message, hint=hint)


def _images(resource: Resource, containers: list[_Container]) -> Iterator[Finding]:
    added_names = [resource.profile.spell(name) for name in OWN_CONTAINERS[resource.kind]]
    for field, i, container in containers:
        name = container.get("name")
        if not container.get("image") and name not in added_names and not is_placeholder(name or ""):
            path: Path = (*TEMPLATE, "spec", field, i)
            if resource.kind in MERGED and (not name or resource.states(*path, "$patch")):
                continue  # refused_object checks the merged template
            path = (*path, "name") if resource.states(*path, "name") else path
            message = f'container "{name}" has no image'
            owner = WHOSE.get(resource.kind, "the server's")
            hint = f"{owner} container is called {added_names[0]}"
            stage: Stage = "process" if resource.kind == "MCPServer" else "operator"
            yield restaged(resource.finding(NO_IMAGE, path, message, hint=hint), stage)


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check, check_contents),
    "MCPRemoteProxy": (check, check_contents),
    "MCPRegistry": (check, check_contents),
    "VirtualMCPServer": (check, check_contents),
    "EmbeddingServer": (check, check_contents),
}
