"""Where a compiled value comes from."""

from __future__ import annotations

from mcpcfg.compiler.emit.origin import _element


def test_an_item_of_a_plain_list_comes_from_the_element_around_it() -> None:
    compiled = {"containers": [{"name": "mcp", "command": ["run"]}]}
    places = [(("spec", "containers", 0), {"name": "mcp"})]

    assert _element(places, compiled, ("containers", 0, "command", 0)) == ("spec", "containers", 0, "command", 0)
