"""CRDs that are given admit objects of their kinds, of any API group."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mcpcfg.compiler import api
from mcpcfg.compiler.admission.definition import Definition, DefinitionFault, compile_definition
from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.project.settings import Options
from mcpcfg.compiler.reading.document import read_documents

if TYPE_CHECKING:
    from mcpcfg.compiler.check.full import Report

CRDS = Path(__file__).parents[3] / "fixtures" / "crds"
DEFINITIONS = str(CRDS / "definitions")
OURS = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: mcpgroups.toolhive.stacklok.dev}
spec:
  group: toolhive.stacklok.dev
  scope: Namespaced
  names: {kind: MCPGroup, plural: mcpgroups}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {purpose: {type: string}}}
"""


def checked(text: str, crds: str = DEFINITIONS, **options: Any) -> Report:
    return api.check(files={"all.yaml": text}, options=Options(crds=(crds,), **options))


def definition(schema: dict[str, Any], kind: str = "Thing") -> dict[str, Any]:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.lower()}s.things.example.com"},
        "spec": {
            "group": "things.example.com",
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": f"{kind.lower()}s"},
            "versions": [version],
        },
    }


def of_spec(spec: dict[str, Any]) -> dict[str, Any]:
    return definition({"type": "object", "properties": {"spec": {"type": "object", **spec}}})


def thing(spec: Any) -> str:
    one = {"apiVersion": "things.example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    return json.dumps(one)


@pytest.fixture
def crd(tmp_path: Path) -> Any:
    def write(*definitions: dict[str, Any]) -> str:
        file = tmp_path / "crds.yaml"
        file.write_text("\n---\n".join(json.dumps(one) for one in definitions))
        return str(file)

    return write


def test_sound_objects_have_no_findings() -> None:
    report = api.check(str(CRDS / "sound"), options=Options(crds=(DEFINITIONS,)))

    assert report.findings == []
    assert not report.nothing


@pytest.mark.parametrize("file", sorted((CRDS / "broken").iterdir()), ids=lambda file: file.stem)
def test_each_fault_is_reported_on_its_line_and_nothing_else_is(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    expected = [(number, rule) for number, line in enumerate(lines, 1) for rule in re.findall("# (ADM[0-9]{3})", line)]

    found = api.check(file, options=Options(crds=(DEFINITIONS,))).findings

    assert [(one.span.line, one.rule) for one in found] == expected
    assert {one.stage for one in found} == {"admission"}


def test_without_crds_objects_of_other_groups_are_left_alone() -> None:
    assert api.check(str(CRDS / "broken")).findings == []


def test_a_misspelt_field_of_a_custom_kind_has_a_hint_with_the_field() -> None:
    (found,) = checked(
        "{apiVersion: delivery.example.com/v2, kind: Release, metadata: {name: a}, "
        "spec: {interval: 1h, suspended: true, chart: {spec: {chart: a}}}}"
    ).findings

    assert found.message == 'unknown field "suspended" in spec'
    assert found.hint == 'did you mean "suspend"?'
    assert found.path == ("spec", "suspended")


def test_a_misspelled_kind_is_a_warning_that_names_the_kind_of_the_crds() -> None:
    (warning,) = checked(
        "{apiVersion: delivery.example.com/v2, kind: Releases, metadata: {name: a}, spec: {}}"
    ).findings

    assert (warning.rule, warning.severity) == ("ADM030", "warning")
    assert warning.message == 'none of the given CRDs has "Releases" of delivery.example.com'
    assert warning.hint == 'did you mean "Release"?'


def test_our_own_kinds_are_admitted_by_a_crd_that_has_them(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text(OURS)
    text = "apiVersion: toolhive.stacklok.dev/{}\nkind: MCPGroup\nmetadata: {{name: a}}\nspec: {{{}: x}}\n"

    def rules(version: str, field: str) -> list[str]:
        found = checked(text.format(version, field), str(tmp_path)).findings
        return [one.rule for one in found if one.stage == "admission"]

    assert rules("v1", "purpose") == []
    assert rules("v1", "description") == ["ADM001"]
    assert rules("v1alpha1", "description") == ["ADM031"]


def test_kinds_without_a_custom_crd_are_checked_by_their_models(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text(OURS)
    server = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: a}\nspec: {imagee: x}\n"

    assert "ADM001" in [one.rule for one in checked(server, str(tmp_path)).findings]


def test_objects_of_other_programs_get_no_fix_of_our_kinds(crd: Any) -> None:
    from mcpcfg.compiler.fix.fixed_file import fixed

    crds = crd(definition({"type": "object", "properties": {"spec": {"type": "object"}}}, kind="MCPServer"))
    text = "apiVersion: things.example.com/v1\nkind: MCPServer\nmetadata: {name: a}\nspec: {imag: x}\n"
    report = checked(text, crds)

    assert [one.rule for one in report.findings] == ["ADM001"]
    assert [after.text for _, _, after in fixed(report, unsafe=True)] == []


def test_the_configuration_names_crds_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "crds").mkdir()
    (tmp_path / "crds" / "ours.yaml").write_text(OURS)
    (tmp_path / "mcpcfg.yaml").write_text("crds: [crds]\n")
    (tmp_path / "group.yaml").write_text(
        "apiVersion: toolhive.stacklok.dev/v1\nkind: MCPGroup\nmetadata: {name: a}\nspec: {purpos: x}\n"
    )

    assert [one.rule for one in api.check(tmp_path).findings if one.stage == "admission"] == ["ADM001"]


def test_a_crd_outside_of_the_project_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out.yaml").write_text(OURS)
    (tmp_path / "in" / "mcpcfg.yaml").write_text("crds: [../out.yaml]\n")

    with pytest.raises(InputError, match="outside of the project"):
        api.check(tmp_path / "in")


def test_a_missing_crd_file_is_refused() -> None:
    with pytest.raises(InputError, match="no such file"):
        checked("{}", "nowhere")


def test_rules_that_cannot_be_evaluated_are_reported_once_for_each_crd(crd: Any) -> None:
    rules = [{"rule": "self.nope == 1"}, {"rule": "self.n.unknownFunction()"}, {"rule": "self.n < 3", "message": "big"}]
    spec = {"properties": {"n": {"type": "integer"}}, "x-kubernetes-validations": rules}
    found = checked("\n---\n".join([thing({"n": 5}), thing({"n": 6})]), crd(of_spec(spec))).findings

    assert [one.rule for one in found] == ["ADM095", "ADM009", "ADM009"]
    assert found[0].message.startswith("2 rules of things.things.example.com cannot be evaluated here")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"apiVersion": "apiextensions.k8s.io/v1beta1"}, "1.22"),
        ({"spec": {"group": "a.b", "names": {"kind": "A"}, "versions": []}}, "versions"),
        ({"spec": {"group": "a.b", "names": {}, "versions": [{}]}}, "kind"),
    ],
)
def test_a_crd_that_no_object_can_use_is_reported(crd: Any, change: dict[str, Any], message: str) -> None:
    found = checked("{}", crd(of_spec({}) | change)).findings

    assert [one.rule for one in found] == ["ADM094"]
    assert message in found[0].message


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "text"},
        {"type": "object", "properties": []},
        {"type": "array"},
        {"type": "string", "pattern": "(?=a)"},
        {"type": "object", "required": [1]},
        {"$ref": "#/a"},
        {"type": "object", "anyOf": [3]},
    ],
    ids=lambda schema: json.dumps(schema)[:30],
)
def test_a_schema_that_the_api_server_refuses_is_a_fault(schema: dict[str, Any]) -> None:
    assert isinstance(compile_definition(of_spec({"properties": {"a": schema}})), DefinitionFault)


WORDS = {
    "properties": [],
    "items": True,
    "additionalProperties": "x",
    "not": [],
    "type": ["object"],
    "pattern": 5,
    "format": {},
    "enum": 3,
    "required": [1],
    "allOf": {},
    "anyOf": {"a": 1},
    "oneOf": "x",
    "nullable": "true",
    "minimum": "1",
    "maxLength": [],
    "multipleOf": float("inf"),
    "x-kubernetes-validations": {},
    "x-kubernetes-list-map-keys": [["a"]],
    "x-kubernetes-list-type": ["map"],
    "x-kubernetes-int-or-string": 1,
}


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("holder", ["root", "field", "anyOf", "metadata"])
def test_a_keyword_of_another_type_is_a_fault_at_its_place(word: str, holder: str) -> None:
    wrong = {"type": "object", word: WORDS[word]}
    data = {
        "root": definition(wrong),
        "field": of_spec({"properties": {"a": wrong}}),
        "anyOf": of_spec({"anyOf": [wrong]}),
        "metadata": definition({"type": "object", "properties": {"metadata": {"properties": {"name": wrong}}}}),
    }[holder]

    fault = compile_definition(data)

    assert isinstance(fault, DefinitionFault)
    assert word in fault.message
    assert holder == "metadata" or fault.path[-1] == word


def test_other_documents_are_checked_although_a_crd_is_unusable(crd: Any) -> None:
    report = checked(
        f"{thing({'a': 1})}\n---\nkind: MCPServer\napiVersion: toolhive.stacklok.dev/v1beta1\n",
        crd(definition({"type": "object", "properties": {"spec": {"type": ["object"]}}})),
    )

    assert {"ADM094", "ADM008"} & {one.rule for one in report.findings} == {"ADM094"}
    assert len(report.findings) > 1


def test_values_of_an_enumeration_may_be_of_any_type(crd: Any) -> None:
    ours = OURS.replace("{type: string}", "{enum: [1, {a: b}, [c], none]}")
    text = "apiVersion: toolhive.stacklok.dev/v1\nkind: MCPGroup\nmetadata: {name: a}\nspec: {purpose: nnoe}\n"

    assert [
        one.rule for one in checked(text, crd(*(one.data for one in read_documents(ours, "a.yaml")[0]))).findings
    ] == ["ADM004"]


def test_a_hostile_crd_is_bounded_in_depth_and_size() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(2_000):
        deep = {"type": "object", "properties": {"a": deep}}
    alternatives: dict[str, Any] = {"enum": ["a"]}
    for _ in range(2_000):
        alternatives = {"anyOf": [alternatives]}
    wide = {
        f"f{i}": {"type": "object", "properties": {f"g{j}": {"type": "string"} for j in range(400)}} for i in range(400)
    }

    for schema in ({"properties": {"a": deep}}, alternatives, {"properties": wide}):
        assert isinstance(compile_definition(of_spec(schema)), DefinitionFault)


@pytest.mark.parametrize(
    "spec",
    [
        {"properties": {"t": {"type": "string", "pattern": "^(a+)+$"}}},
        {
            "properties": {"t": {"type": "string"}},
            "x-kubernetes-validations": [{"rule": "self.t.matches('^(a+)+$')"}],
        },
        {
            "properties": {"l": {"type": "array", "items": {"type": "integer"}}},
            "x-kubernetes-validations": [{"rule": "self.l.all(a, self.l.all(b, self.l.all(c, a + b + c >= 0)))"}] * 20,
        },
    ],
    ids=["pattern", "matches", "loops"],
)
def test_a_hostile_cel_rule_ends_in_bounded_time(crd: Any, spec: dict[str, Any]) -> None:
    began = time.process_time()

    checked(thing({"t": "a" * 50_000 + "b", "l": list(range(2_000))}), crd(of_spec(spec)))

    assert time.process_time() - began < 20  # seconds; on one of the slowest machines


def test_a_rule_that_takes_too_long_refuses_nothing(crd: Any) -> None:
    spec = {
        "properties": {"l": {"type": "array", "items": {"type": "integer"}}},
        "x-kubernetes-validations": [{"rule": "self.l.all(a, self.l.all(b, self.l.all(c, a + b + c >= 0))) && false"}],
    }

    assert checked(thing({"l": list(range(200))}), crd(of_spec(spec))).findings == []


def test_compiled_crds_are_kept_by_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mcpcfg.compiler.project import crd_files

    folder = str(tmp_path / "cache")
    file = tmp_path / "ours.yaml"
    file.write_text(OURS)
    compiled: list[object] = []

    def counted(data: Any) -> Any:
        compiled.append(data)
        return compile_definition(data)

    monkeypatch.setattr(crd_files, "compile_definition", counted)
    first = crd_files.load([str(file)], folder)
    second = crd_files.load([str(file)], folder)
    assert (len(compiled), repr(first)) == (1, repr(second))

    file.write_text(OURS.replace("purpose", "reason"))
    third = crd_files.load([str(file)], folder)
    assert len(compiled) == 2
    assert repr(third) != repr(first)


def test_a_compiled_definition_survives_marshal() -> None:
    import marshal

    found = compile_definition(of_spec({"properties": {"a": {"type": "object", "default": {"b": [1]}}}}))

    assert isinstance(found, Definition)
    parts: Any = tuple(found)
    assert Definition(*marshal.loads(marshal.dumps(parts))) == found


@pytest.mark.parametrize(("subresources", "count"), [({"status": {}}, 0), ({}, 1)])
def test_a_status_is_not_checked_if_it_is_a_subresource(crd: Any, subresources: dict[str, Any], count: int) -> None:
    given = definition({"type": "object", "properties": {"status": {"type": "object", "required": ["ready"]}}})
    given["spec"]["versions"][0]["subresources"] = subresources
    text = json.dumps({**json.loads(thing(None)), "status": {}}).replace(', "spec": null', "")

    assert len(checked(text, crd(given)).findings) == count


def test_a_duplicate_list_item_is_found_after_a_placeholder(crd: Any) -> None:
    items = {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}
    file = crd(of_spec({"properties": {"names": items}}))

    assert [one.path for one in checked(thing({"names": ["${A}", [], "b", "b"]}), file).findings][-1:] == [
        ("spec", "names", 3)
    ]


def test_crds_after_an_unusable_crd_are_used(crd: Any) -> None:
    broken = definition({"type": "string"}, kind="Other")
    other = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    items = [other, broken, of_spec({"properties": {"count": {"type": "integer"}}})]
    report = checked(thing({"count": "a"}), crd({"apiVersion": "v1", "kind": "List", "items": items}))

    assert [one.path for one in report.findings if one.span.file == "all.yaml"] == [("spec", "count")]
