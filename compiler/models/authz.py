"""Authorization of requests: Cedar policies in the resource or in a ConfigMap."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from ..toolhive.constants import AUTHZ_KEY
from .dated import Since
from .declare import (
    Always,
    Atomic,
    Cel,
    Default,
    Deprecated,
    MaxLength,
    MinItems,
    MinLength,
    Pattern,
    RefTo,
    preserve_unknown_fields,
    rules,
)

ProviderName = Annotated[str, MinLength(1), MaxLength(63), Pattern("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$")]
"""The name of an upstream provider of an embedded authorization server."""


class ConfigMapAuthzRef(TypedDict, total=False):
    """Reference to a ConfigMap with an authorization configuration."""

    name: Required[Annotated[str, "Name of the ConfigMap.", RefTo("ConfigMap", key="key", key_default=AUTHZ_KEY)]]
    key: Annotated[str, "Key that holds the configuration.", Default(AUTHZ_KEY)]


class InlineAuthzConfig(TypedDict, total=False):
    """Cedar policies written in the resource."""

    policies: Required[Annotated[list[str], "Cedar policies.", MinItems(1), Atomic()]]
    entitiesJson: Annotated[str, "Cedar entities, as the text of a JSON list.", Default("[]")]
    primaryUpstreamProvider: Annotated[
        ProviderName,
        "Upstream provider whose token supplies the claims for policies. Only a VirtualMCPServer uses it.",
        Deprecated("spec.authServerConfig.primaryUpstreamProvider"),
        Since("0.27.1"),
    ]


@rules(
    Cel(
        "self.type == 'configMap' ? has(self.configMap) : !has(self.configMap)",
        "configMap goes with type configMap, and with no other",
        "configMap",
    ),
    Cel(
        "self.type == 'inline' ? has(self.inline) : !has(self.inline)",
        "inline goes with type inline, and with no other",
        "inline",
    ),
)
class AuthzConfigRef(TypedDict, total=False):
    """Source of the authorization configuration."""

    type: Required[
        Annotated[
            Literal["configMap", "inline"], "Source of the configuration: configMap or inline.", Default("configMap")
        ]
    ]
    configMap: Annotated[ConfigMapAuthzRef, "The ConfigMap, for type configMap."]
    inline: Annotated[InlineAuthzConfig, "The policies, for type inline."]
    groupClaimName: Annotated[
        str,
        "Claim that holds the groups, tried before the usual claims. It takes precedence over the ConfigMap.",
        MaxLength(253),
        Since("0.28.3"),
    ]
    roleClaimName: Annotated[
        str, "Claim that holds the roles. Roles also count as groups.", MaxLength(253), Since("0.28.3")
    ]
    groupEntityType: Annotated[
        str,
        "Cedar entity type of groups and roles; THVGroup when empty.",
        MaxLength(63),
        Pattern("^[A-Za-z_][A-Za-z0-9_]*$"),
        Since("0.28.3"),
    ]


class CedarOptions(TypedDict, total=False):
    """Cedar policies as processes read them."""

    policies: Required[Annotated[list[str], "Cedar policies, at least one.", Always()]]
    entities_json: Annotated[str, "Cedar entities, as the text of a JSON list.", Always()]
    primary_upstream_provider: Annotated[
        str, "Upstream provider whose token supplies the claims for policies; the issued token when empty."
    ]
    group_claim_name: Annotated[str, "Claim that holds the groups."]
    role_claim_name: Annotated[str, "Claim that holds the roles."]
    group_entity_type: Annotated[str, "Cedar entity type of groups and roles; THVGroup when empty.", Since("0.26.1")]
    multi_valued_claims: Annotated[list[str], "Claims that policies see as sets.", Since("0.41.0")]


class DecisionPointHttp(TypedDict, total=False):
    """Connection to an external decision point."""

    url: Required[Annotated[str, "Address.", Always()]]
    timeout: Annotated[int, "Timeout in seconds; 30 when 0."]
    insecure_skip_verify: Annotated[bool, "Whether certificates are not verified."]


class DecisionPointContext(TypedDict, total=False):
    """Which parts of a request the external decision point receives."""

    include_args: Annotated[bool, "Whether the arguments are sent."]
    include_operation: Annotated[bool, "Whether the operation is sent."]


class DecisionPointOptions(TypedDict, total=False):
    """Settings of an external decision point, which decides on requests over HTTP."""

    http: Required[Annotated[DecisionPointHttp, "URL of the server."]]
    claim_mapping: Required[Annotated[str, "Format in which claims are sent: mpe or standard.", Always()]]
    context: Annotated[DecisionPointContext, "Which parts of a request are sent."]


@preserve_unknown_fields
class AuthzFile(TypedDict, total=False):
    """An authorization configuration as processes read it. Unknown fields are passed on unchanged."""

    version: Required[Annotated[str, "Version of the format; not empty.", Always()]]
    type: Required[Annotated[str, "cedarv1 or httpv1.", Always()]]
    cedar: Annotated[CedarOptions, "For type cedarv1."]
    pdp: Annotated[DecisionPointOptions, "For type httpv1."]
