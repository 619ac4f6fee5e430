"""URLs of endpoints: what the product demands of those of providers, of issuers, and of redirects, wherever they stand.

Each function returns what is wrong, as a clause that follows the URL, or ``None``.

Source: toolhive 0.21.0, packages networking, authserver, authserver/upstream and oauth; fosite 0.49; of trusted issuers
toolhive 0.44.0, package authserver.
"""

from __future__ import annotations

from ..golang import url
from .localhost import is_localhost, is_loopback

LONGEST_REDIRECT = 2048
NO_HTTP_URL = "is no absolute http or https URL"
NOT_HTTPS = "is not https, which only localhost need not be"


def endpoint_fault(text: str) -> str | None:
    """Check the URL of an endpoint of a provider: https, unless it is local."""
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if parsed.scheme != "https" and not is_localhost(parsed.host):
        return NOT_HTTPS
    return None


def as_allowed(text: str, *, insecure: bool) -> str:
    """Return the URL to check in place of ``text``: where plain HTTP is allowed, it passes for https."""
    return f"https{text[4:]}" if insecure and text[:7].lower() == "http://" else text


def issuer_fault(text: str) -> str | None:
    """Check the issuer of the embedded authorization server, or the base of its endpoints."""
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if not parsed.scheme or not parsed.host:
        return "is no absolute URL"
    if parsed.query or parsed.fragment:
        return f"has a {'query' if parsed.query else 'fragment'}"
    if parsed.scheme not in {"http", "https"}:
        return "is neither http nor https"
    if parsed.scheme == "http" and not is_localhost(parsed.host):
        return NOT_HTTPS
    return "ends in a slash" if text.endswith("/") else None


def trusted_issuer_fault(text: str, *, insecure: bool) -> str | None:
    """Check another issuer whose tokens are taken: https, even on this machine; a slash at the end may stand."""
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if not parsed.scheme or not parsed.host:
        return "is no absolute URL"
    if parsed.query or parsed.fragment:
        return f"has a {'query' if parsed.query else 'fragment'}"
    return _secured(parsed, insecure=insecure)


def keys_fault(text: str, *, insecure: bool) -> str | None:
    """Check where the keys of another issuer are."""
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    return "names no host" if not parsed.host else _secured(parsed, insecure=insecure)


def _secured(parsed: url.Url, *, insecure: bool) -> str | None:
    if parsed.user is not None:
        return "holds credentials"
    is_allowed = parsed.scheme == "https" or (insecure and parsed.scheme == "http")
    return None if is_allowed else "is not https"


def is_local_http(text: str) -> bool:
    """Return whether a URL that could be read is plain http to this machine."""
    parsed = _parsed(text)
    return not isinstance(parsed, str) and parsed.scheme == "http" and is_localhost(parsed.host)


def audience_fault(text: str) -> str | None:
    """Check an audience that tokens may be issued for (RFC 8707); an empty one is allowed."""
    if not text:
        return None
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if not parsed.scheme or not parsed.host or parsed.scheme not in {"http", "https"}:
        return NO_HTTP_URL
    return "has a fragment" if parsed.fragment else None


def userinfo_fault(text: str) -> str | None:
    """Check the URL of the userinfo endpoint."""
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if not parsed.scheme or not parsed.host or parsed.scheme not in {"http", "https"}:
        return NO_HTTP_URL
    if parsed.scheme == "http" and not is_localhost(parsed.host):
        return NOT_HTTPS
    return None


def redirect_fault(text: str) -> str | None:
    """Check the URL that providers redirect back to (RFC 6749, section 3.1.2; RFC 8252, section 8.4)."""
    if len(text.encode("utf-8", "surrogatepass")) > LONGEST_REDIRECT:
        return f"is longer than {LONGEST_REDIRECT} bytes"
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    if not parsed.scheme:
        return "is no absolute URL"
    if parsed.fragment:
        return "has a fragment"
    if parsed.scheme != "https" and not (parsed.scheme == "http" and is_loopback(parsed.hostname)):
        return "is not https, which only a loopback address need not be"
    return None


def remote_fault(text: str) -> str | None:
    """Check the URL of a remote server."""
    parsed = _parsed(text)
    if isinstance(parsed, str):
        return parsed
    return None if parsed.scheme in {"http", "https"} and parsed.host else NO_HTTP_URL


def is_plain_http(text: str) -> bool:
    """Return whether a URL that could be read is plain http to another machine."""
    parsed = _parsed(text)
    return not isinstance(parsed, str) and parsed.scheme == "http" and not is_localhost(parsed.host)


def is_hostless(text: str) -> bool:
    """Return whether a URL that could be read leads to no host."""
    parsed = _parsed(text)
    return not isinstance(parsed, str) and not parsed.host


def _parsed(text: str) -> url.Url | str:
    try:
        return url.parse(text)
    except url.UrlError as error:
        return f"is no URL: {error}"
