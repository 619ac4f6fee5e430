"""Read certificates and private keys as the Go package crypto/x509 does.

A text is only refused if Go refuses it: the contents of extensions, points on curves and the primes of keys are not
checked. No message contains a part of a text.

Source: crypto/x509/parser.go, pkcs1.go, pkcs8.go and sec1.go of Go 1.26.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from ..diagnostics.named_tuple import NamedTuple
from . import der
from .der import DerError, Reader

if TYPE_CHECKING:
    from collections.abc import Callable

RSA: Final = "RSA"
EC: Final = "EC"
ED25519: Final = "Ed25519"
OTHER: Final = "other"
_ALGORITHMS: Final = {
    "1.2.840.113549.1.1.1": RSA,
    "1.2.840.10045.2.1": EC,
    "1.3.101.112": ED25519,
    "1.3.101.110": "X25519",
}
CURVES: Final = {
    "1.3.132.0.33": ("P-224", 28),
    "1.2.840.10045.3.1.7": ("P-256", 32),
    "1.3.132.0.34": ("P-384", 48),
    "1.3.132.0.35": ("P-521", 66),
}
"""Name, and bytes of a number, of each curve that Go knows."""
_NULL: Final = b"\x05\x00"
_TIMES: Final = {
    0x17: rb"(\d{10})(\d\d)?(?:Z|([+-])(\d\d)(\d\d))",
    0x18: rb"(\d{12})(\d\d)(?:Z|([+-])(\d\d)(\d\d))",
}
"""The forms of a time, by their tags: UTCTime and GeneralizedTime."""
_CENTURY: Final = 50
"""A year of two digits below 50 is in the 21st century."""
_EXPLICIT: Final = 0xA0
_UNCOMPRESSED: Final = 4
_SEED: Final = 32


class PublicKey(NamedTuple):
    """The public half of a key.

    Attributes:
        algorithm: ``RSA``, ``EC``, ``Ed25519`` or another name.
        curve: The name of the curve; empty unless the algorithm is ``EC``.
        value: The numbers or bytes that identify the key, or ``None`` if they are unknown.
    """

    algorithm: str
    curve: str = ""
    value: object = None

    @property
    def bits(self) -> int | None:
        """The size of an RSA key."""
        return self.value[0].bit_length() if self.algorithm == RSA and isinstance(self.value, tuple) else None


class Certificate(NamedTuple):
    """A certificate.

    Attributes:
        not_after: The time of its expiry, or ``None`` if Python cannot express the time.
        key: The public key that it certifies.
    """

    not_after: datetime | None
    key: PublicKey


def certificate(content: bytes) -> Certificate | None:
    """Return the certificate in a DER text, or ``None`` if Go refuses it."""
    try:
        outer = Reader(content)
        sequence = outer.inner()
        if not outer.is_empty:
            return None
        return _certificate(sequence)
    except DerError:
        return None


def private_key(content: bytes) -> PublicKey | None:
    """Return the public half of the private key in a DER text, or ``None`` if Go reads no private key there."""
    forms: tuple[Callable[[Reader], PublicKey], ...] = (_rsa_key, _ec_key, _wrapped_key)
    for form in forms:
        try:
            return form(Reader(content).inner())
        except DerError:
            continue
    return None


def _certificate(outer: Reader) -> Certificate:
    body = outer.inner()
    version = 0
    if (explicit := body.optional(_EXPLICIT)) is not None:
        version = Reader(explicit).integer()
    if not 0 <= version <= 2 or body.integer() < 0:
        raise DerError
    signed_by = body.read(der.SEQUENCE)
    if outer.read(der.SEQUENCE) != signed_by:
        raise DerError
    _algorithm(Reader(signed_by))
    _check_name(body.inner())
    validity = body.inner()
    _time(validity)
    not_after = _time(validity)
    _check_name(body.inner())
    key = _public_key(body.inner())
    if version > 0:
        body.optional(0x81)
        body.optional(0x82)
    if version == 2 and (extensions := body.optional(0xA3)) is not None:
        _check_extensions(Reader(extensions).inner())
    outer.bit_string()
    return Certificate(not_after, key)


def _algorithm(reader: Reader) -> tuple[str, bytes]:
    name = reader.object_id()
    return name, b"" if reader.is_empty else reader.element()[2]


def _check_name(name: Reader) -> None:
    while not name.is_empty:
        part = name.inner(der.SET)
        while not part.is_empty:
            attribute = part.inner()
            attribute.object_id()
            tag, text, _ = attribute.element()
            if tag not in _STRINGS or not _STRINGS[tag](text):
                raise DerError


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


_PRINTABLE: Final = rb"[A-Za-z0-9 '()+,./:=?*&-]*"
_DIGITS: Final = rb"[0-9 ]*"
_STRINGS: Final[dict[int, Callable[[bytes], bool]]] = {
    0x0C: _is_utf8,
    0x12: lambda text: re.fullmatch(_DIGITS, text) is not None,
    0x13: lambda text: re.fullmatch(_PRINTABLE, text) is not None,
    0x14: lambda _: True,
    0x16: bytes.isascii,
    0x1E: lambda text: len(text) % 2 == 0,
}
"""Whether Go accepts a text, by the tag of its type: UTF8String, NumericString, PrintableString, T61String, …"""


def _time(reader: Reader) -> datetime | None:
    tag, content, _ = reader.element()
    if tag not in _TIMES or (match := re.fullmatch(_TIMES[tag], content)) is None:
        raise DerError
    digits, seconds = match[1].decode(), (match[2] or b"00").decode()
    if len(digits) == 10:
        digits = f"{20 if int(digits[:2]) < _CENTURY else 19}{digits}"
    if digits.startswith("0000"):
        return None
    try:
        time = datetime.strptime(digits + seconds, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        if match[3] is not None:
            shift = timedelta(hours=int(match[4]), minutes=int(match[5]))
            time += shift if match[3] == b"-" else -shift
    except ValueError:
        raise DerError from None
    except OverflowError:
        return None
    return time


def _public_key(reader: Reader) -> PublicKey:
    identifier, parameters = _algorithm(reader.inner())
    content = reader.bit_string()
    algorithm = _ALGORITHMS.get(identifier, OTHER)
    if algorithm == RSA:
        numbers = Reader(content).inner()
        value = (numbers.integer(), numbers.integer())
        if parameters != _NULL or min(value) <= 0:
            raise DerError
        return PublicKey(RSA, "", value)
    if algorithm == EC:
        name, size = _curve(Reader(parameters).object_id())
        if len(content) != 1 + 2 * size or content[0] != _UNCOMPRESSED:
            raise DerError
        return PublicKey(EC, name, content)
    if algorithm != OTHER and (parameters or len(content) != _SEED):
        raise DerError
    return PublicKey(algorithm, "", content)


def _curve(identifier: str) -> tuple[str, int]:
    if identifier not in CURVES:
        raise DerError
    return CURVES[identifier]


def _check_extensions(extensions: Reader) -> None:
    seen = set()
    while not extensions.is_empty:
        extension = extensions.inner()
        name = extension.object_id()
        if extension.optional(0x01) not in (None, b"\x00", b"\xff") or name in seen:
            raise DerError
        extension.read(der.OCTET_STRING)
        seen.add(name)


def _rsa_key(reader: Reader) -> PublicKey:
    """Read the form PKCS #1. A key of more than two primes has the version 1."""
    version, modulus, exponent, private, *primes = (reader.integer() for _ in range(6))
    if version > 1 or min(modulus, private, *primes) <= 0 or (version == 0 and modulus != primes[0] * primes[1]):
        raise DerError
    return PublicKey(RSA, "", (modulus, exponent))


def _ec_key(reader: Reader, curve: str | None = None) -> PublicKey:
    """Read the form SEC 1.

    Args:
        reader: The content of the outer sequence.
        curve: The curve that the wrapping form states. It is preferred to the curve in the key.
    """
    if reader.integer() != 1:
        raise DerError
    number = reader.read(der.OCTET_STRING).lstrip(b"\x00")
    stated = reader.optional(_EXPLICIT)
    name, size = _curve(curve or (Reader(stated).object_id() if stated is not None else ""))
    if not number or len(number) > size:
        raise DerError
    try:
        public = reader.optional(_EXPLICIT + 1)
        return PublicKey(EC, name, Reader(public).bit_string() if public is not None else None)
    except DerError:
        return PublicKey(EC, name)  # Go computes the public key from the private one


def _wrapped_key(reader: Reader) -> PublicKey:
    """Read the form PKCS #8."""
    reader.integer()
    identifier, parameters = _algorithm(reader.inner())
    content = Reader(reader.read(der.OCTET_STRING))
    algorithm = _ALGORITHMS.get(identifier, OTHER)
    if algorithm == RSA:
        return _rsa_key(content.inner())
    if algorithm == EC:
        try:
            curve = Reader(parameters).object_id()
        except DerError:
            curve = None
        return _ec_key(content.inner(), curve)
    if algorithm == OTHER or parameters or len(content.read(der.OCTET_STRING)) != _SEED:
        raise DerError
    return PublicKey(algorithm)
