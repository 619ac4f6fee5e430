"""No output of any command, tool or editor feature shows a secret, in whatever way it is written into a project."""

from __future__ import annotations

import json
import os
import re
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import pytest
import yaml
from asking import ask, text_of
from calling import call
from secret_way import GROUP, SIGN, Way, ways
from speaking import Client

from mcpcfg.compiler.agent.tool import TOOLS
from mcpcfg.compiler.cli.main import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

EXACT = {
    "build": "it writes what somebody asked for, to apply it",
    "convert": "it writes a record in another form",
    "registry convert": "it writes a registry in another form",
    "client config": "it writes the settings that a client reads",
}
"""Commands whose output must hold every value, with the reason. Their messages are masked nevertheless."""
PLAYGROUND = Path(__file__).parents[1] / "editors" / "playground" / "python" / "playground.py"
ANSWERS = {
    "check": {},
    "fixes": {"file": "faulty/000.yaml"},
    "build": {"target": "kubernetes"},
    "graph": {},
}
"""Questions of the playground's page. The files of ``build`` are exact, as those of the command are."""
WITHOUT_INPUT = {
    *("explain", "rules", "releases", "schema", "completion", "cache path", "cache clear", "client list", "init"),
    *("lsp", "mcp"),
}
"""Commands that show no value of any file. `FEATURES` and `TOOLS` cover the outputs of the two servers."""
FEATURES = {
    **dict.fromkeys(("hover", "completion", "definition", "prepareRename"), "place"),
    **dict.fromkeys(("documentSymbol", "documentLink", "codeLens"), "file"),
    "references": "use",
    "codeAction": "range",
}
"""Requests about a file that the test of the language server sends, and what each is about."""
WITHOUT_TEXT = {
    "positionEncoding",
    "textDocumentSync",
    "workspace",
    "executeCommandProvider",
    "workspaceSymbolProvider",
}
"""Capabilities of the language server that are no request about a file, or whose answer has names alone."""
FINDING_FORMATS = ("text", "json", "github", "sarif", "junit", "gitlab", "markdown")


class Output(NamedTuple):
    """A call whose output must not show a secret."""

    command: str
    form: str
    arguments: tuple[str, ...]


def _calls(command: str, forms: tuple[str, ...], *arguments: str) -> list[Output]:
    return [Output(command, form, (*command.split(), *arguments, *(("-f", form) if form else ()))) for form in forms]


OUTPUTS = [
    *_calls("check", FINDING_FORMATS, "faulty", "--no-cache", "--verbose", "--severity", "info"),
    *_calls("check", ("text", "json"), "flow", "--no-cache"),
    *_calls("check", ("text", "json"), "broken", "--no-cache"),
    *_calls("check", ("text", "json"), "record/creation.json", "--as", "secret-creation"),
    *_calls("check", ("",), "faulty", "--diff", "--unsafe-fixes"),
    *_calls("check", ("",), "faulty", "--write-baseline", "baseline.json"),
    *_calls("check", ("",), "few", "--shard", "1/1", "--output", "part"),
    *_calls("merge", FINDING_FORMATS, "part", "--severity", "info"),
    *_calls("upgrade", ("text", "json"), "faulty", "--release", "0.44.0", "--to", "0.45.0", "--diff", "--unsafe-fixes"),
    *_calls("build", FINDING_FORMATS, "few", "-t", "kubernetes", "--output-dir", "out"),
    *_calls("diff", ("text", "json", "markdown"), "old", "new"),
    *_calls("graph", ("mermaid", "dot", "html"), "faulty", "--all-kinds"),
    *_calls("simulate tools", ("text", "json"), "gateway", "simulated"),
    *_calls("simulate workflow", ("text", "json"), "gateway", "simulated", "--tool", "run"),
    *_calls("simulate authz", ("text", "json"), "guarded", "simulated", "--principal", "a", "--resource", "x"),
    *_calls("simulate role", ("text", "json"), "aws", "simulated", "--claims", "claims.json"),
    *_calls("simulate rate-limit", ("text", "json"), "guarded", "simulated"),
    *_calls("registry list", ("text", "json"), "record/registry.json", "--servers"),
    *_calls("registry list", ("text", "json"), "record/registry.json"),
    *_calls("registry search", ("text", "json"), "record/registry.json"),
    *_calls("registry show", ("text", "json"), "record/registry.json"),
    *_calls("registry show", ("text", "json"), "record/registry.json", "a"),
    *_calls("registry show", ("text", "json"), "record/registry.json", "a", "--record"),
    *_calls("registry show", ("text", "json"), "record/registry.json", "b"),
    *_calls("registry skills", ("text", "json"), "record/registry.json"),
    *_calls("skill list", ("text", "json"), "--project-root", "record"),
    *_calls("skill show", ("text", "json"), "record/notes"),
    *_calls("skill validate", ("text", "json"), "record/notes"),
    *_calls("workload list", ("text", "json"), "record/runs"),
    *_calls("workload show", ("text", "json"), "record/runs/a.json"),
    *_calls("workload show", ("text", "json"), "record/request.json"),
    *_calls("add", ("",), "MCPServer", "more", "--to", "adding/all.yaml", "--image", "i", "--transport", "stdio"),
]
TOOL_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("check", {"paths": ["faulty"]}),
    ("check", {"paths": ["flow"]}),
    ("fix", {"paths": ["faulty"], "unsafe": True}),
    *(("build", {"paths": ["old"], "target": target, "keepGoing": True}) for target in ("kubernetes", "runconfig")),
    ("diff", {"old": "old", "new": "new"}),
    ("graph", {"paths": ["faulty"], "allKinds": True}),
    ("simulate", {"subject": "tools", "name": "gateway", "paths": ["simulated"]}),
    ("simulate", {"subject": "workflow", "name": "gateway", "paths": ["simulated"], "tool": "run"}),
    (
        "simulate",
        {"subject": "authz", "name": "guarded", "paths": ["simulated"], "claims": {"sub": "a"}, "resource": "x"},
    ),
    ("simulate", {"subject": "role", "name": "aws", "paths": ["simulated"], "claims": {"sub": "a"}}),
    ("simulate", {"subject": "rate-limit", "name": "guarded", "paths": ["simulated"]}),
    ("search_registry", {"file": "record/registry.json"}),
    ("explain", {"what": "SEC001"}),
]
SIMULATED = f"""\
apiVersion: {GROUP}
kind: VirtualMCPServer
metadata: {{name: gateway}}
spec:
  groupRef: {{name: team}}
  incomingAuth: {{type: anonymous}}
  config:
    compositeTools:
    - name: run
      description: "call it with Bearer {SIGN}aB3xY9kL2mN4"
      parameters: {{type: object, properties: {{token: {{type: string, default: {SIGN}-one-of-a-tool}}}}}}
      steps:
      - {{id: a, type: tool, tool: backend.x, arguments: {{password: {SIGN}-of-a-step, url: 'https://u:{SIGN}-p@host'}}}}
---
apiVersion: {GROUP}
kind: MCPGroup
metadata: {{name: team}}
---
apiVersion: {GROUP}
kind: MCPServer
metadata: {{name: guarded}}
spec:
  image: i
  transport: stdio
  sessionStorage: {{provider: redis, address: "redis:6379"}}
  rateLimiting: {{shared: {{maxTokens: 5, refillPeriod: 1m}}}}
  authzConfig:
    type: inline
    inline:
      policies: ['permit(principal, action, resource) unless {{ context.arg_token == "{SIGN}-of-a-policy" }};']
---
apiVersion: {GROUP}
kind: MCPExternalAuthConfig
metadata: {{name: aws}}
spec:
  type: awsSts
  awsSts:
    region: eu-west-1
    roleMappings:
    - matcher: 'claims.token == "{SIGN}-of-a-matcher"'
      roleArn: 'arn:aws:iam::123456789012:role/a'
    - {{claim: admins, roleArn: 'arn:aws:iam::123456789012:role/b', priority: 2}}
"""


def leaf_commands() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each command and its formats."""

    def leaves(command: Any, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        if isinstance(command, click.Group):
            for inner in command.list_commands(click.Context(command)):
                yield from leaves(command.get_command(click.Context(command), inner), f"{name} {inner}")
        else:
            formats = (option for option in command.params if "--format" in option.opts)
            yield name, next((tuple(option.type.choices) for option in formats), ())

    for name in COMMANDS:
        yield from leaves(import_module(f"mcpcfg.compiler.cli.{name}").command, name)


def _with_faults(value: Any) -> Any:
    """Return data with an unknown field in each mapping, so a finding is beside each secret."""
    if isinstance(value, dict):
        return {**{key: _with_faults(inner) for key, inner in value.items()}, "zzz": 1}
    return [_with_faults(item) for item in value] if isinstance(value, list) else value


def _write(folder: Path, some: list[Way], *, is_faulty: bool = False, is_flow: bool = False) -> None:
    folder.mkdir()
    for way in some:
        path = folder / way.id[:3]
        is_record = way.kind or "apiVersion" not in way.data
        if way.kind == "secret-creation":
            continue
        data = _with_faults(way.data) if is_faulty else way.data
        if is_record:
            path.with_suffix(".json").write_text(json.dumps(data, indent=None if is_flow else 1))
            continue
        if way.data["kind"] == "Kustomization":
            path.mkdir()
            path = path / "kustomization"
            data = way.data
        if is_faulty and "spec" in data:
            # The field that an upgrade changes is near the secrets, and so is one that is fixed.
            data = {"kind": data["kind"], "spec": {**data["spec"], "proxyport": 1}, **data}
        text = yaml.safe_dump(data, sort_keys=False, default_flow_style=is_flow, width=100_000)
        if way.text:
            text = way.text + ("  zzz: 1\n" if is_faulty else "")
        path.with_suffix(".yaml").write_text(text)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("ways")
    old = ways(0)
    _write(folder / "old", old)
    _write(folder / "new", ways(1))
    _write(folder / "faulty", old, is_faulty=True)
    _write(folder / "flow", old, is_faulty=True, is_flow=True)
    _write(folder / "few", old[::6], is_faulty=True)
    _write_broken(folder / "broken", old)
    (folder / "adding").mkdir()
    documents = [yaml.safe_dump(way.data, sort_keys=False) for way in old if "MCPServer" in str(way.data)]
    (folder / "adding" / "all.yaml").write_text("---\n".join(documents[::-1]))
    (folder / "simulated").mkdir()
    (folder / "simulated" / "all.yaml").write_text(SIMULATED)
    (folder / "claims.json").write_text('{"sub": "a"}')
    _write_records(folder / "record", {way.id[4:]: way.data for way in old})
    here = os.getcwd()
    os.chdir(folder)
    yield folder
    os.chdir(here)


def _write_broken(folder: Path, some: list[Way]) -> None:
    """Write files that cannot be read, in which a fault stands beside each secret."""
    folder.mkdir()
    for number, way in enumerate(some):
        if "apiVersion" in way.data and not way.text:
            lines = yaml.safe_dump(way.data, sort_keys=False, width=100_000).splitlines()
            at = next(number for number, line in enumerate(lines) if SIGN in line)
            broken = ("  bad: x: y", "\tbad", " - bad: [", "bad: 'x")[number % 4]
            (folder / f"{way.id[:3]}.yaml").write_text("\n".join([*lines[: at + 1], broken, *lines[at + 1 :]]) + "\n")


def _write_records(folder: Path, records: dict[str, Any]) -> None:
    folder.mkdir()
    registry = records["registry-header"]
    registry["servers"] = records["registry-env-default"]["servers"]
    registry["remote_servers"] = {"b": registry["remote_servers"]["a"]}
    for entry in (registry["servers"]["a"], registry["remote_servers"]["b"]):
        entry["description"] += f" Bearer {SIGN}aB3xY9kL2mN4"
    (folder / "registry.json").write_text(json.dumps(registry))
    (folder / "creation.json").write_text(json.dumps({**records["secret-creation"], "key": 5}))
    (folder / "runs").mkdir()
    run = {**records["run-client-secret"], **records["run-env"], **records["run-arguments"], **records["run-header"]}
    (folder / "runs" / "a.json").write_text(json.dumps(run))
    request = {"name": "a", "image": "i", "transport": "stdio", "env_vars": run["env_vars"]}
    (folder / "request.json").write_text(json.dumps({**request, "cmd_arguments": run["cmd_args"]}))
    front = f"name: notes\ndescription: use it with Bearer {SIGN}aB3xY9kL2mN4\nmetadata: {{token: {SIGN}-of-a-skill}}\n"
    for place in (folder / "notes", folder / ".claude" / "skills" / "notes"):
        place.mkdir(parents=True)
        (place / "SKILL.md").write_text(f"---\n{front}---\nRun `tool --token {SIGN}-of-a-skill`.\n")


def assert_hidden(text: str) -> None:
    """No secret stands in a text."""
    leaks = sorted(set(re.findall(rf".{{0,60}}{SIGN}.{{0,30}}", text)))
    assert not leaks, f"{len(leaks)} ways: {leaks[:10]}"


def test_every_output_is_tested() -> None:
    tested = {(output.command, output.form) for output in OUTPUTS}
    for command, forms in leaf_commands():
        if command not in WITHOUT_INPUT and command not in EXACT:
            assert {form for name, form in tested if name == command} - {""} == set(forms), command
            assert any(name == command for name, _ in tested), command
    assert {tool.name for tool in TOOLS} == {name for name, _ in TOOL_CALLS}
    assert len(ways()) >= 150


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda output: "-".join(output.arguments).replace("/", "."))
def test_no_command_shows_a_secret(project: Path, output: Output) -> None:
    outcome = call(*output.arguments)

    assert len(outcome.out + outcome.err) > 4
    assert "Usage:" not in outcome.err or output.command == "add"
    assert_hidden(outcome.out + outcome.err)
    for name in ("baseline.json", "part"):
        if (project / name).is_file():
            assert_hidden((project / name).read_text("utf-8", "replace"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("build", "old/000.yaml", "-t", "kubernetes"),
        ("convert", "record/request.json", "--to", "MCPServer"),
        ("registry", "convert", "record/registry.json"),
    ],
)
def test_what_somebody_asks_for_is_exact(project: Path, arguments: tuple[str, ...]) -> None:
    del project

    assert SIGN in call(*arguments).out


@pytest.mark.parametrize(("tool", "arguments"), TOOL_CALLS)
def test_no_tool_shows_a_secret(project: Path, tool: str, arguments: dict[str, Any]) -> None:
    result = ask(project, tool, **arguments)

    assert not result.is_error, text_of(result)
    assert_hidden(text_of(result) + json.dumps(result.structured_content))


@pytest.fixture
def playground(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    spec = spec_from_file_location("playground", PLAYGROUND)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path / "page")
    yield module
    os.chdir(project)


@pytest.mark.parametrize("folder", ["faulty", "flow", "broken"])
def test_no_answer_of_the_playground_shows_a_secret(project: Path, playground: ModuleType, folder: str) -> None:
    files = {f"{folder}/{path.name}": path.read_text() for path in sorted((project / folder).glob("*.*"))}

    assert set(playground._ANSWERS) == set(ANSWERS)
    for question, arguments in ANSWERS.items():
        asked = {"ask": question, "files": files, "release": "", **arguments}
        places = sorted(files) if "file" in arguments else [""]
        for file in places:
            answer = json.loads(playground.answer(json.dumps({**asked, "file": file})))
            assert "failed" not in answer, answer
            assert len(answer) > 0
            assert_hidden(json.dumps(answer if question != "build" else answer["remarks"]))


def test_a_failure_of_the_playground_shows_no_secret(playground: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(asked: dict[str, Any]) -> None:
        raise RuntimeError(f"https://user:{SIGN}-of-a-url@example.com in {asked}")

    monkeypatch.setitem(playground._ANSWERS, "check", fail)
    answer = json.loads(playground.answer(json.dumps({"ask": "check", "text": f"password: {SIGN}-of-a-field"})))

    assert "RuntimeError" in answer["failed"]
    assert_hidden(answer["failed"])


def test_no_feature_of_an_editor_shows_a_secret(project: Path) -> None:
    text = "---\n".join(path.read_text() for path in sorted((project / "flow").glob("*.yaml"))[::6])
    (project / "editor").mkdir()
    (project / "editor" / "all.yaml").write_text(text)
    client = Client(project / "editor")
    try:
        names = {"prepareRename": "rename"}
        offered = {name for name in client.capabilities if client.capabilities[name] and name not in WITHOUT_TEXT}
        asked = {f"{names.get(name, name)}Provider" for name in FEATURES}
        assert offered <= asked, offered - asked
        client.open("all.yaml")
        client.wait_for_news("all.yaml")
        answers = [client.diagnostics, client.messages, client.logged]
        file = {"textDocument": {"uri": client.uri("all.yaml")}}
        for number, line in enumerate(text.splitlines()):
            column = line.find(SIGN)
            if column < 0:
                continue
            place = {"line": number, "character": column}
            about = {
                "file": file,
                "place": {**file, "position": place},
                "use": {**file, "position": place, "context": {"includeDeclaration": True}},
                "range": {**file, "range": {"start": place, "end": place}, "context": {"diagnostics": []}},
            }
            for name, kind in FEATURES.items():
                answers.append(client.raw(f"textDocument/{name}", about[kind]))
    finally:
        client.end()

    assert len(answers) > 100
    assert_hidden(json.dumps(answers))
