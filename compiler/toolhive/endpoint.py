"""Checks of URLs of providers, issuers and redirects, for every field that configures them.

Source: toolhive 0.21.0 and 0.44.0, packages networking, authserver, authserver/upstream and oauth; fosite 0.49.
"""

from __future__ import annotations

from typing import Final

from ..golang import url
from .release import NEWEST_MODELLED, holds

LONGEST_REDIRECT = 2048
"""Maximum bytes of a redirect URI. The product refuses longer ones (``MaxRedirectURILength``)."""
NO_HTTP_URL = "is not an absolute http or https URL"
HAS_USER = "has a user before its host"
IS_PRIVATE = "is at a private address"
NO_USER_SINCE = "0.42.1"
"""The first release that refuses a user name in the URL of an issuer."""
NOT_HTTPS = "is not https, which is required except for localhost"


def endpoint_fault(text: str) -> str | None:
    """Return why the URL of a provider's endpoint is refused, as a clause that follows the URL, or ``None``.

    It must be https unless the host is this machine.
    """
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if parsed.scheme != "https" and not is_localhost(parsed.host):
        return NOT_HTTPS
    return None


def as_allowed(text: str, *, insecure: bool) -> str:
    """Return the URL; if ``insecure`` is true, an ``http`` URL gets the scheme ``https``, so later checks accept it."""
    return f"https{text[4:]}" if insecure and text[:7].lower() == "http://" else text


def issuer_fault(text: str, *, release: str = NEWEST_MODELLED) -> str | None:
    """Return why an issuer or base URL is refused, as a clause that follows the URL, or ``None``.

    ``text`` is the issuer of the embedded authorization server, or the base URL of its endpoints. Later releases refuse
    a user name in the URL, so the result depends on ``release``.
    """
    takes_user = holds(None, NO_USER_SINCE, release)
    reason, parsed = _issuer(text, takes_user=takes_user)
    if reason is None and parsed.scheme == "http" and not is_localhost(parsed.host):
        reason = NOT_HTTPS
    return reason or ("ends with a slash" if text.endswith("/") else None)


def trusted_issuer_fault(text: str, *, insecure: bool) -> str | None:
    """Return why the URL of a trusted issuer is refused, as a clause that follows the URL, or ``None``.

    The authorization server accepts tokens of a trusted issuer. The URL must be https unless ``insecure`` is true.
    """
    reason, parsed = _issuer(text, takes_user=False)
    return reason or ("is not https" if parsed.scheme == "http" and not insecure else None)


def _issuer(text: str, *, takes_user: bool) -> tuple[str | None, url.Url]:
    """Return why the URL of an issuer is refused, or ``None``, and the parsed URL.

    Both http and https are accepted. A user name in the URL is refused unless ``takes_user`` is true.
    """
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed, url.Url()
    reason = None
    if not parsed.scheme or not parsed.host:
        reason = "is not an absolute URL"
    elif parsed.query or parsed.fragment:
        reason = f"has a {'query' if parsed.query else 'fragment'}"
    elif parsed.user is not None and not takes_user:
        reason = HAS_USER
    elif parsed.scheme not in {"http", "https"}:
        reason = "is neither http nor https"
    return reason, parsed


def keys_fault(text: str, *, insecure: bool, private: bool) -> str | None:
    """Return why the URL of a trusted issuer's keys is refused, as a clause that follows the URL, or ``None``.

    Plain HTTP is refused unless ``insecure`` is true, and a private address unless ``private`` is true.
    """
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if not parsed.host:
        return "names no host"
    if parsed.user is not None:
        return HAS_USER
    if parsed.scheme != "https" and (parsed.scheme != "http" or not insecure):
        return "is not https"
    return IS_PRIVATE if not private and is_private(parsed.hostname) else None


def audience_fault(text: str) -> str | None:
    """Return why a token audience (RFC 8707) is refused, as a clause after the URL. It may be empty."""
    if not text:
        return None
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if not parsed.scheme or not parsed.host or parsed.scheme not in {"http", "https"}:
        return NO_HTTP_URL
    return "has a fragment" if parsed.fragment else None


def userinfo_fault(text: str) -> str | None:
    """Return why the URL of a userinfo endpoint is refused, as a clause that follows the URL, or ``None``.

    It must be https unless the host is this machine.
    """
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if not parsed.scheme or not parsed.host or parsed.scheme not in {"http", "https"}:
        return NO_HTTP_URL
    if parsed.scheme == "http" and not is_localhost(parsed.host):
        return NOT_HTTPS
    return None


def redirect_fault(text: str, *, insecure: bool = False) -> str | None:
    """Return why a redirect URI is refused, as a clause that follows the URI, or ``None``.

    It must be https, except for a loopback address. If ``insecure`` is true, http is accepted for every host.

    Source: RFC 6749, section 3.1.2; RFC 8252, section 8.4.
    """
    if len(text.encode("utf-8", "surrogatepass")) > LONGEST_REDIRECT:
        return f"is longer than {LONGEST_REDIRECT} bytes"
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if not parsed.scheme:
        return "is not an absolute URL"
    if parsed.fragment:
        return "has a fragment"
    if insecure:
        return None if parsed.scheme in {"http", "https"} else "is neither http nor https"
    if parsed.scheme != "https" and not (parsed.scheme == "http" and is_loopback(parsed.hostname)):
        return "is not https, which is required except for a loopback address"
    return None


def remote_fault(text: str) -> str | None:
    """Return why the URL of a remote MCP server is refused, as a clause. It needs http or https, and a host."""
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    return None if parsed.scheme in {"http", "https"} and parsed.host else NO_HTTP_URL


def upstream_fault(text: str, *, insecure: bool, is_read: bool) -> str | None:
    """Return why the URL of an upstream provider's endpoint is refused, as a clause that follows the URL, or ``None``.

    Args:
        insecure: True if plain HTTP is allowed. The process then does not check the URL.
        is_read: True if the process parses or contacts the URL at start, so it must be valid even if ``insecure``.
    """
    if not insecure:
        return endpoint_fault(text)
    parsed = _parsed(text) if is_read else ""
    return parsed if isinstance(parsed, str) and parsed else None


def registration_fault(text: str) -> str | None:
    """Return why a URL for client registration (RFC 7591) is refused, as a clause that follows the URL, or ``None``.

    The URL names the registration endpoint of a provider, or the document that describes the provider. It must be https
    unless the host is this machine.
    """
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if not parsed.scheme or not parsed.host:
        return "is not an absolute URL"
    return NOT_HTTPS if parsed.scheme != "https" and not is_local_http(text) else None


def is_local_http(text: str) -> bool:
    """Return whether a URL is valid, uses plain HTTP, and has this machine as host."""
    parsed = _parsed(text)
    return not isinstance(parsed, str) and parsed.scheme == "http" and is_localhost(parsed.host)


def reaches_this_machine(text: str) -> bool:
    """Return whether a URL is valid and its host is a name or a loopback address of this machine."""
    parsed = _parsed(text)
    return not isinstance(parsed, str) and (is_localhost(parsed.host) or parsed.hostname == "::1")


def is_plain_http(text: str) -> bool:
    """Return whether a URL is valid, uses plain HTTP, and has a host other than this machine."""
    parsed = _parsed(text)
    return not isinstance(parsed, str) and parsed.scheme == "http" and not is_localhost(parsed.host)


def is_hostless(text: str) -> bool:
    """Return whether a URL is valid and has no host."""
    parsed = _parsed(text)
    return not isinstance(parsed, str) and not parsed.host


def _parsed(text: str) -> url.Url | str:
    try:
        return url.parse(text)
    except url.UrlError as error:
        return f"is not a URL: {error}"


_LOCAL: Final = ("localhost", "127.0.0.1", "[::1]")


def is_localhost(host: str) -> bool:
    """Return whether a host, with or without port, is ``localhost``, ``127.0.0.1`` or ``[::1]``."""
    return host in _LOCAL or host.startswith(tuple(f"{name}:" for name in _LOCAL))


def is_loopback(hostname: str) -> bool:
    """Return whether a host name without port is ``localhost``, a name below it, or a loopback address."""
    if hostname == "localhost" or hostname.endswith(".localhost"):
        return True
    from ipaddress import ip_address

    try:
        return ip_address(hostname).is_loopback
    except ValueError:
        return False


_PRIVATE: Final = (
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.2.0/24"),
    *("192.168.0.0/16", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    *("::/128", "::1/128", "64:ff9b:1::/48", "2001::/32", "fc00::/7", "fe80::/10", "ff00::/8"),
)
_NAT64: Final = ("64:ff9b::/96", "64:ff9b:1::/96")


def is_private(hostname: str) -> bool:
    """Return whether a host name without port is an IP address that ToolHive counts as private.

    A DNS name is never private. For an IPv6 address that embeds an IPv4 address, the IPv4 address decides.
    """
    from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

    try:
        address = ip_address(hostname)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if any(address in ip_network(network) for network in _NAT64):
            inner = IPv4Address(address.packed[-4:])
        if inner is not None:
            return is_private(str(inner))
    return any(address in ip_network(network) for network in _PRIVATE)
