"""Say why a process refuses a file with certificates or a private key, without showing any of its text.

Source: ``AppendCertsFromPEM`` of crypto/x509, ``X509KeyPair`` of crypto/tls, and ``LoadSigningKey`` of toolhive,
package authserver/server/crypto. The clauses follow the name of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..golang.pem import blocks
from ..golang.x509 import EC, ED25519, RSA, certificate, private_key

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from ..golang.pem import Block
    from ..golang.x509 import Certificate, PublicKey

CERTIFICATE: Final = b"CERTIFICATE"
PRIVATE_KEY: Final = b"PRIVATE KEY"
SHORTEST_RSA_KEY: Final = 2048
"""The minimum bits of an RSA key that signs tokens: ``MinRSAKeyBits``."""
_TLS_KEYS: Final = (RSA, EC, ED25519)
_SIGNING_CURVES: Final = ("P-256", "P-384", "P-521")
_KNOWN: Final = {
    b"CERTIFICATE": "a certificate",
    b"CERTIFICATE REQUEST": "a certificate request",
    b"TRUSTED CERTIFICATE": "a certificate in the form of OpenSSL",
    b"PUBLIC KEY": "a public key",
    b"EC PARAMETERS": "the parameters of a curve",
    b"ENCRYPTED PRIVATE KEY": "an encrypted private key",
    b"OPENSSH PRIVATE KEY": "a private key in the form of OpenSSH",
}


def bundle_fault(text: bytes) -> str | None:
    """Return why no certificate can be read from a CA bundle, or ``None`` if at least one can."""
    found = [*blocks(text)]
    return None if _certificates(found) else _without(CERTIFICATE, "certificate", text, found)


def certificate_fault(chain: bytes) -> str | None:
    """Return why a client certificate cannot be used, or ``None`` if it can."""
    leaf = _leaf(chain)
    if leaf is None:
        return _without(CERTIFICATE, "certificate", chain, [*blocks(chain)])
    parsed = certificate(leaf.content)
    if parsed is None:
        return "begins with a certificate that cannot be parsed"
    return None if parsed.key.algorithm in _TLS_KEYS else "contains a certificate for a kind of key that TLS cannot use"


def key_fault(key: bytes) -> str | None:
    """Return why the private key of a client certificate cannot be read, or ``None`` if it can."""
    private = _first_key(key)
    if private is None:
        return _without(PRIVATE_KEY, "private key", key, [*blocks(key)])
    return _unparsed_key(private) if private_key(private.content) is None else None


def key_pair_fault(chain: bytes, key: bytes) -> str | None:
    """Return why a client certificate and a private key cannot be used together, or ``None`` if they can.

    Both must be readable. A pair whose keys cannot be compared is assumed to be right.
    """
    leaf, private = _leaf(chain), _first_key(key)
    public = certificate(leaf.content) if leaf is not None else None
    half = private_key(private.content) if private is not None else None
    if public is None or half is None or not _differ(public.key, half):
        return None
    return "contains the private key of another certificate"


def signing_key_fault(text: bytes) -> str | None:
    """Return why an authorization server cannot sign tokens with a private key, or ``None`` if it can.

    Only the first block is read. ``openssl ecparam -genkey`` writes the parameters of the curve before the key.
    """
    first = next(blocks(text), None)
    if first is None:
        return _without(PRIVATE_KEY, "private key", text, ())
    key = private_key(first.content)
    if key is None:
        return _unparsed_key(first) if _is_private_key(first) else f"begins with {_name(first)}, not a private key"
    if key.bits is not None and key.bits < SHORTEST_RSA_KEY:
        return f"contains an RSA key of {key.bits} bits, at least {SHORTEST_RSA_KEY} are needed"
    if key.algorithm not in _TLS_KEYS or (key.algorithm == EC and key.curve not in _SIGNING_CURVES):
        return "contains a kind of key that cannot sign tokens"
    return None


def expiry(text: bytes) -> datetime | None:
    """Return when the last certificate of a text expires, or ``None`` if that is unknown."""
    ends = [parsed.not_after for parsed in _certificates([*blocks(text)])]
    known = [end for end in ends if end is not None]
    return max(known) if known and len(known) == len(ends) else None


def leaf_expiry(text: bytes) -> datetime | None:
    """Return when the first certificate of a text expires, or ``None`` if that is unknown."""
    leaf = _leaf(text)
    parsed = certificate(leaf.content) if leaf is not None else None
    return parsed.not_after if parsed is not None else None


def _certificates(found: Sequence[Block]) -> list[Certificate]:
    contents = (block.content for block in found if block.label == CERTIFICATE and not block.has_headers)
    return [parsed for parsed in map(certificate, contents) if parsed is not None]


def _leaf(chain: bytes) -> Block | None:
    return next((block for block in blocks(chain) if block.label == CERTIFICATE), None)


def _first_key(key: bytes) -> Block | None:
    return next((block for block in blocks(key) if _is_private_key(block)), None)


def _is_private_key(block: Block) -> bool:
    return block.label == PRIVATE_KEY or block.label.endswith(b" " + PRIVATE_KEY)


def _without(label: bytes, noun: str, text: bytes, found: Collection[Block]) -> str:
    if not text:
        return "is empty"
    if any(block.label == label for block in found):
        return f"contains no {noun} that can be parsed"
    if not found:
        begun = b"-----BEGIN " in text
        return "contains an incomplete or damaged PEM block" if begun else "is not in PEM form"
    return f"contains {_name(next(iter(found)))}, but no {noun}"


def _unparsed_key(block: Block) -> str:
    if block.has_headers or block.label == b"ENCRYPTED PRIVATE KEY":
        return "contains an encrypted private key, and nobody enters its password"
    known = _KNOWN.get(block.label)
    return f"contains {known}" if known else "contains a private key that cannot be parsed"


def _name(block: Block) -> str:
    return _KNOWN.get(block.label) or ("a private key" if _is_private_key(block) else "something else")


def _differ(public: PublicKey, private: PublicKey) -> bool:
    """Return whether two keys surely differ. The public half of some private keys is unknown."""
    if (public.algorithm, public.curve) != (private.algorithm, private.curve):
        return True
    return None not in (public.value, private.value) and public.value != private.value
