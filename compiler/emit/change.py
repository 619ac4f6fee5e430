"""List the changes that releases of the operator made to the objects and configurations compiled from a resource.

Compile steps write the output of a release. The descriptions here are for ``mcpcfg upgrade``, and for the warning of
``build`` that the output of a release was not recorded.

Source: docs/operator/releases.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..toolhive.constants import GENERATION_VARIABLE
from ..toolhive.release import (
    BACKEND_OWNED_SINCE,
    BODY_LIMIT_SINCE,
    CHECKSUM_KEPT_SINCE,
    DEFAULT_PASSWORD_SINCE,
    DEFAULT_REDIRECT_SINCE,
    EMBEDDING_TEMPLATE_SINCE,
    ENTRY_HEADERS_SINCE,
    PROXY_CA_BUNDLE_SINCE,
    PROXY_PULL_SECRETS_SINCE,
    SECOND_VERSION_SINCE,
    SESSION_PASSWORD_SINCE,
    UPSTREAM_CA_SINCE,
    VIRTUAL_POLICIES_SINCE,
    VIRTUAL_TEMPLATE_SINCE,
)
from .concern import (
    PROXIES,
    VIRTUAL,
    audits_denials,
    authorizes,
    has_auth_bundle,
    has_auth_field,
    has_ca,
    has_entries_with_headers,
    has_ignored_template,
    has_policies,
    has_provider_settings,
    has_session_password,
    has_telemetry,
    has_value_at,
    is_audited,
    lacks_redirect,
    serves_metrics,
    sets_metrics_port,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

STARTED: Final = (*PROXIES, *VIRTUAL)
"""The kinds whose pods run an image of the operator's release."""


OBJECTS: Final = ("kubernetes",)
TEXTS: Final = ("kubernetes", "runconfig", "vmcp")
"""Targets whose output contains RunConfigs or vMCP configurations. Target ``kubernetes`` has them in ConfigMaps."""
BACKEND: Final = ("backend",)


class OutputChange(NamedTuple):
    """A change of the objects or configurations that the operator creates from a resource.

    Attributes:
        since: The first release with the change.
        name: A noun phrase for the change.
        means: The consequence for users as a clause; empty if they notice at most a restart.
        restarts: True if the pods restart when the operator is upgraded across this release.
        concerns: Returns whether the change affects a resource of these kinds. Default: every resource.
        targets: The targets of ``build`` whose output changes.
        is_compiled: True if the compile steps implement the change.
        missing: A clause about what the output lacks; empty if it lacks nothing.
    """

    since: str
    kinds: tuple[str, ...]
    name: str
    means: str = ""
    restarts: bool = True
    concerns: Callable[[Workspace, Resource[Any]], bool] = lambda *_: True
    targets: tuple[str, ...] = OBJECTS
    is_compiled: bool = True
    missing: str = ""


_ANNOTATED: Final = "resourceOverrides.proxyDeployment.podTemplateMetadataOverrides.annotations"

CHANGES: Final[tuple[OutputChange, ...]] = (
    OutputChange(
        "0.22.0",
        STARTED,
        "detectApplicationErrors",
        "the audit log takes answers that hold an error for failures",
        concerns=is_audited,
        targets=TEXTS,
    ),
    OutputChange(
        SECOND_VERSION_SINCE,
        (*STARTED, "MCPRegistry", "EmbeddingServer"),
        "owner references of v1beta1",
        restarts=False,
    ),
    OutputChange(
        DEFAULT_REDIRECT_SINCE,
        STARTED,
        "default redirectUri",
        "an upstream provider without redirectUri sends clients back to /oauth/callback below the resource URL",
        concerns=lacks_redirect,
        targets=TEXTS,
    ),
    OutputChange(
        "0.24.1",
        ("MCPServer",),
        "generation in the RunConfig",
        "every change of the spec restarts the proxy, as its configuration holds the generation",
        targets=TEXTS,
    ),
    OutputChange(
        "0.24.1", ("MCPServer",), "generation of the StatefulSet", restarts=False, targets=BACKEND, is_compiled=False
    ),
    OutputChange("0.24.1", ("MCPRegistry",), "probes of port 8081"),
    OutputChange(
        PROXY_PULL_SECRETS_SINCE,
        ("MCPRemoteProxy",),
        "imagePullSecrets of the proxy",
        "the imagePullSecrets of resourceOverrides reach the proxy's account and pod",
        concerns=has_value_at("resourceOverrides.proxyDeployment.imagePullSecrets"),
    ),
    OutputChange(
        EMBEDDING_TEMPLATE_SINCE,
        ("EmbeddingServer",),
        "the whole pod template",
        "all of podTemplateSpec is merged into the pod, not a few fields of it",
        concerns=has_value_at("podTemplateSpec"),
    ),
    OutputChange(
        CHECKSUM_KEPT_SINCE,
        ("MCPServer",),
        "annotations of the pod beside its checksum",
        "annotations of the pod no longer push out its checksum: a change of the configuration restarts it",
        concerns=has_value_at(_ANNOTATED),
    ),
    OutputChange("0.27.0", ("MCPServer",), "order of variables in the StatefulSet", targets=BACKEND),
    OutputChange(
        ENTRY_HEADERS_SINCE,
        VIRTUAL,
        "headers of entries",
        "headers that an MCPServerEntry of the group forwards are sent",
        concerns=has_entries_with_headers,
    ),
    OutputChange("0.28.0", PROXIES, "startup probe", "a proxy that does not start within 90 s is restarted"),
    OutputChange(
        SESSION_PASSWORD_SINCE,
        ("MCPServer",),
        "password of session storage",
        "the password of the session storage reaches the proxy",
        concerns=has_session_password,
    ),
    OutputChange("0.28.1", ("MCPRegistry",), "Role for events.k8s.io", restarts=False),
    OutputChange(
        VIRTUAL_POLICIES_SINCE,
        VIRTUAL,
        "authorization from a ConfigMap, entities",
        "policies from a ConfigMap and entitiesJson decide requests",
        concerns=authorizes,
        targets=TEXTS,
    ),
    OutputChange("0.29.0", ("MCPServer",), GENERATION_VARIABLE),
    OutputChange("0.29.0", PROXIES, "version 1.0 of policies", concerns=has_policies, targets=TEXTS),
    OutputChange(
        BODY_LIMIT_SINCE, PROXIES, "bodylimit", "requests with a body of more than 8 MiB are refused", targets=TEXTS
    ),
    OutputChange(
        "0.30.0",
        ("MCPRemoteProxy",),
        "replicas left open",
        "the number of replicas is left to who scales the Deployment, where the spec states none",
        restarts=False,
    ),
    OutputChange(
        "0.30.1",
        STARTED,
        "restricted security contexts",
        "pods run without capabilities and under the seccomp profile RuntimeDefault",
        targets=(*OBJECTS, *BACKEND),
    ),
    OutputChange("0.31.0", VIRTUAL, "order of variables", concerns=has_value_at("authServerConfig")),
    OutputChange("0.32.0", VIRTUAL, "embeddingProvider", concerns=has_value_at("config.optimizer"), targets=TEXTS),
    OutputChange(
        PROXY_CA_BUNDLE_SINCE,
        ("MCPRemoteProxy",),
        "CA bundle of the OIDC provider",
        "the proxy trusts the CA bundle of its OIDC provider",
        concerns=has_ca,
    ),
    OutputChange(
        VIRTUAL_TEMPLATE_SINCE,
        VIRTUAL,
        "pod template merged always",
        "podTemplateSpec is merged into the pod, whatever it holds",
        concerns=has_ignored_template,
    ),
    OutputChange(
        "0.40.1",
        PROXIES,
        "audit before authorization",
        "requests that authorization denies are in the audit log",
        concerns=audits_denials,
        targets=TEXTS,
    ),
    OutputChange(
        "0.41.0",
        PROXIES,
        "audit before authentication",
        "requests that authentication refuses are in the audit log",
        concerns=is_audited,
        targets=TEXTS,
    ),
    OutputChange("0.41.0", VIRTUAL, "maxDelegationDepth", concerns=is_audited, targets=TEXTS),
    OutputChange(
        "0.41.0",
        VIRTUAL,
        "caBundlePath",
        "a virtual server trusts the CA bundle of its OIDC provider",
        concerns=has_ca,
        targets=TEXTS,
    ),
    OutputChange("0.43.0", PROXIES, "telemetry after the parser", concerns=has_telemetry, targets=TEXTS),
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
        missing="the pods lack the annotation authserver-ca-checksum, and trusted_issuers the files of CA bundles:"
        " neither is documented exactly",
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
)
"""The changes in the order of their releases."""
