"""List the changes that releases of the operator made to the objects and configurations compiled from a resource.

Compile steps write the output of a release. The descriptions here are for ``mcpcfg upgrade``, and for the warning of
``build`` that the output of a release was not recorded.

Source: docs/operator/releases.md.
"""

from __future__ import annotations

from typing import Final

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
from .output_change import BACKEND, STARTED, OutputChange, at_runtime, in_texts

CHANGES: Final[tuple[OutputChange, ...]] = (
    *EARLY_CHANGES,
    OutputChange(
        BACKEND_OWNED_SINCE,
        ("MCPServer",),
        "owner of the StatefulSet",
        means="the operator owns the StatefulSet, and makes it again if it is deleted",
        restarts=False,
        targets=BACKEND,
    ),
    OutputChange(
        "0.45.0",
        STARTED,
        "kubectl rollout restart",
        means="kubectl rollout restart lasts: the operator no longer undoes it",
        restarts=False,
        targets=(),
        is_compiled=False,
    ),
    OutputChange(
        "0.45.0",
        PROXIES,
        "port of metrics",
        serves_metrics,
        "metrics are served on port 9464 too; a later release ends them on the main port",
        restarts=False,
        targets=(),
        is_compiled=False,
    ),
    in_texts(
        "0.45.0",
        ("MCPServer",),
        "maxRequestBodySize",
        has_value_at("maxRequestBodySize"),
        missing="the middleware bodylimit keeps 8 MiB, because how it gets maxRequestBodySize is not documented",
    ),
    in_texts("0.45.0", ("MCPServer",), "proxyReadTimeout", has_value_at("proxyReadTimeout")),
    OutputChange(
        "0.45.0",
        PROXIES,
        "scheduling of the proxy",
        has_value_at(
            *[f"resourceOverrides.proxyDeployment.{field}" for field in ("nodeSelector", "tolerations", "affinity")]
        ),
        "nodeSelector, tolerations and affinity of resourceOverrides reach the proxy's pod",
    ),
    in_texts("0.46.0", STARTED, "metricsOnTransportPort", sets_metrics_port, "the main port may stop serving /metrics"),
    in_texts(
        UPSTREAM_CA_SINCE,
        STARTED,
        "CA bundles of providers and issuers",
        has_auth_bundle,
        "the authorization server trusts the CA bundles of upstream providers and trusted issuers",
    ),
    in_texts(
        UPSTREAM_CA_SINCE,
        STARTED,
        "files of issuers' CA bundles",
        has_issuer_bundle,
        is_compiled=False,
        missing="trusted_issuers lack the files of CA bundles, because the name of their key is not documented",
    ),
    OutputChange(
        UPSTREAM_CA_SINCE,
        STARTED,
        "authserver-ca-checksum",
        bundle_checksum.is_unknown,
        is_compiled=False,
        missing="the pods lack the annotation authserver-ca-checksum, because the files do not declare each CA bundle",
    ),
    OutputChange(
        "0.46.0",
        VIRTUAL,
        "podvolumes-hash",
        lambda *_: True,
        is_compiled=False,
        missing="the Deployment lacks the annotation podvolumes-hash, because what it hashes is not documented",
    ),
    in_texts(
        "0.46.0",
        STARTED,
        "settings of upstream providers",
        has_provider_settings,
        "clients may register at OIDC providers, which may have private addresses",
    ),
    in_texts("0.46.0", STARTED, "allowPrivateKeyJWTRegistration", has_auth_field("allowPrivateKeyJWTRegistration")),
    in_texts(
        "0.47.0", STARTED, "inboundGrants", has_auth_field("inboundGrants"), "inboundGrants decides which grants are on"
    ),
    in_texts(
        "0.47.0",
        STARTED,
        "spiffeTrustDomains",
        has_auth_field("spiffeTrustDomains"),
        "the authorization server does not start with spiffeTrustDomains",
    ),
    in_texts("0.49.0", VIRTUAL, "listChanged", has_value_at("config.operational.listChanged")),
    in_texts("0.49.0", VIRTUAL, "timeouts.backendInit", has_value_at("config.operational.timeouts.backendInit")),
    OutputChange(
        DEFAULT_PASSWORD_SINCE,
        PROXIES,
        "password of the default Redis",
        lambda _, resource: "sessionStorage" not in resource.spec,
        "if the operator's default Redis has a password, proxies get it",
        restarts=False,
    ),
    in_texts(SESSION_TLS_SINCE, STARTED, "TLS of session storage", has_session_tls),
    in_texts(
        SESSION_TLS_SINCE,
        ("MCPServer",),
        "TLS of rate limits",
        limits_over_tls,
        is_compiled=False,
        missing="the middleware ratelimit lacks the TLS settings of Redis, because their key is not documented",
    ),
    in_texts("0.52.0", STARTED, "tlsListener", has_auth_field("tlsListener")),
    in_texts(
        PROFILE_IGNORED_SINCE, ("MCPServer",), "permissionProfile ignored", has_value_at("permissionProfile.name")
    ),
    in_texts(BUNDLE_FILE_SINCE, STARTED, "SPIFFE bundles from files", has_bundle_file),
    at_runtime(
        "0.54.0",
        STARTED,
        "tokens of upstream providers are refreshed when the ID token expires",
        has_auth_field("upstreamProviders"),
    ),
    at_runtime(
        "0.58.0",
        STARTED,
        "a refresh is refused if the credential of the upstream provider is no longer valid: users log in again",
        has_auth_field("upstreamProviders"),
    ),
    at_runtime("0.58.0", STARTED, "a delegate client that is removed here is no longer served", has_delegate_clients),
    at_runtime(
        "0.60.0",
        VIRTUAL,
        "/health answers with the last check of the backends, and a change of their health starts no new pods",
        lambda *_: True,
    ),
    at_runtime(
        "0.60.0", STARTED, "a delegate client exchanges only tokens of its source clients", has_delegate_clients
    ),
    OutputChange(
        LISTENER_PORT_SINCE,
        STARTED,
        "port of tlsListener",
        has_auth_field("tlsListener"),
        "the Service has port 8443, which a Service of type LoadBalancer or NodePort opens to the outside",
    ),
    at_runtime(
        "0.64.0", STARTED, "assertions are no access tokens, and those with exp 0 are refused", has_grant("jwtBearer")
    ),
    OutputChange(
        PROXY_RESOURCES_SINCE,
        ("MCPRemoteProxy",),
        "CPU and memory of the proxy",
        lacks_proxy_resources,
        "a proxy gets CPU and memory where it states none: 50m and 64Mi requested, 200m and 256Mi at most",
        missing="CPU and memory that the proxy does not state were read in a pull request, not in the release",
    ),
    in_texts(
        "0.67.0",
        STARTED,
        "grants of SPIFFE clients",
        has_grant("spiffeClientAuth"),
        "act.sub of an exchanged token is the SPIFFE ID, so policies have to match claim_client_id",
        restarts=False,
        is_compiled=False,
        missing="SPIFFE clients have the grant token exchange, because the field with their grants is not documented",
    ),
    at_runtime(
        "0.69.0",
        STARTED,
        "tokens and assertions that carry authorization_details are refused: let the identity provider leave it out",
        has_grant("tokenExchange", "jwtBearer", "spiffeClientAuth"),
    ),
    in_texts(
        "0.69.0",
        VIRTUAL,
        "jwksAuthTokenPath",
        has_token_path,
        "the file with the token for the provider's keys reaches the virtual server",
        is_compiled=False,
        missing="incomingAuth lacks jwksAuthTokenPath, because the key for it is not documented",
    ),
    at_runtime(
        "0.69.0",
        STARTED,
        "the token of the service account is sent only to the API server of the cluster",
        uses_service_account,
    ),
)
"""The changes in the order of their releases."""
