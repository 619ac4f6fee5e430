"""Rules about volumes of an MCPServer whose paths the operator refuses, or whose mounts have an unexpected effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.toolhive.constants import AUTHZ_PATH, AUTHZ_VOLUME, RUN_CONFIG_PATH
from ...compiler.toolhive.mount import MountError, parse_mount, split_volume
from ..pod import server_has
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.deployment import Volume
    from ...compiler.models.mcpserver import MCPServerSpec
    from ..rule import Check, Finding, Resource, Workspace

INVALID = rule("VOL001 invalid-volume-path", "operator", "The operator refuses a path of a volume")
PROXY_ONLY = rule(
    "VOL002 volume-of-proxy-only",
    "lint",
    "spec.volumes is mounted into the proxy's pod, not into the server's",
    is_one_change=True,
)
TWICE = rule(
    "VOL003 duplicate-mount-path",
    "operator",
    "Two volumes of an MCPServer are mounted at the same path, or one at a path that the product uses",
)


@reads("volumes")
def check(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report volumes of an MCPServer whose paths the operator refuses, or whose mounts have an unexpected effect."""
    spec = resource.spec
    volumes = spec["volumes"]
    for i, volume in enumerate(volumes):
        problem = _problem(volume)
        if problem is not None:
            field, why = problem
            message = f'volume "{volume.get("name")}" cannot be mounted: {why}'
            hint = "write an absolute path without colons and the characters $ & ; | and backtick"
            yield resource.finding(INVALID, ("spec", "volumes", i, field), message, hint=hint)
    yield from _collisions(resource)
    if volumes and not server_has(spec, "volumeMounts"):
        message = "these volumes are mounted into the proxy's pod, and the server gets none of them"
        hint = "use volumes in podTemplateSpec, mounted by its container mcp"
        yield resource.finding(PROXY_ONLY, ("spec", "volumes"), message, hint=hint, on="key")


def _problem(volume: Volume) -> tuple[str, str] | None:
    """Return the field of a volume whose path the operator refuses, and the reason, or ``None`` for a valid volume.

    The operator parses the volume twice: as a mount declaration, and split at colons.
    """
    host, mount = volume.get("hostPath", ""), volume.get("mountPath", "")
    if is_placeholder(host) or is_placeholder(mount):
        return None
    text = f"{host}:{mount}" + (":ro" if volume.get("readOnly") else "")
    for field, path in (("hostPath", host), ("mountPath", mount)):
        if not path:
            return field, f"its {field} is empty"
    try:
        parse_mount(split_volume(text)[0])
    except MountError as error:
        return ("hostPath" if _is_odd(host) else "mountPath"), str(error)
    parts = text.split(":")
    if len(parts) > 3 or (len(parts) == 3 and parts[2] != "ro"):
        return ("hostPath" if ":" in host else "mountPath"), "a path contains a colon"
    return None


def _is_odd(path: str) -> bool:
    return not set(":$&;|`\0").isdisjoint(path)


def _collisions(resource: Resource[MCPServerSpec]) -> Iterator[Finding]:
    spec = resource.spec
    paths = {RUN_CONFIG_PATH: "a volume of the product"}
    names = {"runconfig"}
    if "authzConfig" in spec:
        paths[resource.profile.spell(AUTHZ_PATH)] = "a volume of the product"
        names.add(AUTHZ_VOLUME)
    for i, volume in enumerate(spec["volumes"]):
        name, path = volume.get("name"), volume.get("mountPath", "")
        at = ("spec", "volumes", i)
        if name in names:
            message = f'the proxy\'s pod has a volume "{name}" of the product already'
            yield resource.finding(TWICE, (*at, "name"), message, hint="choose another name")
        if not path or is_placeholder(path):
            continue
        other = paths.setdefault(path, f'volume "{name}"')  # the API server compares them as they are written
        if other != f'volume "{name}"':
            message = f'{other} is mounted at "{path}" already'
            yield resource.finding(TWICE, (*at, "mountPath"), message, hint="choose another path")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,)}
