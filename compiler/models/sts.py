"""Temporary cloud credentials as processes read them."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .dated import Since
from .declare import Always, Go, Int32, Neutral


class RoleMappingRunConfig(TypedDict, total=False):
    """One way to a role: a claim's value, or an expression over all claims."""

    claim: Annotated[str, "Value that the role claim must hold."]
    matcher: Annotated[str, "CEL expression over claims that must be true."]
    role_arn: Required[Annotated[str, "Role that is assumed.", Always()]]
    priority: Annotated[int, "Lower ones are looked at first; those without one last.", Go(pointer=True)]


class AWSStsRunConfig(TypedDict, total=False):
    """Temporary cloud credentials for the incoming token, and requests signed with them."""

    region: Required[Annotated[str, "Region.", Always()]]
    service: Annotated[
        str,
        "Service that requests are signed for; aws-mcp when empty.",
        Always(),
        Neutral("cloud-mcp", value="aws-mcp"),
    ]
    fallback_role_arn: Annotated[str, "Role where no mapping fits."]
    role_mappings: Annotated[list[RoleMappingRunConfig], "From claims to roles; the first that fits counts."]
    role_claim: Annotated[str, "Claim that claim mappings look at; groups when empty."]
    session_duration: Annotated[Int32, "Seconds that credentials last, 900 to 43200; 3600 when 0."]
    session_name_claim: Annotated[str, "Claim that names the session; sub when empty."]
    subject_provider_name: Annotated[
        str, "Upstream provider whose token is used; the incoming one when empty.", Since("0.26.0")
    ]
