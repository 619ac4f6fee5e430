"""Limits of a run configuration that limit nothing."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.records.runconfig.block import rate_limit_faults

BUCKET = {"maxTokens": 1, "refillPeriod": 1_000_000_000}


def tool(name: str = "search", **limits: Any) -> dict[str, Any]:
    return {"name": name, "shared": None, "perUser": None} | limits


@pytest.mark.parametrize(
    ("limits", "paths"),
    [
        ({}, [()]),
        ({"shared": BUCKET}, []),
        ({"perUser": BUCKET}, []),
        ({"tools": [tool(shared=BUCKET)]}, []),
        ({"tools": [tool(perUser=BUCKET)]}, []),
        ({"tools": [tool()]}, [("tools", 0)]),
        ({"tools": [tool(shared=BUCKET), tool("other", shared=BUCKET)]}, []),
        ({"tools": [tool(shared=BUCKET), tool(perUser=BUCKET)]}, [("tools", 1, "name")]),
        ({"shared": BUCKET | {"maxTokens": 0}}, [("shared", "maxTokens")]),
    ],
)
def test_a_rate_limit_without_effect_is_reported(limits: dict[str, Any], paths: list[tuple[str | int, ...]]) -> None:
    found = rate_limit_faults({"shared": None, "perUser": None, "tools": None} | limits)
    assert [one.path for one in found] == paths
