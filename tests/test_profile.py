"""An operator that goes by other names: whatever it makes, and whatever is reported, has those names alone."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from calling import call

import mcpcfg
from mcpcfg.compiler.admission.table import KINDS
from mcpcfg.compiler.emit.target import TARGETS
from mcpcfg.compiler.generate.schema_file import schema_names
from mcpcfg.compiler.project.settings import Options

if TYPE_CHECKING:
    from mcpcfg.compiler.check.full import Report
    from mcpcfg.compiler.diagnostics.finding import Finding
    from mcpcfg.compiler.emit.target import Target

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"
CONFIG = """
profile: hub
profiles:
  hub:
    apiGroup: mcp.example.org
    prefix: hb
    product: hub
    organization: acme
    cloud: sky
"""
WORDS = (
    ("toolhive.stacklok.dev", "mcp.example.org"),
    ("toolhive.stacklok.com", "mcp.example.com"),
    ("toolhive", "hub"),
    ("ToolHive", "Hub"),
    ("TOOLHIVE", "HUB"),
    ("stacklok", "acme"),
    ("thv", "hb"),
    ("THV", "HB"),
    ("awsSts", "skySts"),
    ("awssts", "skysts"),
    ("aws_sts", "sky_sts"),
    ("aws-mcp", "sky-mcp"),
)
FIRST = re.compile(r"(?i)toolhive(?!\.requires)|(?<!io\.github\.)stacklok|\b_*thv|\baws(?=Sts|sts|_sts|-mcp)")
"""Words of the built-in profile, but for those in the formats of catalogs and skills, which others write."""

DIGEST = re.compile(r"\b[0-9a-f]{64}\b|(?<=ash: )\S+|(?<=checksum: )\S+")


def translated(text: str) -> str:
    for word, other in WORDS:
        text = text.replace(word, other)
    return text


QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
FOLD = re.compile(r"\n +(?:\\(?= ))?")


def compiled(text: str) -> list[str]:
    """Return the lines of what was compiled: sorted, as other names sort otherwise, and without hashes.

    A quoted text is one line: names of other lengths are folded at other places.
    """
    unfolded = QUOTED.sub(lambda quoted: FOLD.sub(" ", quoted[0]), text)
    return sorted(DIGEST.sub("<digest>", unfolded).splitlines())


def reported(finding: Finding) -> str:
    """Return all that there is to read of a finding."""
    return str((finding.rule, finding.path, finding.message, finding.hint, [note.message for note in finding.notes]))


@cache
def inputs() -> dict[str, str]:
    """Return recorded cases, sound projects and the examples of all rules as one project of isolated files."""
    folders = [FIXTURES / name for name in ("admission", "conformance/operator", "rules", "sound")]
    files = sorted(file for folder in folders for file in folder.rglob("*.yaml"))
    return {f"{number}/{file.name}": file.read_text("utf-8") for number, file in enumerate(files)}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Report]:
    """Return the same files as checked by the built-in profile and by another."""
    folder = tmp_path_factory.mktemp("profile")
    first, second = folder / "first.yaml", folder / "second.yaml"
    first.write_text("")
    second.write_text(CONFIG)
    options = Options(isolated=True)
    other = {name: translated(text) for name, text in inputs().items()}
    return (
        mcpcfg.check(files=inputs(), config=first, options=options),
        mcpcfg.check(files=other, config=second, options=options),
    )


def test_the_project_has_all_kinds(reports: tuple[Report, Report]) -> None:
    assert {one.kind for one in reports[1].workspace.resources} >= set(KINDS)


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_compiled_differs_in_the_names_alone(reports: tuple[Report, Report], target: Target) -> None:
    first, second = (
        {
            (one.source.document.file, one.path): one.text
            for one in mcpcfg.build(report, target, keep_going=True).files
            if one.source is not None
        }
        for report in reports
    )
    expected = {(file, translated(path)): compiled(translated(text)) for (file, path), text in first.items()}

    assert len(second) > 10
    assert {place: compiled(text) for place, text in second.items()} == expected
    assert not any(FIRST.search(path + text) for (_, path), text in second.items())


def test_what_is_reported_differs_in_the_names_alone(reports: tuple[Report, Report]) -> None:
    first, second = ([reported(one) for one in report.findings] for report in reports)

    assert sorted(second) == sorted(translated(one) for one in first)
    assert [one for one in second if FIRST.search(one)] == []


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the configuration of the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mcpcfg.yaml").write_text(CONFIG)
    return tmp_path / "mcpcfg.yaml"


def test_the_list_and_the_pages_of_rules_have_the_names_of_the_profile(config: Path) -> None:
    listed = call("rules").out
    pages = [call("explain", id_).out for id_ in mcpcfg.rules()]

    assert len(pages) == len(listed.splitlines()) > 100
    assert [text for text in (listed, *pages) if FIRST.search(text)] == []


@pytest.mark.parametrize("name", [name for name in schema_names() if name != "mcpcfg"])
def test_schemas_and_pages_of_fields_have_the_names_of_the_profile(config: Path, name: str) -> None:
    schema, page = call("schema", name).out, call("explain", name).out

    assert schema
    assert page
    assert FIRST.search(schema + page) is None


def test_the_page_of_a_field_is_found_by_the_profiles_name_and_by_the_neutral_one(config: Path) -> None:
    pages = [call("explain", f"MCPExternalAuthConfig.spec.{name}") for name in ("skySts", "cloudSts")]

    assert pages[0] == pages[1]
    assert pages[0].out.startswith("MCPExternalAuthConfig.spec.skySts: object")
    assert FIRST.search(pages[0].out) is None


def test_definitions_have_the_group_and_all_versions_of_the_profile(config: Path) -> None:
    config.write_text(f"{CONFIG}    versions: [v2, v1]\n")
    text = call("schema", "--crd").out
    definitions = list(yaml.safe_load_all(text))

    assert FIRST.search(text) is None
    assert len(definitions) == len(KINDS)
    assert {one["spec"]["group"] for one in definitions} == {"mcp.example.org"}
    for one in definitions:
        versions = [(version["name"], version["storage"]) for version in one["spec"]["versions"]]
        assert versions == [("v2", True), ("v1", False)]
    assert '"mcp.example.org/v2",\n        "mcp.example.org/v1",' in call("schema", "MCPServer").out


def test_pages_can_be_read_where_the_configuration_is_not_valid(config: Path) -> None:
    config.write_text("profile: 1\n")

    assert call("schema", "mcpcfg").status == call("explain", "REF004").status == call("rules").status == 0
    assert call("explain", "REF004", "--config", "mcpcfg.yaml").status == 2


@pytest.mark.parametrize("layout", ["server", "remote-proxy", "virtual-server"])
def test_a_starting_project_has_the_names_of_the_configuration_above_it(config: Path, layout: str) -> None:
    assert call("init", "begun", "--kind", layout, "--image", "ghcr.io/acme/fetch:1").status == 0
    texts = {file.name: file.read_text() for file in (config.parent / "begun").rglob("*") if file.is_file()}
    built = call("build", "begun", "--target", "kubernetes")

    assert "profile: hub" in texts["mcpcfg.yaml"]
    assert [name for name, text in texts.items() if FIRST.search(text)] == []
    assert built.status == 0
    assert built.out
    assert FIRST.search(built.out) is None


RUN_CONFIG = {
    "schema_version": "v0.1.0",
    "name": "a",
    "base_name": "a",
    "container_name": "a",
    "remote_url": "https://mcp.example.com",
    "transport": "sse",
    "group": "g",
    "env_vars": {"aws_sts_config": "of the user"},
    "thv_ca_bundle": "/certs/ca.pem",
    "aws_sts_config": {"session_duration": 1},
    "token_exchange_config": {"token_url": "https://sts.example.com", "client_secret": "s3cr3t-v4lue"},
    "middleware_configs": [{"type": "awssts", "parameters": {"target_url": "https://mcp.example.com"}}],
}


def test_run_configurations_are_read_and_reported_in_the_names_of_the_profile(config: Path) -> None:
    text = json.dumps(RUN_CONFIG)
    (config.parent / "empty.yaml").write_text("")
    first = mcpcfg.check(files={"a.json": text}, config=config.parent / "empty.yaml").findings
    second = mcpcfg.check(files={"a.json": translated(text)}, config=config).findings
    neutral = mcpcfg.check(files={"a.json": text.replace("aws_sts_config", "cloud_sts_config")}).findings

    assert any("sky_sts_config" in reported(one) for one in second)
    assert any("hb_ca_bundle" in reported(one) for one in second)
    assert [reported(one) for one in second] == [translated(reported(one)) for one in first]
    assert [one.rule for one in neutral] == [one.rule for one in first]
    assert [one for one in second if FIRST.search(reported(one))] == []


def test_records_are_converted_in_the_names_of_the_profile(config: Path) -> None:
    (config.parent / "request.json").write_text(json.dumps({"name": "a", "image": "ghcr.io/acme/a:1"}))
    server = call("convert", "request.json", "--to", "MCPServer").out
    (config.parent / "run.json").write_text(call("convert", "request.json", "--to", "runconfig").out)
    run = (config.parent / "run.json").read_text()

    assert yaml.safe_load(server)["apiVersion"] == "mcp.example.org/v1beta1"
    assert json.loads(run)["container_labels"]["hub-name"] == "a"
    assert call("build", "request.json", "--target", "runconfig").out.strip()
    assert "container_labels" not in call("convert", "run.json", "--to", "MCPServer").err
    (config.parent / "run.json").write_text(translated(json.dumps(RUN_CONFIG)))
    again = json.loads(call("convert", "run.json", "--to", "runconfig").out)

    assert (again["sky_sts_config"]["session_duration"], again["hb_ca_bundle"]) == (1, "/certs/ca.pem")
    assert FIRST.search(server + run) is None


def test_pictures_reports_and_differences_have_the_names_of_the_profile(config: Path) -> None:
    for place, version in (("old", "1"), ("new", "2")):
        for file in (FIXTURES / "projects" / "virtual-server").rglob("*.yaml"):
            target = config.parent / place / file.name
            target.parent.mkdir(exist_ok=True)
            text = translated(file.read_text("utf-8")).replace("acmelabs", "example")
            target.write_text(text.replace("tickets-mcp:2.4.1", f"tickets-mcp:{version}"))
        (config.parent / place / "mcpcfg.yaml").write_text(CONFIG)
    calls: list[tuple[str, ...]] = [("graph", "new", "--format", form) for form in ("mermaid", "dot", "html")]
    calls += [("check", "new", "--format", form) for form in ("sarif", "json", "markdown")]
    calls += [("diff", "old", "new"), ("diff", "old", "new", "--format", "json")]
    texts = [call(*one).out for one in calls]

    assert all(texts)
    assert [one for one, text in zip(calls, texts, strict=True) if FIRST.search(text)] == []


def test_compile_steps_have_no_name_of_their_own() -> None:
    """Names of the product stand in `toolhive/constants.py` alone, and steps respell them."""
    steps = [*(ROOT / "compiler" / "emit").glob("[!_]*.py")]
    texts = {
        f"{step.name}: {node.value}"
        for step in steps
        for top in ast.walk(ast.parse(step.read_text("utf-8")))
        for node in ast.iter_child_nodes(top)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not isinstance(top, ast.Expr)
    }
    assert len(texts) > 1000
    found = sorted(text for text in texts if FIRST.search(text.partition(": ")[2]))
    # Fields as the models call them. What writes a RunConfig respells them.
    of_run_config = {"middleware.py: aws_sts_config", "externalauth.py: aws_sts_config", "runconfig.py: thv_ca_bundle"}
    assert set(found) == {"externalauth.py: awsSts", "vmcpauth.py: awsSts"} | of_run_config
