"""Rules look at a refused resource as far as it is sound, and find nothing that follows from the first fault."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from judging import release_of

from mcpcfg.compiler.admission._shapes import KINDS, SHAPES
from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FOLDER = Path(__file__).parents[3] / "fixtures" / "rules"
VERSION = "toolhive.stacklok.dev/v1alpha1"
PARTS = ("metadata", "spec")
ALL_REFUSED = ("ADM", "SYN", "RES004")
"""Rules in whose examples the API server takes no object of ours, or the text holds none; RES004: without a spec."""
FILES = [
    file
    for file in sorted(FOLDER.glob("*/*.yaml"))
    if not file.parent.name.startswith(ALL_REFUSED)
    and VERSION in file.read_text(encoding="utf-8")
    and release_of(file) is None
]
WRONG = {"string": {"a": 1}}
"""By the word of the table, a value that is of another type than a field; a text is for all others."""
PATH_OF_CODE_MODE = ("spec", "config", "codeMode")
INDEPENDENT = {
    ("REF001", "groupRef"): "a name is taken for the object that a fix makes of it, and no group is called so",
    ("AUT040", "groupRef"): "the same: a member of no group",
    ("VMC201", "groupRef"): "the same: another group than the configuration's",
    ("VMC021", "authServerConfig"): "clients do not authenticate by OIDC, whatever the server is like",
    ("VMC024", "authServerConfig"): "the same of their audience",
    ("VMC225", "embeddingServerRef"): "the optimizer is on, whatever serves it",
    ("VMC226", "embeddingServerRef"): "the same",
    ("VMC227", "embeddingServerRef"): "the same",
    ("MRG001", "pgpassSecretRef"): "the operator mounts a volume of that name, whatever the Secret is",
}
"""Rule and field: what is found beside the wrong field, and holds whatever stands there."""


def _objects(file: Path) -> list[dict[str, Any]]:
    documents, findings = read_documents(file.read_bytes(), str(file))
    objects = [one.data for one in documents]
    return objects if not findings and all(isinstance(one, dict) for one in objects) else []


@pytest.fixture
def found(tmp_path: Path) -> Callable[[list[dict[str, Any]]], dict[int, set[tuple[str, str, Any, str]]]]:
    """Rule, stage, path and message of the findings about each of some objects; comments are gone with the text."""

    def run(objects: list[dict[str, Any]]) -> dict[int, set[tuple[str, str, Any, str]]]:
        file = tmp_path / "a.yaml"
        file.write_text("\n---\n".join(json.dumps(one, indent=1) for one in objects))
        of_objects: dict[int, set[tuple[str, str, Any, str]]] = {number: set() for number in range(len(objects))}
        for one in check(discover((str(file),), release="0.21.0"), Options(closed=True)).findings:
            if one.document is not None:
                of_objects[one.document].add((one.rule, one.stage, one.path, one.message))
        return of_objects

    return run


def _sound(objects: list[dict[str, Any]], before: Any) -> Iterator[int]:
    """Yield the numbers of our own objects that the API server takes."""
    for number, one in enumerate(objects):
        is_whole = one.get("apiVersion") == VERSION and all(isinstance(one.get(key), dict) for key in PARTS)
        if is_whole and one.get("kind") in KINDS and all(stage != "admission" for _, stage, _, _ in before[number]):
            yield number


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_fault_is_found_beside_an_unrelated_one_of_admission_and_nothing_new(file: Path, found: Any) -> None:
    objects = _objects(file)
    before = found(objects)

    for number in _sound(objects, before):
        broken = copy.deepcopy(objects)
        broken[number]["spec"]["unheardOf"] = 1
        after = found(broken)[number]
        added = {one for one in after if one[1] == "admission"}

        assert {(rule, path) for rule, _, path, _ in added} == {("ADM001", ("spec", "unheardOf"))}
        assert after - added == before[number]


def _fields(kind: str) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a kind's spec, each with a value of another type."""
    spec = dict(SHAPES[KINDS[kind]][2])["spec"]
    while SHAPES[spec][0] == "ruled":
        spec = SHAPES[spec][1]
    for field, position in SHAPES[spec][2]:
        yield field, WRONG.get(SHAPES[position][0], "oops")


SAMPLE = sorted({file for file in FILES if file.stem.startswith("valid-")} & {*FILES[::4]})


@pytest.mark.parametrize("file", SAMPLE, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_field_of_a_wrong_type_causes_no_finding_of_other_rules(file: Path, found: Any) -> None:
    objects = _objects(file)
    before = found(objects)

    for number in _sound(objects, before):
        for field, value in _fields(objects[number]["kind"]):
            broken = copy.deepcopy(objects)
            broken[number]["spec"][field] = value
            after = {one for one in found(broken)[number] if one[1] != "admission"}
            new = {one for one in after - before[number] if (one[0], field) not in INDEPENDENT}

            assert not new, f"{field} of {objects[number]['kind']}"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        # A name that is surely meant for another, and a text for the object that it stands for, are taken for that.
        ("{imagee: x, groupRef: gone}", {"ADM001", "ADM002", "REF001"}),
        ("{image: 'x:1', transport: STDIO, resources: {limits: {cpu: '5 00m'}}}", {"ADM004", "RES001", "RES002"}),
        ("{image: 'x:1', proxyPort: none, oidcConfigRef: {name: gone, audience: a}}", {"ADM002", "REF004"}),
        ("{image: 'x:1', transport: http, mcpPort: 8080}", {"ADM004"}),
        (
            "{image: 'x:1', podTemplateSpec: {spec: {containers: [{name: mpc, resources: {limits: {cpu: 1oo}}}]}}}",
            {"POD001", "POD005"},
        ),
        ("{transport: http, podTemplateSpec: {spec: {containers: [{name: other}]}}}", {"ADM003", "ADM004", "POD005"}),
    ],
)
def test_all_faults_of_a_resource_are_found_in_one_run(tmp_path: Path, spec: str, expected: set[str]) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(
        "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPServer\nmetadata: {name: fetch, namespace: a}\n"
        f"spec: {spec}\n"
    )
    findings = check(discover((str(file),), release="0.21.0"), Options(closed=True)).findings

    assert {one.rule for one in findings} == expected
    assert not any("UNKNOWN" in f"{one.message}{one.hint}" for one in findings)


def test_a_placeholder_of_one_resource_hides_no_finding_of_another(tmp_path: Path) -> None:
    """A check that trips over a placeholder of one resource still reports all that it finds in others."""
    head = "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPServer\n"
    (tmp_path / "a.yaml").write_text(head + "metadata: {name: a}\nspec: {image: 'x:1', replicas: '${COUNT}'}\n")
    (tmp_path / "b.yaml").write_text(head + "metadata: {name: b}\nspec: {image: 'x:1', replicas: 3}\n")
    findings = check(discover((str(tmp_path),), release="0.21.0"), Options()).findings

    assert [(one.rule, Path(one.span.file).name) for one in findings] == [("SES002", "b.yaml")]


def test_a_crash_of_a_rule_is_not_hidden_by_a_placeholder_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcpcfg.validators.rules import replica

    def broken(*_: Any) -> Any:
        raise TypeError

    monkeypatch.setitem(replica.CHECKS, "MCPServer", (broken,))
    head = "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPServer\n"
    (tmp_path / "a.yaml").write_text(head + "metadata: {name: a}\nspec: {image: 'x:1', proxyPort: '${PORT}'}\n")
    (tmp_path / "b.yaml").write_text(head + "metadata: {name: b}\nspec: {image: 'x:1', replicas: 3}\n")

    with pytest.raises(TypeError):
        check(discover((str(tmp_path),), release="0.21.0"), Options())


def _found(folder: Path, text: str) -> list[str]:
    file = folder / "a.yaml"
    file.write_text(text)
    return [one.rule for one in check(discover((str(file),), release="0.21.0"), Options(closed=True)).findings]


SERVER = f"apiVersion: {VERSION}\nkind: MCPServer\nmetadata: {{name: fetch}}\nspec: "


def test_a_field_of_a_later_release_hides_no_lint_of_other_fields(tmp_path: Path) -> None:
    spec = "image: x, env: [{name: API_TOKEN, value: kW9vR2mQ7z}]"

    assert _found(tmp_path, f"{SERVER}{{{spec}}}\n") == ["IMG001", "SEC001"]
    assert _found(tmp_path, f"{SERVER}{{{spec}, authzConfigRef: {{name: a}}}}\n") == ["IMG001", "SEC001", "ADM001"]


def test_a_later_field_of_a_configuration_that_keeps_all_names_its_release(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(
        f"apiVersion: {VERSION}\nkind: MCPGroup\nmetadata: {{name: team}}\n---\n"
        f"apiVersion: {VERSION}\nkind: VirtualMCPServer\nmetadata: {{name: gateway}}\nspec:\n"
        "  groupRef: {name: team}\n  incomingAuth: {type: anonymous}\n  config: {codeMode: {enabled: true}}\n"
    )
    (finding,) = [
        one
        for one in check(discover((str(file),), release="0.21.0"), Options()).findings
        if one.path == PATH_OF_CODE_MODE
    ]

    assert (finding.rule, finding.severity) == ("ADM001", "warning")
    assert [note.message for note in finding.notes] == ["the operator takes it from release 0.31.0 on"]


VIRTUAL = (
    f"apiVersion: {VERSION}\nkind: MCPGroup\nmetadata: {{name: team}}\n---\n"
    f"apiVersion: {VERSION}\nkind: VirtualMCPServer\nmetadata: {{name: gateway}}\n"
    "spec: {groupRef: {name: team}, incomingAuth: {type: anonymous}}\n---\n"
)


@pytest.mark.parametrize("group", ["team", "'${GROUP}'"])
def test_a_group_is_not_empty_because_its_member_is_refused(tmp_path: Path, group: str) -> None:
    assert _found(tmp_path, f"{VIRTUAL}{SERVER}{{image: 'x:1', unheardOf: 1, groupRef: {{name: {group}}}}}\n") == [
        "ADM001"
    ]


def test_a_reference_resolves_to_the_first_of_two_duplicates(tmp_path: Path) -> None:
    group = f"apiVersion: {VERSION}\nkind: MCPGroup\nmetadata: {{name: team}}\n---\n"
    (tmp_path / "b").mkdir()
    (tmp_path / "0.yaml").write_text(group)
    (tmp_path / "b" / "1.yaml").write_text(f"{group}{SERVER}{{image: 'x:1', groupRef: {{name: team}}}}\n")
    findings = check(discover((str(tmp_path),), release="0.21.0"), Options(closed=True)).findings

    assert [one.rule for one in findings] == ["ADM090"]
