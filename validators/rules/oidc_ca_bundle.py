"""CA bundles of OIDC providers that a workload cannot mount."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.finding import Rule
from mcpcfg.compiler.reference import held_keys
from mcpcfg.validators.rule import reads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from mcpcfg.compiler.models.reference import CABundleSource
    from mcpcfg.compiler.reference import Reference
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

SOURCE = "Source: the OIDC resolution of the operator, v0.21.0."

UNUSABLE = Rule(
    id="OID001",
    name="invalid-oidc-ca-bundle",
    stage="operator",
    severity="error",
    title="The CA bundle of a workload's OIDC provider names no usable ConfigMap.",
    doc=f"""The CA bundle of a workload's OIDC provider names no ConfigMap, or one whose name is too long to mount.

Flagged: `oidcConfigRef.name` of an MCPServer or MCPRemoteProxy whose MCPOIDCConfig has a `caBundleRef` without
`configMapRef`, with an empty name, or with a name of more than 48 characters (the volume is called
`oidc-ca-bundle-NAME`, and a volume's name has at most 63).

Why it bites: the MCPOIDCConfig itself stays valid. The operator cannot build the workload's configuration, and starts
no pod.

Example: `inline: {{issuer: https://idp.example.com, caBundleRef: {{}}}}`.

Cure: name a ConfigMap with a name of at most 48 characters.

{SOURCE}
""",
)
MISSING = Rule(
    id="OID002",
    name="missing-oidc-ca-bundle",
    stage="operator",
    severity="error",
    title="The ConfigMap with the CA bundle of an MCPServer's OIDC provider, or its key, does not exist.",
    doc=f"""The ConfigMap with the CA bundle of an MCPServer's OIDC provider does not exist, or lacks the key.

Flagged: `oidcConfigRef.name` of an MCPServer whose MCPOIDCConfig names such a ConfigMap. The key is looked for in
`data`; `ca.crt` where it is empty.

Why it bites: the operator says CABundleRefValidated=False and goes on. The pod mounts what is not there and never
starts.

Example: `caBundleRef: {{configMapRef: {{name: idp-ca, key: bundle.pem}}}}`, where `idp-ca` has only `ca.crt`.

Cure: correct name or key, or add the ConfigMap in the workload's namespace. In an open world one that no file declares
is taken to exist; one that is declared without any data may be filled at run time, and of several of that name one that
has the key is enough.

{SOURCE}
""",
)
NOT_MOUNTED = Rule(
    id="OID003",
    name="unmounted-oidc-ca-bundle",
    stage="lint",
    severity="warning",
    title="An MCPRemoteProxy does not get the CA bundle of its OIDC provider.",
    doc=f"""An MCPRemoteProxy refers to an OIDC provider with a CA bundle, which is not mounted for this kind.

Flagged: `oidcConfigRef.name` of an MCPRemoteProxy whose MCPOIDCConfig has a `caBundleRef`.

Why it bites: the configuration names the file, but the Deployment of an MCPRemoteProxy does not mount it; the proxy
fails when it opens the file.

Example: an MCPRemoteProxy and an MCPServer that share an MCPOIDCConfig with `caBundleRef`.

Cure: give the proxy an MCPOIDCConfig without `caBundleRef`, whose provider has a certificate that systems trust.

{SOURCE}
""",
    is_one_change=True,
)
RULES = (UNUSABLE, MISSING, NOT_MOUNTED)
WITHOUT = "give the proxy a provider without caBundleRef"

LONGEST_NAME = 48
BUNDLE: Path = ("spec", "inline", "caBundleRef")


@reads("oidcConfigRef")
def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Tell CA bundles that the workload cannot have."""
    found: tuple[Reference, Resource[MCPOIDCConfigSpec]] | None = workspace.leading(
        resource, "spec", "oidcConfigRef", "name"
    )
    if found is None:
        return
    reference, config = found
    inline = config.spec.get("inline")
    if config.spec.get("type") != "inline" or not inline or "caBundleRef" not in inline:
        return
    problem = _problem(inline["caBundleRef"])
    if problem is not None:
        yield _finding(UNUSABLE, reference, config, problem)
    elif resource.kind == "MCPServer":
        missing = _missing(workspace, config)
        if missing is not None:
            yield _finding(MISSING, reference, config, missing)
    else:
        yield _finding(NOT_MOUNTED, reference, config, "its CA bundle is not mounted into an MCPRemoteProxy", WITHOUT)


def _problem(bundle: CABundleSource) -> str | None:
    ref = bundle.get("configMapRef")
    if ref is None:
        return "its caBundleRef has no configMapRef"
    name = ref.get("name", "")
    if not name:
        return "its CA bundle names no ConfigMap"
    if len(name.encode()) > LONGEST_NAME:
        return f'the name "{name}" of its CA bundle has {len(name)} characters, at most {LONGEST_NAME} can be mounted'
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
        and held_keys(target) is not None
        and reference.key not in target.entries("data")
    ):
        return f'{name} has no key "{reference.key}" in data'
    return None if reference.problem is None else f"{name} does not exist"


def _finding(rule: Rule, reference: Reference, config: Resource, message: str, hint: str | None = None) -> Finding:
    notes = (config.note("the CA bundle is configured here", BUNDLE),)
    told = f'MCPOIDCConfig "{config.name}": {message}'
    return reference.source.finding(rule, reference.path, told, hint=hint, notes=notes)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,), "MCPRemoteProxy": (check,)}
