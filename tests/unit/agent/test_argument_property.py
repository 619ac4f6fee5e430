"""Whatever the arguments of a tool are, the answer is data or an error that says what to do."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from asking import confined, text_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcpcfg.compiler.agent import server
from mcpcfg.compiler.agent.tool import TOOLS, Tool

FIXTURES = Path(__file__).parents[3] / "fixtures"
WORDS = st.sampled_from(
    [
        "desk",
        "triage",
        "tickets",
        "search",
        "MCPServer/fetch",
        ".",
        "desk.yaml",
        "calls/registry.json",
        "calls/role.yaml",
    ]
)
TEXTS = st.one_of(
    WORDS, st.text(max_size=8), st.sampled_from(["HEAD", "0.44.0", "a: 1", "kind: MCPServer\nspec: []\n"])
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=6,
)


def _value(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return values that mostly fit a property of a schema."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    fitting: dict[str, st.SearchStrategy[Any]] = {
        "string": TEXTS,
        "boolean": st.booleans(),
        "integer": st.integers(-1, 200),
        "array": st.lists(WORDS, max_size=3),
    }
    of_map = TEXTS if schema.get("additionalProperties", {}).get("type") == "string" else VALUES
    return fitting.get(schema["type"], st.dictionaries(TEXTS, of_map, max_size=3))


def _arguments(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    properties = tool.input_schema()["properties"]
    required = tool.input_schema().get("required", [])
    return st.fixed_dictionaries(
        {name: _value(properties[name]) for name in required},
        optional={name: _value(schema) for name, schema in properties.items() if name not in required},
    )


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project with files for every tool."""
    folder = tmp_path_factory.mktemp("arguments")
    shutil.copytree(FIXTURES / "projects" / "virtual-server", folder, dirs_exist_ok=True)
    shutil.copytree(FIXTURES / "simulations" / "call", folder / "calls")
    return folder


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_arguments_cause_an_internal_error(root: Path, tool: Tool, data: st.DataObject) -> None:
    arguments = data.draw(_arguments(tool))
    if tool.name == "fix":
        arguments.pop("write", None)

    fault = server._argument_fault(tool, arguments)
    with confined(root):
        result = server._result(lambda: tool.run(may_write=False)(arguments)) if fault is None else None

    assert fault or result is not None
    assert result is None or "internal error" not in text_of(result)
