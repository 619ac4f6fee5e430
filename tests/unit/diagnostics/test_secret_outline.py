"""Outlines are the same on each Python: before 3.11.5, possessive repetition of groups reads too little."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mcpcfg.compiler.diagnostics.secret import outline
from mcpcfg.compiler.diagnostics.secret.outline import Outline
from mcpcfg.compiler.diagnostics.secret.text import PAD


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("{a: b:c#d, e: f}", {"a": "b:c#d", "e": "f"}),
        ("a b:c: d", {"a b:c": "d"}),
        ("k: 'a''b'", {"k": f"a{PAD}'b"}),
        ('"a\\"b": "c\\"d"', {'a"b': f'c{PAD}"d'}),
    ],
)
def test_an_outline_has_the_keys_and_values(text: str, root: dict[str, Any]) -> None:
    assert Outline(text).roots[0] == root


def test_the_outline_of_a_variable_with_a_default_ends() -> None:
    assert "port" in Outline('{\n  "port": ${PORT:-8006}\n}\n').roots[0]


def test_no_pattern_repeats_a_group_possessively() -> None:
    patterns = [value for name, value in vars(outline).items() if name.isupper() and isinstance(value, str)]
    assert patterns
    assert not [pattern for pattern in patterns if re.search(r"(?<!\\)\)[*+?]\+", pattern)]
