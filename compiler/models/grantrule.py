"""CEL rules about the grants of the embedded authorization server.

The releases 0.47.0 to 0.49.0 introduced ``inboundGrants``. It is not known which of them first had each rule, so the
rules begin with the last one.
"""

from __future__ import annotations

from typing import Final

from .declare import Cel

_SINCE: Final = "0.49.0"
_DOMAIN: Final = "domain.name == client.trustDomainRef"
_NAMED_ISSUER: Final = (
    "has(self.trustedIssuers)"
    " && self.trustedIssuers.exists(issuer, has(issuer.name) && issuer.name == policy.issuerRef)"
)
_DELEGATES: Final = "has(self.delegateClients) && size(self.delegateClients) > 0"
_EXCHANGE: Final = "self.inboundGrants.tokenExchange"
_SPIFFE: Final = "self.inboundGrants.spiffeClientAuth"
_HAS_SPIFFE: Final = f"has(self.inboundGrants) && has({_SPIFFE}) && size({_SPIFFE}) > 0"


def _each_client(condition: str, message: str) -> Cel:
    """Return the rule that a condition is true for each entry ``client`` of ``spiffeClientAuth``."""
    rule = f"!has(self.inboundGrants) || !has({_SPIFFE}) || {_SPIFFE}.all(client, {condition})"
    return Cel(rule, message, "inboundGrants", since=_SINCE)


def _each_domain_client(condition: str, message: str) -> Cel:
    """Return the rule that a condition is true for each entry ``client`` and its trust domain ``domain``."""
    domains = "self.spiffeTrustDomains"
    exists = f"{domains}.exists(domain, {_DOMAIN}"
    return _each_client(f"!has({domains}) || !{exists}) || {exists} && {condition})", message)


def _each_domain(condition: str, message: str) -> Cel:
    """Return the rule that a condition is true for each entry ``domain`` of ``spiffeTrustDomains``."""
    rule = f"!has(self.spiffeTrustDomains) || self.spiffeTrustDomains.all(domain, {condition})"
    return Cel(rule, message, "spiffeTrustDomains", since=_SINCE)


def _each_policy(grant: str, condition: str, message: str) -> Cel:
    """Return the rule that a condition is true for each entry ``policy`` of a grant's ``issuerPolicies``."""
    block = f"self.inboundGrants.{grant}"
    rule = (
        f"!has(self.inboundGrants) || !has({block}) || !has({block}.issuerPolicies)"
        f" || {block}.issuerPolicies.all(policy, {condition})"
    )
    return Cel(rule, message, "inboundGrants", since=_SINCE)


def _is_once(entries: str, entry: str, field: str) -> str:
    return f"{entries}.filter(other, other.{field} == {entry}.{field}).size() == 1"


GRANT_RULES: Final = (
    Cel(
        "!has(self.delegateClients) || size(self.delegateClients) == 0 || !self.issuer.startsWith('http://')"
        " || (has(self.insecureAllowConfidentialOverLoopbackHTTP) && self.insecureAllowConfidentialOverLoopbackHTTP)",
        "delegateClients need an https issuer, or a loopback issuer with insecureAllowConfidentialOverLoopbackHTTP:"
        " their secrets would travel in plain text",
        "issuer",
        since="0.46.0",
        until=_SINCE,
    ),
    Cel(
        f"(has(self.upstreamProviders) && size(self.upstreamProviders) > 0) || ({_DELEGATES})"
        " || (has(self.trustedIssuers) && self.trustedIssuers.exists(issuer, has(issuer.jwtBearerGrant)))"
        f" || (has(self.inboundGrants) && (has({_EXCHANGE}) || has(self.inboundGrants.jwtBearer)"
        f" || (has({_SPIFFE}) && size({_SPIFFE}) > 0)))",
        "at least one upstream provider or one grant of inboundGrants is needed",
        since=_SINCE,
    ),
    Cel(
        f"((has(self.spiffeTrustDomains) && size(self.spiffeTrustDomains) > 0) == ({_HAS_SPIFFE}))",
        "spiffeTrustDomains and inboundGrants.spiffeClientAuth need each other",
        since=_SINCE,
    ),
    _each_domain(_is_once("self.spiffeTrustDomains", "domain", "name"), "spiffeTrustDomains has each name once"),
    _each_domain(
        _is_once("self.spiffeTrustDomains", "domain", "trustDomain"), "spiffeTrustDomains has each trust domain once"
    ),
    _each_domain(
        f"has(self.inboundGrants) && has({_SPIFFE}) && {_SPIFFE}.exists(client, client.trustDomainRef == domain.name)",
        "an entry of inboundGrants.spiffeClientAuth must refer to each of spiffeTrustDomains",
    ),
    _each_client(
        f"has(self.spiffeTrustDomains) && self.spiffeTrustDomains.exists(domain, {_DOMAIN})",
        "each trustDomainRef of spiffeClientAuth is the name of one of spiffeTrustDomains",
    ),
    _each_domain_client(
        "client.methods.all(method, method in domain.methods)",
        "methods of spiffeClientAuth are methods of the trust domain",
    ),
    _each_domain_client(
        "client.principalPattern.startsWith('spiffe://' + domain.trustDomain + '/')",
        "principalPattern of spiffeClientAuth is in the trust domain that trustDomainRef names",
    ),
    _each_client(_is_once(_SPIFFE, "client", "clientId"), "spiffeClientAuth has each clientId once"),
    _each_client(_is_once(_SPIFFE, "client", "principalPattern"), "spiffeClientAuth has each principalPattern once"),
    _each_client(
        "!client.clientId.startsWith('synthetic:')",
        "a clientId of spiffeClientAuth begins with synthetic:, which the server uses itself",
    ),
    _each_client(
        "!client.clientId.matches('^[A-Za-z][A-Za-z0-9+.-]*://.+')", "a clientId of spiffeClientAuth is a URL"
    ),
    Cel(
        "!(has(self.insecureAllowHTTP) && self.insecureAllowHTTP &&"
        " ((has(self.allowConfidentialClientRegistration) && self.allowConfidentialClientRegistration)"
        f" || ({_DELEGATES}) || (has(self.inboundGrants) && has({_EXCHANGE}) && has({_EXCHANGE}.delegateClients)"
        f" && size({_EXCHANGE}.delegateClients) > 0)))",
        "insecureAllowHTTP does not go with allowConfidentialClientRegistration and delegateClients: secrets would"
        " travel in plain text",
        "insecureAllowHTTP",
        since=_SINCE,
    ),
    Cel(
        "(!has(self.forceConfidentialRedirectUris) || size(self.forceConfidentialRedirectUris) == 0)"
        " || (has(self.allowConfidentialClientRegistration) && self.allowConfidentialClientRegistration)",
        "forceConfidentialRedirectUris needs allowConfidentialClientRegistration",
        "forceConfidentialRedirectUris",
        since="0.43.0",
    ),
    Cel(
        "!self.issuer.startsWith('http://') || (has(self.insecureAllowConfidentialOverLoopbackHTTP)"
        " && self.insecureAllowConfidentialOverLoopbackHTTP) || ((!has(self.allowConfidentialClientRegistration)"
        " || !self.allowConfidentialClientRegistration) && (!has(self.delegateClients)"
        f" || size(self.delegateClients) == 0) && (!has(self.inboundGrants) || !has({_EXCHANGE})"
        f" || !has({_EXCHANGE}.delegateClients) || size({_EXCHANGE}.delegateClients) == 0))",
        "allowConfidentialClientRegistration and delegateClients need an https issuer, or a loopback issuer with"
        " insecureAllowConfidentialOverLoopbackHTTP: secrets would travel in plain text",
        "issuer",
        since=_SINCE,
    ),
    Cel(
        f"!has(self.inboundGrants) || !has({_EXCHANGE}) || ((!has(self.delegateClients)"
        " || size(self.delegateClients) == 0) && (!has(self.trustedIssuers) || !self.trustedIssuers.exists(issuer,"
        " has(issuer.expectedAudience) || has(issuer.actorClaim) || has(issuer.allowedActors)"
        " || has(issuer.actorMatcher) || has(issuer.allowedDelegateClients)"
        " || (has(issuer.allowMayAct) && issuer.allowMayAct))))",
        "inboundGrants.tokenExchange does not go with delegateClients and policies of trustedIssuers: move these into"
        " it",
        "inboundGrants",
        since=_SINCE,
    ),
    Cel(
        "!has(self.inboundGrants) || !has(self.inboundGrants.jwtBearer) || !has(self.trustedIssuers)"
        " || !self.trustedIssuers.exists(issuer, has(issuer.jwtBearerGrant))",
        "inboundGrants.jwtBearer does not go with jwtBearerGrant of trustedIssuers: move this into it",
        "inboundGrants",
        since=_SINCE,
    ),
    Cel(
        "!has(self.trustedIssuers) || self.trustedIssuers.all(issuer, !has(issuer.name)"
        " || self.trustedIssuers.filter(other, has(other.name) && other.name == issuer.name).size() == 1)",
        "trustedIssuers has each name once",
        "trustedIssuers",
        since=_SINCE,
    ),
    *(
        rule
        for grant in ("tokenExchange", "jwtBearer")
        for rule in (
            _each_policy(
                grant, _NAMED_ISSUER, f"each issuerRef of inboundGrants.{grant} is the name of one of trustedIssuers"
            ),
            _each_policy(
                grant,
                _is_once(f"self.inboundGrants.{grant}.issuerPolicies", "policy", "issuerRef"),
                f"inboundGrants.{grant} has one policy for each issuerRef",
            ),
        )
    ),
)
"""The rules in the order in which the API server evaluates them."""
