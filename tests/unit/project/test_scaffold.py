"""Servers that the project shows to people run: image, transport and port are those of a registry record."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from calling import call

from mcpcfg.compiler.cli.init import known_server
from mcpcfg.compiler.golang.image_reference import repository
from mcpcfg.compiler.project.scaffold import LAYOUTS
from mcpcfg.compiler.records.registry.file import decode_registry, load_registry

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
REGISTRY = ROOT / "templates" / "registry.json"
ENTRIES: dict[str, dict[str, Any]] = {
    repository(entry["image"]): entry
    for entry in load_registry(decode_registry(json.loads(REGISTRY.read_text()))).data["servers"].values()
}
BLOCK = re.compile(r"^```ya?ml$(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def documents(texts: list[str]) -> list[dict[str, Any]]:
    return [one for text in texts for one in yaml.safe_load_all(text) if isinstance(one, dict) and "kind" in one]


def of_folder(folder: Path) -> list[dict[str, Any]]:
    return documents([path.read_text() for path in sorted(folder.rglob("*.yaml"))])


def of_pages() -> list[dict[str, Any]]:
    found = []
    for page in PAGES:
        for block in BLOCK.findall(page.read_text()):
            try:
                found += documents([block])
            except yaml.YAMLError:
                continue  # a part of a file
    return found


def servers(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (one["spec"] for one in found if one.get("kind") == "MCPServer" and "image" in one.get("spec", {}))


def faults(spec: dict[str, Any], entry: dict[str, Any]) -> list[str]:
    """Return in what a server is not as its record states."""
    transport = spec.get("transport", "stdio")
    given = {one["targetEnvName"] for one in spec.get("secrets", ())} | {one["name"] for one in spec.get("env", ())}
    wanted = {one["name"] for one in entry["env_vars"] or () if one["required"]}
    return [
        *([f"transport {transport}"] if transport != entry["transport"] else []),
        *([f"port {spec.get('mcpPort')}"] if spec.get("mcpPort", 8080) != (entry["target_port"] or 8080) else []),
        *([f"image {spec['image']}"] if spec["image"] != entry["image"] else []),
        *(f"variable {name}" for name in sorted(wanted - given)),
    ]


def test_the_bundled_registry_has_no_findings() -> None:
    assert call("check", str(REGISTRY), "--as", "registry", "--fail-on", "info").status == 0


@pytest.mark.parametrize("layout", [one for one in LAYOUTS if one != "remote-proxy"])
def test_servers_written_by_init_run_as_their_images_are_recorded(layout: str, tmp_path: Path) -> None:
    assert call("init", str(tmp_path), "--kind", layout).status == 0
    found = of_folder(tmp_path)
    specs = list(servers(found))

    assert len(specs) == 1
    assert faults(specs[0], ENTRIES[repository(specs[0]["image"])]) == []
    steps = [step for one in found if one["kind"].endswith("ToolDefinition") for step in one["spec"]["steps"]]
    for step in steps:
        if step["type"] == "tool":
            assert step["tool"].partition(".")[2] in ENTRIES[repository(specs[0]["image"])]["tools"]


def test_servers_of_the_demo_run_as_their_images_are_recorded() -> None:
    found = of_folder(ROOT / "fixtures" / "projects" / "first-server")
    specs = list(servers(found))

    assert len(specs) == 2
    assert [faults(spec, ENTRIES[repository(spec["image"])]) for spec in specs] == [[], []]
    tools = {tool for entry in ENTRIES.values() for tool in entry["tools"]}
    (filtered,) = (one["spec"] for one in found if one["kind"] == "MCPToolConfig")
    assert set(filtered["toolsFilter"]) | set(filtered["toolsOverride"]) <= tools


def test_recorded_servers_on_pages_and_in_fixtures_run_as_recorded() -> None:
    shown = [*of_pages(), *of_folder(ROOT / "fixtures" / "projects" / "virtual-server")]
    recorded = [spec for spec in servers(shown) if repository(spec["image"]) in ENTRIES]

    assert recorded
    assert [faults(spec, ENTRIES[repository(spec["image"])]) for spec in recorded] == [[]] * len(recorded)


def test_images_that_the_pages_name_are_those_of_the_records() -> None:
    text = "\n".join(page.read_text() for page in PAGES)
    named = set(re.findall(r"ghcr\.io/[\w./-]+:[\w.-]+", text))

    assert {image for image in named if repository(image) in ENTRIES} <= {e["image"] for e in ENTRIES.values()}


@pytest.mark.parametrize("version", [":9.9", "@sha256:" + "a" * 64, ""])
def test_any_version_of_a_recorded_image_gets_the_recorded_transport_and_port(version: str) -> None:
    image = f"ghcr.io/stackloklabs/gofetch/server{version}"
    found = known_server(image)

    assert found == (image, "streamable-http", 8080)
    assert known_server("ghcr.io/acme/gofetch/server") is None


def test_descriptions_of_layouts_are_clauses_without_a_full_stop() -> None:
    assert [text for text in LAYOUTS.values() if not re.fullmatch(r"(a|one) [\w ,]*\w", text)] == []
