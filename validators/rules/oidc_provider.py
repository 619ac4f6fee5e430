"""Rules about OIDC providers that a proxy cannot reach, omitted client secrets, and settings that nothing reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.toolhive.constants import CLUSTER_ISSUER
from ...compiler.toolhive.release import PROVIDER_URLS_SINCE
from ..auth_server import embeds
from ..rule import reads, rule
from ..secret_problem import secret_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Workspace

INSECURE_ISSUER = rule(
    "OID011 insecure-issuer", "lint", "The proxy refuses an OIDC provider because its address is not HTTPS"
)
PRIVATE_ISSUER = rule(
    "OID012 private-issuer", "lint", "An OIDC provider has a private address, and the proxy does not connect to those"
)

DROPPED_SECRET = rule(
    "OID013 dropped-client-secret",
    "lint",
    "The client secret of an OIDC provider cannot be read and is silently left out",
)
IDLE_SETTING = rule(
    "OID014 idle-oidc-setting",
    "lint",
    "A setting of an OIDC provider is never read",
    severity="info",
    is_one_change=True,
)
REFUSED_URL = rule(
    "OID018 refused-oidc-url",
    "operator",
    "The operator refuses an address of an OIDC provider",
    since=PROVIDER_URLS_SINCE,
)
DOCUMENT = rule(
    "OID019 issuer-is-discovery-document",
    "lint",
    "The issuer of an OIDC provider is the address of its discovery document",
)

WELL_KNOWN = "/.well-known/"

INLINE: Path = ("spec", "inline")
ACCOUNT: Path = ("spec", "kubernetesServiceAccount")
SCHEMES = frozenset({"http", "https"})


@reads("inline", "kubernetesServiceAccount")
def check_provider(resource: Resource[MCPOIDCConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report providers whose keys the proxy cannot fetch, and settings that nothing reads."""
    account = resource.spec.get("kubernetesServiceAccount") or {}
    idle = [field for field in ("serviceAccount", "namespace") if account.get(field)]
    if idle:
        message = f"{' and '.join(idle)} {'has' if len(idle) == 1 else 'have'} no effect"
        hint = "remove it, and write a policy that tests the token's sub"
        yield resource.finding(IDLE_SETTING, (*ACCOUNT, idle[0]), message, hint=hint, on="key")
    inline = resource.spec.get("inline") or {}
    at, settings = (INLINE, inline) if inline else (ACCOUNT, account)
    field = "jwksUrl" if settings.get("jwksUrl") else "issuer"
    text = settings.get(field) or ""
    if not text or text == CLUSTER_ISSUER or is_placeholder(text):
        return
    if inline and resource.is_judged(since=PROVIDER_URLS_SINCE) and any(True for _ in refused_urls(resource)):
        return  # `check_urls` reports the URL
    if "://" not in text:
        if not _all_embed(resource, workspace):
            message = f'{field} "{text}" has no scheme, so the proxy does not fetch its keys'
            yield resource.finding(INSECURE_ISSUER, (*at, field), message, hint=f"write https://{text}")
        return
    scheme = text.partition("://")[0].lower()
    insecure = scheme not in SCHEMES or (scheme == "http" and not inline.get("insecureAllowHTTP"))
    private = bool(inline) and not inline.get("jwksAllowPrivateIP") and _is_private(text)
    if not (insecure or private) or _all_embed(resource, workspace):
        return
    if insecure:
        what = "is plain HTTP" if scheme == "http" else "is neither https nor http"
        message = f'{field} "{text}" {what}, so the proxy does not fetch its keys'
        hint = "use https; for development set insecureAllowHTTP: true" if scheme == "http" else "use https"
        yield resource.finding(INSECURE_ISSUER, (*at, field), message, hint=hint)
    if private:
        message = f'{field} "{text}" is at a private address, to which the proxy does not connect'
        yield resource.finding(PRIVATE_ISSUER, (*at, field), message, hint="set jwksAllowPrivateIP: true")


@reads("inline")
def check_urls(resource: Resource[MCPOIDCConfigSpec], _workspace: Workspace) -> Iterator[Finding]:
    """Report a URL that the operator refuses, and an issuer that is the URL of a discovery document."""
    yield from refused_urls(resource)
    issuer, separator, _ = (resource.spec["inline"].get("issuer") or "").partition(WELL_KNOWN)
    if separator and not is_placeholder(issuer):
        message = "the issuer is the address of a discovery document, which no token names"
        yield resource.finding(DOCUMENT, (*INLINE, "issuer"), message, hint=f"write {issuer or 'the issuer itself'}")


def refused_urls(resource: Resource[MCPOIDCConfigSpec]) -> Iterator[Finding]:
    """Yield a finding for the first URL of a provider that the operator refuses: the issuer or else the ``jwksUrl``."""
    inline = resource.spec.get("inline") or {}
    for field in ("issuer", "jwksUrl"):
        text = inline.get(field) or ""
        # A value that is no boolean is a placeholder, which may allow it.
        fault = _url_fault(text, allows_http=bool(inline.get("insecureAllowHTTP")))
        if text and fault is not None and not is_placeholder(text):
            message = f'{field} "{text}" {fault}'
            hint = "use https; for development set insecureAllowHTTP: true" if "plain" in fault else "write https://…"
            yield resource.finding(REFUSED_URL, (*INLINE, field), message, hint=hint)
            return


def _url_fault(text: str, *, allows_http: bool) -> str | None:
    from ...compiler.golang import url

    try:
        parsed = url.parse(text)
    except url.UrlError as error:
        return f"is not a URL: {error}"
    if not parsed.scheme or not parsed.host:
        return "is not a URL with a scheme and a host"
    if parsed.scheme not in SCHEMES:
        return "is neither https nor http"
    return "is plain HTTP" if parsed.scheme == "http" and not allows_http else None


def _is_private(text: str) -> bool:
    from ..remote_host import hostname_of, internal

    hostname = hostname_of(text)
    if hostname is None:
        return False
    return hostname.lower().endswith(".svc") or internal(hostname) is not None


def _all_embed(config: Resource, workspace: Workspace) -> bool:
    """Return whether workloads use the provider, and all of them embed an authorization server.

    Such workloads have the keys of their own server, so they do not fetch keys of the provider.
    """
    users: list[Resource[Any]] = [reference.source for reference in workspace.referrers(config)]
    return bool(users) and all(embeds(user, workspace) for user in users)


@reads("oidcConfigRef")
def check_client_secret(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report a client secret that the operator omits."""
    resolved: Resolved[MCPOIDCConfigSpec] = workspace.resolved(resource, "spec", "oidcConfigRef", "name")
    if resolved is None or "clientSecretRef" not in (resolved[1].spec.get("inline") or {}):
        return
    reference, config = resolved
    problem = secret_problem(workspace, config, ("inline", "clientSecretRef"))
    if problem is not None:
        message = f'the client secret of MCPOIDCConfig "{config.name}" is left out because it cannot be read: {problem}'
        notes = (config.note("it is named here", (*INLINE, "clientSecretRef", "name")),)
        hint = "correct the reference, or declare the Secret with its key"
        yield resource.finding(DROPPED_SECRET, reference.path, message, hint=hint, notes=notes)


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPOIDCConfig": (check_provider, check_urls),
    "MCPServer": (check_client_secret,),
    "MCPRemoteProxy": (check_client_secret,),
}
