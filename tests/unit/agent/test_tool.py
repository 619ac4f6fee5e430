"""The tools of the MCP server answer as commands do, in the form that their schemas promise."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from asking import ask, talk, text_of
from calling import call
from drawing import resource
from mcp.shared.exceptions import MCPError
from repository import commit

from mcpcfg.compiler.agent import check
from mcpcfg.compiler.agent.tool import TOOLS
from mcpcfg.compiler.generate.schema_file import schema_text
from mcpcfg.compiler.simulate.answer import rate_limit

if TYPE_CHECKING:
    from mcp.client.client import Client

FIXTURES = Path(__file__).parents[3] / "fixtures"
MISSPELT = resource("MCPServer", "fetch", "{imagee: 'ghcr.io/acme/fetch:1.0', transport: STDIO}")
SOUND = resource("MCPServer", "fetch", "{image: 'ghcr.io/acme/fetch:1.0', transport: stdio}")
DESK, GIVEN = "projects/virtual-server", "simulations/call"
AUTHZ = {"subject": "authz", "name": f"{GIVEN}/authz.json"}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("check", {"paths": ["fix", "records"]}),
    ("check", {"files": {"fetch.yaml": MISSPELT}}),
    ("check", {"files": {"notes.yaml": "a: 1\n"}}),
    ("explain", {"what": "REF004"}),
    ("explain", {"what": "MCPServer.spec.image"}),
    ("fix", {"paths": ["fix/union-type.yaml"], "unsafe": True}),
    ("fix", {"files": {"fetch.yaml": MISSPELT}}),
    *(("build", {"paths": ["projects/virtual-server"], "target": target}) for target in ("kubernetes", "runconfig")),
    ("build", {"paths": ["projects/virtual-server"], "target": "vmcp", "standalone": True, "keepGoing": True}),
    ("build", {"paths": ["fix/unquoted.yaml"], "target": "kubernetes"}),
    ("diff", {"old": "projects/first-server", "new": "projects/virtual-server"}),
    ("diff", {"new": "projects/first-server", "files": {"projects/first-server/more.yaml": SOUND}}),
    ("graph", {"paths": ["projects/virtual-server"], "allKinds": True}),
    ("graph", {"files": {"fetch.yaml": SOUND}}),
    ("simulate", {"subject": "tools", "name": "desk", "paths": [DESK], "backendTools": {"tickets": ["search"]}}),
    ("simulate", {"subject": "tools", "name": f"{DESK}/desk.yaml"}),
    ("simulate", {"subject": "workflow", "name": "desk", "paths": [DESK], "tool": "triage_ticket"}),
    ("simulate", AUTHZ | {"claims": {"sub": "alice"}, "resource": "report", "arguments": {"pages": 4}}),
    ("simulate", AUTHZ | {"claims": {"sub": "alice"}, "action": "list_tools"}),
    ("simulate", {"subject": "role", "name": f"{GIVEN}/role.yaml", "claims": {"groups": ["admins"]}}),
    ("simulate", {"subject": "rate-limit", "name": "search", "paths": [GIVEN], "users": 50}),
    ("search_registry", {"file": f"{GIVEN}/registry.json"}),
    ("search_registry", {"file": f"{GIVEN}/registry.json", "query": "nothing has this name"}),
]


def test_the_tools_say_what_they_do_and_take() -> None:
    async def listed(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = talk(FIXTURES, listed)

    assert [tool.name for tool in tools] == [tool.name for tool in TOOLS]
    for tool in tools:
        assert len(tool.description) > 60
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["type"] == "object"
        assert tool.annotations.read_only_hint
        assert tool.annotations.idempotent_hint
        assert not tool.annotations.open_world_hint


def test_only_a_server_that_may_write_has_a_tool_that_is_not_read_only() -> None:
    async def listed(client: Client) -> Any:
        return (await client.list_tools()).tools

    writing = [tool.name for tool in talk(FIXTURES, listed, may_write=True) if not tool.annotations.read_only_hint]
    assert writing == ["fix"]


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=lambda value: value if isinstance(value, str) else "")
def test_an_answer_fits_the_schema_of_its_tool_and_says_the_same_as_text(tool: str, arguments: dict[str, Any]) -> None:
    result = ask(FIXTURES, tool, **arguments)

    assert not result.is_error, text_of(result)
    assert json.loads(text_of(result)) == result.structured_content
    described = next(known for known in TOOLS if known.name == tool)
    jsonschema.validate(result.structured_content, described.output_schema())
    published = [json.loads(schema_text(name) or "") for name in described.outputs]
    for schema in published:
        for definition in (schema, *schema.get("$defs", {}).values()):
            definition.setdefault("additionalProperties", False)
    assert any(jsonschema.Draft202012Validator(schema).is_valid(result.structured_content) for schema in published)


def test_the_list_of_tools_is_short_because_every_agent_reads_it_at_its_start() -> None:
    async def listed(client: Client) -> Any:
        return await client.list_tools()

    assert len(talk(FIXTURES, listed).model_dump_json(by_alias=True, exclude_none=True)) <= 16_000


def test_the_list_of_tools_names_resources_with_the_schemas_of_the_answers() -> None:
    for tool in TOOLS:
        for uri in re.findall(r"mcpcfg://\S+[a-z]", tool.output_schema()["description"]):

            async def read(client: Client, uri: str = uri) -> Any:
                return await client.read_resource(uri)

            assert json.loads(talk(FIXTURES, read).contents[0].text)["type"] == "object"


@pytest.mark.parametrize("what", ["MCPServer/fetch", "fetch.yaml"])
def test_an_agent_gets_the_page_of_a_resource(what: str, tmp_path: Path) -> None:
    (tmp_path / "fetch.yaml").write_text(SOUND, "utf-8")

    assert ask(tmp_path, "explain", what=what).structured_content["page"].startswith("MCPServer/fetch in namespace ")


def test_an_unknown_name_gets_a_suggestion_and_no_command(tmp_path: Path) -> None:
    (tmp_path / "fetch.yaml").write_text(SOUND, "utf-8")

    message = text_of(ask(tmp_path, "explain", what="MCPServer/fetsh"))
    assert message.endswith("; the project has MCPServer/fetch")
    assert "mcpcfg " not in text_of(ask(tmp_path, "explain", what="qqq"))


def test_check_reports_what_the_command_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FIXTURES)

    assert ask(FIXTURES, "check", paths=["fix"]).structured_content == json.loads(
        call("check", "fix", "--format", "json").out
    )


def test_a_draft_is_checked_within_the_project(tmp_path: Path) -> None:
    (tmp_path / "group.yaml").write_text(resource("MCPGroup", "team"), "utf-8")
    draft = {"fetch.yaml": SOUND.replace("stdio}", "stdio, groupRef: {name: team}}")}

    alone = ask(tmp_path, "check", files=draft).structured_content
    together = ask(tmp_path, "check", paths=["."], files=draft).structured_content

    assert "REF001" in [finding["rule"] for finding in alone["findings"]]
    assert "REF001" not in [finding["rule"] for finding in together["findings"]]
    assert together["summary"]["files"] == 2


def test_the_worst_of_very_many_findings_are_shown_and_all_are_counted(tmp_path: Path) -> None:
    count = check.MOST_FINDINGS + 5
    texts = (resource("MCPServer", f"s{number}", "{transport: bogus}") for number in range(count))
    (tmp_path / "many.yaml").write_text("---\n".join(texts), "utf-8")

    answer = ask(tmp_path, "check").structured_content

    assert len(answer["findings"]) == check.MOST_FINDINGS
    assert {finding["severity"] for finding in answer["findings"]} == {"error"}
    assert answer["summary"]["errors"] == 2 * count
    assert "more findings are left out" in answer["remarks"][0]


def test_fix_returns_a_diff_and_writes_nothing_by_itself(tmp_path: Path) -> None:
    (tmp_path / "fetch.yaml").write_text(MISSPELT, "utf-8")

    answer = ask(tmp_path, "fix").structured_content
    refused = ask(tmp_path, "fix", write=True)

    assert answer["written"] is False
    assert "+spec: {image: 'ghcr.io/acme/fetch:1.0', transport: stdio}" in answer["files"][0]["diff"]
    assert refused.is_error
    assert "start it with --write" in text_of(refused)
    assert (tmp_path / "fetch.yaml").read_text("utf-8") == MISSPELT


def test_fix_writes_if_the_server_and_the_call_say_so(tmp_path: Path) -> None:
    (tmp_path / "fetch.yaml").write_text(MISSPELT, "utf-8")

    assert ask(tmp_path, "fix", may_write=True).structured_content["written"] is False
    assert ask(tmp_path, "fix", may_write=True, write=True).structured_content["written"] is True

    assert (tmp_path / "fetch.yaml").read_text("utf-8") == SOUND
    assert "without write" in text_of(ask(tmp_path, "fix", may_write=True, write=True, files={"a.yaml": SOUND}))


def test_build_names_the_files_that_do_not_fit_into_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "MOST_CHARACTERS", 3000)
    shutil.copytree(FIXTURES / "projects" / "first-server", tmp_path / "project")

    answer = ask(tmp_path, "build", target="kubernetes").structured_content

    assert answer["omitted"]
    assert not answer["complete"]
    assert sum(len(file["text"]) for file in answer["files"]) <= 3000


def test_build_stops_at_errors_and_names_them(tmp_path: Path) -> None:
    (tmp_path / "fetch.yaml").write_text(MISSPELT, "utf-8")

    answer = ask(tmp_path, "build", target="kubernetes").structured_content

    assert answer["files"] == []
    assert {finding["rule"] for finding in answer["findings"]} >= {"ADM001", "ADM004"}
    assert "nothing was compiled" in answer["remarks"][-1]


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("nix", {}, "there is no tool 'nix', only check, "),
    ("check", {"path": "a.yaml"}, "'path' was unexpected); see the input schema of check"),
    ("check", {"paths": [1]}, "arguments.paths[0]: 1 is not of type 'string'"),
    ("check", {"paths": ["gone.yaml"]}, "no such file or folder: gone.yaml"),
    ("check", {"release": "9"}, "arguments.release"),
    ("check", {"files": {"a.yaml": SOUND}, "kind": "bogus"}, "there is no kind of input 'bogus'"),
    ("check", {"files": {"a.yaml": SOUND}, "namespace": "Tools"}, 'namespace "Tools" may have'),
    ("explain", {"what": "MCPServr"}, "did you mean MCPServer"),
    ("explain", {}, "'what' is a required property"),
    ("build", {"target": "nomad"}, "'nomad' is not one of"),
    ("build", {"target": "vmcp", "cluster": "gone"}, "there is no cluster 'gone'"),
    ("diff", {}, "name the old state: old (a path), against (a Git revision), or only files (a draft)"),
    ("diff", {"old": ".", "against": "HEAD"}, "name the old state"),
    ("diff", {"against": "--output=x"}, "arguments.against"),
    ("diff", {"against": "gone"}, "gone"),
    ("simulate", {"subject": "tools", "name": "desk"}, 'no VirtualMCPServer "desk" among the files'),
    ("simulate", {"subject": "rate-limit", "name": "server"}, "no MCPServer"),
    ("simulate", {"subject": "authz", "name": "fetch", "action": "call_tool"}, "state in resource what is asked for"),
    ("simulate", {"subject": "authz", "name": "fetch", "resource": "a"}, "state who asks: claims"),
    ("simulate", {"subject": "tools", "name": "a", "backendTools": {"b": 1}}, 'no VirtualMCPServer "a"'),
    ("search_registry", {"file": "group.yaml"}, "group.yaml is not a registry: it has neither servers nor data"),
    ("search_registry", {"file": "group.yaml", "limit": 0}, "arguments.limit"),
]


@pytest.mark.parametrize(("tool", "arguments", "advice"), WRONG, ids=[advice for _, _, advice in WRONG])
def test_the_error_for_a_wrong_call_says_what_to_do(tool: str, arguments: dict[str, Any], advice: str) -> None:
    result = ask(FIXTURES / "sound" / "group-and-server", tool, **arguments)

    assert result.is_error
    assert advice in text_of(result)


def test_a_fault_of_the_program_ends_the_call_alone(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def fail(_: object) -> None:
        raise KeyError("secret-place")

    monkeypatch.setattr(check, "check", fail)

    async def conversation(client: Client) -> Any:
        return await client.call_tool("check", {}), await client.call_tool("explain", {"what": "REF004"})

    failed, explained = talk(FIXTURES, conversation)

    assert failed.is_error
    assert text_of(failed) == "internal error of mcpcfg, please report it: KeyError"
    assert "secret-place" in capsys.readouterr().err
    assert not explained.is_error


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_diff_compares_with_a_revision_of_git(tmp_path: Path) -> None:
    (tmp_path / "fetch.yaml").write_text(SOUND, "utf-8")
    commit(tmp_path)
    (tmp_path / "fetch.yaml").write_text(SOUND.replace(":1.0", ":1.1"), "utf-8")

    changes = ask(tmp_path, "diff", against="HEAD").structured_content["changes"]

    assert ("StatefulSet", "changed") in [(change["kind"], change["change"]) for change in changes]
    assert ask(tmp_path, "diff", against="gone").is_error


def test_diff_compares_a_draft_with_the_files(tmp_path: Path) -> None:
    (tmp_path / "fetch.yaml").write_text(SOUND, "utf-8")
    draft = {"fetch.yaml": SOUND.replace(":1.0", ":1.1"), "other.yaml": SOUND.replace("name: fetch", "name: other")}
    refused = {"fetch.yaml": SOUND.replace("stdio", "bogus")}

    changes = ask(tmp_path, "diff", files=draft).structured_content["changes"]
    remarks = ask(tmp_path, "diff", files=refused).structured_content["remarks"]

    assert {(change["name"], change["change"]) for change in changes if change["kind"] == "StatefulSet"} == {
        ("fetch", "changed"),
        ("other", "added"),
    }
    assert remarks[-1] == "not compared, as one side refuses it: MCPServer default/fetch"


def test_simulate_answers_what_the_command_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FIXTURES)
    command = call("simulate", "tools", "desk", DESK, "--format", "json")

    assert ask(FIXTURES, "simulate", subject="tools", name="desk", paths=[DESK]).structured_content == json.loads(
        command.out
    )


@pytest.mark.parametrize("replicas", ["'${N}'", "1"])
def test_placeholders_are_named_as_the_cause_of_a_failure_only_if_there_are_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replicas: str
) -> None:
    def fail(*_: object) -> None:
        raise TypeError("a text is no number")

    monkeypatch.setattr(rate_limit, "limits", fail)
    (tmp_path / "fetch.yaml").write_text(SOUND.replace("stdio", f"stdio, replicas: {replicas}"), "utf-8")

    result = ask(tmp_path, "simulate", subject="rate-limit", name="fetch")

    assert result.is_error
    assert ("fill them in first" in text_of(result)) == (replicas != "1")


def test_pages_and_schemas_are_resources() -> None:
    async def conversation(client: Client) -> Any:
        listed, cursor = [], None
        while True:
            page = await client.list_resources(cursor=cursor)
            listed += page.resources
            cursor = page.next_cursor
            if cursor is None:
                break
        templates = (await client.list_resource_templates()).resource_templates
        texts = {}
        for uri in ("mcpcfg://rule/REF004", "mcpcfg://kind/MCPServer", "mcpcfg://schema/MCPServer"):
            texts[uri] = (await client.read_resource(uri)).contents[0]
        return listed, templates, texts

    listed, templates, texts = talk(FIXTURES, conversation)

    uris = [resource.uri for resource in listed]
    assert len(set(uris)) == len(uris)
    assert texts.keys() <= set(uris)
    assert [template.uri_template for template in templates] == [
        "mcpcfg://rule/{id}",
        "mcpcfg://kind/{name}",
        "mcpcfg://schema/{name}",
    ]
    assert texts["mcpcfg://rule/REF004"].text == call("explain", "REF004").out
    assert texts["mcpcfg://kind/MCPServer"].text == call("explain", "MCPServer").out
    assert json.loads(texts["mcpcfg://schema/MCPServer"].text)["title"] == "MCPServer"


@pytest.mark.parametrize(
    "uri", ["mcpcfg://rule/XYZ999", "mcpcfg://schema/../mcpcfg", "file:///etc/passwd", "mcpcfg://"]
)
def test_an_unknown_resource_is_an_error(uri: str) -> None:
    async def conversation(client: Client) -> str:
        try:
            await client.read_resource(uri)
        except MCPError as error:
            return str(error)
        return ""

    assert "resources/list names all" in talk(FIXTURES, conversation)
