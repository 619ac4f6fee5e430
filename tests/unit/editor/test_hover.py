"""What is shown of a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sample import resource

from mcpcfg.compiler.check import full
from mcpcfg.compiler.editor.hover import Hover, escaped, hover, markdown_of
from mcpcfg.compiler.editor.subject import FileContext
from mcpcfg.compiler.generate.explain.field_page import field_page
from mcpcfg.compiler.generate.explain.schema_place import schema_place
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release
from mcpcfg.validators.registry import all_rules

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.check.full import Report

SERVER = resource(
    "MCPServer",
    "one",
    "image: ghcr.io/acme/one:1.0",
    "transport: stdio",
    "groupRef: {name: team}",
    "env: [{name: A, value: b}]",
)


def shown(text: str, what: str, report: Report | None = None, **around: Any) -> Hover | None:
    findings = [] if report is None else report.findings
    workspace = None if report is None else report.workspace
    at = text.index(what)
    return hover(text, at, FileContext("a.yaml", **around), workspace, findings)


def checked(folder: Path, *texts: str, settings: str = "{}") -> Report:
    for number, text in enumerate(texts):
        (folder / f"f{number}.yaml").write_text(text)
    (folder / "mcpcfg.yaml").write_text(settings)
    return full.check(discover((str(folder),)), full.Options())


def test_a_project_of_a_later_release_is_shown_the_fields_and_kinds_of_it() -> None:
    profile = profile_of_release(TOOLHIVE, "0.30.0")
    server, shared = (
        resource("MCPServer", "one", "authzConfigRef: {name: team}"),
        resource("MCPAuthzConfig", "team", "type: a"),
    )
    text = f"{server}---\n{shared}"

    field = hover(text, text.index("authzConfigRef"), FileContext("a.yaml", profile), None, [])
    kind = hover(text, text.index("type: a"), FileContext("a.yaml", profile), None, [])

    assert field is not None
    assert field.plain.startswith("MCPServer.spec.authzConfigRef: object, optional\n")
    assert "Since: release 0.30.0" in field.plain
    assert kind is not None
    assert kind.plain.startswith("MCPAuthzConfig.spec.type: string, required\n")
    earlier = profile_of_release(TOOLHIVE, "0.29.3")
    assert hover(text, text.index("authzConfigRef"), FileContext("a.yaml", earlier), None, []) is None


@pytest.mark.parametrize(
    ("what", "field"),
    [
        ("transport", "MCPServer.spec.transport"),
        ("stdio", "MCPServer.spec.transport"),
        ("metadata", "MCPServer.metadata"),
        ("name: A", "MCPServer.spec.env.name"),
        ("kind", "MCPServer.kind"),
    ],
)
def test_a_field_shows_the_page_that_explain_prints(what: str, field: str) -> None:
    found = shown(SERVER, what)
    assert found is not None
    assert found.plain == field_page(field)[0]
    assert f"`{field}`" in found.markdown
    assert found.extent is not None
    assert SERVER[slice(*found.extent)].startswith(what.partition(":")[0])


def test_every_fact_of_a_page_is_in_its_markdown() -> None:
    place = schema_place("MCPServer")
    assert place is not None
    for name, field in place.own_fields()["spec"].own_fields().items():
        marked = markdown_of(field)
        assert escaped(field.description) in marked
        assert all(fact in marked for _, fact in field.facts), name
        assert all(f"- `{inner}`" in marked for inner in field.fields()), name


def test_a_finding_shows_what_its_rule_says(tmp_path: Path) -> None:
    report = checked(tmp_path, SERVER)
    found = shown(SERVER, "team", report)
    assert found is not None
    rule = all_rules()["REF001"]
    assert found.plain.startswith(f"REF001 {rule.name} (operator error)\n\n{rule.title}")
    assert "mcpcfg explain REF001" in found.plain
    assert "no file of the project declares it" in found.plain
    parts = found.markdown.split("\n\n---\n\n")
    assert [part[:9] for part in parts] == ["**REF001 ", "MCPGroup ", "`MCPServe"]


def test_a_name_shows_its_target(tmp_path: Path) -> None:
    report = checked(tmp_path, SERVER, resource("MCPGroup", "team", namespace="tools"))._replace(findings=[])
    found = shown(SERVER, "team", report, root=str(tmp_path))
    assert found is not None
    assert found.plain.startswith("MCPGroup tools/team, f1.yaml:4\n")


def test_a_name_that_the_configuration_knows_is_reported_to_exist(tmp_path: Path) -> None:
    report = checked(tmp_path, SERVER, settings="external: {MCPGroup: ['*']}")
    found = shown(SERVER, "team", report)
    assert found is not None
    assert "exists elsewhere" in found.plain


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("services: {web: {image: x}}\n", "image"),
        (SERVER.replace("toolhive.stacklok.dev/v1beta1", "example.com/v1"), "transport"),
        (SERVER.replace("transport", "transports"), "transports"),
        (SERVER + "# a remark\n", "remark"),
        ("", ""),
    ],
)
def test_an_unknown_field_has_no_hover(text: str, what: str) -> None:
    assert shown(text, what) is None


def test_plain_text_stays_plain() -> None:
    assert escaped("a_b*c <d> `e`") == r"a\_b\*c \<d\> \`e\`"
