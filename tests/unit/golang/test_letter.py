"""Letters in upper case, held against Go."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.golang.letter import upper


@pytest.mark.parametrize(
    ("text", "expected"),
    [("x-Api_1", "X-API_1"), ("é", "É"), ("ß", "ß"), ("ŉ", "ŉ"), ("ﬁ", "ﬁ"), ("ᾳ", "ᾼ")],
)
def test_upper_case_keeps_the_number_of_characters(text: str, expected: str) -> None:
    assert upper(text) == expected
