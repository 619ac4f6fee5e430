"""Addresses in resources: which are internal, and which can be asked for keys."""

from __future__ import annotations

import pytest

from mcpcfg.validators.remote_host import internal
from mcpcfg.validators.rules.oidc_start import _fault


@pytest.mark.parametrize(
    ("host", "is_internal"),
    [
        ("0.1.2.3", True),
        ("10.0.0.1", True),
        ("127.0.0.1", True),
        ("169.254.169.254", True),
        ("172.16.0.1", True),
        ("172.32.0.1", False),
        ("192.168.1.1", True),
        ("8.8.8.8", False),
        ("mcp.example.com", False),
    ],
)
def test_an_address_in_a_private_or_local_range_is_internal(host: str, is_internal: bool) -> None:
    assert (internal(host) is not None) is is_internal


@pytest.mark.parametrize(
    ("text", "is_usable", "is_usable_with_https"),
    [
        ("https://id.example/introspect", True, True),
        ("http://id.example/introspect", True, False),
        ("http://localhost:8080/introspect", True, True),
        ("${URL}", True, True),
        ("id.example", False, False),
    ],
)
def test_an_address_may_have_to_be_https(text: str, is_usable: bool, is_usable_with_https: bool) -> None:
    assert (_fault(text) is None) is is_usable
    assert (_fault(text, needs_https=True) is None) is is_usable_with_https
