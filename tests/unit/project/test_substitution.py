"""What Flux puts in place of variables is known where the repository states it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from calling import call

from mcpcfg.compiler import api
from mcpcfg.compiler.diagnostics.budget import Amount

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\n"


def server(spec: str) -> str:
    return f"{HEAD}kind: MCPServer\nmetadata: {{name: fetch}}\nspec:\n  image: ghcr.io/a/b:1\n{spec}"


def flux(after: str, more: str = "") -> str:
    head = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n"
    return f"{head}spec:\n  path: ./apps\n{more}  postBuild: {after}\n"


def config_map(data: str, name: str = "settings") -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: flux-system}}\ndata: {data}\n"


def spec_of(files: dict[str, str]) -> dict[str, Any]:
    resources = api.check(files=files).loaded.resources
    return next(one.data["spec"] for one in resources if one.kind == "MCPServer")


FROM = "substituteFrom: [{kind: ConfigMap, name: settings}]"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("${PORT}", 9000),
        ('"${PORT}"', 9000),
        ("${PORT:=1}", 9000),
        ("${OTHER:=8081}", 8081),
        ("${OTHER:-8082}", 8082),
        ("${EMPTY:-8083}", 8083),
        ("80${TWO}", 8010),
    ],
)
def test_the_type_of_a_value_is_determined_after_its_variables_are_replaced(written: str, value: int) -> None:
    files = {
        "cluster/ks.yaml": flux('{substitute: {PORT: "9000", EMPTY: "", TWO: "10"}}'),
        "apps/server.yaml": server(f"  proxyPort: {written}\n"),
    }
    assert spec_of(files)["proxyPort"] == value


def test_variables_come_from_config_maps_and_the_kustomization_wins() -> None:
    files = {
        "cluster/ks.yaml": flux(f"{{substitute: {{A: own}}, {FROM}}}"),
        "cluster/settings.yaml": config_map("{A: other, B: held}"),
        "apps/server.yaml": server("  args: ['${A}', '${B}-x', '${C}z', '${A/o/x}', '$${A}', '$A']\n"),
    }
    assert spec_of(files)["args"] == ["own", "held-x", "z", "${A/o/x}", "$${A}", "$A"]


@pytest.mark.parametrize("kind", ["ConfigMap", "Secret"])
def test_variables_from_objects_outside_the_repository_stay_unknown(kind: str) -> None:
    files = {
        "cluster/ks.yaml": flux(f"{{substitute: {{A: own}}, substituteFrom: [{{kind: {kind}, name: elsewhere}}]}}"),
        "apps/server.yaml": server("  args: ['${A}', '${B}', '${C:=x}']\n"),
    }
    assert spec_of(files)["args"] == ["own", "${B}", "${C:=x}"]


def test_a_kustomization_without_variables_substitutes_nothing() -> None:
    files = {"cluster/ks.yaml": flux("{}"), "apps/server.yaml": server("  args: ['${A}']\n")}
    assert spec_of(files)["args"] == ["${A}"]


def test_a_resource_with_substitution_disabled_keeps_its_variables() -> None:
    text = server("  args: ['${A}']\n").replace(
        "{name: fetch}", "{name: fetch, annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}}"
    )
    assert spec_of({"cluster/ks.yaml": flux("{substitute: {A: x}}"), "apps/server.yaml": text})["args"] == ["${A}"]


def test_each_of_two_clusters_has_its_own_values() -> None:
    files = {
        "north/ks.yaml": flux("{substitute: {A: same, B: north}}"),
        "south/ks.yaml": flux("{substitute: {A: same, B: south}}"),
        "apps/server.yaml": server("  args: ['${A}', '${B}']\n"),
    }
    found = [one.data["spec"]["args"] for one in api.check(files=files).loaded.resources]

    assert found == [["same", "north"], ["same", "south"]]


def test_a_variable_with_the_same_value_in_two_clusters_is_replaced() -> None:
    files = {
        "north/ks.yaml": flux("{substitute: {A: same, B: north}}"),
        "north/more.yaml": flux("{substitute: {A: same, B: other}}").replace("apps", "./apps"),
        "apps/server.yaml": server("  args: ['${A}']\n"),
    }
    assert spec_of(files)["args"] == ["same"]


def test_a_fault_of_admission_in_a_variables_value_has_a_note_at_the_value() -> None:
    files = {
        "cluster/ks.yaml": flux('{substitute: {PORT: "99999"}}'),
        "apps/server.yaml": server("  proxyPort: ${PORT}\n"),
    }
    (finding,) = [one for one in api.check(files=files).findings if one.severity == "error"]

    assert (finding.span.file, finding.span.line, finding.span.column) == ("apps/server.yaml", 6, 14)
    (note,) = finding.notes
    assert note.message == "the value comes from here"
    assert note.span is not None
    assert (note.span.file, note.span.line) == ("cluster/ks.yaml", 6)


def test_a_finding_of_a_rule_about_a_variables_value_has_a_note_at_the_value() -> None:
    files = {
        "cluster/ks.yaml": flux("{substitute: {GROUP: absent}}"),
        "apps/server.yaml": server("  groupRef: {name: '${GROUP}'}\n"),
    }
    (finding,) = [one for one in api.check(files=files).findings if one.severity != "info"]

    assert 'MCPGroup "absent" does not exist' in finding.message
    assert [note.message for note in finding.notes] == ["the value comes from here"]


@pytest.mark.parametrize("field", ["env: [{name: A, value: '${B}'}]", "groupRef: {name: '${B}'}"])
def test_a_fault_of_a_variable_without_a_value_has_a_note_at_the_block_that_states_none(field: str) -> None:
    files = {"cluster/ks.yaml": flux("{substitute: {A: '1'}}"), "apps/server.yaml": server(f"  {field}\n")}
    (finding,) = [one for one in api.check(files=files).findings if one.severity == "error"]

    (note,) = finding.notes
    assert note.message == "this gives the variable no value"
    assert note.span is not None
    assert (note.span.file, note.span.line) == ("cluster/ks.yaml", 6)


def test_a_variable_in_the_name_of_a_resource_is_replaced() -> None:
    files = {
        "cluster/ks.yaml": flux("{substitute: {NAME: real}}"),
        "apps/server.yaml": server("").replace("name: fetch", "name: '${NAME}-server'"),
    }
    assert [one.name for one in api.check(files=files).loaded.resources] == ["real-server"]


def test_variables_are_replaced_alike_in_files_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files = {
        "project/cluster/ks.yaml": flux(f"{{{FROM}}}").replace("./apps", "./project/apps"),
        "project/cluster/settings.yaml": config_map("{GROUP: absent, PORT: '99999'}"),
        "project/apps/server.yaml": server("  proxyPort: ${PORT}\n  groupRef: {name: '${GROUP}'}\n"),
    }
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    first, *later = [call("check", "project").out for _ in range(3)]

    assert first.count("the value comes from here (project/cluster/settings.yaml:4:") == 2
    assert later == [first, first]


def test_variables_are_unknown_beyond_the_budget_for_substitution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpcfg.compiler.check.delivery_plan.OF_PROJECT", Amount(2500, objects=100, steps=1000))
    files = {
        "cluster/ks.yaml": flux(f"{{substitute: {{LONG: {'x' * 1000}}}}}"),
        "apps/server.yaml": server("  args: [" + ", ".join(['"${LONG}"'] * 4) + "]\n"),
    }
    assert spec_of(files)["args"] == ["x" * 1000, "x" * 1000, "${LONG}", "${LONG}"]
