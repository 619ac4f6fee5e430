"""What a text with placeholders may become."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.diagnostics.placeholder import may_be


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${A}", "anything"),
        ("${A}-tools", "my-tools"),
        ("mcp-${A:=x}", "mcp-"),
        ("a-${B}-c-${D}", "a-1-c-2"),
        ("a${B}a", "aa"),
        ("plain", "plain"),
        ("$A-$B", "x-y"),
    ],
)
def test_a_placeholder_may_be_any_text(text: str, value: str) -> None:
    assert may_be(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("${A}-tools", "tools"), ("mcp-${A}", "mc"), ("a${B}a", "a"), ("a-${B}-c-${D}", "a-1-d-2"), ("plain", "other")],
)
def test_the_literal_part_of_a_placeholder_text_must_match(text: str, value: str) -> None:
    assert not may_be(text, value)
