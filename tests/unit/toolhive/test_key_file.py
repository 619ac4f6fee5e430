"""Files with certificates and keys are refused for the reasons for which Go refuses them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.golang.pem import blocks
from mcpcfg.compiler.golang.x509 import certificate, private_key
from mcpcfg.compiler.toolhive.key_file import (
    bundle_fault,
    certificate_fault,
    expiry,
    key_fault,
    key_pair_fault,
    signing_key_fault,
)

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).parents[3] / "fixtures" / "keys"
CERTIFICATES = ("certificate", "other-certificate", "rsa-certificate", "ed25519-certificate", "expired")
PAIRS = (("certificate", "key"), ("certificate", "wrapped-key"), ("other-certificate", "other-key"))


def file(name: str) -> bytes:
    return (FOLDER / f"{name}.pem").read_bytes()


def without_line(text: bytes, number: int) -> bytes:
    lines = text.splitlines(keepends=True)
    return b"".join((*lines[:number], *lines[number + 1 :]))


@pytest.mark.parametrize("name", CERTIFICATES)
@pytest.mark.parametrize("number", [0, 1, 2, -1])
def test_a_certificate_is_read_and_one_that_lacks_a_line_is_not(name: str, number: int) -> None:
    text = file(name)

    assert bundle_fault(text) is None
    assert bundle_fault(without_line(text, len(text.splitlines()) + number if number < 0 else number)) is not None


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        (b"", "is empty"),
        (b"x", "is not in PEM form"),
        (b"-----BEGIN CERTIFICATE-----\nAAAA", "contains an incomplete or damaged PEM block"),
        (file("key"), "contains a private key, but no certificate"),
        (file("certificate").replace(b"CERTIFICATE", b"PUBLIC KEY"), "contains a public key, but no certificate"),
        (file("certificate").replace(b"CERTIFICATE", b"SECRET"), "contains something else, but no certificate"),
    ],
)
def test_the_reason_names_no_text_of_a_file(text: bytes, clause: str) -> None:
    assert bundle_fault(text) == clause


@pytest.mark.parametrize("between", [b"", b"comment\n", b"-----BEGIN CERTIFICATE-----\n", file("key")])
def test_one_certificate_in_a_bundle_is_enough(between: bytes) -> None:
    assert bundle_fault(without_line(file("certificate"), 2) + between + file("other-certificate")) is None


@pytest.mark.parametrize("change", [lambda text: text.replace(b"\n", b"\r\n"), bytes.rstrip, lambda text: b"\n" + text])
def test_white_space_around_lines_does_not_matter(change: Callable[[bytes], bytes]) -> None:
    assert bundle_fault(change(file("certificate"))) is None


@pytest.mark.parametrize(
    ("chain", "key"), [*PAIRS, ("rsa-certificate", "rsa-key"), ("ed25519-certificate", "ed25519-key")]
)
def test_a_certificate_fits_its_own_key_alone(chain: str, key: str) -> None:
    assert certificate_fault(file(chain)) is None
    assert key_fault(file(key)) is None
    assert key_pair_fault(file(chain), file(key)) is None
    assert key_pair_fault(file(chain), file("p224-key")) == "contains the private key of another certificate"


def test_the_parameters_of_a_curve_may_stand_before_the_key_of_a_client_but_not_before_a_signing_key() -> None:
    text = file("parameters") + file("key")

    assert key_fault(text) is None
    assert signing_key_fault(text) == "begins with the parameters of a curve, not a private key"


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("key", None),
        ("wrapped-key", None),
        ("rsa-key", None),
        ("ed25519-key", None),
        ("short-rsa-key", "contains an RSA key of 1024 bits, at least 2048 are needed"),
        ("p224-key", "contains a kind of key that cannot sign tokens"),
        ("encrypted-key", "contains an encrypted private key, and nobody enters its password"),
        ("certificate", "begins with a certificate, not a private key"),
    ],
)
def test_a_signing_key_has_a_size_and_a_curve_that_can_sign(name: str, clause: str | None) -> None:
    assert signing_key_fault(file(name)) == clause


def test_a_bundle_expires_with_its_last_certificate() -> None:
    ends = [expiry(file("expired")), expiry(file("expired") + file("certificate"))]

    assert [end and end.year for end in ends] == [2021, 2126]


@pytest.mark.parametrize("name", [*CERTIFICATES, "key", "wrapped-key", "rsa-key", "ed25519-key"])
def test_no_byte_makes_the_reader_fail_and_no_beginning_is_taken(name: str) -> None:
    (block,) = blocks(file(name))
    for place in range(len(block.content)):
        for other in (0x00, 0x7F, 0x80, 0xFF):
            text = block.content[:place] + bytes([other]) + block.content[place + 1 :]
            certificate(text)
            private_key(text)
        assert certificate(block.content[:place]) is None
        assert private_key(block.content[:place]) is None
