"""Records are checked from the command line's way of data: findings with places."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from calling import call

from mcpcfg.compiler.check import full
from mcpcfg.compiler.cli.main import main
from mcpcfg.compiler.diagnostics.plain import written_path
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mcpcfg.compiler.diagnostics.finding import Finding


def findings(folder: Path, files: dict[str, Any], **options: Any) -> Sequence[Finding]:
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content, indent=2)
        (folder / name).write_text(text)
    names = tuple(str(folder / name) for name in files)
    return full.check(discover(names), full.Options(first=names[0], **options)).findings


def reported(found: Sequence[Finding]) -> list[tuple[str, int, int]]:
    return [(one.rule, one.span.line, one.span.column) for one in found if one.severity == "error"]


def test_a_fault_of_a_registry_has_a_position(tmp_path: Path) -> None:
    registry = {
        "version": "1.0.0",
        "last_updated": "2025-01-01T00:00:00Z",
        "servers": {"fetch": {"image": "ghcr.io/acme/fetch:1", "transport": "stdi"}},
    }
    found = findings(tmp_path, {"registry.json": registry})
    assert 7 in [line for _, line, _ in reported(found)]


def test_a_request_is_checked_against_the_registry_among_the_files(tmp_path: Path) -> None:
    registry = {
        "version": "1.0.0",
        "last_updated": "2025-01-01T00:00:00Z",
        "servers": {
            "fetch": {
                "description": "Fetches web pages",
                "image": "ghcr.io/acme/fetch:1",
                "transport": "stdio",
                "status": "Active",
                "tier": "Community",
                "tools": ["fetch"],
            },
        },
    }
    request = {"name": "fetch", "image": "fetch", "tools": ["fetsh"]}
    alone = findings(tmp_path, {"request.json": request})
    assert reported(alone) == []
    beside = findings(tmp_path, {"request.json": request, "registry.json": registry})
    assert reported(beside) == [("WRK014", 5, 5)]


def test_the_second_request_of_one_name_is_refused(tmp_path: Path) -> None:
    request = {"name": "fetch", "image": "ghcr.io/acme/fetch:1", "proxy_port": 18080}
    found = findings(tmp_path, {"a.json": request, "b.json": request})
    assert [(one.rule, one.span.file.endswith("b.json")) for one in found if one.severity == "error"] == [
        ("WRK018", True)
    ]


NO_RECORDS = ["[]", "3", '"x"', '{"name": 3}']


@pytest.mark.parametrize("kind", ["registry", "server", "catalog-skill", "workload"])
@pytest.mark.parametrize("text", [*NO_RECORDS, "{}", "null", '{"data": {"servers": [[]]}}'])
def test_a_value_that_is_no_record_is_refused(kind: str, text: str, tmp_path: Path) -> None:
    assert "error" in {one.severity for one in findings(tmp_path, {"a.json": text}, read_as=kind)}


@pytest.mark.parametrize("text", NO_RECORDS)
def test_a_value_that_is_no_permission_profile_is_refused(text: str, tmp_path: Path) -> None:
    assert [one.rule for one in findings(tmp_path, {"a.json": text}, read_as="permission-profile")] == ["PRM001"]


@pytest.mark.parametrize("text", ["{}", "null"])
def test_a_permission_profile_may_be_empty(text: str, tmp_path: Path) -> None:
    assert findings(tmp_path, {"a.json": text}, read_as="permission-profile") == []


POLICIES = {"version": "1.0", "type": "cedarv1", "cedar": {"policies": ["permit(principal, action, resource);"]}}


def test_an_authorization_file_is_taken_from_the_given_files(tmp_path: Path) -> None:
    request = {"name": "a", "image": "a", "transport": "stdio", "proxy_port": 1, "authz_config": "authz.json"}
    assert reported(findings(tmp_path, {"a.json": request}, closed=True)) == [("WRK015", 6, 19)]
    alone = findings(tmp_path, {"a.json": request})
    assert [(one.rule, one.severity) for one in alone] == [("WRK015", "info")]
    assert findings(tmp_path, {"a.json": request, "authz.json": POLICIES}, closed=True) == []


def test_the_compiled_workload_contains_the_authorization_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    request = {"name": "a", "image": "a", "transport": "stdio", "proxy_port": 1, "authz_config": "authz.yaml"}
    (tmp_path / "a.json").write_text(json.dumps(request))
    policies = 'cedar:\n  policies: ["permit(principal, action, resource);"]\n'
    (tmp_path / "authz.yaml").write_text(f'type: cedarv1\nversion: "1.0"\n{policies}')
    command = ["build", "--target", "runconfig", str(tmp_path / "a.json")]
    with pytest.raises(SystemExit) as exit_:
        main(command)
    assert exit_.value.code == 1
    assert "authz.yaml" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*command, str(tmp_path / "authz.yaml"), "--keep-going"])
    written = json.loads(capsys.readouterr().out)
    data = {"cedar": {"policies": ["permit(principal, action, resource);"]}, "type": "cedarv1", "version": "1.0"}
    assert list(written["authz_config"]) == list(data)
    assert written["authz_config"] == data
    assert [one["type"] for one in written["middleware_configs"]][-2:] == ["authorization", "recovery"]


@pytest.mark.parametrize("kind", ["registry", "server", "catalog-skill", "runconfig", "permission-profile", "audit"])
def test_an_empty_file_of_json_is_reported_once(kind: str, tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text("\n")
    outcome = call("check", "--format", "json", "--as", kind, str(tmp_path / "empty.json"))

    assert outcome.status == 1
    assert [one["message"] for one in json.loads(outcome.out)["findings"]] == ["the file is empty"]


@pytest.mark.parametrize("text", ["", "null\n", "# nothing\n", "---\n"])
def test_an_empty_configuration_of_the_vmcp_process_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "vmcp.yaml").write_text(text)

    assert call("check", "--as", "vmcp", str(tmp_path / "vmcp.yaml")).status == 1


@pytest.mark.parametrize("kind", ["runconfig", "workload"])
def test_the_secrets_provider_of_the_configuration_decides_which_names_are_refused(kind: str, tmp_path: Path) -> None:
    records: dict[str, Any] = {
        "runconfig": {"schema_version": "v0.1.0", "image": "a", "transport": "stdio", "secrets": ["key,target=KEY"]},
        "workload": {"name": "ab", "image": "ab", "proxy_port": 18080, "secrets": [{"name": "key", "target": "KEY"}]},
    }
    found = findings(tmp_path, {"record.json": records[kind]}, read_as=kind)
    assert "PRM025" not in [one.rule for one in found]
    (tmp_path / "mcpcfg.yaml").write_text("secretsProvider: 1password\n")
    found = findings(tmp_path, {"record.json": records[kind]}, read_as=kind)
    assert [one.path for one in found if one.rule == "PRM025"] == [("secrets", 0)]


@pytest.mark.parametrize(
    ("path", "written"),
    [
        (("NAME", "b"), ("Name", "B")),
        (("gone", "name"), ()),
        (("name", "gone", "b"), ("Name",)),
        (("items", 5), ("items",)),
    ],
)
def test_a_path_has_the_spelling_of_the_document_as_far_as_the_document_reaches(
    path: tuple[str | int, ...], written: tuple[str | int, ...]
) -> None:
    assert written_path({"Name": {"B": 1}, "items": [1]}, path) == written
