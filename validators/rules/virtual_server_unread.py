"""What a VirtualMCPServer says and nothing reads: superseded, dropped on the way, or never applied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.compiler import RELEASE
from mcpcfg.compiler.admission.later import release_of_field
from mcpcfg.compiler.admission.rule import UNKNOWN_FIELD
from mcpcfg.compiler.emit import vmcpauth
from mcpcfg.compiler.finding import Note
from mcpcfg.compiler.kube.fault import nearest
from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.schemas._vmcp_structs import STRUCTS
from mcpcfg.validators.rule import reads

from . import virtual_server_unread_page as page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from mcpcfg.compiler.models.mcptelemetryconfig import MCPTelemetryConfigSpec
    from mcpcfg.compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from mcpcfg.compiler.models.vmcp import VMCPConfig
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

RULES = page.RULES
CONFIG: Path = ("spec", "config")
SUPERSEDED = {
    "name": "metadata.name",
    "groupRef": "spec.groupRef",
    "incomingAuth": "spec.incomingAuth",
    "outgoingAuth": "spec.outgoingAuth",
    "telemetry": "spec.telemetryConfigRef",
    "sessionStorage": "spec.sessionStorage",
}
"""Field of ``config`` to what counts instead."""
FIELDS = tuple(key for key, _, _ in STRUCTS["VMCPConfig"])


def check_config(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell fields of ``config`` that count for nothing, or for more than they say."""
    del workspace
    config: VMCPConfig = resource.spec.get("config") or {}
    for field, instead in SUPERSEDED.items():
        counting = _counting(resource, field)
        if isinstance(counting, str) and is_placeholder(counting):
            continue
        if field in config and resource.states(*CONFIG, field) and config.get(field) != counting:
            message = f"config.{field} is ignored: {instead} counts"
            yield resource.finding(
                page.SUPERSEDED, (*CONFIG, field), message, hint="remove it, or set the other", on="key"
            )
    for key in config:
        release = release_of_field(resource.kind, (*CONFIG, key))
        if release is not None:
            # The API server keeps any field here: it is no error in an earlier version of the API either.
            message = f'release {RELEASE} has no field "{key}" in spec.config'
            notes = (Note(f"the operator takes it from release {release} on"),)
            yield resource.finding(UNKNOWN_FIELD, (*CONFIG, key), message, notes=notes, on="key", severity="warning")
        elif key not in FIELDS:
            meant = nearest(key, FIELDS)
            hint = f'did you mean "{meant}"?' if meant else None
            message = f"config has no field {key}: the API server keeps it, and nobody reads it"
            yield resource.finding(page.UNKNOWN, (*CONFIG, key), message, hint=hint, on="key")
    yield from _backends(resource, config)
    yield from _operation(resource, config)


def _counting(resource: Resource[VirtualMCPServerSpec], field: str) -> Any:
    """Give the value that counts, where repeating it does no harm."""
    if field == "name":
        return resource.name
    return (resource.spec.get("groupRef") or {}).get("name") if field == "groupRef" else None


def _backends(resource: Resource[VirtualMCPServerSpec], config: VMCPConfig) -> Iterator[Finding]:
    if not config.get("backends"):
        return
    path = (*CONFIG, "backends")
    if vmcpauth.is_inline(resource):
        message = "config.backends is ignored: with source inline the members of the group are written there"
        yield resource.finding(page.SUPERSEDED, path, message, on="key")
    else:
        message = "backends are listed, so none is discovered any more: the group counts for nothing"
        hint = "remove them, or put servers into the group"
        yield resource.finding(page.STATIC, path, message, hint=hint, on="key")


def _operation(resource: Resource, config: VMCPConfig) -> Iterator[Finding]:
    path = (*CONFIG, "operational", "timeouts")
    if "operational" in config and resource.states(*path):
        message = "the timeouts are read by nothing at v0.21.0"
        yield resource.finding(page.UNREAD, path, message, hint="steps of composite tools have their own", on="key")
    if "metadata" in config and resource.states(*CONFIG, "metadata"):
        path = (*CONFIG, "metadata")
        yield resource.finding(page.UNREAD, path, "the metadata is read by nothing", on="key", severity="info")
    audit = config.get("audit")
    if audit is not None and audit.get("enabled") is False and resource.states(*CONFIG, "audit", "enabled"):
        message = "requests are audited all the same: the block alone turns it on"
        hint = "remove config.audit altogether"
        yield resource.finding(page.AUDIT, (*CONFIG, "audit", "enabled"), message, hint=hint)


def check_references(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell what is lost of the configurations that a virtual server refers to."""
    oidc: Path = (*vmcpauth.OIDC_REF, "name")
    config: Resource[MCPOIDCConfigSpec] | None = (
        workspace.target(resource, *oidc) if "incomingAuth" in resource.spec else None
    )
    inline = (config.spec.get("inline") or {}) if config is not None else {}
    for field, effect in (
        ("caBundleRef", "is mounted, but the process does not use it"),
        ("jwksAuthTokenPath", "is not handed on"),
    ):
        if config is not None and inline.get(field):
            notes = (config.note("it is given here", ("spec", "inline", field)),)
            message = f'{field} of MCPOIDCConfig "{config.name}" {effect}'
            yield resource.finding(page.DROPPED, oidc, message, notes=notes)
    refers = "telemetryConfigRef" in resource.spec
    telemetry: Resource[MCPTelemetryConfigSpec] | None = (
        workspace.target(resource, "spec", "telemetryConfigRef", "name") if refers else None
    )
    if telemetry is not None and (telemetry.spec.get("openTelemetry") or {}).get("caBundleRef"):
        notes = (telemetry.note("it is given here", ("spec", "openTelemetry", "caBundleRef")),)
        message = f'caBundleRef of MCPTelemetryConfig "{telemetry.name}" is mounted, but the process does not use it'
        yield resource.finding(page.DROPPED, ("spec", "telemetryConfigRef", "name"), message, notes=notes)
    yield from _entities(resource)


def _entities(resource: Resource[VirtualMCPServerSpec]) -> Iterator[Finding]:
    path = ("spec", "incomingAuth", "authzConfig", "inline", "entitiesJson")
    authz = (resource.spec.get("incomingAuth") or {}).get("authzConfig") or {}
    text = (authz.get("inline") or {}).get("entitiesJson") or ""
    if text.strip() not in ("", "[]") and resource.states(*path):
        message = "the entities are not handed on: policies of a virtual server see none"
        yield resource.finding(page.DROPPED, path, message)


@reads("outgoingAuth")
def check_idle_references(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell references of backends whose type says that they are not followed."""
    del workspace
    outgoing = resource.spec["outgoingAuth"] or {}
    base: Path = ("spec", "outgoingAuth")
    entries: list[tuple[Path, Any]] = [((*base, "default"), outgoing.get("default"))]
    entries += [((*base, "backends", name), entry) for name, entry in (outgoing.get("backends") or {}).items()]
    for path, entry in entries:
        if entry is not None and entry.get("type") == "discovered" and entry.get("externalAuthConfigRef"):
            message = "the reference is ignored: the type is discovered"
            hint = "set type: externalAuthConfigRef, or remove the reference"
            yield resource.finding(page.IDLE, (*path, "externalAuthConfigRef"), message, hint=hint, on="key")


@reads("podTemplateSpec")
def check_template(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell pod templates that are not applied, or that hide the pods from the operator."""
    del workspace
    template = resource.spec["podTemplateSpec"]
    if not template:
        return
    from mcpcfg.compiler.emit.build import standard_labels
    from mcpcfg.compiler.emit.podpatch import DECISIVE
    from mcpcfg.compiler.emit.virtualmcpserver import finds_its_pods
    from mcpcfg.compiler.golang.json import compact
    from mcpcfg.compiler.kube.typed import decode

    decoded = decode(template)
    if decoded.faults:
        return
    meta, pod = decoded.value.get("metadata") or {}, decoded.value.get("spec") or {}
    path: Path = ("spec", "podTemplateSpec")
    if not any(pod.get(field) for field in DECISIVE) and not meta.get("labels") and not meta.get("annotations"):
        given = compact(template)
        shown = given if len(given) <= 60 else "what it says"
        message = f"the pod template is not applied: {shown} alone does not make the operator look at it"
        hint = f"it is applied as a whole once it has labels, annotations or one of {', '.join(DECISIVE)}"
        yield resource.finding(page.NOT_APPLIED, path, message, hint=hint, on="key")
    elif not finds_its_pods(resource):
        changed = [
            label
            for label, value in standard_labels(resource).items()
            if (meta.get("labels") or {}).get(label) not in (None, value)
        ]
        place = (*path, "metadata", "labels", *changed[:1])
        message = "a label by which the operator finds its pods is changed: the Deployment does not match them"
        yield resource.finding(page.LOST_PODS, place, message, hint="leave app and toolhive… labels alone")


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPServer": (check_config, check_references, check_idle_references, check_template)
}
