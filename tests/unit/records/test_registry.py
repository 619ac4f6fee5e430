"""Registry files and catalog records: verdicts and conversions as the reference has them."""

import json
from typing import Any

import pytest

from mcpcfg.compiler.diagnostics.fault import Fault
from mcpcfg.compiler.golang.json import compact
from mcpcfg.compiler.project import input_kind
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.records import document_check
from mcpcfg.compiler.records.registry.breach import (
    KEY_UNCHECKED,
    KUBERNETES,
    LIST_REFUSED,
    NUMBER_REFUSED,
    TEXT_REFUSED,
    UNDECODABLE,
    UNKNOWN_FIELD,
    VALUE_REFUSED,
)
from mcpcfg.compiler.records.registry.check import LEGACY_FORMAT, check_catalog_skill, check_registry, check_server
from mcpcfg.compiler.records.registry.convert import ConvertError, legacy_to_upstream, record_to_entry
from mcpcfg.compiler.records.registry.entry_lint import DEFAULT_UNUSED, NAME_NOT_KEY, PORT_WITHOUT_HTTP
from mcpcfg.compiler.records.registry.file import decode_registry, load_registry
from mcpcfg.compiler.records.registry.loss import NAMESPACE, PUBLISHER_KEY
from mcpcfg.compiler.records.registry.skill import SKILL_NAMESPACE, SKILL_PACKAGE, is_installable
from mcpcfg.compiler.records.shape import decode, encode
from mcpcfg.validators.registry import all_rules

from .conftest import fixture_rows, recorded_rows

RULES = all_rules()


def refusals(faults: list[Fault]) -> list[Fault]:
    return [fault for fault in faults if (fault.severity or fault.rule.severity) == "error"]


def converted(record: dict[str, Any]) -> dict[str, Any]:
    """Convert in the shape of the recorded answers."""
    if not record["remotes"] and not record["packages"]:
        return {}
    side = "remote" if record["remotes"] else "image"
    try:
        remote, entry = record_to_entry(record)
    except ConvertError:
        return {side: None}
    return {side: json.loads(compact(encode(entry, "RemoteServer" if remote else "ImageServer")))}


def as_upstream(document: Any) -> dict[str, Any]:
    out, _ = legacy_to_upstream(decode_registry(document).data)
    return by_name(json.loads(compact(encode(out, "UpstreamRegistry"))))


def by_name(upstream: dict[str, Any]) -> dict[str, Any]:
    upstream["data"]["servers"].sort(key=lambda server: server["name"])
    return upstream


@pytest.mark.parametrize("row", fixture_rows("registry"), ids=lambda row: row["name"])
def test_a_registry_is_refused_and_converted_as_recorded(row: dict[str, Any]) -> None:
    assert bool(refusals(check_registry(row["input"]))) == row["refused"]
    kind = input_kind.recognize(row["input"])
    assert row["refused"] or (kind is not None and kind.name == "registry")
    if "upstream" in row:
        assert as_upstream(row["input"]) == by_name(row["upstream"])
    if "converted" in row:
        servers = decode_registry(row["input"]).data["data"]["servers"]
        assert {server["name"]: converted(server) for server in servers} == row["converted"]


@pytest.mark.parametrize("row", fixture_rows("catalog-skill"), ids=lambda row: row["name"])
def test_a_catalog_skill_is_refused_as_recorded(row: dict[str, Any]) -> None:
    assert bool(refusals(check_catalog_skill(row["input"]))) == row["refused"]


@pytest.mark.parametrize("row", fixture_rows("server"), ids=lambda row: row["name"])
def test_a_record_in_its_own_file_is_refused_and_converted_as_recorded(row: dict[str, Any]) -> None:
    extensions = [fault for fault in refusals(check_server(row["input"])) if "io.github.stacklok" in fault.path]
    assert bool(extensions) == row["refused"]
    if "converted" in row:
        assert converted(decode(row["input"], "ServerRecord")[0]) == row["converted"]


def test_every_recorded_registry_is_refused_and_converted_as_recorded() -> None:
    for row, document in recorded_rows("registry"):
        faults = refusals(check_registry(document))
        assert bool(faults) == bool(row.get("schemaError") or row.get("parseError")), row["file"]
        if row.get("upstream") is not None:
            assert as_upstream(document) == by_name(row["upstream"]), row["file"]
        for server in decode_registry(document).data["data"]["servers"] if row.get("converted") else ():
            wanted = row["converted"][server["name"]]
            assert converted(server) == {side: wanted[side] for side in wanted if not side.endswith("Error")}


def test_recorded_skills_and_records_have_the_recorded_verdict() -> None:
    for row, document in recorded_rows("catalog-skill"):
        assert bool(refusals(check_catalog_skill(document))) == bool(row["schemaError"]), row["file"]
    for row, document in recorded_rows("server"):
        faults = [fault for fault in refusals(check_server(document)) if "io.github.stacklok" in fault.path]
        assert bool(faults) == bool(row["schemaError"]), row["file"]
        if row.get("converted") is not None:
            wanted = {side: value for side, value in row["converted"].items() if not side.endswith("Error")}
            assert converted(decode(document, "ServerRecord")[0]) == wanted, row["file"]


def legacy(**entry: Any) -> dict[str, Any]:
    base = {
        "description": "Weather for cities",
        "image": "ghcr.io/acme/weather:1",
        "status": "Active",
        "tier": "Community",
        "transport": "stdio",
        "tools": ["forecast"],
    }
    return {"version": "1.0.0", "last_updated": "2025-06-01T00:00:00Z", "servers": {"weather": base | entry}}


def codes(document: Any) -> set[str]:
    return {fault.rule.id for fault in check_registry(document)} - {LEGACY_FORMAT.id}


def test_only_the_format_of_a_sound_registry_is_reported() -> None:
    assert codes(legacy()) == set()


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        ({"status": "active"}, VALUE_REFUSED),
        ({"tools": []}, LIST_REFUSED),
        ({"tags": ["a"]}, TEXT_REFUSED),
        ({"image": "ghcr.io/a/b@sha256:" + "0" * 64}, TEXT_REFUSED),
        ({"target_port": 0}, NUMBER_REFUSED),
        ({"permissions": {"network": {"outbound": {"allow_host": ["*.x.com"]}}}}, TEXT_REFUSED),
        ({"permissions": {"network": {"mode": 5}}}, UNDECODABLE),
        ({"target_port": 8080}, PORT_WITHOUT_HTTP),
        ({"name": "other"}, NAME_NOT_KEY),
        ({"enviroment_vars": []}, UNKNOWN_FIELD),
        ({"metadata": {"kubernetes": {"kind": "MCPServer", "namespace": "tools", "name": "weather"}}}, None),
        ({"metadata": {"kubernetes": {"name": "Weather"}}}, KUBERNETES),
        ({"metadata": {"kubernetes": {"uid": "1"}}}, KUBERNETES),
        ({"metadata": {"kubernetes": {"transport": "grpc"}}}, KUBERNETES),
        ({"metadata": {"kubernetes": {"nmae": "weather"}}}, UNKNOWN_FIELD),
        ({"metadata": {"kubernetes": {"name": 5}}}, UNDECODABLE),
        ({"env_var": []}, UNKNOWN_FIELD),
        (
            {"env_vars": [{"name": "A", "description": "what it is", "required": True, "default": "x"}]},
            DEFAULT_UNUSED,
        ),
    ],
)
def test_a_faulty_entry_is_reported_by_its_rule(entry: dict[str, Any], rule: Any) -> None:
    assert codes(legacy(**entry)) == ({rule.id} if rule else set())


@pytest.mark.parametrize(
    ("package", "key"),
    [
        ({"registryType": "oci", "identifier": "ghcr.io/acme/pdf:1", "digest": "sha256:" + "0" * 64}, None),
        ({"registryType": "oci", "identifier": "ghcr.io/acme/pdf@sha256:" + "0" * 64}, None),
        ({"registryType": "oci", "identifier": "ghcr.io/acme/pdf:1", "digest": "sha256:0123"}, "digest"),
        (
            {
                "registryType": "oci",
                "identifier": "ghcr.io/acme/pdf@sha256:" + "0" * 64,
                "digest": "sha256:" + "1" * 64,
            },
            "digest",
        ),
        ({"registryType": "oci", "identifier": "ghcr.io/acme/pdf:1", "commit": "a" * 40}, "commit"),
        ({"registryType": "git", "url": "https://github.com/acme/pdf", "commit": "4f2c"}, "commit"),
        ({"registryType": "git", "url": "https://github.com/acme/pdf", "ref": "a b"}, "ref"),
        ({"registryType": "git", "url": "https://github.com/acme/pdf", "digest": "sha256:" + "0" * 64}, "digest"),
    ],
)
def test_the_pin_of_a_skill_is_checked(package: dict[str, Any], key: str | None) -> None:
    skill = {"namespace": "io.acme", "name": "pdf", "description": "d", "version": "1", "packages": [package]}
    found = [fault.path for fault in check_catalog_skill(skill) if fault.rule.id == SKILL_PACKAGE.id]
    assert found == ([("packages", 0, key)] if key else [])


@pytest.mark.parametrize(("namespace", "is_odd"), [("io.github.acme", False), ("acme", True), ("io.acme/x", True)])
def test_the_namespace_of_a_skill_is_a_reversed_domain_name(namespace: str, is_odd: bool) -> None:
    skill = {"namespace": namespace, "name": "pdf", "description": "d", "version": "1"}
    assert (SKILL_NAMESPACE.id in {fault.rule.id for fault in check_catalog_skill(skill)}) == is_odd


def test_an_unknown_key_is_reported_at_every_depth_as_a_warning_if_a_known_key_is_similar() -> None:
    extension = {"teir": "Official", "team": "tools"}
    server = {
        "name": "io.acme/weather",
        "description": "d",
        "version": "1.0.0",
        "team": "tools",
        "_meta": {PUBLISHER_KEY: {NAMESPACE: {"ghcr.io/acme/weather:1": extension}, "com.acme": {"any": 1}}},
    }
    found = {fault.path[-1]: fault for fault in check_server(server) if fault.rule.id == UNKNOWN_FIELD.id}
    assert found.keys() == {"team", "teir"}
    assert (found["teir"].severity, found["teir"].hint) == (None, 'did you mean "tier"?')
    assert found["team"].severity == "info"


def test_an_entry_that_the_schema_ignores_is_reported() -> None:
    document = legacy()
    document["servers"] = {"ab": {}, "Bad_Name": {"image": "x"}}
    assert codes(document) == {KEY_UNCHECKED.id}


def test_loading_names_entries_by_their_keys_and_drops_servers_that_cannot_run() -> None:
    assert load_registry(decode_registry(legacy(name="other"))).data["servers"]["weather"]["name"] == "weather"
    record = {"name": "io.acme/x1", "description": "d", "version": "1.0.0", "packages": [{"registryType": "npm"}]}
    loaded = load_registry(decode_registry({"data": {"servers": [record], "groups": [{"name": "g"}]}}))
    assert not loaded.data["servers"]
    assert [loss.path for loss in loaded.losses] == [("data", "servers", 0), ("data", "groups", 0)]


@pytest.mark.parametrize(
    "document", [None, [], "x", 5, {}, {"servers": None}, {"data": {}}, {"servers": {"abc": None}}]
)
def test_any_document_gives_faults_and_no_traceback(document: Any) -> None:
    assert refusals(check_registry(document))
    check_server(document)
    check_catalog_skill(document)


@pytest.mark.parametrize(("subfolder", "installable"), [("", True), ("skills/pdf", True), ("../pdf", False)])
def test_a_skill_in_git_is_installed_from_a_folder_or_from_the_root(subfolder: str, installable: bool) -> None:
    package = {"registryType": "git", "url": "https://example.com/o/r", "subfolder": subfolder}

    assert is_installable(package) is installable


PROVIDED = {"_meta": {PUBLISHER_KEY: {"tool": "publisher-cli", "buildInfo": {"commit": "abc"}}}}
RECORD = {"name": "io.github.acme/weather", "description": "Tells the weather", "version": "1.2.3"}


def test_a_server_json_may_hold_any_value_of_a_publisher() -> None:
    assert check_server(RECORD | PROVIDED) == []


def test_a_registry_file_takes_objects_from_publishers() -> None:
    registry = {"version": "1.0.0", "meta": {"last_updated": "2026-01-01T00:00:00Z"}}
    faults = check_registry(registry | {"data": {"servers": [RECORD | PROVIDED]}})
    (wrong,) = [fault for fault in faults if fault.rule.id == "REG002"]
    assert wrong.path == ("data", "servers", 0, "_meta", PUBLISHER_KEY, "tool")
    assert "ToolHive's schema" in wrong.message


@pytest.mark.parametrize("name", ["<<NAME>>", "{{ name }}", "${NAME}"])
def test_a_value_that_a_template_fills_in_is_unknown(name: str) -> None:
    text = json.dumps(RECORD | {"name": name})
    document = read_documents(text, "server.json")[0][0]
    assert document_check.server(document) == []
