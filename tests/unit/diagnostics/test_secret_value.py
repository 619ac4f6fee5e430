"""Secrets within plain data."""

from __future__ import annotations

import time

import pytest

from mcpcfg.compiler.diagnostics.secret import text as secret_text
from mcpcfg.compiler.diagnostics.secret.value import Secrets, holds_secret, secrets_of, without_secrets

WORD = "hunter2word"


@pytest.mark.parametrize(
    "data",
    [
        {"client_secret": WORD},
        {"clientSecret": [WORD]},
        {"env": [{"name": "API_TOKEN", "value": WORD}]},
        {"args": ["--password", WORD]},
        {"args": [f"--password={WORD}"]},
        {"kind": "Secret", "data": {"x": WORD}},
        {"kind": "List", "items": [{"kind": "Secret", "stringData": {"x": WORD}}]},
        {"x": f"https://user:{WORD}@example.com"},
        {"configYAML": f"database:\n  password: {WORD}\n"},
    ],
)
def test_values_are_secrets_because_of_their_key_or_form(data: object) -> None:
    assert WORD in secrets_of(data).values
    assert holds_secret(data)


def test_plain_data_is_shown_without_secrets() -> None:
    data = {
        "clientSecret": [WORD, {"name": "a"}],
        "env": [{"name": "API_TOKEN", "value": WORD}, {"name": "A", "value": "b"}],
        "url": f"https://user:{WORD}@example.com",
        "password": 12345,
        "token": True,
    }

    assert without_secrets(data) == {
        "clientSecret": ["***", {"name": "a"}],
        "env": [{"name": "API_TOKEN", "value": "***"}, {"name": "A", "value": "b"}],
        "url": f"https://user:{'*' * len(WORD)}@example.com",
        "password": "***",
        "token": True,
    }


def test_references_and_placeholders_are_not_secrets() -> None:
    data = {
        "clientSecretRef": {"name": WORD, "key": WORD},
        "password": "${PASSWORD}",
        "env": [{"name": "API_TOKEN", "valueFrom": {"secretKeyRef": {"name": WORD, "key": "token"}}}],
    }

    assert not secrets_of(data).values
    assert not holds_secret(data)
    assert without_secrets(data) == data


@pytest.mark.parametrize(
    ("message", "out"),
    [
        ('"hunter2-and-more-and-more" is too long', '"***" is too long'),
        ('"hunter2-and-more-…" is too long', '"***…" is too long'),
        ("it is hunter2-and-less, x", "it is ***, x"),
        ("it is h2nter", "it is ***"),
        ("must be a string, not 73737", "must be a string, not ***"),
        ("line 173737 is long", "line 173737 is long"),
        ('"string" must be a string', '"***" must be a string'),
        ('"ab" is not about', '"***" is not about'),
    ],
)
def test_secrets_are_masked_in_messages_even_if_they_are_cut(message: str, out: str) -> None:
    assert (
        Secrets({"hunter2-and-more-and-more", "hunter2-and-less", "73737", "string", "ab", "h2nter"}).without(message)
        == out
    )


def test_many_secrets_are_masked_in_bounded_time() -> None:
    data = {f"a{number}_token": f"{WORD}-{number:06}-{number}" for number in range(20_000)}
    began = time.process_time()
    secrets = secrets_of(data)

    assert all(secrets.without(f'it has "{value}" in it') == 'it has "***" in it' for value in data.values())
    assert all(secrets.without(f"it has ={value}= in it") == "it has =***= in it" for value in data.values())
    assert time.process_time() - began < 10


@pytest.mark.parametrize("sign", secret_text._FORM_OF_SIGN)
def test_a_text_with_a_typical_part_of_a_credential_may_have_a_secret(sign: str) -> None:
    assert secret_text.may_have_form(sign.center(12, "x"))
    assert not secret_text.may_have_form("x" * 12)
