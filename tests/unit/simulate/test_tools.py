import json
import os
from pathlib import Path
from typing import Any

import pytest
from calling import call

from mcpcfg.compiler.simulate.tools import aggregate, answer

_ROOT = Path(__file__).parents[3]
_FIXTURE = _ROOT / "fixtures" / "simulations" / "tools.jsonl"
_RECORDED = (
    Path(os.environ.get("MCPCFG_CONFORMANCE", _ROOT.parent / "shared" / "conformance")) / "simulations/tools.jsonl"
)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().split("\n") if line]


def agrees(row: dict[str, Any]) -> bool:
    given = answer(row["input"])
    if row.get("error") or given.get("error"):
        return bool(row.get("error")) == bool(given.get("error"))
    return all((row[key] or None) == (given[key] or None) for key in ("advertised", "all", "routes"))


@pytest.mark.parametrize("row", rows(_FIXTURE), ids=lambda row: json.dumps(row["input"]["aggregation"])[:60])
def test_tools_are_named_and_routed_as_recorded(row: dict[str, Any]) -> None:
    assert agrees(row)


@pytest.mark.skipif(not _RECORDED.exists(), reason="the recorded simulations are not here")
def test_all_recorded_aggregations_are_answered() -> None:
    recorded = rows(_RECORDED)
    assert [row for row in recorded if not agrees(row)] == []


def tools(**backends: list[str]) -> dict[str, list[dict[str, Any]]]:
    return {
        backend: [{"name": name, "description": f"{name} of {backend}"} for name in names]
        for backend, names in backends.items()
    }


def test_filters_hide_tools_and_leave_them_reachable() -> None:
    config = {"conflictResolution": "prefix", "tools": [{"workload": "a", "filter": ["x"]}]}
    result = aggregate(config, tools(a=["x", "y"]))
    assert result.advertised == ("a_x",)
    assert list(result.tools) == ["a_x", "a_y"]


def test_filters_ask_for_the_overridden_name() -> None:
    config = {"tools": [{"workload": "a", "filter": ["new"], "overrides": {"x": {"name": "new"}}}]}
    assert aggregate(config, tools(a=["x"])).advertised == ("a_new",)


def test_an_empty_override_disables_all_overrides_of_its_workload() -> None:
    config = {"tools": [{"workload": "a", "overrides": {"x": {"name": "new"}, "y": {"annotations": {"title": "T"}}}}]}
    result = aggregate(config, tools(a=["x"]))
    assert list(result.tools) == ["a_x"]
    assert len(result.notes) == 1


def test_a_tool_is_lost_when_an_override_claims_its_name_for_a_tool_that_is_not_there() -> None:
    config = {"tools": [{"workload": "a", "overrides": {"gone": {"name": "x"}}}]}
    result = aggregate(config, tools(a=["x", "y"]))
    assert list(result.tools) == ["a_y"]
    assert [lost.tool.listed_name for lost in result.dropped] == ["x"]


@pytest.mark.parametrize("unfit", [{"y": {"annotations": {"title": "T"}}}, {"": {"name": "z"}}])
def test_calls_are_routed_by_override_names_even_if_overrides_are_not_applied(unfit: dict[str, Any]) -> None:
    config = {"tools": [{"workload": "a", "overrides": {"gone": {"name": "x"}, "w": {"name": "y"}, **unfit}}]}
    result = aggregate(config, tools(a=["w", "x", "y"]))
    assert {name: tool.called_name for name, tool in result.tools.items()} == {"a_w": "w", "a_x": "gone", "a_y": "w"}
    assert not result.dropped
    assert ["loses all overrides" in note for note in result.notes] == [True, False]


def test_priority_keeps_the_first_listed_backend_and_reports_the_dropped_tools() -> None:
    config = {"conflictResolution": "priority", "conflictResolutionConfig": {"priorityOrder": ["b"]}}
    result = aggregate(config, tools(a=["x"], b=["x"], c=["x"]), "0.50.0")
    assert {name: tool.backend for name, tool in result.tools.items()} == {"x": "b"}
    assert [lost.tool.backend for lost in result.dropped] == ["a", "c"]


def test_priority_falls_back_to_prefixes_among_unlisted_backends() -> None:
    config = {"conflictResolution": "priority", "conflictResolutionConfig": {"priorityOrder": ["z"]}}
    assert list(aggregate(config, tools(a=["x"], b=["x"]), "0.50.0").tools) == ["a_x", "b_x"]


@pytest.mark.parametrize(
    ("order", "kept"), [(["b", "a"], {"x": "b", "y": "a"}), (["b"], {"y": "a"}), (["z"], {"y": "a"})]
)
def test_priority_drops_a_name_of_a_backend_that_the_order_lacks(order: list[str], kept: dict[str, str]) -> None:
    config = {"conflictResolution": "priority", "conflictResolutionConfig": {"priorityOrder": order}}
    result = aggregate(config, tools(a=["x", "y"], b=["x"]), "0.51.0")
    assert {name: tool.backend for name, tool in result.tools.items()} == kept
    assert len(result.dropped) == (1 if len(order) == 2 else 2)


def test_a_question_is_answered_by_the_release_that_it_states() -> None:
    config = {"conflictResolution": "priority", "conflictResolutionConfig": {"priorityOrder": ["a"]}}
    question = {"aggregation": config, "tools": {"a": [{"name": "x"}], "b": [{"name": "x"}]}}
    lines = "".join(f"{json.dumps(one)}\n" for one in (question, question | {"release": "0.51.4"}))
    answers = [json.loads(line) for line in call("simulate", "tools", "--json-lines", stdin=lines).out.splitlines()]
    assert [sorted(one["routes"]) for one in answers] == [["x"], []]


def test_manual_needs_distinct_names_after_the_overrides() -> None:
    def config(*overrides: dict[str, Any]) -> dict[str, Any]:
        entries = [{"workload": name, "overrides": override} for name, override in zip("ab", overrides, strict=True)]
        return {"conflictResolution": "manual", "tools": entries}

    both = tools(a=["x"], b=["x"])
    assert aggregate(config({}, {}), both).error
    assert aggregate(config({"x": {"description": "d"}}, {"x": {"description": "d"}}), both).error
    assert list(aggregate(config({"x": {"name": "ax"}}, {}), both).tools) == ["ax", "x"]


@pytest.mark.parametrize("junk", [None, 5, 1.5, True, "x", [None], [["x"]], {"a": None}, {"a": [5]}])
@pytest.mark.parametrize(
    "place", ["aggregation", "tools", "entry", "overrides", "override", "filter", "order", "format", "tool", "name"]
)
def test_values_of_a_wrong_type_are_ignored(place: str, junk: Any) -> None:
    def at(name: str, sound: Any) -> Any:
        return junk if name == place else sound

    for strategy in ("prefix", "priority", "manual"):
        override = at("override", {"name": at("name", "z"), "description": at("name", "d")})
        entry = at(
            "entry", {"workload": "a", "overrides": at("overrides", {"x": override}), "filter": at("filter", [])}
        )
        detail = {"prefixFormat": at("format", "{workload}_"), "priorityOrder": at("order", ["a"])}
        block = {"conflictResolution": strategy, "conflictResolutionConfig": detail, "tools": [entry]}
        listed = at("tools", {"a": [at("tool", {"name": at("name", "x")})], "b": [{"name": "y"}]})
        assert answer({"aggregation": at("aggregation", block), "tools": listed}).keys() & {"all", "error"}
