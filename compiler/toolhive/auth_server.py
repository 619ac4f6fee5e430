"""Checks of an embedded authorization server's URLs and token lifetimes, wherever they are configured.

Each function checks some fields of the server's run configuration and skips missing keys.

Source: toolhive 0.21.0 and 0.44.0, packages authserver and authserver/upstream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import mapping
from ..golang.duration import DurationError, parse_duration
from .endpoint import as_allowed, endpoint_fault, issuer_fault, redirect_fault, upstream_fault, userinfo_fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path

Token: TypeAlias = Literal["access", "refresh", "code"]

BOUNDS: Final[dict[Token, tuple[str, str]]] = {
    "access": ("1m", "24h"),
    "refresh": ("1h", "720h"),
    "code": ("30s", "10m"),
}
"""Minimum and maximum lifetime by type of token."""


def lifespan_fault(token: Token, text: str) -> str | None:
    """Return why a token's lifetime is refused, as a clause that quotes it. Zero selects the default."""
    try:
        lifespan = parse_duration(text)
    except DurationError as error:
        return str(error)
    shortest, longest = BOUNDS[token]
    if lifespan and not parse_duration(shortest) <= lifespan <= parse_duration(longest):
        return f'"{text}" is not between {shortest} and {longest}'
    return None


DEFAULT_UPSTREAM: Final = "default"
"""The name that an upstream provider without a name gets. If there are several providers, none may have this name."""
ENDPOINTS: Final = {"oidc": ("issuer_url",), "oauth2": ("authorization_endpoint", "token_endpoint")}
"""Keys of the required URLs in the block of an upstream provider, by type of provider."""
OPENID: Final = "openid"
"""The scope with which a provider issues the ID tokens that identify users."""
TOKENS: Final[dict[str, Token]] = {
    "access_token_lifespan": "access",
    "refresh_token_lifespan": "refresh",
    "auth_code_lifespan": "code",
}


class Refused(NamedTuple):
    """A value that the server refuses.

    Attributes:
        path: Path of the value from the root of the checked block.
        reason: Reason, as a clause that follows the value.
    """

    path: Path
    text: str
    reason: str


def refused_issuers(server: Mapping[str, Any], release: str) -> Iterator[Refused]:
    """Yield the issuer and the base URL of the server's endpoints if the server of ``release`` refuses them."""
    insecure = server.get("insecure_allow_http") is True
    for key in ("issuer", "authorization_endpoint_base_url"):
        if text := server.get(key):
            yield from _refused((key,), text, issuer_fault(as_allowed(text, insecure=insecure), release=release))


def refused_lifespans(lifespans: Mapping[str, Any]) -> Iterator[Refused]:
    """Yield the token lifetimes that the server refuses: of access tokens, refresh tokens and authorization codes."""
    for key, token in TOKENS.items():
        if text := lifespans.get(key):
            yield from _refused((key,), text, lifespan_fault(token, text))


def refused_addresses(settings: Mapping[str, Any], kind: str, *, insecure: bool) -> Iterator[Refused]:
    """Yield the URLs in the block of an upstream provider that the server refuses.

    Args:
        kind: Type of the provider: ``oidc`` or ``oauth2``.
        insecure: True if the server or the block allows plain HTTP.
    """
    for key in ENDPOINTS[kind]:
        if text := settings.get(key):
            yield from _refused((key,), text, _endpoint_fault(key, text, insecure=insecure))
    if kind == "oauth2" and (users := mapping(settings.get("userinfo")).get("endpoint_url")):
        yield from _refused(("userinfo", "endpoint_url"), users, userinfo_fault(users))
    if redirect := settings.get("redirect_uri"):
        yield from _refused(("redirect_uri",), redirect, redirect_fault(redirect, insecure=insecure))


def lacks_openid(scopes: Sequence[str]) -> bool:
    """Return whether an OIDC provider is refused for its scopes. An empty list stands for scopes with ``openid``."""
    return bool(scopes) and OPENID not in scopes and not any(map(is_placeholder, scopes))


def _endpoint_fault(key: str, text: str, *, insecure: bool) -> str | None:
    url = as_allowed(text, insecure=insecure)
    if key == "issuer_url":  # the process contacts it at start, which only works over http or https
        return endpoint_fault(url)
    return upstream_fault(url, insecure=insecure, is_read=key == "token_endpoint")


def _refused(path: Path, text: str, reason: str | None) -> Iterator[Refused]:
    if reason is not None:
        yield Refused(path, text, reason)
