"""References that lead nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import restaged
from ...compiler.diagnostics.finding import rule
from ...compiler.diagnostics.suggestion import as_question
from ...compiler.diagnostics.version import RECORDED
from ...compiler.toolhive.release import AUTHZ_CONFIG_SINCE, ENTRY_HEADERS_SINCE, VIRTUAL_POLICIES_SINCE
from ...compiler.workspace.reference import held_keys
from ..rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Finding, Note, Rule, Stage
    from ...compiler.workspace.reference import Reference
    from ...compiler.workspace.resource import Resource
    from ...compiler.workspace.workspace import Workspace
    from ..rule import Check

MOST_KEYS = 50
SOURCE = "The reference checks of the operator's controllers, v0.21.0"
NOWHERE = (
    "where no file declares an object of that name in the namespace of the resource that refers to it; also where the"
    " object is declared only in another namespace or as another kind, or where the API server would not admit it."
)
OUTSIDE = (
    "with `--closed` also where no file declares the object in the namespace of the resource that refers to it."
    " (Without `--closed` such an object is assumed to exist in the cluster.)"
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
    " of an MCPServerEntry, with its key",
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
    " MCPOIDCConfig, `passwordRef` of an MCPServer, headers of an MCPServerEntry (before 0.27.2), and policies of a"
    " VirtualMCPServer (before 0.28.3). What a shared configuration names is reported there, and on each workload whose"
    " pod needs it.",
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

RULES = (
    GROUP,
    TOOL_CONFIG,
    EXTERNAL_AUTH,
    OIDC,
    TELEMETRY,
    EMBEDDING,
    COMPOSITE,
    CONFIG_MAP,
    SECRET,
    UNMOUNTABLE,
    AUTHZ,
    WEBHOOKS,
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

CHECKED_BY_OPERATOR: dict[str, dict[tuple[str, ...], bool]] = {
    "MCPServer": {("spec", "authzConfig", "configMap", "name"): True},
    "MCPRemoteProxy": {
        ("spec", "authzConfig", "configMap", "name"): True,
        ("spec", "headerForward", "addHeadersFromSecret", "*", "valueSecretRef", "name"): False,
    },
    "MCPServerEntry": {("spec", "caBundleRef", "configMapRef", "name"): False},
}
"""Kind to the references to ConfigMaps and Secrets that its own controller looks up, and whether it asks for the key.

References from the shared configurations are looked up by the workloads that use them, and reported there.
"""
CHECKED_LATER = {
    ("MCPServerEntry", "headerForward"): ENTRY_HEADERS_SINCE,
    ("VirtualMCPServer", "authzConfig"): VIRTUAL_POLICIES_SINCE,
}
"""Kind and a field on the path of a reference to the first release whose operator looks it up, with its key."""

PULL_SECRETS = "imagePullSecrets"
"""Of any kind: images may need no credentials."""
SURVIVED: dict[str, tuple[str, ...]] = {
    "MCPOIDCConfig": ("clientSecretRef",),
    "MCPServer": ("passwordRef",),
    "MCPServerEntry": ("headerForward",),
    "VirtualMCPServer": ("authzConfig",),
}
"""Kind to the fields on the path of a reference without whose target pods start all the same.

The operator leaves out a client secret that it does not find (OID013), the password of
an MCPServer's sessions (SES003), all headers of an entry, and the policies of a virtual server, whose process
refuses such a ConfigMap whatever it holds: the last two before the releases of `CHECKED_LATER`.
"""

MOUNTED: dict[tuple[str, str], frozenset[str]] = {
    ("MCPExternalAuthConfig", "embeddedAuthServer"): frozenset({"MCPServer", "MCPRemoteProxy"}),
    ("MCPTelemetryConfig", "sensitiveHeaders"): frozenset({"MCPServer", "VirtualMCPServer"}),
    ("MCPTelemetryConfig", "caBundleRef"): frozenset({"MCPServer", "MCPRemoteProxy", "VirtualMCPServer"}),
    ("MCPOIDCConfig", "caBundleRef"): frozenset({"VirtualMCPServer"}),
}
"""Shared configuration and a field of it to the workloads whose pods need what is named there."""
MOST_NOTES = 3

EMPTY_KEY_IS_REFUSED = frozenset(
    {"MCPTelemetryConfig", "MCPRegistry", "MCPServer", "MCPRemoteProxy", "EmbeddingServer", "VirtualMCPServer"}
)
"""Kinds that are refused where the key of their reference to a Secret is empty, by rules about that."""


def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report every reference of a resource that leads nowhere."""
    for reference in workspace.references(resource):
        if reference.problem is not None and not reference.is_idle and not _is_reported_as_empty(reference):
            yield _finding(reference, workspace)


@reads("telemetryConfigRef", "authServerRef", "externalAuthConfigRef", "incomingAuth")
def check_shared(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report a shared configuration that names what the pod of a workload needs and does not find."""
    for reference in workspace.references(resource):
        config = reference.target
        if config is None or reference.problem is not None:
            continue
        needed = [field for (kind, field), users in MOUNTED.items() if kind == config.kind and resource.kind in users]
        lost = [
            one
            for one in (workspace.references(config) if needed else ())
            if one.problem is not None and one.key != "" and not set(needed).isdisjoint(one.path)
        ]
        if lost:
            notes = tuple(config.note("it is named here", one.path) for one in lost[:MOST_NOTES])
            text = f'{config.kind} "{config.name}": {message(lost[0])}'
            yield resource.finding(UNMOUNTABLE, reference.path, text, hint=_hint(lost[0], workspace), notes=notes)


def _is_reported_as_empty(reference: Reference) -> bool:
    return reference.key == "" and reference.source.kind in EMPTY_KEY_IS_REFUSED


def _finding(reference: Reference, workspace: Workspace) -> Finding:
    broken = BY_KIND.get(reference.kind, UNMOUNTABLE)
    if broken in (CONFIG_MAP, SECRET) and not _operator_checks(reference):
        broken = UNMOUNTABLE
    notes: tuple[Note, ...] = ()
    on_key = reference.problem == "key-missing" and reference.key_path is not None
    path = reference.key_path if on_key and reference.key_path is not None else reference.path
    seen = reference.rival or (reference.target if reference.problem == "not-admitted" else None)
    if reference.problem == "key-missing":
        notes = reference.lacking_notes()
    elif seen is not None:
        notes = (seen.note(f'{seen.kind} "{seen.name}" is here'),)
    unsure = broken is not UNMOUNTABLE and not workspace.world.complete and not workspace.world.closed
    finding = reference.source.finding(
        broken,
        path,
        message(reference),
        hint=_hint(reference, workspace),
        notes=notes,
        severity="warning" if unsure and reference.problem == "missing" else None,
    )
    survived = {PULL_SECRETS, *SURVIVED.get(reference.source.kind, ())} if broken is UNMOUNTABLE else set()
    return finding if survived.isdisjoint(reference.path) else restaged(finding, "lint")


def _operator_checks(reference: Reference) -> bool:
    source = reference.source
    for (kind, field), since in CHECKED_LATER.items():
        if source.kind == kind and field in reference.path:
            return source.is_judged(since=since)
    pattern = tuple("*" if isinstance(step, int) else step for step in reference.path)
    asks_for_key = CHECKED_BY_OPERATOR.get(reference.source.kind, {}).get(pattern)
    return asks_for_key is not None and (asks_for_key or reference.problem != "key-missing")


def _applied_from(resource: Resource) -> str:
    """Return the folders with which the chains begin that have a resource applied."""
    return ", ".join(one.removesuffix("kustomization.yaml").rstrip("/") or "." for one in resource.roots)


def message(reference: Reference) -> str:
    """Return in one clause why a reference leads nowhere."""
    kind, name = reference.kind, reference.name
    namespace = reference.source.printed_namespace
    rival = reference.rival
    if reference.problem == "key-missing":
        return (
            f'{kind} "{name}" has no key "{reference.key}"' if reference.key else f'no key of {kind} "{name}" is named'
        )
    if reference.problem == "not-admitted":
        return f'{kind} "{name}" would not be admitted, so it does not exist'
    if reference.problem == "other-namespace" and rival is not None:
        return f'{kind} "{name}" is in namespace "{rival.printed_namespace}", not in "{namespace}"'
    if reference.problem == "other-cluster" and rival is not None:
        return f'{kind} "{name}" is applied from {_applied_from(rival)}, not from {_applied_from(reference.source)}'
    if reference.problem == "wrong-kind" and rival is not None:
        return f'"{name}" is of kind {rival.kind}, but {kind} is asked for'
    return f'{kind} "{name}" does not exist in namespace "{namespace}"'


def _hint(reference: Reference, workspace: Workspace) -> str | None:
    if reference.problem == "key-missing":
        data = {key for one in reference.lacking for key in held_keys(one) or ()}
        if not data and not reference.key:
            return "name the key"
        shown = ", ".join(sorted(data)[:MOST_KEYS])
        more = f" and {len(data) - MOST_KEYS} more" if len(data) > MOST_KEYS else ""
        holders = "they have" if reference.others else "it has"
        return f"{holders}: {shown}{more}" if data else "it has no keys at all"
    if reference.problem == "other-namespace":
        return "references never cross namespaces: declare one here too"
    if reference.problem == "not-admitted":
        return "fix the findings of that resource first"
    if reference.problem == "wrong-kind":
        return f"name a resource of kind {reference.kind}, or refer to this one by the field for its kind"
    near = workspace.nearest(reference.kind, reference.name)
    if near is not None:
        return as_question(near)
    if not (workspace.world.complete or workspace.world.closed):
        return "where another file declares it, check that file or its folder too"
    whole = workspace.world.whole
    cure = (
        f"; where another folder does, check {whole} as a whole"
        if whole
        else ", or list it under external in mcpcfg.yaml"
    )
    return None if reference.rival is not None else f"declare it{cure}"


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
