"""The quick way gives the same places as the exact one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcfg.compiler.reading.fault import ReadError
from mcpcfg.compiler.reading.meaning import Unusual
from mcpcfg.compiler.reading.node import Node, extent
from mcpcfg.compiler.reading.quick_tree import compose_quickly
from mcpcfg.compiler.reading.tree import compose

FIXTURES = Path(__file__).parents[3] / "fixtures"
UNUSUAL = {"bad-mixed-12-0066", "vmcp-composite-51-247"}
"""What the quick way leaves to the exact one."""
FILES = [
    file for file in sorted(FIXTURES.glob("conformance/operator/*/input.yaml"))[::5] if file.parent.name not in UNUSUAL
]
PIECES = (
    "a: b\n",
    "- x\n",
    "k:\n",
    "  - 'q'\n",
    '  v: "w"\n',
    "{a: [b, c]}\n",
    "t: |\n  x\n\n",
    "---\n",
    "# c\n",
    "é: 😀\n",
    " ",
)


def shape(node: Node, text: str) -> object:
    """Everything that a place is worked out from."""
    if node.kind == "mapping":
        inner: object = [(shape(key, text), shape(value, text)) for key, value in node.value]
    elif node.kind == "sequence":
        inner = [shape(item, text) for item in node.value]
    else:
        inner = node.value
    return (node.kind, node.start, extent(node, text), node.plain, node.flow, node.tag, inner)


def assert_same(text: str) -> None:
    quick = compose_quickly(text)
    assert [shape(node, text) for node in quick] == [shape(node, text) for node in compose(text)]


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.parent.name)
def test_recorded_files_have_the_same_places_both_ways(file: Path) -> None:
    assert_same(file.read_text(encoding="utf-8"))


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_text_has_the_same_places_both_ways(text: str) -> None:
    # What the quick way leaves to the exact one is not compared; what that refuses has no places at all.
    with suppress(Unusual, ReadError):
        assert_same(text)
