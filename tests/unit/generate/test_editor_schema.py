"""The schemas for editors agree with the check: they refuse nothing that passes it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from judging import release_of
from referencing import Registry, Resource

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.check.record import checker
from mcpcfg.compiler.diagnostics.placeholder import is_placeholder
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.project.input_kind import kind_named
from mcpcfg.compiler.reading.document import Document, read_documents
from mcpcfg.compiler.toolhive.machine import Environment
from mcpcfg.compiler.toolhive.profile import TOOLHIVE

ROOT = Path(__file__).parents[3]
FIXTURES = ROOT / "fixtures"
SCHEMAS = {path.name: json.loads(path.read_text("utf-8")) for path in (ROOT / "schemas").glob("*.schema.json")}
REGISTRY: Registry[Any] = Registry().with_resources(
    (name, Resource.from_contents(schema)) for name, schema in SCHEMAS.items()
)
GROUPS = {
    "sound": [*FIXTURES.glob("sound/*.yaml")],
    "rules": [one for one in FIXTURES.glob("rules/*/valid-*.yaml") if release_of(one) is None],
    "projects": [path for path in FIXTURES.glob("projects/**/*.yaml") if "templates" not in path.parts],
    "recorded": [*FIXTURES.glob("conformance/*/*/input.yaml")],
}
RECORDS = {
    "registry": "registry",
    "server": "server",
    "catalog-skill": "catalog-skill",
    "workload": "workload-request",
}
"""Kind of input to the name of its schema."""


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(SCHEMAS[f"{name}.schema.json"], registry=REGISTRY)


def without_nulls(value: Any) -> Any:
    """Leave out nulls, which are not given: editors mark a value that was left open."""
    if isinstance(value, dict):
        return {key: without_nulls(one) for key, one in value.items() if one is not None}
    return [without_nulls(one) for one in value] if isinstance(value, list) else value


def whole(data: dict[str, Any]) -> Any:
    """Return a resource, or a list whose items state what they are: editors ask for it, kubectl does not."""
    data = without_nulls(data)
    if isinstance(data.get("items"), list):
        head = {"apiVersion": data["apiVersion"], "kind": data["kind"].removesuffix("List")}
        data["items"] = [head | one for one in data["items"]]
    return data


def resources(file: Path) -> list[Document]:
    """Return the resources of our kinds in a file that the API server does not refuse."""
    documents, _ = read_documents(file.read_bytes(), str(file))
    ours = [
        one
        for one in documents
        if isinstance(one.data, dict)
        and str(one.data.get("apiVersion")).startswith(f"{TOOLHIVE.api_group}/")
        and f"{one.data.get('kind')}.schema.json" in SCHEMAS
    ]
    if not ours:
        return []
    findings = check(discover((str(file),)), Options()).findings
    refused = {one.document for one in findings if one.stage in ("syntax", "admission")}
    return [one for one in ours if one.index not in refused]


@pytest.mark.parametrize("group", GROUPS)
def test_no_schema_of_a_kind_refuses_a_resource_that_the_api_server_accepts(group: str) -> None:
    looked_at, refused = 0, []
    for file in GROUPS[group]:
        for document in resources(file):
            looked_at += 1
            errors = validator(document.data["kind"]).iter_errors(whole(document.data))
            refused += [
                f"{file}: {document.index}: {error.message}"
                for error in errors
                if not (isinstance(error.instance, str) and is_placeholder(error.instance))  # editors mark it
            ]
    assert refused == []
    assert looked_at > 10


@pytest.mark.parametrize("kind", RECORDS)
def test_no_schema_of_a_record_refuses_a_record_without_errors(kind: str) -> None:
    records = kind_named(kind)
    assert records is not None
    looked_at, refused = 0, []
    for line in (FIXTURES / "records" / f"{kind}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row.get("refused") or not isinstance(row["input"], dict):
            continue
        documents, _ = read_documents(json.dumps(row["input"]), "record.json")
        found = checker(records)(documents[0], {kind: documents}, Environment())
        if any(one.severity == "error" for one in found):
            continue
        looked_at += 1
        is_legacy = kind == "registry" and not isinstance(row["input"].get("data"), dict)
        schema = validator("registry-legacy" if is_legacy else RECORDS[kind])
        refused += [f"{row['name']}: {error.message}" for error in schema.iter_errors(without_nulls(row["input"]))]
    assert refused == []
    assert looked_at > 0


def test_the_schema_of_a_vmcp_file_refuses_no_file_without_errors() -> None:
    found = kind_named("vmcp")
    assert found is not None
    looked_at = 0
    for file in sorted(FIXTURES.glob("vmcp/*.yaml")):
        documents, refused = read_documents(file.read_bytes(), str(file), dialect="vmcp")
        if refused or any(one.severity == "error" for one in checker(found)(documents[0], {}, Environment())):
            continue
        looked_at += 1
        assert list(validator("vmcp").iter_errors(documents[0].data)) == [], file
    assert looked_at > 0
