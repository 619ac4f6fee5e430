"""Kustomize folders are checked as they are: what the kustomizations state of names and patches counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from calling import call
from laying import lay

from mcpcfg.compiler.project.kustomization import Kustomization, read
from mcpcfg.compiler.project.overlay import OverlayNames

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
GROUP = HEAD + "kind: MCPGroup\nmetadata: {name: tools}\n"
SERVER = HEAD + "kind: MCPServer\nmetadata: {name: fetch}\nspec: {image: 'a:1', groupRef: {name: GROUP}}\n"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_reference_resolves_by_the_name_that_an_overlay_gives() -> None:
    lay(
        {
            "base/kustomization.yaml": "resources: [group.yaml]\nnameSuffix: -v1\n",
            "base/group.yaml": GROUP,
            "prod/kustomization.yaml": "resources: [../base, server.yaml]\nnamePrefix: prod-\n",
            "prod/server.yaml": SERVER.replace("GROUP", "prod-tools-v1"),
        }
    )

    assert call("check").status == 0


def test_a_name_that_no_overlay_gives_is_reported() -> None:
    lay(
        {
            "base/kustomization.yaml": "resources: [group.yaml, server.yaml]\nnamePrefix: prod-\n",
            "base/group.yaml": GROUP,
            "base/server.yaml": SERVER.replace("GROUP", "test-tools"),
        }
    )

    outcome = call("check")
    assert outcome.status == 1
    assert 'MCPGroup "test-tools" does not exist' in outcome.out


def test_a_patch_is_no_resource() -> None:
    patch = HEAD + "kind: MCPServer\nmetadata: {name: fetch}\nspec: {replicas: 2}\n"
    lay(
        {
            "base/kustomization.yaml": "resources: [all.yaml]\n",
            "base/all.yaml": GROUP + "---\n" + SERVER.replace("GROUP", "tools"),
            "prod/kustomization.yaml": "resources: [../base]\npatches:\n- path: patch.yaml\n- patch: |\n    a: b\n"
            "patchesStrategicMerge: [other.yaml]\n",
            "prod/patch.yaml": patch,
            "prod/other.yaml": patch,
        }
    )

    assert call("check").status == 0


def test_a_patch_that_is_no_yaml_is_reported() -> None:
    lay(
        {
            "kustomization.yaml": "resources: []\npatches: [{path: patch.yaml}]\n",
            "patch.yaml": HEAD + "kind: MCPServer\n  metadata: {name: fetch}\n",
        }
    )

    assert call("check").status == 1


def names(*kustomizations: Kustomization, **resources: str) -> OverlayNames:
    made = OverlayNames(kustomizations)
    for kind, file in resources.items():
        made.add(file, kind)
    return made


def test_any_name_with_the_prefix_and_suffix_of_an_overlay_may_exist() -> None:
    base = read("base/kustomization.yaml", {"resources": ["x.yaml"], "namePrefix": "b-", "nameSuffix": "-1"})
    middle = read("middle/kustomization.yaml", {"resources": ["../base"]})
    prod = read("prod/kustomization.yaml", {"resources": ["../middle"], "namePrefix": "p-", "nameSuffix": "-2"})
    made = names(base, middle, prod, MCPGroup="base/x.yaml", MCPServer="base/y.yaml")

    for name in ("b-tools-1", "p-b-tools-1-2", "p-other-2"):
        assert made.may_have("MCPGroup", name)
    for name in ("tools", "p-tools-1", "b-tools", "tools-2", "b-", ""):
        assert not made.may_have("MCPGroup", name)
    assert not made.may_have("MCPServer", "b-tools-1")
    assert made.kinds() == {"MCPGroup"}


def test_the_names_of_overlays_that_all_list_each_other_are_computed() -> None:
    folders = [f"../{number}" for number in range(60)]
    circle = [
        read(f"{number}/kustomization.yaml", {"resources": [*folders, "x.yaml"], "namePrefix": "a-"})
        for number in range(60)
    ]
    made = names(*circle, MCPGroup="0/x.yaml")

    assert made.may_have("MCPGroup", "a-" * 100 + "tools")
    assert not made.may_have("MCPGroup", "b-tools")


def test_checks_from_the_cache_follow_changes_of_name_prefixes() -> None:
    lay({f"many/{number}.yaml": GROUP.replace("tools", f"tools-{number}") for number in range(70)})
    names = ", ".join(f"{number}.yaml" for number in range(70))
    lay({"many/kustomization.yaml": f"resources: [{names}]\nnamePrefix: x-\n"})
    lay({"server.yaml": SERVER.replace("GROUP", "x-tools-3")})

    assert call("check").status == 0
    lay({"server.yaml": SERVER.replace("GROUP", "y-tools-3")})
    assert call("check").status == 1
    lay({"many/kustomization.yaml": f"resources: [{names}]\nnamePrefix: y-\n"})
    assert call("check").status == 0
    lay({"many/kustomization.yaml": f"resources: [{names}]\n"})
    assert call("check").status == 1
    lay({"server.yaml": SERVER.replace("GROUP", "tools-3")})
    assert call("check").status == 0


def test_a_secret_that_sops_encrypted_has_its_keys() -> None:
    secret = (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: github}\ndata:\n"
        "  token: ENC[AES256_GCM,data:Tm9=,iv:aXY=,tag:dGFn,type:str]\n"
        "sops:\n  age:\n  - recipient: age1x\n    enc: x\n  mac: ENC[AES256_GCM,data:Tm9=,iv:aXY=,tag:dGFn,type:str]\n"
        "  encrypted_regex: ^(data|stringData)$\n  version: 3.9.0\n"
    )
    server = HEAD + "kind: MCPServer\nmetadata: {name: fetch}\nspec:\n  image: ghcr.io/acme/fetch:1.2.0\n"
    server += "  secrets: [{name: github, key: KEY, targetEnvName: TOKEN}]\n"
    lay({"secret.yaml": secret, "server.yaml": server.replace("KEY", "token")})
    assert "REF" not in call("check", "--closed").out

    lay({"server.yaml": server.replace("KEY", "tokn")})
    assert "it has: token" in call("check").out


def test_generated_objects_exist_in_a_closed_world() -> None:
    server = HEAD + "kind: MCPServer\nmetadata: {name: fetch}\nspec:\n  image: ghcr.io/acme/fetch:1.2.0\n"
    server += "  secrets: [{name: github, key: token, targetEnvName: TOKEN}]\n"
    lay({"kustomization.yaml": "resources: [server.yaml]\n", "server.yaml": server})
    assert 'Secret "github" does not exist' in call("check", "--closed").out

    generator = "resources: [server.yaml]\nsecretGenerator: [{name: github, envs: [a.env]}, 3]\n"
    for plain in ("generatorOptions: {disableNameSuffixHash: true}\n", "configurations: [names.yaml]\n"):
        lay({"kustomization.yaml": generator + plain})
        assert call("check", "--closed").out == ""
    lay({"kustomization.yaml": generator.replace("]}", "], options: {disableNameSuffixHash: true}}")})
    assert call("check", "--closed").out == ""


def test_a_generated_secret_with_a_hash_satisfies_no_reference() -> None:
    server = HEAD + "kind: MCPServer\nmetadata: {name: fetch}\nspec:\n  image: ghcr.io/acme/fetch:1.2.0\n"
    server += "  secrets: [{name: github, key: token, targetEnvName: TOKEN}]\n"
    generator = "resources: [server.yaml]\nsecretGenerator: [{name: github, envs: [a.env]}]\n"
    lay({"kustomization.yaml": generator, "server.yaml": server})

    assert 'Secret "github" does not exist' in call("check", "--closed").out
