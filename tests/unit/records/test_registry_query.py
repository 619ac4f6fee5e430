"""What the API returns of a registry."""

from typing import Any

import pytest

from mcpcfg.compiler.records.registry.file import LoadedRegistry, decode_registry, load_registry
from mcpcfg.compiler.records.registry.query import (
    NoSuchServerError,
    find_skill,
    registry_detail,
    registry_summary,
    search_servers,
    search_skills,
    server_list,
    server_record,
    server_result,
)


def record(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": f"About {name}", "version": "1.0.0", **more}


def container(name: str) -> dict[str, Any]:
    package = {"registryType": "oci", "identifier": f"ghcr.io/{name}:1", "transport": {"type": "stdio"}}
    return record(name, packages=[package])


@pytest.fixture
def registry() -> LoadedRegistry:
    servers = [
        container("io.b/fetch"),
        container("io.a/weather"),
        container("io.a/fetch"),
        record("io.a/docs", remotes=[{"type": "sse", "url": "https://docs.example/sse"}]),
    ]
    skills = [{"namespace": "io.acme", "name": f"s{i}", "description": "Reports", "version": "1"} for i in range(3)]
    document = {
        "version": "1.0.0",
        "meta": {"last_updated": "2025-06-01T00:00:00Z"},
        "data": {"servers": servers, "skills": skills},
    }
    return load_registry(decode_registry(document))


def test_a_summary_counts_only_container_servers(registry: LoadedRegistry) -> None:
    summary = registry_summary(registry, "/srv/registry.json")
    assert summary == {
        "name": "default",
        "version": "1.0.0",
        "last_updated": "2025-06-01T00:00:00Z",
        "server_count": 3,
        "type": "file",
        "source": "/srv/registry.json",
        "auth_status": "none",
        "auth_type": "",
    }
    assert set(registry_detail(registry, "")["registry"]["remote_servers"]) == {"io.a/docs"}


def test_lists_are_sorted_by_name(registry: LoadedRegistry) -> None:
    listed = server_list(registry)
    assert [server["name"] for server in listed["servers"]] == ["io.a/fetch", "io.a/weather", "io.b/fetch"]
    assert [server["name"] for server in listed["remote_servers"]] == ["io.a/docs"]


def test_a_short_name_finds_a_server_if_no_other_server_has_it(registry: LoadedRegistry) -> None:
    assert server_result(registry, "weather")["server"]["image"] == "ghcr.io/io.a/weather:1"
    assert server_result(registry, "docs") == {
        "remote_server": server_list(registry)["remote_servers"][0],
        "is_remote": True,
    }
    with pytest.raises(NoSuchServerError) as ambiguous:
        server_record(registry, "fetch")
    assert ambiguous.value.names == ("io.a/fetch", "io.b/fetch")
    with pytest.raises(NoSuchServerError):
        server_record(registry, "a/weather")


def test_a_search_looks_at_names_and_descriptions(registry: LoadedRegistry) -> None:
    found = search_servers(registry, "ABOUT IO.A/")
    assert [server["name"] for server in found["servers"]] == ["io.a/docs", "io.a/fetch", "io.a/weather"]
    assert found["metadata"] == {"total": 3, "page": 1, "limit": 50}


@pytest.mark.parametrize(
    ("page", "limit", "names", "metadata"),
    [
        ("2", "2", ["s2"], (3, 2, 2)),
        ("9", "2", [], (3, 9, 2)),
        ("0", "-1", ["s0", "s1", "s2"], (3, 1, 50)),
        ("x", "9999", ["s0", "s1", "s2"], (3, 1, 200)),
        ("9223372036854775807", "200", [], (3, 46116860184273879, 200)),
        ("99999999999999999999", "1", ["s0"], (3, 1, 1)),
    ],
)
def test_pages_are_cut_as_the_api_cuts_them(
    registry: LoadedRegistry, page: str, limit: str, names: list[str], metadata: tuple[int, int, int]
) -> None:
    found = search_skills(registry, "io.acme", page, limit)
    assert [skill["name"] for skill in found["skills"]] == names
    assert tuple(found["metadata"].values()) == metadata


def test_a_skill_is_found_by_its_exact_names(registry: LoadedRegistry) -> None:
    skill = find_skill(registry, "io.acme", "s1")
    assert skill is not None
    assert skill["version"] == "1"
    assert find_skill(registry, "io.acme", "S1") is None
