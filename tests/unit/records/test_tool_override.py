"""Tools that would be called alike."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.records.side_file.tool_override import check_tool_overrides


@pytest.mark.parametrize(
    ("overrides", "found"),
    [
        ({"a": {"name": "b"}}, []),
        ({"a": {"name": "x"}, "b": {"name": "y"}}, []),
        ({"a": {"name": "x"}, "b": {"name": "x"}}, [("b", "name", '"a" is called "x" too')]),
        (
            {"a": {"name": "b"}, "b": {"description": "kept"}},
            [("a", "name", 'another tool keeps the name "b"')],
        ),
        ({"a": {"name": "b"}, "b": {"name": "a"}}, []),
        ({"a": {"name": "a"}, "b": {"description": "kept"}}, []),
    ],
)
def test_two_tools_of_one_name_are_found(
    overrides: dict[str, dict[str, str]], found: list[tuple[str, str, str]]
) -> None:
    faults = check_tool_overrides({"toolsOverride": overrides})
    assert [(*one.path, one.message) for one in faults] == [("toolsOverride", *row) for row in found]
