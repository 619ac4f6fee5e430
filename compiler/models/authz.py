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
    """An authorization configuration kept in a ConfigMap."""

    name: Required[Annotated[str, "Name of the ConfigMap.", RefTo("ConfigMap", key="key", key_default=AUTHZ_KEY)]]
    key: Annotated[str, "Key that holds the configuration.", Default(AUTHZ_KEY)]


class InlineAuthzConfig(TypedDict, total=False):
    """Cedar policies written in the resource."""

    policies: Required[Annotated[list[str], "Cedar policies.", MinItems(1), Atomic()]]
    entitiesJson: Annotated[str, "Cedar entities, as the text of a JSON list.", Default("[]")]
    primaryUpstreamProvider: Annotated[
        ProviderName,
        "Upstream provider whose token has the claims that policies look at; without effect but in a VirtualMCPServer.",
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
    """Where the authorization configuration is."""

    type: Required[Annotated[Literal["configMap", "inline"], "Which of the two it is.", Default("configMap")]]
    configMap: Annotated[ConfigMapAuthzRef, "The ConfigMap, for type configMap."]
    inline: Annotated[InlineAuthzConfig, "The policies, for type inline."]
    groupClaimName: Annotated[
        str,
        "Claim that holds the groups, before the usual ones; stronger than what the ConfigMap names.",
        MaxLength(253),
        Since("0.28.3"),
    ]
    roleClaimName: Annotated[
        str, "Claim that holds the roles, which count as groups too.", MaxLength(253), Since("0.28.3")
    ]
    groupEntityType: Annotated[
        str,
        "Cedar type of the entities that groups and roles become; THVGroup when empty.",
        MaxLength(63),
        Pattern("^[A-Za-z_][A-Za-z0-9_]*$"),
        Since("0.28.3"),
    ]


class CedarOptions(TypedDict, total=False):
    """Cedar policies as processes read them."""

    policies: Required[Annotated[list[str], "Cedar policies, one at least.", Always()]]
    entities_json: Annotated[str, "Cedar entities, as the text of a JSON list.", Always()]
    primary_upstream_provider: Annotated[
        str, "Upstream provider whose token has the claims; the issued token when empty."
    ]
    group_claim_name: Annotated[str, "Claim that holds the groups."]
    role_claim_name: Annotated[str, "Claim that holds the roles."]
    group_entity_type: Annotated[
        str, "Cedar type of the entities that groups and roles become; THVGroup when empty.", Since("0.26.1")
    ]
    multi_valued_claims: Annotated[list[str], "Claims that are sets for policies.", Since("0.41.0")]


class DecisionPointHttp(TypedDict, total=False):
    """Where an outside decision point is."""

    url: Required[Annotated[str, "Address.", Always()]]
    timeout: Annotated[int, "Seconds that it may take; 30 when 0."]
    insecure_skip_verify: Annotated[bool, "Whether certificates go unchecked."]


class DecisionPointContext(TypedDict, total=False):
    """What is sent to an external decision point."""

    include_args: Annotated[bool, "Whether it sees the arguments."]
    include_operation: Annotated[bool, "Whether it sees the operation."]


class DecisionPointOptions(TypedDict, total=False):
    """Decisions made outside, over HTTP."""

    http: Required[Annotated[DecisionPointHttp, "Where it is."]]
    claim_mapping: Required[Annotated[str, "How claims are handed over: mpe or standard.", Always()]]
    context: Annotated[DecisionPointContext, "What it is sent."]


@preserve_unknown_fields
class AuthzFile(TypedDict, total=False):
    """An authorization configuration as processes read it. Everything in it is kept, known or not."""

    version: Required[Annotated[str, "Version of the format; not empty.", Always()]]
    type: Required[Annotated[str, "cedarv1 or httpv1.", Always()]]
    cedar: Annotated[CedarOptions, "For type cedarv1."]
    pdp: Annotated[DecisionPointOptions, "For type httpv1."]
