"""Temporary cloud credentials as processes read them."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .dated import Since
from .declare import Always, Go, Int32, Neutral


class RoleMappingRunConfig(TypedDict, total=False):
    """A rule that selects a role, by a claim's value or an expression over all claims."""

    claim: Annotated[str, "Value that the role claim must contain."]
    matcher: Annotated[str, "CEL expression over claims that must be true."]
    role_arn: Required[Annotated[str, "ARN of the role to assume.", Always()]]
    priority: Annotated[
        int, "Mappings with lower numbers are tried first, mappings without a priority last.", Go(pointer=True)
    ]


class AWSStsRunConfig(TypedDict, total=False):
    """Exchange of the incoming token for temporary cloud credentials, which sign requests."""

    region: Required[Annotated[str, "Region.", Always()]]
    service: Annotated[
        str,
        "Service that requests are signed for; aws-mcp when empty.",
        Always(),
        Neutral("cloud-mcp", value="aws-mcp"),
    ]
    fallback_role_arn: Annotated[str, "ARN of the role if no mapping matches."]
    role_mappings: Annotated[list[RoleMappingRunConfig], "Mappings from claims to roles; the first match is used."]
    role_claim: Annotated[str, "Claim whose value mappings compare; groups when empty."]
    session_duration: Annotated[Int32, "Lifetime of the credentials in seconds, 900 to 43200; 3600 when 0."]
    session_name_claim: Annotated[str, "Claim that names the session; sub when empty."]
    subject_provider_name: Annotated[
        str, "Upstream provider whose token is exchanged; the incoming token when empty.", Since("0.26.0")
    ]
