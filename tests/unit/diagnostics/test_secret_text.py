"""Names under which a secret probably stands, and texts that are secrets by their form."""

from __future__ import annotations

import re
import time
from itertools import islice
from pathlib import Path

import pytest
from pattern import attacks

from mcpcfg.compiler.diagnostics.secret import text as secret_text
from mcpcfg.compiler.diagnostics.secret.pattern import FORMS, Form
from mcpcfg.compiler.diagnostics.secret.text import has_form, is_nearly_sensitive, is_withheld, masked, secret_ranges


@pytest.mark.parametrize(
    ("name", "beside", "sensitive"),
    [
        ("password", None, True),
        ("clientSecert", None, True),
        ("API_TOKEN", "x", True),
        ("valu", "API_TOKEN", True),
        ("valu", "LEVEL", False),
        ("image", None, False),
        ("image", "API_TOKEN", False),
    ],
)
def test_a_misspelt_sensitive_name_is_recognized(name: str, beside: str | None, sensitive: bool) -> None:
    assert is_nearly_sensitive(name, beside) is sensitive


LETTERS = "Ab3" * 20
TOKENS = [
    *(f"gh{letter}_{LETTERS[:30]}" for letter in "pousr"),
    f"github_pat_{LETTERS[:30]}",
    f"glpat-{LETTERS[:20]}",
    f"xoxb-{LETTERS[:10]}",
    f"AKIA{'A1B2' * 4}",
    f"ASIA{'A1B2' * 4}",
    f"AIza{LETTERS[:35]}",
    f"sk-{LETTERS[:20]}",
    f"hf_{LETTERS[:30]}",
    "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
    f"-----BEGIN RSA PRIVATE KEY-----\n{LETTERS}\nAb3=\n-----END RSA PRIVATE KEY-----",
]


@pytest.mark.parametrize("token", TOKENS, ids=lambda token: token[:11])
def test_a_token_is_recognized_by_its_form_everywhere(token: str) -> None:
    assert secret_ranges(token) == [(0, len(token))]
    assert has_form(token)
    assert masked(f"a {token} b {token}, c") == "a *** b ***, c"
    for before in ("é ", "x" * 5_000 + " "):
        assert secret_ranges(f"{before}{token} b") == [(len(before), len(before) + len(token))]
        assert has_form(f"{before}{token} b")
    # What begins within a word, or is too short, is none; one such hides none after it.
    short = token[:12] if token.startswith("-") else token[: len(token) * 2 // 3]
    within = short if token.startswith("-") else f"a{token}"
    assert secret_ranges(f"{short} {within}") == []
    assert not has_form(f"{short} {within}")
    assert len(secret_ranges(f"{short} {within} {token}")) == 1
    assert has_form(f"{short} {within} {token}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://user:hunter2@a.example/x", "https://user:***@a.example/x"),
        ("see https://tokentoken@a.example", "see https://***@a.example"),
        ("ftp://tokentoken@a.example", "ftp://tokentoken@a.example"),
        ("https://short@a.example", "https://short@a.example"),
        ("https://user:${PASSWORD}@a.example", "https://user:${PASSWORD}@a.example"),
        ("http://a.example:8080/b@c", "http://a.example:8080/b@c"),
        ("API_TOKEN=hunter2", "API_TOKEN=***"),
        ("API_TOKEN=short", "API_TOKEN=short"),
        ("LEVEL=hunter2", "LEVEL=hunter2"),
        ("a=1 password='hunter2' b", "a=1 password='***' b"),
        ("Authorization: Bearer hunter2hunter2hunter2", "Authorization: Bearer ***"),
        ("bearer of news", "bearer of news"),
    ],
)
def test_credentials_are_recognized_by_their_context(text: str, shown: str) -> None:
    assert masked(text) == shown
    assert bool(secret_ranges(text)) == (text != shown)


@pytest.mark.parametrize("value", ["${X}", "$(X)", "$X", "{{ x }}", "<token>", "***", "…", "True", "null", "~", ""])
def test_a_placeholder_or_a_switch_is_not_a_secret(value: str) -> None:
    assert not is_withheld(value)
    assert is_withheld(f"{value} a1")
    assert is_withheld("${" + "x" * 300 + "}")
    assert not is_withheld("${" + "x" * 297 + "}")


@pytest.mark.parametrize("form", [form for forms in FORMS.values() for form in forms], ids=lambda form: form.signs[0])
def test_a_form_takes_time_in_proportion_to_the_text(form: Form) -> None:
    texts = [sign * 5_000 for sign in form.signs]
    texts += [lead + pump * 5_000 + end for lead, pump, end in islice(attacks(re.compile(form.pattern)), 3)]
    began = time.process_time()
    for text in texts:
        secret_ranges(text)

    assert time.process_time() - began < len(texts)


def test_only_the_package_of_secrets_makes_a_shown_text() -> None:
    root = Path(secret_text.__file__).parents[3]
    modules = [path for folder in ("compiler", "validators") for path in (root / folder).rglob("*.py")]
    making = {path for path in modules if re.search(r"\bShown\(|cast\([\"']?Shown", path.read_text("utf-8"))}

    assert {path.parent.relative_to(root).as_posix() for path in making} == {"compiler/diagnostics/secret"}
