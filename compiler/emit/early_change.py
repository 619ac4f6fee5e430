"""List the changes of releases before 0.45.0 to the output compiled from a resource.

Source: docs/operator/releases.md.
"""

from __future__ import annotations

from typing import Final

from ..toolhive.constants import GENERATION_VARIABLE
from ..toolhive.release import (
    BODY_LIMIT_SINCE,
    CHECKSUM_KEPT_SINCE,
    DEFAULT_REDIRECT_SINCE,
    EMBEDDING_TEMPLATE_SINCE,
    ENTRY_HEADERS_SINCE,
    PROXY_CA_BUNDLE_SINCE,
    PROXY_PULL_SECRETS_SINCE,
    SECOND_VERSION_SINCE,
    SESSION_PASSWORD_SINCE,
    VIRTUAL_POLICIES_SINCE,
    VIRTUAL_TEMPLATE_SINCE,
)
from .concern import (
    PROXIES,
    VIRTUAL,
    audits_denials,
    authorizes,
    has_ca,
    has_entries_with_headers,
    has_ignored_template,
    has_policies,
    has_session_password,
    has_telemetry,
    has_value_at,
    is_audited,
    lacks_redirect,
)
from .output_change import BACKEND, OBJECTS, STARTED, OutputChange, in_texts

_ANNOTATED: Final = "resourceOverrides.proxyDeployment.podTemplateMetadataOverrides.annotations"

EARLY_CHANGES: Final[tuple[OutputChange, ...]] = (
    in_texts(
        "0.22.0",
        STARTED,
        "detectApplicationErrors",
        is_audited,
        "the audit log takes answers that hold an error for failures",
    ),
    OutputChange(
        SECOND_VERSION_SINCE,
        (*STARTED, "MCPRegistry", "EmbeddingServer"),
        "owner references of v1beta1",
        restarts=False,
    ),
    in_texts(
        DEFAULT_REDIRECT_SINCE,
        STARTED,
        "default redirectUri",
        lacks_redirect,
        "an upstream provider without redirectUri sends clients back to /oauth/callback below the resource URL",
    ),
    in_texts(
        "0.24.1",
        ("MCPServer",),
        "generation in the RunConfig",
        means="every change of the spec restarts the proxy, as its configuration holds the generation",
    ),
    OutputChange(
        "0.24.1", ("MCPServer",), "generation of the StatefulSet", restarts=False, targets=BACKEND, is_compiled=False
    ),
    OutputChange("0.24.1", ("MCPRegistry",), "probes of port 8081"),
    OutputChange(
        PROXY_PULL_SECRETS_SINCE,
        ("MCPRemoteProxy",),
        "imagePullSecrets of the proxy",
        has_value_at("resourceOverrides.proxyDeployment.imagePullSecrets"),
        "the imagePullSecrets of resourceOverrides reach the proxy's account and pod",
    ),
    OutputChange(
        EMBEDDING_TEMPLATE_SINCE,
        ("EmbeddingServer",),
        "the whole pod template",
        has_value_at("podTemplateSpec"),
        "all of podTemplateSpec is merged into the pod, not a few fields of it",
    ),
    OutputChange(
        CHECKSUM_KEPT_SINCE,
        ("MCPServer",),
        "annotations of the pod beside its checksum",
        has_value_at(_ANNOTATED),
        "annotations of the pod no longer push out its checksum: a change of the configuration restarts it",
    ),
    OutputChange("0.27.0", ("MCPServer",), "order of variables in the StatefulSet", targets=BACKEND),
    OutputChange(
        ENTRY_HEADERS_SINCE,
        VIRTUAL,
        "headers of entries",
        has_entries_with_headers,
        "headers that an MCPServerEntry of the group forwards are sent",
    ),
    OutputChange("0.28.0", PROXIES, "startup probe", means="a proxy that does not start within 90 s is restarted"),
    OutputChange(
        SESSION_PASSWORD_SINCE,
        ("MCPServer",),
        "password of session storage",
        has_session_password,
        "the password of the session storage reaches the proxy",
    ),
    OutputChange("0.28.1", ("MCPRegistry",), "Role for events.k8s.io", restarts=False),
    in_texts(
        VIRTUAL_POLICIES_SINCE,
        VIRTUAL,
        "authorization from a ConfigMap, entities",
        authorizes,
        "policies from a ConfigMap and entitiesJson decide requests",
    ),
    OutputChange("0.29.0", ("MCPServer",), GENERATION_VARIABLE),
    in_texts("0.29.0", PROXIES, "version 1.0 of policies", has_policies),
    in_texts(BODY_LIMIT_SINCE, PROXIES, "bodylimit", means="requests with a body of more than 8 MiB are refused"),
    OutputChange(
        "0.30.0",
        ("MCPRemoteProxy",),
        "replicas left open",
        means="the number of replicas is left to who scales the Deployment, where the spec states none",
        restarts=False,
    ),
    OutputChange(
        "0.30.1",
        STARTED,
        "restricted security contexts",
        means="pods run without capabilities and under the seccomp profile RuntimeDefault",
        targets=(*OBJECTS, *BACKEND),
    ),
    OutputChange("0.31.0", VIRTUAL, "order of variables", has_value_at("authServerConfig")),
    in_texts("0.32.0", VIRTUAL, "embeddingProvider", has_value_at("config.optimizer")),
    OutputChange(
        PROXY_CA_BUNDLE_SINCE,
        ("MCPRemoteProxy",),
        "CA bundle of the OIDC provider",
        has_ca,
        "the proxy trusts the CA bundle of its OIDC provider",
    ),
    OutputChange(
        VIRTUAL_TEMPLATE_SINCE,
        VIRTUAL,
        "pod template merged always",
        has_ignored_template,
        "podTemplateSpec is merged into the pod, whatever it holds",
    ),
    in_texts(
        "0.40.1",
        PROXIES,
        "audit before authorization",
        audits_denials,
        "requests that authorization denies are in the audit log",
    ),
    in_texts(
        "0.41.0",
        PROXIES,
        "audit before authentication",
        is_audited,
        "requests that authentication refuses are in the audit log",
    ),
    in_texts("0.41.0", VIRTUAL, "maxDelegationDepth", is_audited),
    in_texts("0.41.0", VIRTUAL, "caBundlePath", has_ca, "a virtual server trusts the CA bundle of its OIDC provider"),
    in_texts("0.43.0", PROXIES, "telemetry after the parser", has_telemetry),
)
"""The changes in the order of their releases."""
