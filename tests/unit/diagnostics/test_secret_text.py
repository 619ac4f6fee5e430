"""Names under which a secret probably stands."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.diagnostics.secret_text import is_nearly_sensitive


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
def test_a_misspelt_name_of_a_secret_is_known(name: str, beside: str | None, sensitive: bool) -> None:
    assert is_nearly_sensitive(name, beside) is sensitive
