"""Rules about references to resources that do not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...compiler.diagnostics.fault_to_finding import restaged
from ...compiler.diagnostics.plain import value_at
from ...compiler.diagnostics.suggestion import as_question
from ...compiler.diagnostics.version import RECORDED
from ...compiler.toolhive.release import (
    AUTHZ_CONFIG_SINCE,
    ENTRY_HEADERS_SINCE,
    SESSION_PASSWORD_SINCE,
    VIRTUAL_POLICIES_SINCE,
)
from ..dangling import hint, message, probable_target, similar_name
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Note, Stage
    from ...compiler.workspace.reference import Reference
    from ..rule import Check, Finding, Path, Resource, Rule, Workspace

SOURCE = "The reference checks of the operator's controllers, v0.21.0"
NOWHERE = (
    "where no file declares an object of that name in the namespace of the resource that refers to it; also where the"
    " object is declared only in another namespace or as another kind, or where the API server would not admit it."
)
OUTSIDE = (
    "with `--closed` also where no file declares the object in the namespace of the resource that refers to it."
    " Without `--closed` such an object is assumed to exist in the cluster. It is a warning of stage `lint` if the"
    " whole project has an object of nearly that name there (one letter more, less or other, or a word such as `mcp` or"
    " `secret` more or less) that nothing uses."
)
KEYLESS = (
    "where the object that the files declare lacks the key (where several have that name, it is enough that one has the"
    f" key; one without any data may be filled at run time); {OUTSIDE}"
)


def _rule(  # noqa: PLR0913 - a page has its parts
    number: int,
    name: str,
    kind: str,
    *,
    fields: str,
    effect: str,
    example: str,
    where: str = NOWHERE,
    stage: Stage = "operator",
    since: str | None = None,
) -> Rule:
    return rule(
        f"REF{number:03}",
        name,
        f"A reference names {kind} that does not exist",
        checks=f"{fields}, {where}",
        why=f"The API server stores the resource; {effect}",
        example=example,
        fix="Correct the name, or add the missing resource to the files. If it is created elsewhere, list it under"
        " `external` in mcpcfg.yaml. References never cross namespaces.",
        source=f"{SOURCE}.",
        stage=stage,
        unmodelled="all",
        since=since,
        verified=RECORDED[1:] if since is not None else RECORDED,
    )


FAILED = "the operator then sets it to Failed and starts no pod."
GROUP = _rule(
    1,
    "dangling-group",
    "an MCPGroup",
    fields="`groupRef.name` of an MCPServer, MCPRemoteProxy, MCPServerEntry or VirtualMCPServer",
    effect="a server is then in no group, and only a condition says so; an MCPServerEntry or VirtualMCPServer is set to"
    " Failed.",
    example="kind: MCPServer\nspec:\n  groupRef: {name: reserch}   # the MCPGroup is called research",
)
TOOL_CONFIG = _rule(
    2,
    "dangling-tool-config",
    "an MCPToolConfig",
    fields="`toolConfigRef.name` of an MCPServer or MCPRemoteProxy, and in `config.aggregation.tools` of a"
    " VirtualMCPServer",
    effect=FAILED,
    example="kind: MCPServer\nspec:\n  toolConfigRef: {name: readonly}   # the MCPToolConfig is called read-only",
)
EXTERNAL_AUTH = _rule(
    3,
    "dangling-external-auth-config",
    "an MCPExternalAuthConfig",
    fields="`externalAuthConfigRef.name` and `authServerRef.name` of an MCPServer or MCPRemoteProxy,"
    " `externalAuthConfigRef.name` of an MCPServerEntry and in `outgoingAuth` of a VirtualMCPServer",
    effect=FAILED,
    example="kind: MCPRemoteProxy\nspec:\n  externalAuthConfigRef: {name: github-token}   # not declared anywhere",
)
OIDC = _rule(
    4,
    "dangling-oidc-config",
    "an MCPOIDCConfig",
    fields="`oidcConfigRef.name` of an MCPServer or MCPRemoteProxy, and in `incomingAuth` of a VirtualMCPServer",
    effect=FAILED,
    example="kind: MCPServer\nspec:\n  oidcConfigRef: {name: corporate, audience: fetch}   # not declared anywhere",
)
TELEMETRY = _rule(
    5,
    "dangling-telemetry-config",
    "an MCPTelemetryConfig",
    fields="`telemetryConfigRef.name` of an MCPServer, MCPRemoteProxy or VirtualMCPServer",
    effect=FAILED,
    example="kind: MCPServer\nspec:\n  telemetryConfigRef: {name: otel}   # declared in another namespace",
)
EMBEDDING = _rule(
    6,
    "dangling-embedding-server",
    "an EmbeddingServer",
    fields="`embeddingServerRef.name` of a VirtualMCPServer",
    effect=FAILED,
    example="kind: VirtualMCPServer\nspec:\n  embeddingServerRef: {name: vectors}   # not declared anywhere",
)
COMPOSITE = _rule(
    7,
    "dangling-composite-tool",
    "a VirtualMCPCompositeToolDefinition",
    fields="`config.compositeToolRefs[].name` of a VirtualMCPServer",
    effect=FAILED,
    example="kind: VirtualMCPServer\nspec:\n  config:\n"
    "    compositeToolRefs: [{name: report}]   # not declared anywhere",
)
CONFIG_MAP = _rule(
    8,
    "dangling-config-map",
    "a ConfigMap",
    fields="`authzConfig.configMap` of an MCPServer or MCPRemoteProxy (with its key), from release 0.28.3 on of a"
    " VirtualMCPServer too, and `caBundleRef.configMapRef` of an MCPServerEntry",
    where=KEYLESS,
    effect=FAILED,
    example="kind: MCPServer\nspec:\n  authzConfig:\n    type: configMap\n"
    "    configMap: {name: policies, key: rules.json}   # policies has only authz.json",
)
SECRET = _rule(
    9,
    "dangling-secret",
    "a Secret",
    fields="`headerForward.addHeadersFromSecret[].valueSecretRef.name` of an MCPRemoteProxy; from release 0.27.2 on"
    " of an MCPServerEntry, with its key; from 0.43.0 on `authServerConfig.delegateClients[].clientSecretRef` of a"
    " VirtualMCPServer, with its key",
    where=OUTSIDE,
    effect=FAILED,
    example="kind: MCPRemoteProxy\nspec:\n  headerForward:\n    addHeadersFromSecret:\n    - headerName: X-Api-Key\n"
    "      valueSecretRef: {name: search-key, key: key}   # with --closed: not declared anywhere",
)
UNMOUNTABLE = _rule(
    10,
    "unmountable-reference",
    "a ConfigMap, Secret or ServiceAccount",
    fields="Every other name of a ConfigMap, Secret (and its key) or ServiceAccount: `secrets[]`, `serviceAccount`,"
    " `imagePullSecrets`, `pgpassSecretRef`, client secrets, signing keys, tokens, CA bundles",
    where=f"{KEYLESS} An empty key is reported only in shared configurations; on workloads REF014 reports it. The"
    " finding is a warning at stage `lint` where pods start anyway: `imagePullSecrets`, `clientSecretRef` of an"
    " MCPOIDCConfig, `passwordRef` of an MCPServer (before 0.28.1) or beside another provider than `redis`, headers of"
    " an MCPServerEntry (before 0.27.2), and policies of a VirtualMCPServer (before 0.28.3). What a shared"
    " configuration names is reported there, and on each workload whose pod needs it.",
    effect="the operator does not check the reference, and the pod hangs in CreateContainerConfigError or is never"
    " created.",
    example="kind: MCPServer\nspec:\n  secrets:\n  - {name: github, key: tokn}   # Secret github has the key token",
    stage="process",
)

AUTHZ = _rule(
    23,
    "dangling-authz-config",
    "an MCPAuthzConfig",
    fields="`authzConfigRef.name` of an MCPServer or MCPRemoteProxy, and in `incomingAuth` of a VirtualMCPServer",
    effect=FAILED,
    example="kind: MCPServer\nspec:\n  authzConfigRef: {name: policies}   # not declared anywhere",
    since=AUTHZ_CONFIG_SINCE,
)
WEBHOOKS = _rule(
    24,
    "dangling-webhook-config",
    "an MCPWebhookConfig",
    fields="`webhookConfigRef.name` of an MCPServer",
    effect=FAILED,
    example="kind: MCPServer\nspec:\n  webhookConfigRef: {name: review}   # not declared anywhere",
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

    The name of an undeclared Secret or ConfigMap is reported as a lint if it is probably misspelled.
    """
    for reference in workspace.references(resource):
        if reference.problem is not None and not reference.may_dangle and not _is_reported_as_empty(reference):
            yield _finding(reference, workspace)
        elif reference.is_unknown and (near := probable_target(reference, workspace)) is not None:
            text = f'no file declares {reference.kind} "{reference.name}", and nothing uses "{near.name}"'
            notes = (near.note(f'{reference.kind} "{near.name}" is here'),)
            hint_text = as_question(near.name)
            finding = resource.finding(_broken_rule(reference), reference.path, text, hint=hint_text, notes=notes)
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
            notes = tuple(config.note("it is named here", reference.path) for reference in lost[:MOST_NOTES])
            text = f'{config.kind} "{config.name}": {message(lost[0])}'
            yield resource.finding(UNMOUNTABLE, reference.path, text, hint=hint(lost[0], workspace), notes=notes)


def _is_reported_as_empty(reference: Reference) -> bool:
    return reference.key == "" and reference.source.kind in EMPTY_KEY_IS_REFUSED


def _finding(reference: Reference, workspace: Workspace) -> Finding:
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
            "EmbeddingServer",
            "MCPRegistry",
            "MCPServerEntry",
        ),
        (check,),
    ),
    **dict.fromkeys(("MCPServer", "MCPRemoteProxy", "VirtualMCPServer"), (check, check_shared)),
}
