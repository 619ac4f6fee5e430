"""Statuses and objects that are compiled for a later release equal those that its controllers wrote.

``fixtures/releases/recorded`` holds projects with what the controllers of v0.44.0 wrote: statuses without the texts for
people, and of fields that v0.21.0 does not have ConfigMaps, Deployments and ServiceAccounts without their owners.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from recorded import ROOT, first_difference, identity, read_all

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.status import artifacts
from mcpcfg.compiler.emit.target import artifacts as compiled
from mcpcfg.compiler.emit.target import stream
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.toolhive.operator import OperatorSettings

if TYPE_CHECKING:
    from pathlib import Path

CASES = sorted((ROOT / "fixtures" / "releases" / "recorded").iterdir())


def settled(folder: Path, release: str, generation: int = 1) -> dict[tuple[str, str, str], dict[str, Any]]:
    outcome = check(discover((str(folder / "input.yaml"),), release=release), Options(closed=True))
    resources = [one for one in outcome.loaded.resources if one.admitted and not outcome.workspace.is_refused(one)]
    made = artifacts(Build(outcome.workspace, OperatorSettings(), generation), resources)
    found = [artifact.compiled for artifact in made if artifact.compiled is not None]
    for one in found:
        one["status"].pop("message", None)
        for condition in one["status"].get("conditions", ()):
            del condition["message"]
    return {(one["kind"], one["namespace"], one["name"]): one for one in found}


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_every_resource_settles_on_the_status_that_release_0_44_0_wrote(folder: Path) -> None:
    recorded = yaml.safe_load((folder / "status.yaml").read_text("utf-8"))
    have = settled(folder, "0.44.0")
    for want in recorded:
        key = (want["kind"], want["namespace"], want["name"])

        assert first_difference(want, have[key]) is None, key


def test_a_status_is_about_the_generation_that_is_asked_for() -> None:
    (folder,) = (one for one in CASES if one.name == "vmcp-11-0144")
    found = settled(folder, "0.44.0", generation=7)

    assert {one["status"]["observedGeneration"] for one in found.values()} == {7}


@pytest.mark.parametrize(
    ("release", "listed", "counted"),
    [("0.21.0", True, False), ("0.28.0", True, True), ("0.41.0", True, True), ("0.42.0", False, False)],
)
def test_a_shared_configuration_lists_and_counts_its_workloads_in_some_releases(
    release: str, listed: bool, counted: bool, tmp_path: Path
) -> None:
    (tmp_path / "input.yaml").write_text(
        "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPToolConfig\nmetadata: {name: tools}\n"
        "spec: {toolsFilter: [fetch]}\n---\n"
        "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPServer\nmetadata: {name: server}\n"
        "spec: {image: example.com/fetch:1, transport: stdio, toolConfigRef: {name: tools}}\n"
    )
    status = settled(tmp_path, release)["MCPToolConfig", "default", "tools"]["status"]

    assert isinstance(status, dict)
    assert ("referencingWorkloads" in status, "referenceCount" in status) == (listed, counted)


@pytest.mark.parametrize(
    "folder", [one for one in CASES if (one / "objects.yaml").exists()], ids=lambda folder: folder.name
)
def test_fields_of_later_releases_compile_to_what_the_controllers_of_0_44_0_created(folder: Path) -> None:
    outcome = check(discover((str(folder / "input.yaml"),), release="0.44.0"), Options(closed=True))
    resources = [one for one in outcome.loaded.resources if one.admitted and not outcome.workspace.is_refused(one)]
    made, _ = compiled("kubernetes", Build(outcome.workspace, OperatorSettings()), resources)
    have = {identity(one): one for one in read_all(stream("kubernetes", made))}
    for one in have.values():
        del one["metadata"]["ownerReferences"]
    for want in read_all((folder / "objects.yaml").read_text("utf-8")):
        assert first_difference(want, have[identity(want)]) is None, identity(want)
