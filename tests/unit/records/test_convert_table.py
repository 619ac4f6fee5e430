"""The table of how entries of a registry become catalog records and come back, line by line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpcfg.compiler.golang.json import compact
from mcpcfg.compiler.records.registry.convert import (
    RECORD_SCHEMA,
    ConvertError,
    image_to_record,
    legacy_to_upstream,
    record_to_entry,
    remote_to_record,
    upstream_to_legacy,
)
from mcpcfg.compiler.records.registry.loss import NAMESPACE, PUBLISHER_KEY, record_losses
from mcpcfg.compiler.records.shape import decode, encode

IMAGE = "ghcr.io/acme/weather:1"
URL = "https://mcp.acme.io/mcp"
KEY = "weather"
EXTENSION = ("_meta", PUBLISHER_KEY, NAMESPACE)


def plain(record: Any, kind: str) -> Any:
    return json.loads(compact(encode(record, kind)))


def at(value: Any, *path: str | int) -> Any:
    for step in path:
        if isinstance(value, dict) and step not in value:
            return None
        value = value[step]
    return value


def record_of(entry: dict[str, Any], *, remote: bool = False) -> Any:
    if remote:
        return plain(remote_to_record(KEY, decode({"url": URL} | entry, "RemoteServer")[0]), "ServerRecord")
    return plain(image_to_record(KEY, decode({"image": IMAGE} | entry, "ImageServer")[0]), "ServerRecord")


def entry_of(record: dict[str, Any]) -> tuple[bool, Any]:
    remote, entry = record_to_entry(decode(record, "ServerRecord")[0])
    return remote, plain(entry, "RemoteServer" if remote else "ImageServer")


VARIABLE = {"name": "KEY", "description": "a key", "required": True, "secret": True, "default": "x"}
INPUT = {"name": "KEY", "description": "a key", "isRequired": True, "isSecret": True, "default": "x"}
SHARED: dict[str, Any] = {
    "tier": "Official",
    "tools": ["a"],
    "tags": ["b"],
    "overview": "# c",
    "tool_definitions": [{"name": "a", "description": "", "inputSchema": {"type": "object", "properties": {}}}],
    "metadata": {"stars": 5},
    "custom_metadata": {"team": "x"},
    "proxy_port": 9000,
}
IMAGE_ONLY: dict[str, Any] = {
    "permissions": {"network": {"outbound": {"allow_port": [443]}}},
    "args": ["serve"],
    "provenance": {"repository_ref": "refs/heads/main"},
    "docker_tags": ["1"],
}
REMOTE_ONLY: dict[str, Any] = {
    "oauth_config": {"issuer": "https://id.acme.io"},
    "env_vars": [{"name": "A", "description": "", "required": False}],
}


@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize(
    ("entry", "path", "expected"),
    [
        ({}, ("$schema",), RECORD_SCHEMA),
        ({"name": "io.acme/own"}, ("name",), "io.acme/own"),
        ({"name": "own"}, ("name",), "own"),
        ({}, ("name",), f"{NAMESPACE}/{KEY}"),
        ({"title": "T"}, ("title",), "T"),
        ({"description": "d" * 200}, ("description",), "d" * 200),
        ({}, ("version",), "1.0.0"),
        ({"repository_url": "https://gitlab.com/a/b"}, ("repository", "url"), "https://gitlab.com/a/b"),
        ({"repository_url": "https://gitlab.com/a/b"}, ("repository", "source"), "github"),
        ({}, ("repository",), None),
    ],
)
def test_fields_of_both_kinds_of_entries_are_converted_to_a_record(
    entry: dict[str, Any], path: tuple[str, ...], expected: Any, remote: bool
) -> None:
    assert at(record_of(entry, remote=remote), *path) == expected


@pytest.mark.parametrize(
    ("entry", "path", "expected"),
    [
        ({}, ("registryType",), "oci"),
        ({}, ("identifier",), IMAGE),
        ({}, ("transport",), {"type": "stdio"}),
        ({"transport": "stdio", "target_port": 8080}, ("transport",), {"type": "stdio"}),
        (
            {"transport": "sse", "target_port": 8080},
            ("transport",),
            {"type": "sse", "url": "http://localhost:8080"},
        ),
        ({"transport": "streamable-http"}, ("transport",), {"type": "streamable-http", "url": "http://localhost"}),
        ({"env_vars": [VARIABLE]}, ("environmentVariables",), [INPUT]),
        ({}, ("environmentVariables",), None),
    ],
)
def test_a_container_entry_becomes_a_package(entry: dict[str, Any], path: tuple[str, ...], expected: Any) -> None:
    record = record_of(entry)
    assert "remotes" not in record
    assert len(record["packages"]) == 1
    assert at(record["packages"][0], *path) == expected


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"transport": "sse"}, {"type": "sse", "url": URL}),
        (
            {"transport": "sse", "headers": [VARIABLE | {"choices": ["x", "y"]}]},
            {"type": "sse", "url": URL, "headers": [INPUT | {"choices": ["x", "y"]}]},
        ),
    ],
)
def test_a_remote_entry_becomes_a_remote(entry: dict[str, Any], expected: Any) -> None:
    record = record_of(entry, remote=True)
    assert "packages" not in record
    assert record["remotes"] == [expected]


@pytest.mark.parametrize("remote", [False, True])
def test_fields_without_a_place_in_a_record_go_into_the_publisher_extension(remote: bool) -> None:
    more = REMOTE_ONLY if remote else IMAGE_ONLY
    stated = at(record_of({"status": "Deprecated"} | SHARED | more, remote=remote), *EXTENSION)
    own = stated[URL if remote else IMAGE]
    assert list(stated) == [URL if remote else IMAGE]
    assert own["status"] == "Deprecated"
    for key, value in (SHARED | more).items():
        if key not in {"tool_definitions", "provenance"}:
            assert own[key] == value, key
    assert own["tool_definitions"][0]["name"] == "a"
    assert remote or own["provenance"]["repository_ref"] == "refs/heads/main"
    assert not own.keys() & (IMAGE_ONLY if remote else REMOTE_ONLY).keys()


def test_an_entry_without_a_status_is_active() -> None:
    assert at(record_of({}), *EXTENSION, IMAGE, "status") == "active"


@pytest.mark.parametrize(("remote", "more"), [(False, IMAGE_ONLY), (True, REMOTE_ONLY)])
def test_an_entry_is_unchanged_after_conversion_to_a_record_and_back(remote: bool, more: dict[str, Any]) -> None:
    kind = "RemoteServer" if remote else "ImageServer"
    own = {"url": URL, "headers": [VARIABLE]} if remote else {"image": IMAGE, "env_vars": [VARIABLE], "target_port": 1}
    entry = {
        "name": "io.acme/weather",
        "title": "T",
        "description": "d",
        "status": "Active",
        "transport": "sse",
        "repository_url": "https://github.com/a/b",
        **(SHARED | more | own),
    }
    whole = plain(decode(entry, kind)[0], kind)
    assert entry_of(record_of(entry, remote=remote)) == (remote, whole)


def package(**more: Any) -> dict[str, Any]:
    return {"registryType": "oci", "identifier": IMAGE, "transport": {"type": "stdio"}, **more}


def record(**more: Any) -> dict[str, Any]:
    return {"name": "io.acme/weather", "description": "d", "version": "1.0.0", **more}


def extension(key: str, **stated: Any) -> dict[str, Any]:
    return {PUBLISHER_KEY: {NAMESPACE: {key: {"status": "active", **stated}}}}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (record(), "neither packages nor remotes"),
        (record(packages=[package(registryType="npm")]), "only npm"),
        (record(packages=[package(), package()]), "2 packages"),
        (record(packages=[package(transport={"type": "sse", "url": "http://localhost:{port}/sse"})]), "cannot be read"),
    ],
)
def test_a_record_that_nothing_can_run_is_not_converted(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConvertError, match=reason):
        entry_of(given)


@pytest.mark.parametrize(
    ("more", "key", "expected"),
    [
        ({}, "image", IMAGE),
        ({}, "transport", "stdio"),
        ({"transport": {"type": "sse", "url": "http://localhost:81/x"}}, "target_port", 81),
        ({"transport": {"type": "sse", "url": "http://localhost"}}, "target_port", None),
        ({"environmentVariables": [INPUT]}, "env_vars", [VARIABLE]),
        (
            {
                "runtimeArguments": [
                    {
                        "type": "named",
                        "name": "-e",
                        "value": "TOK={tok}",
                        "isRequired": True,
                        "variables": {"tok": {"isSecret": True, "default": "q"}},
                    },
                    {"type": "named", "name": "--env", "value": "B=lit"},
                    {"type": "named", "name": "--env", "value": "C={none}"},
                    {"type": "named", "name": "-v", "value": "/a=/b"},
                    {"type": "positional", "value": "D=1"},
                ]
            },
            "env_vars",
            [
                {"name": "TOK", "description": "", "required": True, "secret": True, "default": "q"},
                {"name": "B", "description": "", "required": False, "default": "lit"},
                {"name": "C", "description": "", "required": False},
            ],
        ),
        (
            {
                "packageArguments": [
                    {"type": "named", "name": "--flag", "value": "v"},
                    {"type": "positional", "valueHint": "file", "default": "d"},
                    {"type": "positional", "value": "z"},
                ]
            },
            "args",
            ["--flag", "v", "z"],
        ),
    ],
)
def test_a_package_becomes_a_container_entry(more: dict[str, Any], key: str, expected: Any) -> None:
    remote, entry = entry_of(record(packages=[package(registryType="npm"), package(**more)]))
    assert not remote
    assert entry.get(key) == expected


def test_arguments_of_the_package_go_before_those_of_the_extension() -> None:
    stated = extension(IMAGE, args=["serve"])
    argument = {"type": "positional", "value": "z"}
    assert entry_of(record(packages=[package()], _meta=stated))[1]["args"] == ["serve"]
    assert entry_of(record(packages=[package(packageArguments=[argument])], _meta=stated))[1]["args"] == ["z"]


def test_the_first_remote_is_converted_even_if_there_are_packages() -> None:
    remotes = [{"type": "sse", "url": URL, "headers": [INPUT | {"value": "v"}]}, {"type": "sse", "url": "https://b.io"}]
    remote, entry = entry_of(record(remotes=remotes, packages=[package()], repository={"url": "https://x.io/a"}))
    assert remote
    assert entry["url"] == URL
    assert entry["transport"] == "sse"
    assert entry["headers"] == [VARIABLE]
    assert entry["repository_url"] == "https://x.io/a"


@pytest.mark.parametrize("remote", [False, True])
def test_fields_of_the_extension_are_converted_to_the_entry(remote: bool) -> None:
    more = {key: value for key, value in (SHARED | (REMOTE_ONLY if remote else IMAGE_ONLY)).items() if key != "args"}
    stated = extension(URL if remote else IMAGE, **more)
    base = {"remotes": [{"type": "sse", "url": URL}]} if remote else {"packages": [package()]}
    entry = entry_of(record(**base, _meta=stated))[1]
    assert entry["status"] == "active"
    for key in more.keys() - {"tool_definitions", "provenance"}:
        assert entry[key] == more[key]


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"version": "2.0.0"}, ("version",)),
        ({"websiteUrl": "https://acme.io"}, ("websiteUrl",)),
        ({"icons": [{"src": "https://acme.io/i.png"}]}, ("icons",)),
        ({"repository": {"url": "https://x.io", "source": "gitlab"}}, ("repository", "source")),
        ({"repository": {"url": "https://x.io", "source": "github", "id": "1"}}, ("repository", "id")),
        ({"repository": {"url": "https://x.io", "source": "github", "subfolder": "a"}}, ("repository", "subfolder")),
        (
            {"packages": [package(environmentVariables=[INPUT | {"format": "number"}])]},
            ("packages", 0, "environmentVariables", 0, "format"),
        ),
        (
            {"packages": [package(environmentVariables=[INPUT | {"choices": ["x"]}])]},
            ("packages", 0, "environmentVariables", 0, "choices"),
        ),
        (
            {"packages": [package(runtimeArguments=[{"type": "named", "name": "-v", "value": "/a:/b"}])]},
            ("packages", 0, "runtimeArguments", 0),
        ),
        (
            {"packages": [package(packageArguments=[{"type": "positional", "valueHint": "file"}])]},
            ("packages", 0, "packageArguments", 0),
        ),
        ({"packages": [package(), package(registryType="npm")]}, ("packages", 1)),
        ({"packages": [package(runtimeHint="docker")]}, ("packages", 0, "runtimeHint")),
        ({"remotes": [{"type": "sse", "url": URL}]}, ("packages",)),
        (
            {"packages": None, "remotes": [{"type": "sse", "url": URL, "headers": [INPUT | {"value": "v"}]}]},
            ("remotes", 0, "headers", 0, "value"),
        ),
        (
            {"packages": None, "remotes": [{"type": "sse", "url": URL}, {"type": "sse", "url": URL}]},
            ("remotes", 1),
        ),
        (
            {"packages": None, "remotes": [{"type": "sse", "url": URL, "variables": {"a": {}}}]},
            ("remotes", 0, "variables"),
        ),
    ],
)
def test_each_field_that_the_conversion_drops_is_reported(more: dict[str, Any], path: tuple[str | int, ...]) -> None:
    given = decode(record(packages=[package()]) | more, "ServerRecord")[0]
    assert [loss.path for loss in record_losses(given, ())] == [path]


def test_losses_are_reported_after_a_package_of_another_type() -> None:
    packages = [package(registryType="npm"), package(runtimeHint="docker")]
    given = decode(record(packages=packages), "ServerRecord")[0]
    assert [loss.path for loss in record_losses(given, ())] == [("packages", 0), ("packages", 1, "runtimeHint")]


def test_a_record_that_was_converted_from_an_entry_has_no_losses() -> None:
    for remote in (False, True):
        made = decode(record_of(SHARED, remote=remote), "ServerRecord")[0]
        assert record_losses(made, ()) == []


def test_a_registry_keeps_its_servers_and_loses_its_groups() -> None:
    legacy = decode(
        {
            "version": "1.0.0",
            "last_updated": "2025-06-01T00:00:00Z",
            "servers": {"b": {"image": IMAGE}, "a": {"image": IMAGE}},
            "remote_servers": {"c": {"url": URL}},
            "groups": [{"name": "team", "description": "d"}],
        },
        "RegistryData",
    )[0]
    upstream, losses = legacy_to_upstream(legacy)
    assert [one["name"] for one in upstream["data"]["servers"]] == [f"{NAMESPACE}/{key}" for key in ("a", "b", "c")]
    assert (upstream["version"], upstream["meta"]["last_updated"]) == ("1.0.0", "2025-06-01T00:00:00Z")
    assert [loss.path for loss in losses] == [("groups", 0)]
    again, more = upstream_to_legacy(upstream)
    assert sorted(again["servers"]) == [f"{NAMESPACE}/a", f"{NAMESPACE}/b"]
    assert list(again["remote_servers"]) == [f"{NAMESPACE}/c"]
    assert more == []


def test_records_that_cannot_run_and_groups_and_skills_are_lost_and_other_records_are_kept() -> None:
    runnable = record(packages=[package()])
    given = {
        "version": "1.0.0",
        "meta": {"last_updated": "2025-06-01T00:00:00Z"},
        "data": {
            "servers": [record(packages=[]), runnable, runnable],
            "groups": [{"name": "g", "servers": []}, {"name": "h", "servers": []}],
            "skills": [{"namespace": "n", "name": "s"}],
        },
    }
    made, losses = upstream_to_legacy(decode(given, "UpstreamRegistry")[0])
    assert list(made["servers"]) == [runnable["name"]]
    assert (made["version"], made["last_updated"]) == ("1.0.0", "2025-06-01T00:00:00Z")
    places = [".".join(map(str, loss.path)) for loss in losses]
    assert places == ["data.servers.0", "data.servers.2", "data.groups.0", "data.groups.1", "data.skills.0"]
