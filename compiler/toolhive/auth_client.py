"""Checks of an embedded authorization server's clients: secrets, scopes, and tokens of other issuers.

Each function checks some fields of the server's run configuration, which may lack keys, and yields flaws whose paths
start at the configuration. The fields are newer than the server; earlier releases ignore them.

Source: toolhive 0.44.0 and 0.45.0, packages authserver and authserver/server/tokenexchange;
additional_authorization_params since v0.22.0, baseline_client_scopes since v0.27.2, cimd since v0.29.0,
delegation_token_lifespan since v0.41.0, trusted_issuers since v0.42.1, confidential clients since v0.43.0,
actor_matcher and jwt_bearer_grant since v0.45.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Flaw
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import mapping
from ..diagnostics.shown import shown
from ..golang.duration import DurationError, parse_duration
from .endpoint import (
    IS_PRIVATE,
    audience_fault,
    is_local_http,
    keys_fault,
    reaches_this_machine,
    redirect_fault,
    trusted_issuer_fault,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path

DEFAULT_SCOPES: Final = ("openid", "profile", "email", "offline_access")
"""The scopes that the server supports if its configuration lists none."""
RESERVED_PARAMETERS: Final = frozenset(
    {"response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method", "nonce"}
)
"""Parameters of authorization requests that the server itself sets."""
RESERVED_CLAIMS: Final = frozenset(
    {"sub", "iss", "aud", "exp", "iat", "nbf", "jti", "name", "email", "scope", "scp", "may_act"}
)
"""Claims that have another meaning, so they cannot name the client that acts for a user."""
ANY: Final = "*"
"""Stands for all clients in ``allowed_delegate_clients``. It is no subject."""
_FORCED: Final = "force_confidential_redirect_uris"
LONGEST_DELEGATION: Final = "24h"
"""The longest lifetime of exchanged tokens that the server accepts."""


def parameter_faults(settings: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each extra authorization parameter of an upstream provider that the server sets itself."""
    for name in mapping(settings.get("additional_authorization_params")):
        if name in RESERVED_PARAMETERS:
            path = ("additional_authorization_params", name)
            message = f"the parameter {shown(name)} of authorization requests is set by the server itself"
            yield Flaw(path, "authorization-parameter", message, "remove it", on_key=True)


def transport_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw if client secrets would travel in plain text.

    They do if plain HTTP is allowed, or if the issuer is an http URL of the same machine. The path of the flaw is
    ``allow_confidential_client_registration`` if that is true, and otherwise ``delegate_clients``.
    """
    field, clients = "allow_confidential_client_registration", "registration"
    if server.get(field) is not True:
        field, clients = "delegate_clients", "delegates"
    if not server.get(field):
        return
    path: Path = (field,)
    issuer = server.get("issuer") or ""
    if server.get("insecure_allow_http") is True:
        message = "clients have a secret, which would travel in plain text, because plain HTTP is allowed"
        yield Flaw(path, f"plain-http-{clients}", message, "use https, and do not allow plain HTTP", on_key=True)
    elif server.get("insecure_allow_confidential_over_loopback_http") or is_placeholder(issuer):
        return
    elif is_local_http(issuer):
        message = f"clients have a secret, which would travel in plain text, because the issuer is {shown(issuer)}"
        yield Flaw(path, f"plain-issuer-{clients}", message, "use an https issuer", on_key=True)


def unregistered_redirect_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw if redirect URIs make clients confidential, but no confidential client may register."""
    if server.get(_FORCED) and not server.get("allow_confidential_client_registration"):
        message = "no client that registers may have a secret, so none can be made to"
        yield Flaw((_FORCED,), "redirect-unregistered", message, "allow it, or remove the list", on_key=True)


def redirect_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each invalid URI in the list of redirect URIs that make a registering client confidential.

    A URI on the client's own machine is invalid, because no client there can keep a secret.
    """
    is_allowed = server.get("allow_confidential_client_registration")
    for number, address in enumerate((is_allowed and server.get(_FORCED)) or ()):
        if is_placeholder(address):
            continue
        reason = redirect_fault(address)
        if reason is None and reaches_this_machine(address):
            reason = "is the client's own machine, where nothing keeps a secret"
        if reason is not None:
            message = f"the redirect address {shown(address)} {reason}"
            yield Flaw((_FORCED, number), "forced-redirect", message, "write an https address, or remove it")


def repeated_delegate_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each delegate client whose id an earlier delegate client has."""
    seen: set[str] = set()
    for at, name, _ in _delegates(server):
        if name in seen and not is_placeholder(name):
            message = f"there are two delegate clients {shown(name)}"
            yield Flaw((*at, "client_id"), "delegate-repeated", message, "give each an id of its own")
        seen.add(name)


def incomplete_delegate_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each missing setting of a delegate client: id, secret, scopes or audiences."""
    words = {"client_id": "id", "scopes": "scopes", "audiences": "audiences"}
    for at, _, client in _delegates(server):
        missing = [word for key, word in words.items() if not client.get(key)]
        if not client.get("client_secret_env_var") and not client.get("client_secret_file"):
            missing.append("secret")
        for word in missing:
            yield Flaw(at, "delegate-incomplete", f"a delegate client has no {word}")


def delegate_scope_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each scope of a delegate client that the server does not support."""
    for at, name, client in _delegates(server):
        who = f"client {shown(name)} may request"
        yield from _unlisted(client.get("scopes") or (), _scopes(server), (*at, "scopes"), "delegate-scope", who)


def delegate_audience_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each audience of a delegate client that is not in ``allowed_audiences`` of the server."""
    audiences = server.get("allowed_audiences") or ()
    for at, name, client in _delegates(server):
        for i, audience in enumerate(client.get("audiences") or ()):
            if audience not in audiences and _is_known(audience, *audiences):
                allowed = ", ".join(map(shown, audiences))
                request = f"client {shown(name)} may request tokens for {shown(audience)}"
                message = f"{request}, but the server issues them for {allowed or 'nothing'}"
                hint = f"write {allowed}" if allowed else None
                yield Flaw((*at, "audiences", i), "delegate-audience", message, hint)


def _delegates(server: Mapping[str, Any]) -> Iterator[tuple[Path, str, Mapping[str, Any]]]:
    for number, client in enumerate(server.get("delegate_clients") or ()):
        yield ("delegate_clients", number), client.get("client_id") or "", client


def scope_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each baseline scope that the server does not support. Every client gets the baseline scopes."""
    field = "baseline_client_scopes"
    yield from _unlisted(server.get(field) or (), _scopes(server), (field,), "baseline-scope", "every client is to get")


def document_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for a negative size or an invalid lifetime of the cache of client metadata documents (CIMD)."""
    cimd = server.get("cimd") or {}
    if not cimd.get("enabled"):
        return
    size, life = cimd.get("cache_max_size") or 0, cimd.get("cache_fallback_ttl") or ""
    if isinstance(size, int) and size < 0:
        yield Flaw(("cimd", "cache_max_size"), "client-document", f"{size} is negative")
    if life and not is_placeholder(life) and (reason := _duration_fault(life, is_needed=True)):
        yield Flaw(("cimd", "cache_fallback_ttl"), "client-document", reason, "write a time such as 5m")


def delegation_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw if the lifetime of exchanged tokens is not a duration from 0 to 24 hours."""
    life = server.get("delegation_token_lifespan") or ""
    if life and (reason := _duration_fault(life)):
        yield Flaw(("delegation_token_lifespan",), "delegation-lifespan", reason)


def repeated_issuer_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each trusted issuer with the URL of the server's own issuer or of an earlier trusted issuer."""
    seen: set[str] = {server.get("issuer") or ""}
    for number, issuer in enumerate(server.get("trusted_issuers") or ()):
        address = issuer.get("issuer_url") or ""
        if address in seen and not is_placeholder(address):
            is_own = address == server.get("issuer")
            what = "the server's own issuer, whose tokens it accepts anyway" if is_own else "listed twice"
            path = ("trusted_issuers", number, "issuer_url")
            yield Flaw(path, "trusted-issuer-repeated", f"{shown(address)} is {what}", "remove it")
        seen.add(address)


def unbounded_issuer_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield flaws of trusted issuers that lack a required limit: an expected audience, or the allowed delegate clients.

    An issuer that allows private addresses without a ``jwks_url`` is a flaw too.
    """
    for number, issuer in enumerate(server.get("trusted_issuers") or ()):
        at: Path = ("trusted_issuers", number)
        if _exchanges_tokens(issuer):
            yield from _delegation_faults(issuer, at)
        if issuer.get("allow_private_ips") and not issuer.get("jwks_url"):
            message = "a private address is allowed, but there is no address of its keys"
            yield Flaw((*at, "allow_private_ips"), "trusted-issuer-unbounded", message)


def _exchanges_tokens(issuer: Mapping[str, Any]) -> bool:
    """Return whether clients may exchange tokens of a trusted issuer.

    If the issuer only has a JWT bearer grant, the server accepts its assertions but exchanges no tokens.
    """
    fields = ("expected_audience", "actor_claim", "actor_matcher", "allow_may_act", "allowed_actors")
    return not issuer.get("jwt_bearer_grant") or any(issuer.get(field) for field in fields)


def _delegation_faults(issuer: Mapping[str, Any], at: Path) -> Iterator[Flaw]:
    if not issuer.get("expected_audience"):
        yield Flaw(at, "trusted-issuer-unbounded", "a trusted issuer has no audience")
    claim, clients = issuer.get("actor_claim") or "", issuer.get("allowed_delegate_clients") or ()
    if claim in RESERVED_CLAIMS:
        message = f"{shown(claim)} names no client"
        yield Flaw((*at, "actor_claim"), "trusted-issuer-unbounded", message, "use azp or client_id")
    if not clients or "" in clients:
        yield Flaw(at, "trusted-issuer-unbounded", "a trusted issuer has no delegate clients, or one without id")
    elif ANY in clients and (len(clients) > 1 or issuer.get("allow_may_act")):
        message = '"*" stands for all clients: it excludes other clients and a may_act claim that decides'
        yield Flaw((*at, "allowed_delegate_clients"), "trusted-issuer-unbounded", message)


def actor_matchers(server: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of each trusted issuer's ``actor_matcher``, a CEL expression. Skip placeholders."""
    for number, issuer in enumerate(server.get("trusted_issuers") or ()):
        matcher = issuer.get("actor_matcher") or ""
        if matcher and not is_placeholder(matcher):
            yield ("trusted_issuers", number, "actor_matcher"), matcher


def unbounded_grant_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield flaws in the limits of JWT bearer grants: the age of assertions, the subjects and their resources."""
    for at, grant in _grants(server):
        age = grant.get("max_assertion_age") or ""
        if not is_placeholder(age) and (reason := _duration_fault(age, is_needed=True)):
            yield Flaw((*at, "max_assertion_age"), "trusted-issuer-unbounded", reason, "write a time such as 5m")
        bindings = grant.get("subject_bindings") or ()
        if not bindings:
            yield Flaw(at, "trusted-issuer-unbounded", "a grant for assertions has no subjects")
        seen: set[str] = set()
        for number, binding in enumerate(bindings):
            path, subject = (*at, "subject_bindings", number), binding.get("subject") or ""
            if subject in {"", ANY} or (subject in seen and not is_placeholder(subject)):
                message = f"{shown(subject)} is listed twice" if subject in seen else f"{shown(subject)} is no subject"
                yield Flaw((*path, "subject"), "trusted-issuer-unbounded", message)
            seen.add(subject)
            if not binding.get("allowed_resources"):
                yield Flaw(path, "trusted-issuer-unbounded", f"the subject {shown(subject)} has no resources")


def grant_address_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each allowed resource or accepted audience of a JWT bearer grant that is not a valid URL."""
    for path, _, address in _grant_addresses(server):
        reason = audience_fault(address) if address else "is no address"
        if reason is not None and not is_placeholder(address):
            yield Flaw(path, "assertion-address", f"{shown(address)} {reason}", "write an https address")


def grant_audience_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each accepted audience of a JWT bearer grant for which the server also issues access tokens.

    Such an access token would pass for an assertion.
    """
    resources = server.get("allowed_audiences") or ()
    for path, subject, address in _grant_addresses(server):
        if subject is None and address in resources and _is_known(address, *resources):
            message = f"{shown(address)} is a resource, whose access tokens would pass for assertions"
            yield Flaw(path, "assertion-audience", message, "write the address of the authorization server")


def grant_resource_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each resource that a JWT bearer grant allows although the server issues no tokens for it."""
    resources = server.get("allowed_audiences") or ()
    for path, subject, address in _grant_addresses(server):
        if subject is not None and address not in resources and _is_known(address, *resources):
            allowed = ", ".join(map(shown, resources))
            message = f"{shown(subject)} may ask for {shown(address)}, but the server issues tokens for {allowed}"
            yield Flaw(path, "assertion-resource", message, f"write {allowed}" if allowed else None)


def _grants(server: Mapping[str, Any]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    for number, issuer in enumerate(server.get("trusted_issuers") or ()):
        if issuer.get("jwt_bearer_grant"):
            yield ("trusted_issuers", number, "jwt_bearer_grant"), issuer["jwt_bearer_grant"]


def _grant_addresses(server: Mapping[str, Any]) -> Iterator[tuple[Path, str | None, str]]:
    """Yield the path, the subject and the URL of each allowed resource and accepted audience of all JWT bearer grants.

    The subject is the one that may request the resource. It is ``None`` for an accepted audience.
    """
    for at, grant in _grants(server):
        for number, binding in enumerate(grant.get("subject_bindings") or ()):
            for i, resource in enumerate(binding.get("allowed_resources") or ()):
                path = (*at, "subject_bindings", number, "allowed_resources", i)
                yield path, binding.get("subject") or "", resource
        for i, audience in enumerate(grant.get("accepted_audiences") or ()):
            yield (*at, "accepted_audiences", i), None, audience


def issuer_url_faults(server: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield a flaw for each URL or ``jwks_url`` of a trusted issuer that the server refuses, such as plain HTTP."""
    for number, issuer in enumerate(server.get("trusted_issuers") or ()):
        insecure, private = bool(issuer.get("insecure_allow_http")), bool(issuer.get("allow_private_ips"))
        address, keys = issuer.get("issuer_url") or "", issuer.get("jwks_url") or ""
        keys_reason = keys_fault(keys, insecure=insecure, private=private) if keys else None
        for field, what, text, reason in (
            ("issuer_url", "the trusted issuer", address, trusted_issuer_fault(address, insecure=insecure)),
            ("jwks_url", "the address of the keys", keys, keys_reason),
        ):
            if reason is not None and not is_placeholder(text):
                path, message = ("trusted_issuers", number, field), f"{what} {shown(text)} {reason}"
                if reason == IS_PRIVATE:
                    yield Flaw(path, "trusted-issuer-private", message, "set allow_private_ips")
                else:
                    yield Flaw(path, "trusted-issuer-url", message, "write an https address: https://HOST/…")


def _scopes(server: Mapping[str, Any]) -> Sequence[str]:
    return server.get("scopes_supported") or DEFAULT_SCOPES


def _unlisted(scopes: Sequence[str], supported: Sequence[str], at: Path, code: str, who: str) -> Iterator[Flaw]:
    for number, scope in enumerate(scopes):
        if scope not in supported and _is_known(scope, *supported):
            message = f"{who} scope {shown(scope)}, but the server has {', '.join(map(shown, supported))}"
            yield Flaw((*at, number), code, message, "remove it, or add it to the scopes that the server has")


def _is_known(*texts: str) -> bool:
    return not any(is_placeholder(text) for text in texts)


def _duration_fault(text: str, *, is_needed: bool = False) -> str | None:
    try:
        life = parse_duration(text)
    except DurationError as error:
        return str(error)
    if is_needed and life <= 0:
        return f"{shown(text)} is not positive"
    if not is_needed and not 0 <= life <= parse_duration(LONGEST_DELEGATION):
        return f"{shown(text)} is not between 0 and {LONGEST_DELEGATION}"
    return None
