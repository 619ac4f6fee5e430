"""List the changes that releases of the operator made to the objects and configurations compiled from a resource.

Compile steps write the output of a release. The descriptions here are for ``mcpcfg upgrade``, and for the warning of
``build`` that the output of a release was not recorded.

Source: docs/operator/releases.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..toolhive.release import (
    BACKEND_OWNED_SINCE,
    BUNDLE_FILE_SINCE,
    DEFAULT_PASSWORD_SINCE,
    LISTENER_PORT_SINCE,
    PROFILE_IGNORED_SINCE,
    PROXY_RESOURCES_SINCE,
    SESSION_TLS_SINCE,
    UPSTREAM_CA_SINCE,
)
from . import bundle_checksum
from .concern import (
    PROXIES,
    VIRTUAL,
    has_auth_bundle,
    has_auth_field,
    has_bundle_file,
    has_delegate_clients,
    has_grant,
    has_issuer_bundle,
    has_provider_settings,
    has_session_tls,
    has_token_path,
    has_value_at,
    lacks_proxy_resources,
    limits_over_tls,
    serves_metrics,
    sets_metrics_port,
    uses_service_account,
)
from .early_change import EARLY_CHANGES
from .output_change import BACKEND, STARTED, TEXTS, OutputChange

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace


def _at_runtime(
    since: str, kinds: tuple[str, ...], means: str, concerns: Callable[[Workspace, Resource[Any]], bool]
) -> OutputChange:
    """Return a change of what a process does with the same configuration."""
    return OutputChange(since, kinds, means, means, concerns=concerns, restarts=False, targets=(), is_compiled=False)


CHANGES: Final[tuple[OutputChange, ...]] = (
    *EARLY_CHANGES,
    OutputChange(
        BACKEND_OWNED_SINCE,
        ("MCPServer",),
        "owner of the StatefulSet",
        "the operator owns the StatefulSet, and makes it again if it is deleted",
        restarts=False,
        targets=BACKEND,
    ),
    OutputChange(
        "0.45.0",
        STARTED,
        "kubectl rollout restart",
        "kubectl rollout restart lasts: the operator no longer undoes it",
        restarts=False,
        targets=(),
        is_compiled=False,
    ),
    OutputChange(
        "0.45.0",
        PROXIES,
        "port of metrics",
        "metrics are served on port 9464 too; a later release ends them on the main port",
        concerns=serves_metrics,
        restarts=False,
        targets=(),
        is_compiled=False,
    ),
    OutputChange(
        "0.45.0",
        ("MCPServer",),
        "maxRequestBodySize",
        concerns=has_value_at("maxRequestBodySize"),
        targets=TEXTS,
        missing="the middleware bodylimit keeps 8 MiB, because how it gets maxRequestBodySize is not documented",
    ),
    OutputChange(
        "0.45.0", ("MCPServer",), "proxyReadTimeout", concerns=has_value_at("proxyReadTimeout"), targets=TEXTS
    ),
    OutputChange(
        "0.45.0",
        PROXIES,
        "scheduling of the proxy",
        "nodeSelector, tolerations and affinity of resourceOverrides reach the proxy's pod",
        concerns=has_value_at(
            *[f"resourceOverrides.proxyDeployment.{field}" for field in ("nodeSelector", "tolerations", "affinity")]
        ),
    ),
    OutputChange(
        "0.46.0",
        STARTED,
        "metricsOnTransportPort",
        "the main port may stop serving /metrics",
        concerns=sets_metrics_port,
        targets=TEXTS,
    ),
    OutputChange(
        UPSTREAM_CA_SINCE,
        STARTED,
        "CA bundles of providers and issuers",
        "the authorization server trusts the CA bundles of upstream providers and trusted issuers",
        concerns=has_auth_bundle,
        targets=TEXTS,
    ),
    OutputChange(
        UPSTREAM_CA_SINCE,
        STARTED,
        "files of issuers' CA bundles",
        concerns=has_issuer_bundle,
        targets=TEXTS,
        is_compiled=False,
        missing="trusted_issuers lack the files of CA bundles, because the name of their key is not documented",
    ),
    OutputChange(
        UPSTREAM_CA_SINCE,
        STARTED,
        "authserver-ca-checksum",
        concerns=bundle_checksum.is_unknown,
        is_compiled=False,
        missing="the pods lack the annotation authserver-ca-checksum, because the files do not declare each CA bundle",
    ),
    OutputChange(
        "0.46.0",
        VIRTUAL,
        "podvolumes-hash",
        concerns=lambda *_: True,
        is_compiled=False,
        missing="the Deployment lacks the annotation podvolumes-hash, because what it hashes is not documented",
    ),
    OutputChange(
        "0.46.0",
        STARTED,
        "settings of upstream providers",
        "clients may register at OIDC providers, which may have private addresses",
        concerns=has_provider_settings,
        targets=TEXTS,
    ),
    OutputChange(
        "0.46.0",
        STARTED,
        "allowPrivateKeyJWTRegistration",
        concerns=has_auth_field("allowPrivateKeyJWTRegistration"),
        targets=TEXTS,
    ),
    OutputChange(
        "0.47.0",
        STARTED,
        "inboundGrants",
        "inboundGrants decides which grants are on",
        concerns=has_auth_field("inboundGrants"),
        targets=TEXTS,
    ),
    OutputChange(
        "0.47.0",
        STARTED,
        "spiffeTrustDomains",
        "the authorization server does not start with spiffeTrustDomains",
        concerns=has_auth_field("spiffeTrustDomains"),
        targets=TEXTS,
    ),
    OutputChange(
        "0.49.0", VIRTUAL, "listChanged", concerns=has_value_at("config.operational.listChanged"), targets=TEXTS
    ),
    OutputChange(
        "0.49.0",
        VIRTUAL,
        "timeouts.backendInit",
        concerns=has_value_at("config.operational.timeouts.backendInit"),
        targets=TEXTS,
    ),
    OutputChange(
        DEFAULT_PASSWORD_SINCE,
        PROXIES,
        "password of the default Redis",
        "if the operator's default Redis has a password, proxies get it",
        concerns=lambda _, resource: "sessionStorage" not in resource.spec,
        restarts=False,
    ),
    OutputChange(SESSION_TLS_SINCE, STARTED, "TLS of session storage", concerns=has_session_tls, targets=TEXTS),
    OutputChange(
        SESSION_TLS_SINCE,
        ("MCPServer",),
        "TLS of rate limits",
        concerns=limits_over_tls,
        targets=TEXTS,
        is_compiled=False,
        missing="the middleware ratelimit lacks the TLS settings of Redis, because their key is not documented",
    ),
    OutputChange("0.52.0", STARTED, "tlsListener", concerns=has_auth_field("tlsListener"), targets=TEXTS),
    OutputChange(
        PROFILE_IGNORED_SINCE,
        ("MCPServer",),
        "permissionProfile ignored",
        concerns=has_value_at("permissionProfile.name"),
        targets=TEXTS,
    ),
    OutputChange(BUNDLE_FILE_SINCE, STARTED, "SPIFFE bundles from files", concerns=has_bundle_file, targets=TEXTS),
    _at_runtime(
        "0.54.0",
        STARTED,
        "tokens of upstream providers are refreshed when the ID token expires",
        has_auth_field("upstreamProviders"),
    ),
    _at_runtime(
        "0.58.0",
        STARTED,
        "a refresh is refused if the credential of the upstream provider is no longer valid: users log in again",
        has_auth_field("upstreamProviders"),
    ),
    _at_runtime("0.58.0", STARTED, "a delegate client that is removed here is no longer served", has_delegate_clients),
    _at_runtime(
        "0.60.0",
        VIRTUAL,
        "/health answers with the last check of the backends, and a change of their health starts no new pods",
        lambda *_: True,
    ),
    _at_runtime(
        "0.60.0", STARTED, "a delegate client exchanges only tokens of its source clients", has_delegate_clients
    ),
    OutputChange(
        LISTENER_PORT_SINCE,
        STARTED,
        "port of tlsListener",
        "the Service has port 8443, which a Service of type LoadBalancer or NodePort opens to the outside",
        concerns=has_auth_field("tlsListener"),
    ),
    _at_runtime(
        "0.64.0", STARTED, "assertions are no access tokens, and those with exp 0 are refused", has_grant("jwtBearer")
    ),
    OutputChange(
        PROXY_RESOURCES_SINCE,
        ("MCPRemoteProxy",),
        "CPU and memory of the proxy",
        "a proxy gets CPU and memory where it states none: 50m and 64Mi requested, 200m and 256Mi at most",
        concerns=lacks_proxy_resources,
        missing="CPU and memory that the proxy does not state were read in a pull request, not in the release",
    ),
    OutputChange(
        "0.67.0",
        STARTED,
        "grants of SPIFFE clients",
        "act.sub of an exchanged token is the SPIFFE ID, so policies have to match claim_client_id",
        concerns=has_grant("spiffeClientAuth"),
        restarts=False,
        targets=TEXTS,
        is_compiled=False,
        missing="SPIFFE clients have the grant token exchange, because the field with their grants is not documented",
    ),
    _at_runtime(
        "0.69.0",
        STARTED,
        "tokens and assertions that carry authorization_details are refused: let the identity provider leave it out",
        has_grant("tokenExchange", "jwtBearer", "spiffeClientAuth"),
    ),
    OutputChange(
        "0.69.0",
        VIRTUAL,
        "jwksAuthTokenPath",
        "the file with the token for the provider's keys reaches the virtual server",
        concerns=has_token_path,
        targets=TEXTS,
        is_compiled=False,
        missing="incomingAuth lacks jwksAuthTokenPath, because the key for it is not documented",
    ),
    _at_runtime(
        "0.69.0",
        STARTED,
        "the token of the service account is sent only to the API server of the cluster",
        uses_service_account,
    ),
)
"""The changes in the order of their releases."""
