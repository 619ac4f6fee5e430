"""Rules about CA bundles of OIDC providers that a workload cannot mount."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.toolhive.release import PROXY_CA_BUNDLE_SINCE
from ...compiler.workspace.reference import declared_keys
from ..placeholder import are_certain
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from ...compiler.models.reference import CABundleSource
    from ...compiler.workspace.reference import Reference
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Rule, Workspace

SOURCE = "The OIDC resolution of the operator, v0.21.0."

UNUSABLE = rule(
    "OID001",
    "invalid-oidc-ca-bundle",
    "The CA bundle of a workload's OIDC provider does not name a usable ConfigMap",
    stage="operator",
    checks="`oidcConfigRef.name` of an MCPServer or MCPRemoteProxy whose MCPOIDCConfig has a `caBundleRef` without"
    " `configMapRef`, with an empty name, or with a name of more than 48 characters (the volume is named"
    " `oidc-ca-bundle-NAME`, and a volume's name has at most 63 characters).",
    why="The MCPOIDCConfig itself stays valid. The operator cannot build the workload's configuration, and starts no"
    " pod.",
    example="inline: {issuer: https://idp.example.com, caBundleRef: {}}",
    fix="Name a ConfigMap with a name of at most 48 characters.",
    source=SOURCE,
)
MISSING = rule(
    "OID002",
    "missing-oidc-ca-bundle",
    "The ConfigMap with the CA bundle of an MCPServer's OIDC provider, or its key, does not exist",
    stage="operator",
    unmodelled="all",
    checks="`oidcConfigRef.name` of an MCPServer whose MCPOIDCConfig names a ConfigMap that does not exist or lacks the"
    " key. The key is looked up in `data`; an empty one means `ca.crt`.",
    why="The operator sets CABundleRefValidated=False and goes on. The pod mounts something that does not exist, and"
    " never starts.",
    example="caBundleRef: {configMapRef: {name: idp-ca, key: bundle.pem}}   # idp-ca has only ca.crt",
    fix="Correct the name or the key, or add the ConfigMap in the workload's namespace. Without `--closed`, a ConfigMap"
    " that no file declares is assumed to exist. A ConfigMap declared without any data may be filled at run time; where"
    " several have that name, it is enough that one has the key.",
    source=SOURCE,
)

NOT_MOUNTED = rule(
    "OID003",
    "unmounted-oidc-ca-bundle",
    "An MCPRemoteProxy does not get the CA bundle of its OIDC provider",
    stage="process",
    checks="`oidcConfigRef.name` of an MCPRemoteProxy whose MCPOIDCConfig has a `caBundleRef`.",
    why="The configuration names the file, but the Deployment of an MCPRemoteProxy does not mount it. The proxy opens"
    " it when it starts, fails, and its pod crashes in a loop.",
    example="""
        kind: MCPRemoteProxy
        spec:
          oidcConfigRef: {name: corporate, audience: mcp}   # with a caBundleRef
        """,
    fix="Use an MCPOIDCConfig without `caBundleRef`, whose provider has a publicly trusted certificate.",
    source=SOURCE,
    until=PROXY_CA_BUNDLE_SINCE,
)
WITHOUT = "use a provider without caBundleRef for the proxy"

LONGEST_NAME = 48
"""Maximum characters of a ConfigMap's name: a volume name of 63 characters has the prefix ``oidc-ca-bundle-``."""
BUNDLE: Path = ("spec", "inline", "caBundleRef")


@reads("oidcConfigRef")
def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report the CA bundle of the OIDC provider if the workload cannot mount it."""
    resolved: Resolved[MCPOIDCConfigSpec] = workspace.resolved(resource, "spec", "oidcConfigRef", "name")
    if resolved is None:
        return
    reference, config = resolved
    inline = config.spec.get("inline")
    if config.spec.get("type") != "inline" or not inline or "caBundleRef" not in inline:
        return
    problem = _problem(inline["caBundleRef"])
    if problem is not None:
        yield _finding(UNUSABLE, reference, *problem)
    elif resource.kind == "MCPServer" or resource.is_judged(since=PROXY_CA_BUNDLE_SINCE):
        missing = _missing(workspace, config)
        if missing is not None:
            hint = "create the ConfigMap with that key, or correct caBundleRef"
            yield _finding(MISSING, reference, missing, hint)
    else:
        yield _finding(NOT_MOUNTED, reference, "its CA bundle is not mounted into an MCPRemoteProxy", WITHOUT)


def _problem(bundle: CABundleSource) -> tuple[str, str] | None:
    """Return why a CA bundle cannot be mounted, and a hint, or ``None`` if it names a ConfigMap properly."""
    ref = bundle.get("configMapRef")
    if ref is None:
        return "its caBundleRef has no configMapRef", "name a ConfigMap, or remove caBundleRef"
    name = ref.get("name", "")
    if not name:
        return "its CA bundle names no ConfigMap", "name the ConfigMap, or remove caBundleRef"
    if len(name.encode()) > LONGEST_NAME:
        message = (
            f'the name "{name}" of its CA bundle has {len(name)} characters, at most {LONGEST_NAME} can be mounted'
        )
        return message, "choose a shorter name for the ConfigMap"
    return None


def _missing(workspace: Workspace, config: Resource) -> str | None:
    reference = workspace.reference(config, *BUNDLE, "configMapRef", "name")
    if reference is None:
        return None
    name = f'ConfigMap "{reference.name}" with its CA bundle'
    target = reference.target
    if reference.problem == "key-missing" or (
        target is not None
        and target.admitted
        and declared_keys(target) is not None
        and reference.key not in target.entries("data")
        and are_certain([reference.key or ""])
    ):
        return f'{name} has no key "{reference.key}" in data'
    return None if reference.problem is None else f"{name} does not exist"


def _finding(rule: Rule, reference: Reference, message: str, hint: str) -> Finding:
    note = "the CA bundle is configured here"
    return reference.finding_about_target(rule, BUNDLE, message, hint=hint, note=note)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,), "MCPRemoteProxy": (check,)}
