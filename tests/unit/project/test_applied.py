"""Which files are applied together: duplicates are reported where two are known to be one object of one cluster."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from calling import call
from laying import lay

from mcpcfg.compiler.diagnostics.budget import OF_PROJECT, Budget
from mcpcfg.compiler.project import placement
from mcpcfg.compiler.project.kustomization import read
from mcpcfg.compiler.project.placement import _MOST_CHAINS, _Chain, _reduce_chains

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
STATED = HEAD + "kind: MCPGroup\nmetadata: {name: tools, namespace: mcp}\n"
UNSTATED = HEAD + "kind: MCPGroup\nmetadata: {name: tools}\n"
CORE = "apiVersion: v1\nkind: %s\nmetadata: {name: mcp, namespace: mcp}\n"


roots_of = partial(placement.roots_of, budget=Budget(OF_PROJECT))


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def listing(*paths: str, more: str = "") -> str:
    return f"resources: [{', '.join(paths)}]\n{more}"


def duplicate_files(*options: str) -> list[str]:
    """Return the files with a duplicate."""
    found = json.loads(call("check", "--format", "json", *options).out)["findings"]
    return [one["file"] for one in found if one["rule"] == "ADM090"]


TOGETHER = {
    "one file": {"x/a.yaml": UNSTATED + "---\n" + UNSTATED},
    "one folder": {"x/a.yaml": STATED, "x/b.yaml": STATED},
    "one kustomization": {
        "x/kustomization.yaml": listing("a/a.yaml", "b/b.yaml"),
        "x/a/a.yaml": UNSTATED,
        "x/b/b.yaml": UNSTATED,
    },
    "kustomizations in kustomizations": {
        "top/kustomization.yaml": listing("../x", "../y"),
        "x/kustomization.yaml": listing("a.yaml"),
        "y/kustomization.yaml": listing("z", more="namespace: mcp\n"),
        "y/z/kustomization.yaml": listing("b.yaml"),
        "x/a.yaml": STATED,
        "y/z/b.yaml": UNSTATED,
    },
    "a base and its overlay": {
        "base/kustomization.yaml": listing("a.yaml"),
        "base/a.yaml": STATED,
        "one/kustomization.yaml": listing("../base", "b.yaml"),
        "one/b.yaml": STATED,
        "two/kustomization.yaml": listing("../base"),
    },
}
APART = {
    "files without a namespace": {"x/a.yaml": UNSTATED, "x/b.yaml": UNSTATED},
    "folders": {"clusters/a/all.yaml": STATED, "clusters/b/all.yaml": STATED},
    "kustomizations": {
        "a/kustomization.yaml": listing("all.yaml"),
        "b/kustomization.yaml": listing("all.yaml"),
        "a/all.yaml": STATED,
        "b/all.yaml": STATED,
    },
    "overlays of one base": {
        "base/kustomization.yaml": listing("other.yaml"),
        "base/other.yaml": STATED.replace("tools", "other"),
        "a/kustomization.yaml": listing("../base", "all.yaml"),
        "b/kustomization.yaml": listing("../base", "all.yaml"),
        "a/all.yaml": STATED,
        "b/all.yaml": STATED,
    },
    "a file that the kustomization leaves out": {
        "x/kustomization.yaml": listing("a.yaml"),
        "x/a.yaml": STATED,
        "x/b.yaml": STATED,
    },
    "namespaces of one file": {"x/a.yaml": STATED + "---\n" + UNSTATED},
    "objects of Kubernetes": {
        "x/a.yaml": "---\n".join(CORE % kind for kind in ("Namespace", "Secret", "ConfigMap", "ServiceAccount") * 2)
    },
}


@pytest.mark.parametrize("files", TOGETHER.values(), ids=TOGETHER)
def test_a_resource_in_two_files_that_are_applied_together_is_a_duplicate(files: dict[str, str]) -> None:
    lay(files)
    assert len(duplicate_files()) == 1
    assert duplicate_files("--isolated") == ([*files] if len(files) == 1 else [])


@pytest.mark.parametrize("files", APART.values(), ids=APART)
def test_a_resource_in_files_for_different_clusters_is_no_duplicate(files: dict[str, str]) -> None:
    lay(files)
    assert duplicate_files() == []


@pytest.mark.parametrize("case", ["files without a namespace", "folders", "kustomizations"])
def test_in_a_closed_project_all_files_are_for_one_cluster(case: str) -> None:
    lay(APART[case])
    assert len(duplicate_files("--closed")) == 1


def test_the_namespace_option_makes_equal_names_duplicates() -> None:
    lay(APART["files without a namespace"])
    assert duplicate_files("--namespace", "mcp") == ["x/b.yaml"]


@pytest.mark.parametrize(
    ("patterns", "duplicates"),
    [
        ("[]", ["examples/b.yaml", "examples/more/d.yaml", "x/f.yaml"]),
        ("[examples/]", ["x/f.yaml"]),
        ("[examples/more]", ["examples/b.yaml", "x/f.yaml"]),
        ("['**/d.yaml', f.yaml]", ["examples/b.yaml"]),
        ("['examples/*.yaml']", ["examples/more/d.yaml", "x/f.yaml"]),
        ("[examples/, '!examples/b.yaml']", ["x/f.yaml"]),
        ("['*']", []),
    ],
)
@pytest.mark.parametrize("folder", [".", "sub"])
def test_patterns_of_isolated_files_are_relative_to_the_configuration(
    patterns: str, duplicates: list[str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"examples/{name}.yaml" for name in ("a", "b", "more/c", "more/d")] + ["x/e.yaml", "x/f.yaml"]
    lay({f"{folder}/{file}": STATED for file in names})
    lay({f"{folder}/mcpcfg.yaml": f"isolated: {patterns}\n"})
    monkeypatch.chdir(folder)
    assert duplicate_files() == duplicates
    monkeypatch.chdir("x")
    assert duplicate_files(".", "../examples") == [
        str(Path("..", file)) if file[0] == "e" else "f.yaml" for file in duplicates
    ]


def test_isolated_files_cause_no_name_collision() -> None:
    server = HEAD + "kind: %s\nmetadata: {name: fetch, namespace: mcp}\nspec: {%s}\n"
    image, remote = "image: 'a:1', transport: stdio", "remoteUrl: 'https://mcp.acme.example'"
    lay({"x/a.yaml": server % ("MCPServer", image), "x/b.yaml": server % ("MCPRemoteProxy", remote)})
    assert "NAM002" in call("check").out
    assert "NAM002" not in call("check", "--isolated").out
    lay({"mcpcfg.yaml": "isolated: [x/a.yaml]\n"})
    assert "NAM002" not in call("check").out


def test_copies_of_a_server_in_two_clusters_share_no_audience() -> None:
    server = HEAD + (
        "kind: MCPServer\nmetadata: {name: NAME, namespace: mcp}\nspec:\n  image: a:1\n  transport: stdio\n"
        "  oidcConfigRef: {name: login, audience: fetch}\n---\n"
    )
    login = HEAD + "kind: MCPOIDCConfig\nmetadata: {name: login, namespace: mcp}\nspec:\n  type: inline\n"
    login += "  inline: {issuer: 'https://login.acme.example'}\n"
    lay({f"{cluster}/all.yaml": server.replace("NAME", "fetch") + login for cluster in "ab"})
    assert "OID010" not in call("check").out
    lay({"b/all.yaml": server.replace("NAME", "other") + login})
    assert "OID010" in call("check").out


def test_the_roots_of_a_file_are_its_outermost_kustomizations() -> None:
    found = roots_of(
        [
            read("base/kustomization.yaml", {"resources": ["x.yaml"]}),
            read("a/kustomization.yaml", {"resources": ["../base", "a.yaml"]}),
            read("b/kustomization.yaml", {"components": ["../base"]}),
            read("kustomization.yaml", {"resources": ["y.yaml"]}),
        ]
    )
    assert found == {
        "base/x.yaml": ("a/kustomization.yaml", "b/kustomization.yaml"),
        "a/a.yaml": ("a/kustomization.yaml",),
        "y.yaml": ("./kustomization.yaml",),
    }


def test_kustomizations_in_a_cycle_have_a_root() -> None:
    circle = [
        read("a/kustomization.yaml", {"resources": ["../b", "x.yaml"]}),
        read("b/kustomization.yaml", {"resources": ["../a", "y.yaml"]}),
    ]
    assert roots_of(circle) == dict.fromkeys(("a/x.yaml", "b/y.yaml"), ("a/kustomization.yaml",))


def test_the_roots_of_a_base_with_very_many_overlays_are_bounded() -> None:
    layers = [read("0/kustomization.yaml", {"resources": [f"{number}.yaml" for number in range(400)]})]
    layers += [read(f"{number}/kustomization.yaml", {"resources": ["../0"]}) for number in range(1, 2_000)]
    found = roots_of(layers)
    assert {len(roots) for roots in found.values()} == {placement._MOST_ROOTS}


def test_beyond_the_maximum_of_chains_only_their_namespaces_are_kept() -> None:
    ways = {_Chain("mcp", root=f"r{number}") for number in range(_MOST_CHAINS + 1)}

    assert _reduce_chains(ways)
    assert ways == {_Chain("mcp")}
