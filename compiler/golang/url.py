"""URLs, parsed and written like Go's net/url.

Source: Go 1.26 standard library, net/url: Parse and URL.String.
"""

from __future__ import annotations

import re

from ..diagnostics.named_tuple import NamedTuple

# The characters that Go writes without escape in each part of a URL (`shouldEscape` of net/url). A host may contain <,
# > and ", because Go would not parse their escapes in a host.
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
_PATH = _UNRESERVED | frozenset("$&+,/:;=@")
_FRAGMENT = _UNRESERVED | frozenset("$&+,/:;=?@!()*")
_USER = _UNRESERVED | frozenset("$&+,;=")
_SEGMENT = _UNRESERVED | frozenset("$&+:=@")
_HOST = _UNRESERVED | frozenset("!$&'()*+,;=:[]<>\"")
_KEPT = frozenset("!$&'()*+,;=:@[]%")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_USER_TEXT = re.compile(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*\Z")
_PORT = re.compile(r"(?::[0-9]*)?\Z")
_ESCAPE = re.compile(r"%(?:([0-9A-Fa-f]{2})|.{0,2})", re.DOTALL)


class UrlError(ValueError):
    """Go does not accept the text as a URL; the message is the reason, as a clause."""


class Url(NamedTuple):
    """The parts of a URL, decoded as far as Go decodes them.

    Attributes:
        scheme: Scheme in lower case, without colon.
        opaque: Part after the scheme, if it is not a path (``mailto:x``).
        user: ``name`` or ``name:password`` as written; ``None`` if the URL has neither.
        raw_path: Path as written, if Go would write it differently.
        query: Part after the question mark.
        force_query: True if there is a question mark with nothing after it.
        fragment: Decoded part after the hash sign.
        raw_fragment: Fragment as written, if Go would write it differently.
        omit_host: True if the two slashes are missing (``file:/x``).
    """

    scheme: str = ""
    opaque: str = ""
    user: str | None = None
    host: str = ""
    path: str = ""
    raw_path: str = ""
    query: str = ""
    force_query: bool = False
    fragment: str = ""
    raw_fragment: str = ""
    omit_host: bool = False

    @property
    def hostname(self) -> str:
        """The host without port and brackets."""
        host = self.host
        if host.startswith("["):
            end = host.find("]")
            return host[1:end] if end > 0 else host
        colon = host.rfind(":")
        return host[:colon] if colon >= 0 and host[colon + 1 :].isdigit() | (host[colon + 1 :] == "") else host

    @property
    def port(self) -> str:
        """The port without its colon, or an empty string."""
        colon = self.host.rfind(":")
        tail = self.host[colon + 1 :]
        return tail if colon >= 0 and tail.isascii() and tail.isdigit() and not tail.endswith("]") else ""

    @property
    def escaped_path(self) -> str:
        """The path in escaped form: as written if that is a valid spelling of the path, else with Go's escapes."""
        if self.raw_path and _as_written(self.raw_path, self.path, _PATH):
            return self.raw_path
        return "*" if self.path == "*" else escape_path(self.path)

    def __str__(self) -> str:
        out = f"{self.scheme}:" if self.scheme else ""
        if self.opaque:
            out += self.opaque
        else:
            out += self._authority()
            path = self.escaped_path
            if path and not path.startswith("/") and self.host:
                out += "/"
            if not out and ":" in path.partition("/")[0]:
                out = "./"
            out += path
        if self.force_query or self.query:
            out += f"?{self.query}"
        if self.fragment:
            raw = self.raw_fragment
            out += "#" + (
                raw if raw and _as_written(raw, self.fragment, _FRAGMENT) else _escape(self.fragment, _FRAGMENT)
            )
        return out

    def _authority(self) -> str:
        user = self.user is not None
        if not (self.scheme or self.host or user) or (self.omit_host and not self.host and not user):
            return ""
        out = "//" if self.host or self.path or user else ""
        if self.user is not None:
            name, colon, password = self.user.partition(":")
            out += _escape(_unescape(name), _USER) + colon + _escape(_unescape(password), _USER) + "@"
        return out + _escape(self.host, _HOST)


def parse(text: str) -> Url:
    """Return the parts of a URL or a relative reference.

    Raises:
        UrlError: Go refuses the text.
    """
    body, _, fragment = text.partition("#")
    url = _parse_body(body)
    if not fragment:
        return url
    decoded = _unescape(fragment)
    return url._replace(fragment=decoded, raw_fragment="" if _escape(decoded, _FRAGMENT) == fragment else fragment)


def escape_path(text: str) -> str:
    """Return a decoded path with percent escapes. Slashes stay."""
    return _escape(text, _PATH)


def escape_segment(text: str) -> str:
    """Return a decoded path segment with percent escapes, also for slashes."""
    return _escape(text, _SEGMENT)


def _parse_body(text: str) -> Url:
    if _CONTROL.search(text):
        raise UrlError("it holds a control character")
    if text == "*":
        return Url(path="*")
    if text.startswith(":"):
        raise UrlError("it has no scheme before the colon")
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    rest = text[match.end() :] if match else text
    force_query = rest.endswith("?") and rest.count("?") == 1
    rest, _, query = rest.partition("?")
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme=scheme, opaque=rest, query=query, force_query=force_query)
        if ":" in rest.partition("/")[0]:
            raise UrlError("there is a colon in its first segment")
    user: str | None = None
    host = ""
    omit_host = False
    if rest.startswith("//") and (scheme or not rest.startswith("///")):
        authority, slash, tail = rest[2:].partition("/")
        user, host = _parse_authority(scheme, authority)
        rest = slash + tail
    elif scheme and rest.startswith("/"):
        omit_host = True
    path = _unescape(rest)
    raw_path = "" if _escape(path, _PATH) == rest else rest
    return Url(
        scheme=scheme,
        user=user,
        host=host,
        path=path,
        raw_path=raw_path,
        query=query,
        force_query=force_query,
        omit_host=omit_host,
    )


def _parse_authority(scheme: str, text: str) -> tuple[str | None, str]:
    before, at, after = text.rpartition("@")
    host = _parse_host(scheme, after)
    if not at:
        return None, host
    if not _USER_TEXT.match(before):
        raise UrlError("its user name holds a character that needs escaping")
    _unescape(before)
    return before, host


def _parse_host(scheme: str, text: str) -> str:
    bracket = text.rfind("[")
    if bracket > 0:
        raise UrlError("there is a bracket inside its host")
    if bracket == 0:
        return _parse_literal(text)
    colon = text.find(":")
    if colon >= 0:
        if scheme not in {"http", "https"}:
            colon = text.rfind(":")
        if not _PORT.match(text[colon:]):
            raise UrlError(f'"{text[colon + 1 :]}" is not a port')
    return _unescape_host(text)


def _parse_literal(text: str) -> str:
    end = text.rfind("]")
    if end < 0:
        raise UrlError("a bracket of its host is not closed")
    if not _PORT.match(text[end + 1 :]):
        raise UrlError(f'"{text[end + 1 :]}" is not a port')
    from ipaddress import AddressValueError, IPv6Address

    address, percent, zone = text[1:end].partition("%25")
    try:
        # Python would also accept a zone, but in a URL its percent sign is escaped.
        IPv6Address(address.replace("%", "?"))
    except AddressValueError:
        raise UrlError(f'"{address}" is not an IPv6 address') from None
    if percent and not zone:
        raise UrlError("the zone of its address is empty")
    return f"[{address}{'%' if percent else ''}{_unescape_zone(zone)}]{text[end + 1 :]}"


def _unescape_zone(text: str) -> str:
    for match in _ESCAPE.finditer(text):
        if match[1] is not None and match[1] != "25" and chr(int(match[1], 16)) not in _HOST | {" "}:
            raise UrlError(f'"{match[0]}" may not stand in the zone of an address')
    _refuse_unfit(text)
    return _unescape(text)


def _unescape_host(text: str) -> str:
    # In a host, Go only accepts escapes of bytes beyond ASCII, and %25 before the zone of an IPv6 address.
    for match in _ESCAPE.finditer(text):
        if match[1] is not None and int(match[1], 16) < 0x80 and match[1] != "25":
            raise UrlError(f'"{match[0]}" may not stand in a host')
    _refuse_unfit(text)
    return _unescape(text)


def _refuse_unfit(host: str) -> None:
    for character in host:
        if character < "\x80" and character != "%" and character not in _HOST:
            raise UrlError(f'"{character}" may not stand in a host')


def _unescape(text: str) -> str:
    if "%" not in text:
        return text
    out = bytearray()
    start = 0
    for match in _ESCAPE.finditer(text):
        if match[1] is None:
            raise UrlError(f'"{match[0]}" is not an escaped character')
        out += text[start : match.start()].encode("utf-8", "surrogateescape")
        out.append(int(match[1], 16))
        start = match.end()
    out += text[start:].encode("utf-8", "surrogateescape")
    return out.decode("utf-8", "surrogateescape")


def _escape(text: str, allowed: frozenset[str]) -> str:
    if allowed.issuperset(text):
        return text
    return "".join(
        character
        if character in allowed
        else "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogateescape"))
        for character in text
    )


def _as_written(raw: str, decoded: str, allowed: frozenset[str]) -> bool:
    if not all(character in allowed or character in _KEPT for character in raw):
        return False
    try:
        return _unescape(raw) == decoded
    except UrlError:
        return False
