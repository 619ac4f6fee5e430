"""What the operator of a later release writes is sound to the programs of that release, which read it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from recorded import ROOT, read_all

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.target import artifacts
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.toolhive.operator import OperatorSettings

if TYPE_CHECKING:
    from pathlib import Path

OBJECTS = sorted((ROOT / "fixtures" / "releases" / "recorded").glob("*/objects.yaml"))
FILES = {
    f"{path.parent.name}-{one['metadata']['name']}-{key}": text
    for path in OBJECTS
    for one in read_all(path.read_text("utf-8"))
    if one["kind"] == "ConfigMap"
    for key, text in one["data"].items()
    if key == "runconfig.json" or one["metadata"]["name"].endswith("-vmcp-config")
}
UNREACHABLE = {"RUN022", "RUN057", "SES004", "VMC115"}
"""Rules about addresses: those of Redis are short in the fixtures, those of virtual servers plain HTTP."""


def errors(folder: Path, release: str) -> set[str]:
    found = check(discover((str(folder),), release=release), Options()).findings
    return {one.rule for one in found if one.severity == "error"} - UNREACHABLE


@pytest.mark.parametrize("name", FILES)
def test_a_configuration_of_release_0_44_0_has_no_error_there(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name])

    assert errors(tmp_path, "0.44.0") == set()


def test_a_middleware_of_later_releases_is_unknown_to_earlier_ones(tmp_path: Path) -> None:
    name = next(name for name in FILES if name.startswith("webhooks") and name.endswith("runconfig.json"))
    (tmp_path / name).write_text(FILES[name])

    assert "bodylimit" in {one["type"] for one in json.loads(FILES[name])["middleware_configs"]}
    assert (errors(tmp_path, "0.21.0"), errors(tmp_path, "0.44.0")) == ({"RUN011"}, set())


@pytest.mark.parametrize(("release", "marked"), [("0.24.0", False), ("0.24.1", True), ("0.44.0", True)])
def test_the_pods_of_a_server_are_marked_by_its_generation(release: str, marked: bool, tmp_path: Path) -> None:
    (tmp_path / "fetch.yaml").write_text(
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch}\n"
        "spec: {image: example.com/fetch:1, transport: stdio}\n"
    )
    outcome = check(discover((str(tmp_path),), release=release), Options())
    made, _ = artifacts("backend", Build(outcome.workspace, OperatorSettings(), 3), outcome.loaded.resources)
    (stateful_set,) = (one.compiled for one in made)
    assert stateful_set is not None
    annotations = stateful_set["spec"]["template"]["metadata"].get("annotations")

    assert annotations == ({"toolhive.stacklok.dev/mcpserver-generation": "3"} if marked else None)
