"""``mcpcfg explain``: rules, kinds, fields and states, and what was probably meant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from calling import call
from laying import lay
from sample import resource

from mcpcfg.compiler.generate import schema_file
from mcpcfg.compiler.generate.explain.field_page import schema_name
from mcpcfg.compiler.generate.explain.page import explanation
from mcpcfg.compiler.generate.explain.schema_place import schema_place
from mcpcfg.compiler.models.state import TABLES, StateTable
from mcpcfg.compiler.project.input_kind import KINDS
from mcpcfg.compiler.records.skill import check, front_matter
from mcpcfg.compiler.toolhive.profile import TOOLHIVE
from mcpcfg.validators import registry

if TYPE_CHECKING:
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

FIELDS = [
    "MCPServer",
    "MCPServer.spec.groupRef",
    "MCPServer.spec.rateLimiting",
    "mcpserver.SPEC.secrets[].key",
    "MCPServer.status.phase",
    "WorkloadSummary.status",
    "installed-skill.scope",
    "runconfig",
    "runconfig.aws_sts_config",
    "skill",
    "skill.toolhive.requires",
    "VirtualMCPServer.spec.config.aggregation.tools.overrides.name",
]
UNKNOWN = [
    "spec.incomingAuth.type",
    "REF04",
    "MCPSever.spec.image",
    "MCPServer.spec.rateLimting",
    "MCPServer.status.phas",
    "zzz",
    "MCPServer.spec.",
]


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_has_a_page(field: str, snapshot: SnapshotAssertion) -> None:
    outcome = call("explain", field)
    assert outcome.status == 0
    assert outcome.out == snapshot


@pytest.mark.parametrize(
    ("written", "field"),
    [
        ("registry.servers.weather.image", "registry-legacy.servers.image"),
        ("registry.servers.weather.metadata.kubernetes.uid", "registry-legacy.servers.metadata.kubernetes.uid"),
        ("registry.groups.0.servers.weather.tools", "registry-legacy.groups.servers.tools"),
        ("registry.data.servers[0].packages[1].transport.url", "registry.data.servers.packages.transport.url"),
        (
            "server._meta.io.modelcontextprotocol.registry/publisher-provided.io.github.stacklok.ghcr.io/a/b:1.0.tier",
            "server._meta.io.modelcontextprotocol.registry/publisher-provided.io.github.stacklok.tier",
        ),
        ("workload.image", "workload-request.image"),
        (
            "vmcp.outgoingAuth.backends.github.tokenExchange.tokenUrl",
            "vmcp.outgoingAuth.backends.tokenExchange.tokenUrl",
        ),
        ("tool-override.toolsOverride.search.name", "tool-override.toolsOverride.name"),
        ("MCPServer.spec.env.0.name", "MCPServer.spec.env.name"),
    ],
)
def test_a_field_is_known_by_the_path_that_its_author_writes(written: str, field: str) -> None:
    assert call("explain", written).out.startswith(f"{field}: ")


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS if kind.name != "env-file"])
def test_every_kind_of_input_with_fields_is_explained(kind: str) -> None:
    outcome = call("explain", kind)
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.startswith(kind)


@pytest.mark.parametrize("name", schema_file.schema_names())
def test_the_table_of_a_page_has_a_line_for_each_field_and_marks_those_that_are_required(name: str) -> None:
    place = schema_place(name)
    assert place is not None
    for one in [place, *place.fields().values()]:
        fields = one.fields()
        page = call("explain", one.shown).out.partition("States, at first")[0]
        table = page.partition("Fields:\n")[2].rstrip("\n").splitlines()
        widths = [max(map(len, column), default=0) for column in (fields, [inner.type for inner in fields.values()])]
        assert len(table) == len(fields)
        for line, (field, inner) in zip(table, fields.items(), strict=True):
            first, second = (f"{cell:<{width}}" for cell, width in zip((field, inner.type), widths, strict=True))
            assert f"{line} ".startswith(f"  {first}  {second}".rstrip() + " ")
            marked = line[len(f"  {first}  {second}  ") :].startswith("required")
            assert marked == inner.is_required


def test_the_page_of_skills_names_what_the_service_reads() -> None:
    place = schema_place("skill")
    assert place is not None
    fields = place.fields()

    assert sorted(fields) == sorted([*front_matter.TEXTS, *front_matter.LISTS, "metadata"])
    assert fields["description"].schema["maxLength"] == check.MOST_DESCRIPTION
    assert fields["compatibility"].schema["maxLength"] == check.MOST_COMPATIBILITY
    assert str(check.MOST_DEPENDENCIES) in fields["toolhive.requires"].description
    assert fields["name"].schema["pattern"] == f"^{check.NAME.pattern.removesuffix(chr(92) + 'Z')}$"
    assert [name for name, one in fields.items() if one.is_required] == ["name", "description"]


@pytest.mark.parametrize("what", UNKNOWN)
def test_an_unknown_name_gets_a_suggestion(what: str, snapshot: SnapshotAssertion) -> None:
    outcome = call("explain", what)
    assert outcome.status == 2
    assert outcome.err.splitlines()[-1] == snapshot


@pytest.mark.parametrize(
    ("rule", "end"),
    [
        ("CHT001", "    Verified  0.21.0; other releases are assumed to be alike\n"),
        ("REF010", "    Verified  0.21.0 and 0.44.0; elsewhere the error may be a warning\n"),
        ("RES002", " are assumed to be alike\n    Report    shows the first place; the others are notes\n"),
    ],
)
def test_a_page_says_what_holds_at_releases_that_were_not_verified(rule: str, end: str) -> None:
    assert call("explain", rule).out.endswith(end)


def test_a_page_wraps_to_the_width_and_leaves_its_code() -> None:
    page = explanation("SYN009", TOOLHIVE)
    narrow, wide = page.wrapped(50), page.wrapped(100)
    assert narrow.split() == wide.split() == page.page.split()
    code = [line for line in wide.splitlines() if line.startswith("    ")]
    assert code == [line for line in narrow.splitlines() if line.startswith("    ")]
    prose = [line for line in narrow.splitlines() if not line.startswith("    ") and "<https:" not in line]
    assert max(map(len, prose)) <= 50


def test_every_rule_has_a_page_by_id_and_by_name() -> None:
    for rule in registry.all_rules().values():
        page = call("explain", rule.id).out
        assert rule.name in page
        assert page in call("explain", rule.name).out


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.field)
def test_the_states_are_those_of_the_schema(table: StateTable) -> None:
    kind, *steps = table.field.split(".")
    name = schema_name(kind)
    assert name is not None
    root = json.loads(schema_file.schema_text(name) or "")
    schema: dict[str, Any] = root
    for step in steps:
        schema = schema["properties"][step]
        while "$ref" in schema:
            schema = root["$defs" if "$defs" in root else "definitions"][schema["$ref"].rpartition("/")[2]]
    assert sorted(state.name for state in table.states) == sorted(schema["enum"])
    assert table.first in {*schema["enum"], "empty"}
    assert schema.get("default", table.first) == table.first


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.field)
def test_every_state_is_listed_with_its_causes(table: StateTable) -> None:
    page = call("explain", table.field).out
    for state in table.states:
        assert f"  {state.name}\n    {state.meaning}.\n    Comes: {state.cause}.\n" in page


def test_every_phase_of_a_kind_has_its_table() -> None:
    documented = {table.field for table in TABLES}
    for name in schema_file.schema_names():
        schema = json.loads(schema_file.schema_text(name) or "{}")
        status = schema.get("properties", {}).get("status", {})
        if "$ref" in status:
            status = schema["$defs"][status["$ref"].rpartition("/")[2]]
        if "phase" in status.get("properties", {}):
            assert f"{name}.status.phase" in documented


@pytest.mark.parametrize(
    ("what", "release"),
    [
        ("MCPServer.spec.authzConfigRef", "0.30.0"),
        ("MCPAuthzConfig", "0.30.0"),
        ("VirtualMCPServer.spec.config.compositeTools[].annotations.title", "0.42.1"),
    ],
)
def test_kinds_and_fields_of_a_later_release_are_explained_by_that_release(
    what: str, release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mcpcfg.yaml").write_text('release: "0.21.0"\n')
    monkeypatch.chdir(tmp_path)
    made = call("explain", what)

    assert made.status == 0
    assert f"\nSince: release {release}\n" in made.out
    assert made.out.endswith("\n\nRelease 0.21.0 does not have it.\n")


def test_a_project_is_explained_by_the_release_that_it_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mcpcfg.yaml").write_text('release: "0.30.0"\n')
    monkeypatch.chdir(tmp_path)

    assert "does not have it" not in call("explain", "MCPServer.spec.authzConfigRef.name").out
    assert call("explain", "MCPAuthzConfig").out.startswith("MCPAuthzConfig: object\n")
    assert call("explain", "MCPExternalAuthConfig.spec.xaa").out.endswith("Release 0.30.0 does not have it.\n")


@pytest.mark.parametrize("what", ["MCPServer/fetch", "mcpserver/default/fetch", "fetch", "servers/fetch.yaml"])
def test_a_resource_of_the_project_has_a_page(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lay(
        {
            "servers/fetch.yaml": resource("MCPServer", "fetch", "image: a:1", "groupRef: {name: tools}"),
            "group.yaml": resource("MCPGroup", "tools"),
        }
    )
    page = call("explain", what).out

    assert page.startswith("MCPServer/fetch in namespace default (servers/fetch.yaml:4)\n")
    assert "Refers to:\n  MCPGroup/tools (group.yaml:4), groupRef\n" in page
    assert "MCPServer/fetch (servers/fetch.yaml:4), groupRef" in call("explain", "tools").out


def test_a_misspelt_resource_is_suggested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lay({"group.yaml": resource("MCPGroup", "tools")})

    assert call("explain", "toolz").err.endswith("; the project has MCPGroup/tools\n")
    assert call("explain", "MCPGroup/x").err.endswith("; the project has MCPGroup/tools\n")
