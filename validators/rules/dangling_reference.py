"""References that lead nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.finding import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding, Note, Stage
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Reference, Workspace
    from mcpcfg.validators.rule import Check

SOURCE = "Source: the reference checks of the operator's controllers, v0.21.0."


def _rule(number: int, name: str, kind: str, field: str, effect: str, stage: Stage = "operator") -> Rule:
    return Rule(
        id=f"REF{number:03}",
        name=name,
        stage=stage,
        severity="error" if stage != "lint" else "warning",
        title=f"A reference names {kind} that does not exist.",
        doc=f"""A reference names {kind} that does not exist in the same namespace.

Flagged: `{field}` names an object that none of the files declares in the namespace of the referring resource, that is
declared only in another namespace or as another kind, or that the API server would not admit.

Why it bites: the API server stores the resource; {effect}

Example: `{field}: no-such-name`.

Cure: correct the name, add the missing resource to the files, or list it under `external` in mcpcfg.yaml where it is
made elsewhere. References never cross namespaces.

{SOURCE}
""",
    )


REFUSED = "the operator then sets it to Failed and starts no pod."
GROUP = _rule(
    1,
    "dangling-group",
    "an MCPGroup",
    "groupRef.name",
    "the operator goes on without the group and says so in a condition.",
)
TOOL_CONFIG = _rule(2, "dangling-tool-config", "an MCPToolConfig", "toolConfigRef.name", REFUSED)
EXTERNAL_AUTH = _rule(
    3, "dangling-external-auth-config", "an MCPExternalAuthConfig", "externalAuthConfigRef.name", REFUSED
)
OIDC = _rule(4, "dangling-oidc-config", "an MCPOIDCConfig", "oidcConfigRef.name", REFUSED)
TELEMETRY = _rule(5, "dangling-telemetry-config", "an MCPTelemetryConfig", "telemetryConfigRef.name", REFUSED)
EMBEDDING = _rule(6, "dangling-embedding-server", "an EmbeddingServer", "embeddingServerRef.name", REFUSED)
COMPOSITE = _rule(
    7,
    "dangling-composite-tool",
    "a VirtualMCPCompositeToolDefinition",
    "config.compositeToolRefs[].name",
    REFUSED,
)
CONFIG_MAP = _rule(8, "dangling-config-map", "a ConfigMap", "configMap.name", REFUSED)
SECRET = _rule(9, "dangling-secret", "a Secret", "secretRef.name", REFUSED)
UNMOUNTABLE = _rule(
    10,
    "unmountable-reference",
    "a ConfigMap, Secret or ServiceAccount",
    "secrets[].name",
    "the operator does not look, and the pod hangs in CreateContainerConfigError or is never created.",
    "lint",
)

RULES = (GROUP, TOOL_CONFIG, EXTERNAL_AUTH, OIDC, TELEMETRY, EMBEDDING, COMPOSITE, CONFIG_MAP, SECRET, UNMOUNTABLE)

BY_KIND = {
    "MCPGroup": GROUP,
    "MCPToolConfig": TOOL_CONFIG,
    "MCPExternalAuthConfig": EXTERNAL_AUTH,
    "MCPOIDCConfig": OIDC,
    "MCPTelemetryConfig": TELEMETRY,
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

References from the shared configurations are looked up by the workloads that use them, and told there.
"""


def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Tell every reference of a resource that leads nowhere."""
    for reference in workspace.references(resource):
        if reference.problem is not None and not _is_idle(reference):
            yield _finding(reference, workspace)


def _is_idle(reference: Reference) -> bool:
    """Tell whether it does not matter that nothing declares the target.

    Every namespace has a ServiceAccount ``default``. A permission profile from a ConfigMap is refused anyway (PRF001).
    Nobody follows the reference of a virtual server's backend whose type is ``discovered``.
    """
    if reference.kind == "ServiceAccount":
        return reference.name == "default"
    path = reference.path
    if path[1] != "outgoingAuth":
        return path[1] == "permissionProfile"
    entry: Any = reference.source.data
    for step in path[:-2]:
        entry = entry[step]
    return bool(entry.get("type") == "discovered")


def _finding(reference: Reference, workspace: Workspace) -> Finding:
    rule = BY_KIND.get(reference.kind, UNMOUNTABLE)
    if rule in (CONFIG_MAP, SECRET) and not _operator_checks(reference):
        rule = UNMOUNTABLE
    notes: tuple[Note, ...] = ()
    on_key = reference.problem == "key-missing" and reference.key_path is not None
    path = reference.key_path if on_key and reference.key_path is not None else reference.path
    seen = reference.rival or (reference.target if reference.problem in ("key-missing", "not-admitted") else None)
    if seen is not None:
        notes = (seen.note(f'{seen.kind} "{seen.name}" is here'),)
    unsure = rule.stage != "lint" and not workspace.world.complete and not workspace.world.closed
    return reference.source.finding(
        rule,
        path,
        message(reference),
        hint=_hint(reference, workspace),
        notes=notes,
        severity="warning" if unsure and reference.problem == "missing" else None,
    )


def _operator_checks(reference: Reference) -> bool:
    pattern = tuple("*" if isinstance(step, int) else step for step in reference.path)
    asks_for_key = CHECKED_BY_OPERATOR.get(reference.source.kind, {}).get(pattern)
    return asks_for_key is not None and (asks_for_key or reference.problem != "key-missing")


def message(reference: Reference) -> str:
    """Say in one clause why a reference leads nowhere."""
    kind, name = reference.kind, reference.name
    namespace = reference.source.printed_namespace
    rival = reference.rival
    if reference.problem == "key-missing":
        return f'{kind} "{name}" has no key "{reference.key}"'
    if reference.problem == "not-admitted":
        return f'{kind} "{name}" would not be admitted, so nothing of that name exists'
    if reference.problem == "other-namespace" and rival is not None:
        return f'{kind} "{name}" is in namespace "{rival.printed_namespace}", not in "{namespace}"'
    if reference.problem == "wrong-kind" and rival is not None:
        return f'"{name}" is of kind {rival.kind}, but {kind} is asked for'
    return f'{kind} "{name}" does not exist in namespace "{namespace}"'


def _hint(reference: Reference, workspace: Workspace) -> str | None:
    if reference.problem == "key-missing" and reference.target is not None:
        data = [*reference.target.entries("data"), *reference.target.entries("stringData")]
        return f"it has: {', '.join(sorted(map(str, data)))}" if data else "it holds no keys at all"
    if reference.problem == "other-namespace":
        return "references never cross namespaces: declare one here too"
    if reference.problem == "not-admitted":
        return "mend the findings of that resource first"
    near = workspace.nearest(reference.kind, reference.name)
    return None if near is None else f'did you mean "{near}"?'


CHECKS: dict[str, tuple[Check, ...]] = dict.fromkeys(
    (
        "MCPOIDCConfig",
        "MCPTelemetryConfig",
        "MCPExternalAuthConfig",
        "EmbeddingServer",
        "MCPRegistry",
        "MCPServer",
        "MCPRemoteProxy",
        "MCPServerEntry",
        "VirtualMCPServer",
    ),
    (check,),
)
