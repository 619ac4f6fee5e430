from typing import Any

from mcpcfg.compiler.simulate.session import offer
from mcpcfg.compiler.simulate.tools import aggregate
from mcpcfg.compiler.vmcp.workflow.model import read

_TOOLS = aggregate({"tools": [{"workload": "git", "excludeAll": True}]}, {"git": [{"name": "search"}]})


def named(name: str, tool: str, **more: Any) -> Any:
    return read({"name": name, "steps": [{"id": "s", "tool": tool, **more}]})


def test_a_composite_tool_needs_all_its_tools_hidden_ones_count() -> None:
    composites = [named("a", "git_search"), named("b", "git.search"), named("c", "git.gone"), named("d", "search")]
    result = offer(_TOOLS, composites)
    assert result.offered == ("a", "b")
    assert set(result.withheld) == {"c", "d"}


def test_inner_steps_need_their_tools_too() -> None:
    loop = named("loop", "", type="forEach", collection="[]", step={"id": "i", "tool": "git.gone"})
    assert set(offer(_TOOLS, [loop]).withheld) == {"loop"}


def test_a_composite_tool_with_the_name_of_a_backend_tool_drops_all_composite_tools() -> None:
    result = offer(_TOOLS, [named("git_search", "git.search"), named("a", "git.search")])
    assert result.offered == ()
    assert set(result.withheld) == {"git_search", "a"}
