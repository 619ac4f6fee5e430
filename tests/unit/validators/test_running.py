"""How rules are run over a workspace: in which order, what refuses, and what an unknown value takes away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
import sample
from admitted import resources

from mcpcfg.compiler.diagnostics.finding import Rule
from mcpcfg.compiler.workspace.context import Layout, ProjectContext
from mcpcfg.compiler.workspace.workspace import Workspace
from mcpcfg.validators import rule as running
from mcpcfg.validators.rule import project_rules, run_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcpcfg.compiler.diagnostics.finding import Finding
    from mcpcfg.compiler.workspace.resource import Resource

Rules: TypeAlias = "dict[str, list[Callable[..., Iterator[Finding]]]]"

LINT = Rule(id="XXX001", name="x", stage="lint", severity="warning", title="")
REFUSAL = Rule(id="XXX002", name="y", stage="operator", severity="error", title="")
GROUP = sample.resource("MCPGroup", "tools")
SERVER = sample.resource("MCPServer", "fetch", "image: a:1", "groupRef: {name: tools}")
UNKNOWN = sample.resource("MCPServer", "fetch", "image: a:1", "groupRef: {name: tools}", "proxyPort: ${PORT}")
IMAGE = ("spec", "image")


class _Checks(list[Any]):
    """Checks of one kind that a test has written: all of them are due."""

    def due(self, _: object, __: str) -> list[Any]:
        return self


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Rules:
    """Kind to the checks that are run, "" to the rules about all resources together; at first there are none."""
    given: Rules = {}
    monkeypatch.setattr(running, "KindChecks", lambda kind: _Checks(given.get(kind, [])))
    monkeypatch.setattr(running, "project_rules", lambda _: list(given.get("", [])))
    return given


def always(rule: Rule) -> Callable[[Resource, Workspace], Iterator[Finding]]:
    def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
        yield resource.finding(rule, IMAGE, "is wrong")

    return check


def tripping(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    yield resource.finding(LINT, IMAGE, "before it trips")
    raise TypeError("took a placeholder for a number")


def workspace(*texts: str, layout: Layout | None = None) -> Workspace:
    files = {f"{number}.yaml": text for number, text in enumerate(texts)}
    return Workspace(resources(files), ProjectContext(layout=layout or Layout()))


def test_a_referenced_resource_is_judged_before_the_resource_that_refers_to_it(rules: Rules) -> None:
    seen: list[str] = []

    def note(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
        seen.append(resource.kind)
        yield from ()

    rules.update(MCPServer=[note], MCPGroup=[note])
    assert run_rules(workspace(SERVER, GROUP)) == []
    assert seen == ["MCPGroup", "MCPServer"]


def test_an_error_of_the_operator_refuses_and_a_lint_does_not(
    rules: Rules,
) -> None:
    rules.update(MCPServer=[always(LINT), always(REFUSAL)], MCPGroup=[always(LINT)])
    judged = workspace(SERVER, GROUP)
    assert [one.rule for one in run_rules(judged)] == ["XXX001", "XXX001", "XXX002"]
    assert {one.kind: judged.verdicts.refusal(one) for one in judged.resources} == {
        "MCPServer": "XXX002",
        "MCPGroup": None,
    }


def test_a_later_check_knows_that_an_earlier_one_refused(
    rules: Rules,
) -> None:
    def unless_refused(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
        if not workspace.is_refused(resource):
            yield resource.finding(LINT, IMAGE, "is not refused")

    rules["MCPServer"] = [unless_refused, always(REFUSAL), unless_refused]
    assert [one.rule for one in run_rules(workspace(SERVER))] == ["XXX001", "XXX002"]


def test_a_check_that_fails_at_an_unknown_value_keeps_its_findings(
    rules: Rules,
) -> None:
    rules["MCPServer"] = [tripping, always(REFUSAL)]
    assert [one.message for one in run_rules(workspace(UNKNOWN))] == ["before it trips", "is wrong"]


def test_a_check_that_fails_without_unknown_values_raises(
    rules: Rules,
) -> None:
    rules["MCPServer"] = [tripping]
    with pytest.raises(TypeError, match="took a placeholder"):
        run_rules(workspace(SERVER))


def test_a_rule_reports_nothing_at_a_value_that_admission_refused(
    rules: Rules,
) -> None:
    broken = workspace(SERVER.replace("image: a:1", "image: [a]"))

    def of_all(seen: Workspace) -> Iterator[Finding]:
        yield from (one.finding(LINT, IMAGE, "is wrong") for one in seen.resources)

    rules.update({"MCPServer": [always(LINT)], "": [of_all]})
    assert run_rules(broken) == []
    assert len(run_rules(workspace(SERVER))) == 2


def test_rules_about_all_resources_see_isolated_files_alone(
    rules: Rules,
) -> None:
    seen: list[list[str]] = []

    def note(view: Workspace) -> Iterator[Finding]:
        seen.append([one.document.file for one in view.resources])
        yield from ()

    rules[""] = [note]
    run_rules(workspace(GROUP, SERVER, GROUP, layout=Layout(is_isolated=lambda file: file == "1.yaml")))
    assert seen == [["0.yaml", "2.yaml"], ["1.yaml"]]


def test_rules_about_all_together_run_where_a_field_occurs_that_they_look_at() -> None:
    asking = SERVER.replace("image: a:1", "image: a:1\n  oidcConfigRef: {name: corp, audience: fetch}")
    names = [{rule.__name__ for rule in project_rules(workspace(GROUP, server))} for server in (SERVER, asking)]
    assert "find_unused" in names[0] & names[1]
    assert sorted(names[1] - names[0]) == ["find_audiences", "find_service_names"]
