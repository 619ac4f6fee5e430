"""MCPOIDCConfig: an OIDC provider shared by workloads."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from ..toolhive.constants import CLUSTER_ISSUER
from .dated import Since
from .declare import Cel, Default, Go, Switch, rules
from .reference import CABundleSource, SecretKeyRef
from .status import ConfigStatus, ReferenceCount, ReferencingKinds


class KubernetesServiceAccountOIDCConfig(TypedDict, total=False):
    """Settings for clients that authenticate with tokens of Kubernetes ServiceAccounts."""

    serviceAccount: Annotated[str, "ServiceAccount whose tokens are accepted; the pod's own when empty."]
    namespace: Annotated[str, "Namespace of the ServiceAccount; the workload's namespace when empty."]
    issuer: Annotated[str, "Issuer of the tokens.", Default(CLUSTER_ISSUER)]
    jwksUrl: Annotated[str, "URL of the provider's keys (JWKS); discovered when empty.", Go(name="JWKSURL")]
    introspectionUrl: Annotated[str, "URL of token introspection; discovered when empty.", Go(name="IntrospectionURL")]
    useClusterAuth: Annotated[
        bool,
        "Whether requests to the issuer use the cluster's CA bundle and the pod's token; true when missing.",
        Go(pointer=True),
    ]


class InlineOIDCSharedConfig(TypedDict, total=False):
    """Settings of an OIDC provider that are the same for all referring workloads."""

    issuer: Required[Annotated[str, "Issuer of the tokens."]]
    jwksUrl: Annotated[str, "URL of the provider's keys (JWKS); discovered when empty.", Go(name="JWKSURL")]
    introspectionUrl: Annotated[str, "URL of token introspection; discovered when empty.", Go(name="IntrospectionURL")]
    clientId: Annotated[str, "Client id at the provider.", Go(name="ClientID")]
    clientSecretRef: Annotated[SecretKeyRef, "Client secret at the provider."]
    caBundleRef: Annotated[CABundleSource, "CA bundle of the provider. The operator mounts it.", Go(name="CABundleRef")]
    jwksAuthTokenPath: Annotated[
        str, "File with a bearer token for requests to the provider.", Go(name="JWKSAuthTokenPath")
    ]
    jwksAllowPrivateIP: Annotated[
        Switch, "Whether the provider may have a private address.", Go(name="JWKSAllowPrivateIP")
    ]
    protectedResourceAllowPrivateIP: Annotated[Switch, "Whether the protected resource may have a private address."]
    insecureAllowHTTP: Annotated[Switch, "Whether the provider may be reached over plain HTTP; for development only."]


@rules(
    Cel(
        "self.type == 'kubernetesServiceAccount' ? has(self.kubernetesServiceAccount)"
        " : !has(self.kubernetesServiceAccount)",
        "kubernetesServiceAccount goes with type kubernetesServiceAccount, and with no other",
        "kubernetesServiceAccount",
    ),
    Cel(
        "self.type == 'inline' ? has(self.inline) : !has(self.inline)",
        "inline goes with type inline, and with no other",
        "inline",
    ),
)
class MCPOIDCConfigSpec(TypedDict, total=False):
    """The OIDC provider that issues the tokens of clients."""

    type: Required[
        Annotated[
            Literal["kubernetesServiceAccount", "inline"],
            "Which block configures the provider.",
            Go(type="v1alpha1.MCPOIDCConfigSourceType"),
        ]
    ]
    kubernetesServiceAccount: Annotated[KubernetesServiceAccountOIDCConfig, "For type kubernetesServiceAccount."]
    inline: Annotated[InlineOIDCSharedConfig, "For type inline."]


class MCPOIDCConfigStatus(ConfigStatus, total=False):
    """The last observed state of the configuration."""

    referenceCount: Annotated[ReferenceCount, Since("0.28.0")]
    referencingWorkloads: ReferencingKinds
