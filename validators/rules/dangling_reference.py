"""Rules about references to resources that do not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.named_tuple import NamedTuple
from ...compiler.diagnostics.plain import value_at
from ...compiler.diagnostics.version import RECORDED
from ...compiler.toolhive.release import (
    AUTHZ_CONFIG_SINCE,
    ENTRY_HEADERS_SINCE,
    PROXY_CA_BUNDLE_SINCE,
    SESSION_PASSWORD_SINCE,
    VIRTUAL_POLICIES_SINCE,
)
from ..pod import pod_references
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Note
    from ...compiler.workspace.reference import Reference
    from ..rule import Check, Finding, Path, Resource, Rule, Workspace

GROUP = rule("REF001 dangling-group", "operator", "A reference names an MCPGroup that does not exist", unmodelled="all")
TOOL_CONFIG = rule(
    "REF002 dangling-tool-config",
    "operator",
    "A reference names an MCPToolConfig that does not exist",
    unmodelled="all",
)
EXTERNAL_AUTH = rule(
    "REF003 dangling-external-auth-config",
    "operator",
    "A reference names an MCPExternalAuthConfig that does not exist",
    unmodelled="all",
)
OIDC = rule(
    "REF004 dangling-oidc-config",
    "operator",
    "A reference names an MCPOIDCConfig that does not exist",
    unmodelled="all",
)
TELEMETRY = rule(
    "REF005 dangling-telemetry-config",
    "operator",
    "A reference names an MCPTelemetryConfig that does not exist",
    unmodelled="all",
)
EMBEDDING = rule(
    "REF006 dangling-embedding-server",
    "operator",
    "A reference names an EmbeddingServer that does not exist",
    unmodelled="all",
)
COMPOSITE = rule(
    "REF007 dangling-composite-tool",
    "operator",
    "A reference names a VirtualMCPCompositeToolDefinition that does not exist",
    unmodelled="all",
)
CONFIG_MAP = rule(
    "REF008 dangling-config-map", "operator", "A reference names a ConfigMap that does not exist", unmodelled="all"
)
SECRET = rule("REF009 dangling-secret", "operator", "A reference names a Secret that does not exist", unmodelled="all")
UNMOUNTABLE = rule(
    "REF010 unmountable-reference",
    "process",
    "A reference names a ConfigMap, Secret or ServiceAccount that does not exist",
    unmodelled="all",
    verified=RECORDED,
)
AUTHZ = rule(
    "REF023 dangling-authz-config",
    "operator",
    "A reference names an MCPAuthzConfig that does not exist",
    unmodelled="all",
    since=AUTHZ_CONFIG_SINCE,
)
WEBHOOKS = rule(
    "REF024 dangling-webhook-config",
    "operator",
    "A reference names an MCPWebhookConfig that does not exist",
    unmodelled="all",
    since="0.27.0",
)

BY_KIND = {
    "MCPGroup": GROUP,
    "MCPToolConfig": TOOL_CONFIG,
    "MCPExternalAuthConfig": EXTERNAL_AUTH,
    "MCPOIDCConfig": OIDC,
    "MCPTelemetryConfig": TELEMETRY,
    "MCPAuthzConfig": AUTHZ,
    "MCPWebhookConfig": WEBHOOKS,
    "EmbeddingServer": EMBEDDING,
    "VirtualMCPCompositeToolDefinition": COMPOSITE,
    "ConfigMap": CONFIG_MAP,
    "Secret": SECRET,
}


class NameLookup(NamedTuple):
    """How the operator looks up a referenced ConfigMap or Secret.

    Attributes:
        asks_for_key: True if the operator also looks up the key.
        since: The first release with the lookup. In earlier releases, pods start although the object does not exist.
    """

    asks_for_key: bool
    since: str | None = None


POLICIES: Path = ("spec", "authzConfig", "configMap", "name")
HEADER: Path = ("spec", "headerForward", "addHeadersFromSecret", "*", "valueSecretRef", "name")
DELEGATE: Path = ("spec", "authServerConfig", "delegateClients", "*", "clientSecretRef", "name")
LOOKED_UP: dict[tuple[str, Path], NameLookup] = {
    ("MCPServer", POLICIES): NameLookup(asks_for_key=True),
    ("MCPRemoteProxy", POLICIES): NameLookup(asks_for_key=True),
    ("MCPRemoteProxy", HEADER): NameLookup(asks_for_key=False),
    ("MCPServerEntry", HEADER): NameLookup(asks_for_key=True, since=ENTRY_HEADERS_SINCE),
    ("MCPServerEntry", ("spec", "caBundleRef", "configMapRef", "name")): NameLookup(asks_for_key=False),
    ("VirtualMCPServer", ("spec", "incomingAuth", *POLICIES[1:])): NameLookup(
        asks_for_key=True, since=VIRTUAL_POLICIES_SINCE
    ),
    ("VirtualMCPServer", DELEGATE): NameLookup(asks_for_key=True),
}
"""The operator's lookup of a ConfigMap or Secret, by kind and path of the reference.

References of shared configurations are missing: they are looked up for the workloads, and reported there.
"""

MOUNTED: dict[tuple[str, str], frozenset[str]] = {
    ("MCPExternalAuthConfig", "embeddedAuthServer"): frozenset({"MCPServer", "MCPRemoteProxy"}),
    ("MCPTelemetryConfig", "sensitiveHeaders"): frozenset({"MCPServer", "VirtualMCPServer"}),
    ("MCPTelemetryConfig", "caBundleRef"): frozenset({"MCPServer", "MCPRemoteProxy", "VirtualMCPServer"}),
    ("MCPOIDCConfig", "caBundleRef"): frozenset({"VirtualMCPServer"}),
}
"""Kinds of workloads whose pods need the objects that a shared configuration names, by its kind and field."""
MOST_NOTES = 3
"""Maximum number of notes of a finding, because they all lead to the same fix."""

EMPTY_KEY_IS_REFUSED = frozenset(
    {"MCPTelemetryConfig", "MCPRegistry", "MCPServer", "MCPRemoteProxy", "EmbeddingServer", "VirtualMCPServer"}
)
"""Kinds for which other rules report an empty key in a reference to a Secret."""


def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report the dangling references of a resource, except those that may dangle or that another rule reports.

    The name of an undeclared object in the cluster is reported as a lint if it is probably misspelled.
    """
    for reference in workspace.references(resource):
        if reference.problem is not None:
            if not reference.may_dangle and not _is_reported(reference, workspace):
                yield _finding(reference, workspace)
        elif reference.target is None:
            yield from _near_name(reference, _broken_rule(reference), workspace)


@reads("podTemplateSpec", "volumes")
def check_pod(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report names in a pod template that are nearly those of declared objects, like `check`."""
    for reference in pod_references(resource, workspace):
        yield from _near_name(reference, UNMOUNTABLE, workspace)


def _near_name(reference: Reference, broken: Rule, workspace: Workspace) -> Iterator[Finding]:
    """Yield a lint if the name of a missing object is nearly that of one which a file declares."""
    from ..dangling import probable_target

    probable = probable_target(reference, workspace)
    if probable is None:
        return
    from ...compiler.diagnostics.fault_to_finding import restaged
    from ...compiler.diagnostics.suggestion import as_question

    near, is_used = probable
    clause = f'but "{near.name}"' if is_used else f'and nothing uses "{near.name}"'
    text = f'no file declares {reference.kind} "{reference.name}", {clause}'
    notes = (near.note(f'{reference.kind} "{near.name}" is here'),)
    finding = reference.source.finding(broken, reference.path, text, hint=as_question(near.name), notes=notes)
    yield restaged(finding, "lint")._replace(meant=(reference.name, near.name))


@reads("telemetryConfigRef", "authServerRef", "externalAuthConfigRef", "incomingAuth")
def check_shared(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report shared configurations with dangling references to Secrets or ConfigMaps that the workload's pod mounts."""
    for reference in workspace.references(resource):
        config = reference.target
        if config is None or reference.problem is not None:
            continue
        needed = [field for (kind, field), users in MOUNTED.items() if kind == config.kind and resource.kind in users]
        lost = [
            reference
            for reference in (workspace.references(config) if needed else ())
            if reference.problem is not None and reference.key != "" and not set(needed).isdisjoint(reference.path)
        ]
        if lost:
            from ..dangling import hint, message

            notes = tuple(config.note("it is named here", reference.path) for reference in lost[:MOST_NOTES])
            text = f'{config.kind} "{config.name}": {message(lost[0])}'
            yield resource.finding(UNMOUNTABLE, reference.path, text, hint=hint(lost[0], workspace), notes=notes)


def _is_reported(reference: Reference, workspace: Workspace) -> bool:
    """Return whether another rule reports a reference: an empty key, or a CA bundle that the operator looks up."""
    source = reference.source
    if source.kind == "MCPOIDCConfig" and "caBundleRef" in reference.path:
        users = [referrer.source for referrer in workspace.referrers(source)]
        return any(
            user.kind == "MCPServer" or (user.kind == "MCPRemoteProxy" and user.is_judged(since=PROXY_CA_BUNDLE_SINCE))
            for user in users
        )
    return reference.key == "" and source.kind in EMPTY_KEY_IS_REFUSED


def _finding(reference: Reference, workspace: Workspace) -> Finding:
    from ...compiler.diagnostics.fault_to_finding import restaged
    from ..dangling import hint, message, similar_name

    broken = _broken_rule(reference)
    notes: tuple[Note, ...] = ()
    on_key = reference.problem == "key-missing" and reference.key_path is not None
    path = reference.key_path if on_key and reference.key_path is not None else reference.path
    seen = reference.rival or (reference.target if reference.problem == "not-admitted" else None)
    if reference.problem == "key-missing":
        notes = reference.notes_without_key()
    elif seen is not None:
        notes = (seen.note(f'{seen.kind} "{seen.name}" is here'),)
    unsure = broken is not UNMOUNTABLE and not workspace.context.complete and not workspace.context.closed
    finding = reference.source.finding(
        broken,
        path,
        message(reference),
        hint=hint(reference, workspace),
        notes=notes,
        severity="warning" if unsure and reference.problem == "missing" else None,
    )
    near = similar_name(reference, workspace)
    if near is not None:
        finding = finding._replace(meant=(reference.name, near))
    return restaged(finding, "lint") if broken is UNMOUNTABLE and _is_survived(reference) else finding


def _broken_rule(reference: Reference) -> Rule:
    broken = BY_KIND.get(reference.kind, UNMOUNTABLE)
    return UNMOUNTABLE if broken in (CONFIG_MAP, SECRET) and not _operator_checks(reference) else broken


def _lookup(reference: Reference) -> NameLookup | None:
    pattern = tuple("*" if isinstance(step, int) else step for step in reference.path)
    return LOOKED_UP.get((reference.source.kind, pattern))


def _operator_checks(reference: Reference) -> bool:
    lookup = _lookup(reference)
    if lookup is None or not reference.source.is_judged(since=lookup.since):
        return False
    return lookup.asks_for_key or reference.problem != "key-missing"


def _is_survived(reference: Reference) -> bool:
    """Return whether pods start although the target of a reference is missing."""
    source, lookup = reference.source, _lookup(reference)
    if lookup is not None:
        return not source.is_judged(since=lookup.since)
    if source.kind == "MCPOIDCConfig":
        return "clientSecretRef" in reference.path  # the operator leaves the secret out (OID013)
    if "passwordRef" in reference.path:
        # The password is only used if Redis stores the sessions; an MCPServer uses it since a later release (SES003).
        is_kept = value_at(source.data, ("spec", "sessionStorage", "provider")) == "redis"
        return not is_kept or (source.kind == "MCPServer" and source.is_judged(until=SESSION_PASSWORD_SINCE))
    return "imagePullSecrets" in reference.path  # images may need no credentials


CHECKS: dict[str, tuple[Check, ...]] = {
    **dict.fromkeys(
        (
            "MCPOIDCConfig",
            "MCPTelemetryConfig",
            "MCPWebhookConfig",
            "MCPExternalAuthConfig",
            "MCPServerEntry",
        ),
        (check,),
    ),
    **dict.fromkeys(("EmbeddingServer", "MCPRegistry"), (check, check_pod)),
    **dict.fromkeys(("MCPServer", "MCPRemoteProxy", "VirtualMCPServer"), (check, check_pod, check_shared)),
}
