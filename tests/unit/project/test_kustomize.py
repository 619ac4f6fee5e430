"""Kustomize folders are checked as they are: what the kustomizations say of names and patches counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import call

from mcpcfg.compiler.project.kustomize import namespaces, read, respellings

HEAD = "apiVersion: toolhive.stacklok.dev/v1alpha1\n"
GROUP = HEAD + "kind: MCPGroup\nmetadata: {name: tools}\n"
SERVER = HEAD + "kind: MCPServer\nmetadata: {name: fetch}\nspec: {image: a, groupRef: {name: GROUP}}\n"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lay(files: dict[str, str]) -> None:
    for file, text in files.items():
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text(text)


def test_a_reference_may_have_the_name_that_an_overlay_gives() -> None:
    lay(
        {
            "base/kustomization.yaml": "resources: [group.yaml]\nnameSuffix: -v1\n",
            "base/group.yaml": GROUP,
            "prod/kustomization.yaml": "resources: [../base, server.yaml]\nnamePrefix: prod-\n",
            "prod/server.yaml": SERVER.replace("GROUP", "prod-tools-v1"),
        }
    )

    assert call("check").status == 0


def test_a_name_that_no_overlay_gives_is_told() -> None:
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


def test_a_patch_that_is_no_yaml_is_told() -> None:
    lay(
        {
            "kustomization.yaml": "resources: []\npatches: [{path: patch.yaml}]\n",
            "patch.yaml": HEAD + "kind: MCPServer\n  metadata: {name: fetch}\n",
        }
    )

    assert call("check").status == 1


def test_overlays_in_a_circle_end() -> None:
    one = read("a/kustomization.yaml", {"resources": ["../b", "x.yaml"], "namePrefix": "p-"})
    other = read("b/kustomization.yaml", {"resources": ["../a"], "namePrefix": "q-"})

    found = respellings([one, other])

    assert {("p-", ""), ("q-p-", "")} <= found["a/x.yaml"]
    assert all(len(prefix) <= 260 for prefix, _ in found["a/x.yaml"])


def test_a_second_check_from_the_cache_says_the_same() -> None:
    lay({f"many/{number}.yaml": GROUP.replace("tools", f"tools-{number}") for number in range(70)})
    names = ", ".join(f"{number}.yaml" for number in range(70))
    lay({"many/kustomization.yaml": f"resources: [{names}]\nnamePrefix: x-\n"})
    lay({"server.yaml": SERVER.replace("GROUP", "x-tools-3")})

    assert call("check").status == 0
    lay({"server.yaml": SERVER.replace("GROUP", "x-tools-333")})
    assert call("check").status == 1
    lay({"server.yaml": SERVER.replace("GROUP", "x-tools-4")})
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


def overlay(name: str, *listed: str) -> str:
    return f"namespace: mcp-{name}\nresources: [{', '.join(listed)}]\n"


def lay_base_and_overlays() -> None:
    lay({"base/kustomization.yaml": "resources: [group.yaml]\n", "base/group.yaml": GROUP})
    for name in ("dev", "staging", "prod"):
        lay(
            {
                f"overlays/{name}/kustomization.yaml": overlay(name, "../../base", "server.yaml"),
                f"overlays/{name}/server.yaml": SERVER.replace("GROUP", "tools"),
            }
        )


@pytest.mark.parametrize("options", [(), ("--closed",), ("--namespace", "elsewhere")])
def test_a_base_is_in_the_namespace_of_each_overlay_that_takes_it(options: tuple[str, ...]) -> None:
    lay_base_and_overlays()

    assert call("check", *options).status == 0


def test_a_reference_that_neither_base_nor_overlay_satisfies_is_told() -> None:
    lay_base_and_overlays()
    lay({"overlays/prod/server.yaml": SERVER.replace("GROUP", "tool")})

    outcome = call("check")
    assert outcome.status == 1
    assert outcome.out.count("error[") == 1
    assert "did you mean" in outcome.out


def test_an_overlay_on_its_own_is_not_blamed_for_what_its_base_may_declare() -> None:
    lay_base_and_overlays()

    outcome = call("check", "overlays/prod")

    assert outcome.status == 0
    assert "warning[REF001]" in outcome.out
    assert "check that file or its folder too" in outcome.out


def test_an_overlay_that_lists_what_is_not_there_is_no_excuse() -> None:
    lay({"kustomization.yaml": "resources: [server.yaml, grup.yaml]\n", "server.yaml": SERVER})

    assert "error[REF001]" in call("check", ".").out


def test_the_outermost_namespace_wins_over_that_of_the_base() -> None:
    base = read("base/kustomization.yaml", {"resources": ["x.yaml"], "namespace": "inner"})
    prod = read("prod/kustomization.yaml", {"resources": ["../base"], "namespace": "outer"})
    test = read("test/kustomization.yaml", {"resources": ["../base"]})

    assert namespaces([base, prod]) == {"base/x.yaml": "outer"}
    assert namespaces([base, test]) == {"base/x.yaml": "inner"}
    assert namespaces([base, prod, test]) == {"base/x.yaml": None}


def test_namespaces_of_overlays_in_a_circle_end() -> None:
    one = read("a/kustomization.yaml", {"resources": ["../b", "x.yaml"], "namespace": "a"})
    other = read("b/kustomization.yaml", {"resources": ["../a"]})

    assert namespaces([one, other]) == {"a/x.yaml": "a"}


def test_what_a_kustomization_generates_exists_in_a_closed_world_too() -> None:
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


def test_a_generated_name_with_a_hash_is_not_the_one_that_is_referred_to() -> None:
    server = HEAD + "kind: MCPServer\nmetadata: {name: fetch}\nspec:\n  image: ghcr.io/acme/fetch:1.2.0\n"
    server += "  secrets: [{name: github, key: token, targetEnvName: TOKEN}]\n"
    generator = "resources: [server.yaml]\nsecretGenerator: [{name: github, envs: [a.env]}]\n"
    lay({"kustomization.yaml": generator, "server.yaml": server})

    assert 'Secret "github" does not exist' in call("check", "--closed").out
