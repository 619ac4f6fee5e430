"""Rules about settings of a VirtualMCPServer without effect: superseded, dropped or never applied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import value_at
from ...compiler.diagnostics.suggestion import VAGUE, did_you_mean
from ...compiler.emit import vmcpauth
from ...compiler.toolhive.release import (
    BEST_EFFORT_SINCE,
    TIMEOUTS_READ_SINCE,
    VIRTUAL_POLICIES_SINCE,
    VIRTUAL_TEMPLATE_SINCE,
)
from ...compiler.vmcp import codec
from ..placeholder import are_certain
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from ...compiler.models.mcptelemetryconfig import MCPTelemetryConfigSpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.models.vmcp import VMCPConfig
    from ..rule import Check, Finding, Path, Resource, Workspace

SUPERSEDED = rule(
    "VMC201 superseded-config-field", "lint", "A field of config is ignored because another field takes precedence"
)

UNKNOWN = rule("VMC202 unknown-config-field", "lint", "config has a field that does not exist")
STATIC = rule("VMC203 static-backends", "lint", "A list of backends turns discovery off")
UNREAD = rule("VMC204 unread-setting", "lint", "A setting is accepted and checked, but never used", is_one_change=True)
AUDIT = rule("VMC205 audit-not-disabled", "lint", "Auditing is disabled, but runs anyway", is_one_change=True)
DROPPED = rule(
    "VMC206 dropped-in-virtual-server",
    "lint",
    "A virtual server does not get a part of a configuration that it refers to",
    is_one_change=True,
)
IDLE = rule(
    "VMC209 idle-backend-reference",
    "lint",
    "A backend's authentication names a configuration, but is discovered anyway",
)
NOT_APPLIED = rule(
    "VMC207 pod-template-not-applied",
    "lint",
    "A pod template is accepted, but not applied",
    until=VIRTUAL_TEMPLATE_SINCE,
)
LOST_PODS = rule(
    "VMC208 pods-without-their-labels",
    "operator",
    "A pod template changes the labels with which the operator finds its pods",
)

CONFIG: Path = ("spec", "config")
INSTEAD = {
    "name": "metadata.name",
    "groupRef": "spec.groupRef",
    "incomingAuth": "spec.incomingAuth",
    "outgoingAuth": "spec.outgoingAuth",
    "telemetry": "spec.telemetryConfigRef",
    "sessionStorage": "spec.sessionStorage",
    "passthroughHeaders": "spec.passthroughHeaders",
}
"""The path of the value that takes precedence, by field of ``config``."""


def check_config(resource: Resource[VirtualMCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report fields of ``config`` that nothing reads, or whose effect is different from what they state."""
    config: VMCPConfig = resource.spec.get("config") or {}
    for field, instead in INSTEAD.items():
        if field == "passthroughHeaders" and not resource.spec.get(field):
            continue  # the field takes effect if spec does not set it
        effective = _effective_value(resource, field)
        if any(isinstance(value, str) and is_placeholder(value) for value in (effective, config.get(field))):
            continue
        if field in config and resource.states(*CONFIG, field) and config.get(field) != effective:
            message = f"config.{field} is ignored: {instead} takes precedence"
            yield resource.finding(SUPERSEDED, (*CONFIG, field), message, hint="remove it, or set the other", on="key")
    fields = tuple(codec.fields_at((), resource.release))
    crds = resource.profile.crds
    for key in config:
        # What a CRD of the user names, a release that is not modelled may well read.
        if key in fields or (crds and crds.declares(resource.profile.api_group, resource.kind, (*CONFIG, key))):
            continue
        from ...compiler.admission.describe import UNKNOWN_FIELD
        from ...compiler.admission.later import release_note, release_of_field

        release = release_of_field(resource.kind, (*CONFIG, key), resource.release)
        if release is not None:
            # The API server keeps any field here: it is no error in an earlier version of the API either.
            message = f'release {resource.release} has no field "{key}" in spec.config'
            yield resource.finding(
                UNKNOWN_FIELD, (*CONFIG, key), message, notes=(release_note(release),), on="key", severity="warning"
            )
        else:
            hint = did_you_mean(key, fields, likeness=VAGUE)
            message = f"config has no field {key}: the API server keeps it, but nothing reads it"
            yield resource.finding(UNKNOWN, (*CONFIG, key), message, hint=hint, on="key")
    yield from _backends(resource, config)
    yield from _operation(resource, config)


def _effective_value(resource: Resource[VirtualMCPServerSpec], field: str) -> Any:
    """Return the value that takes precedence over a field of ``config``, if the field is ``name`` or ``groupRef``.

    For other fields, return ``None``. A field that states the same value is not reported.
    """
    if field == "name":
        return resource.name
    return (resource.spec.get("groupRef") or {}).get("name") if field == "groupRef" else None


def _backends(resource: Resource[VirtualMCPServerSpec], config: VMCPConfig) -> Iterator[Finding]:
    if not config.get("backends"):
        return
    path = (*CONFIG, "backends")
    if vmcpauth.is_inline(resource):
        message = "config.backends is ignored: with source inline the operator writes the members of the group there"
        yield resource.finding(SUPERSEDED, path, message, on="key")
    else:
        message = "backends are listed, so none is discovered: the group has no effect"
        hint = "remove them, or put servers into the group"
        yield resource.finding(STATIC, path, message, hint=hint, on="key")


def _operation(resource: Resource, config: VMCPConfig) -> Iterator[Finding]:
    path = (*CONFIG, "operational", "timeouts")
    if "operational" in config and resource.states(*path) and resource.is_judged(until=TIMEOUTS_READ_SINCE):
        message = "nothing reads the timeouts"
        yield resource.finding(UNREAD, path, message, hint="steps of composite tools have their own", on="key")
    handling = (*CONFIG, "operational", "failureHandling", "partialFailureMode")
    mode = value_at(resource.data, handling)
    # Without a reader, the default `fail` changes nothing, and earlier releases refuse any other mode (VMC110).
    if mode == "best_effort" and resource.is_judged(since=BEST_EFFORT_SINCE) and resource.states(*handling):
        yield resource.finding(UNREAD, handling, "nothing reads partialFailureMode", hint="remove it", on="key")
    if "metadata" in config and resource.states(*CONFIG, "metadata"):
        path = (*CONFIG, "metadata")
        yield resource.finding(UNREAD, path, "nothing reads the metadata", on="key", severity="info")
    audit = config.get("audit")
    if audit is not None and audit.get("enabled") is False and resource.states(*CONFIG, "audit", "enabled"):
        message = "requests are audited anyway: the block alone enables auditing"
        hint = "remove config.audit altogether"
        yield resource.finding(AUDIT, (*CONFIG, "audit", "enabled"), message, hint=hint)


def check_references(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report settings of referenced configurations, and Cedar entities, that the vMCP process does not use."""
    oidc: Path = (*vmcpauth.OIDC_REF, "name")
    config: Resource[MCPOIDCConfigSpec] | None = (
        workspace.target(resource, *oidc) if "incomingAuth" in resource.spec else None
    )
    inline = (config.spec.get("inline") or {}) if config is not None else {}
    for field, effect, until in (
        ("caBundleRef", "is mounted, but the process does not use it", "0.41.0"),
        ("jwksAuthTokenPath", "is not passed on", "0.69.0"),
    ):
        if config is not None and inline.get(field) and resource.is_judged(until=until):
            notes = (config.note("it is set here", ("spec", "inline", field)),)
            message = f'{field} of MCPOIDCConfig "{config.name}" {effect}'
            hint = f"remove it, unless other workloads need {field}"
            yield resource.finding(DROPPED, oidc, message, hint=hint, notes=notes)
    refers = "telemetryConfigRef" in resource.spec
    telemetry: Resource[MCPTelemetryConfigSpec] | None = (
        workspace.target(resource, "spec", "telemetryConfigRef", "name") if refers else None
    )
    if telemetry is not None and (telemetry.spec.get("openTelemetry") or {}).get("caBundleRef"):
        notes = (telemetry.note("it is set here", ("spec", "openTelemetry", "caBundleRef")),)
        message = f'caBundleRef of MCPTelemetryConfig "{telemetry.name}" is mounted, but the process does not use it'
        hint = "remove it, unless other workloads need caBundleRef"
        yield resource.finding(DROPPED, ("spec", "telemetryConfigRef", "name"), message, hint=hint, notes=notes)
    yield from _entities(resource)


def _entities(resource: Resource[VirtualMCPServerSpec]) -> Iterator[Finding]:
    path = ("spec", "incomingAuth", "authzConfig", "inline", "entitiesJson")
    authz = (resource.spec.get("incomingAuth") or {}).get("authzConfig") or {}
    text = (authz.get("inline") or {}).get("entitiesJson") or ""
    if text.strip() not in ("", "[]") and resource.states(*path) and resource.is_judged(until=VIRTUAL_POLICIES_SINCE):
        message = "the entities are not passed on: policies of a virtual server see none"
        yield resource.finding(DROPPED, path, message, hint="remove entitiesJson")


@reads("outgoingAuth")
def check_idle_references(resource: Resource[VirtualMCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report references in entries of ``outgoingAuth`` that are ignored because the entry's type is ``discovered``."""
    outgoing = resource.spec["outgoingAuth"] or {}
    base: Path = ("spec", "outgoingAuth")
    entries: list[tuple[Path, Any]] = [((*base, "default"), outgoing.get("default"))]
    entries += [((*base, "backends", name), entry) for name, entry in (outgoing.get("backends") or {}).items()]
    for path, entry in entries:
        if entry is not None and entry.get("type") == "discovered" and entry.get("externalAuthConfigRef"):
            message = "the reference is ignored: the type is discovered"
            hint = "set type: externalAuthConfigRef, or remove the reference"
            yield resource.finding(IDLE, (*path, "externalAuthConfigRef"), message, hint=hint, on="key")


@reads("podTemplateSpec")
def check_template(resource: Resource[VirtualMCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report a pod template that is not applied, or that changes labels in the selector of the Deployment."""
    template = resource.spec["podTemplateSpec"]
    if not template:
        return
    from ...compiler.emit.build import standard_labels
    from ...compiler.emit.podpatch import DECISIVE, is_customized
    from ...compiler.emit.virtualmcpserver import keeps_pod_labels
    from ...compiler.golang.json import compact
    from ...compiler.kube.typed import decode

    decoded = decode(template)
    if decoded.faults:
        return
    meta = decoded.value.get("metadata") or {}
    path: Path = ("spec", "podTemplateSpec")
    if not is_customized(decoded.value):
        given = compact(template)
        # A longer template would hide the rest of the message.
        shown = given if len(given) <= 60 else "what it says"
        message = f"the pod template is not applied: {shown} alone does not make the operator apply it"
        hint = f"it is applied as a whole once it has labels, annotations or one of {', '.join(DECISIVE)}"
        yield resource.finding(NOT_APPLIED, path, message, hint=hint, on="key")
    elif not keeps_pod_labels(resource):
        changed = [
            label
            for label, value in standard_labels(resource).items()
            if (meta.get("labels") or {}).get(label) not in (None, value)
        ]
        if not are_certain(meta["labels"][label] for label in changed):
            return
        place = (*path, "metadata", "labels", *changed[:1])
        message = "a label with which the operator finds its pods is changed: the Deployment does not match them"
        hint = f"leave app and {resource.profile.product}… labels alone"
        yield resource.finding(LOST_PODS, place, message, hint=hint)


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPServer": (check_config, check_references, check_idle_references, check_template)
}
