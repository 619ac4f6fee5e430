"""Names of tools that clients take, and those that they refuse."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.toolhive.tool_name import tool_name_fault


@pytest.mark.parametrize("name", ["search", "get_user", "DATA_EXPORT_v2", "admin.tools-list", "x" * 128, ""])
def test_a_name_of_letters_digits_and_three_other_characters_is_taken(name: str) -> None:
    assert tool_name_fault(name) is None


@pytest.mark.parametrize("name", ["search code", "a\n", "a/b", "größe", "a,b", "x" * 129, "\U0001f50d"])
def test_a_name_with_other_characters_is_refused(name: str) -> None:
    assert tool_name_fault(name) is not None
