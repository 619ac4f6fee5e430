"""The older fields of an embedded authorization server that state grants, which ``inboundGrants`` replaces.

Source: rules 16 and 17 of EmbeddedAuthServerConfig and ``NormalizeInboundGrants`` in the operator, v0.49.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import listed, mapping

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnostics.span import Path

DEPRECATED_SINCE: Final = "0.49.0"
"""The last release that may be the first to deprecate the fields; 0.47.0 is the earliest."""
CLIENTS: Final = "delegateClients"
POLICY: Final = (
    "expectedAudience",
    "actorClaim",
    "allowedActors",
    "actorMatcher",
    "allowedDelegateClients",
    "allowMayAct",
)
"""Fields of a trusted issuer that state which of its tokens may be exchanged."""
ASSERTIONS: Final = "jwtBearerGrant"


class LegacyField(NamedTuple):
    """A field that states a grant in its older place.

    Attributes:
        path: The path of the field in the authorization server.
        grant: The grant of ``inboundGrants`` that it belongs to.
    """

    path: Path
    grant: str


def legacy_fields(server: Mapping[str, Any]) -> Iterator[LegacyField]:
    """Yield the older fields that state grants, in the order of the models. ``allowMayAct: false`` is no grant."""
    if server.get(CLIENTS):
        yield LegacyField((CLIENTS,), "tokenExchange")
    for number, issuer in enumerate(listed(server.get("trustedIssuers"))):
        stated = mapping(issuer)
        if any(stated.get(field) for field in POLICY):
            yield from (
                LegacyField(("trustedIssuers", number, field), "tokenExchange") for field in POLICY if field in stated
            )
        if stated.get(ASSERTIONS):
            yield LegacyField(("trustedIssuers", number, ASSERTIONS), "jwtBearer")
