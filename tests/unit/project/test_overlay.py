"""Overlays of kustomize: what they take is in their namespaces, under their names, and compiled for each of them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from calling import call
from laying import lay

from mcpcfg.compiler.diagnostics.budget import OF_PROJECT, Budget
from mcpcfg.compiler.project import placement
from mcpcfg.compiler.project.kustomization import read

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
GROUP = HEAD + "kind: MCPGroup\nmetadata: {name: tools}\n"
SERVER = HEAD + "kind: MCPServer\nmetadata: {name: fetch}\nspec: {image: 'a:1', groupRef: {name: GROUP}}\n"


placements = partial(placement.placements, budget=Budget(OF_PROJECT))
with_components = partial(placement.with_components, budget=Budget(OF_PROJECT))


def namespaces(placed: placement.Placement) -> tuple[str, ...]:
    """Return the known namespaces of a placement, sorted."""
    return tuple(sorted({route.namespace for route in placed.routes if route.namespace is not None}))


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


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
def test_a_base_gets_the_namespace_of_each_overlay_that_uses_it(options: tuple[str, ...]) -> None:
    lay_base_and_overlays()

    assert call("check", *options).status == 0


def test_a_reference_that_neither_base_nor_overlay_satisfies_is_reported() -> None:
    lay_base_and_overlays()
    lay({"overlays/prod/server.yaml": SERVER.replace("GROUP", "tool")})

    outcome = call("check")
    assert outcome.status == 1
    assert outcome.out.count("error[") == 1
    assert "did you mean" in outcome.out


def test_a_missing_reference_in_an_overlay_without_its_base_is_a_warning() -> None:
    lay_base_and_overlays()

    outcome = call("check", "overlays/prod")

    assert outcome.status == 0
    assert "warning[REF001]" in outcome.out
    assert "check that file or its folder too" in outcome.out


def test_a_kustomization_that_lists_a_missing_file_does_not_hide_a_missing_reference() -> None:
    lay({"kustomization.yaml": "resources: [server.yaml, grup.yaml]\n", "server.yaml": SERVER})

    assert "error[REF001]" in call("check", ".").out


def test_the_outermost_namespace_wins_over_that_of_the_base() -> None:
    base = read("base/kustomization.yaml", {"resources": ["x.yaml"], "namespace": "inner"})
    prod = read("prod/kustomization.yaml", {"resources": ["../base"], "namespace": "outer"})
    test = read("test/kustomization.yaml", {"resources": ["../base"]})

    assert {file: namespaces(one) for file, one in placements([base, prod]).items()} == {"base/x.yaml": ("outer",)}
    assert {file: namespaces(one) for file, one in placements([base, test]).items()} == {"base/x.yaml": ("inner",)}
    both = placements([base, prod, test])["base/x.yaml"]
    assert namespaces(both) == ("inner", "outer")


def test_a_base_that_one_overlay_uses_without_a_namespace_has_none() -> None:
    base = read("base/kustomization.yaml", {"resources": ["x.yaml"]})
    prod = read("prod/kustomization.yaml", {"resources": ["../base"], "namespace": "outer"})
    test = read("test/kustomization.yaml", {"resources": ["../base"]})

    assert namespaces(placements([base, prod, test])["base/x.yaml"]) == ()


def test_overlays_in_a_cycle_have_finite_namespaces() -> None:
    one = read("a/kustomization.yaml", {"resources": ["../b", "x.yaml"], "namespace": "a"})
    other = read("b/kustomization.yaml", {"resources": ["../a"]})

    assert {file: namespaces(one) for file, one in placements([one, other]).items()} == {"a/x.yaml": ("a",)}


@pytest.mark.parametrize(("count", "known"), [(32, 32), (33, 0)])
def test_beyond_the_maximum_of_namespaces_a_file_has_none(count: int, known: int) -> None:
    base = read("base/kustomization.yaml", {"resources": ["x.yaml"]})
    overlays = [
        read(f"{number}/kustomization.yaml", {"resources": ["../base", "y.yaml"], "namespace": f"n{number}"})
        for number in range(count)
    ]
    found = placements([base, *overlays])

    assert len(namespaces(found["base/x.yaml"])) == known
    assert namespaces(found["7/y.yaml"]) == ("n7",)


def test_very_many_kustomizations_all_set_their_namespaces() -> None:
    overlays = [
        read(f"{number}/kustomization.yaml", {"resources": ["y.yaml"], "namespace": f"n{number}"})
        for number in range(12_000)
    ]

    found = placements(overlays)

    assert all(namespaces(found[f"{number}/y.yaml"]) == (f"n{number}",) for number in range(12_000))


@pytest.mark.parametrize(
    "more",
    [{"patches": []}, {"components": ["../c"]}, {"namePrefix": "x-"}, {"resources": ["../base", "github.com/a/b"]}],
)
def test_an_overlay_that_may_change_resources_makes_its_route_not_plain(more: dict[str, object]) -> None:
    base = read("base/kustomization.yaml", {"resources": ["x.yaml"]})
    prod = read("prod/kustomization.yaml", {"resources": ["../base"], "namespace": "prod", **more})
    test = read("test/kustomization.yaml", {"resources": ["../base"], "namespace": "test"})

    routes = placements(with_components([base, prod, test]))["base/x.yaml"].routes
    assert [route.namespace for route in routes if route.is_plain] == ["test"]


OIDC = (
    HEAD
    + "kind: MCPOIDCConfig\nmetadata: {name: corporate}\nspec: {type: inline, inline: {issuer: https://a.example}}\n"
)
USER = SERVER.replace("groupRef: {name: GROUP}", "oidcConfigRef: {name: corporate, audience: fetch}")


def lay_users(*declaring: str, extra: str = "") -> None:
    """Lay a base that refers to what only some overlays declare."""
    lay({"base/kustomization.yaml": "resources: [server.yaml]\n", "base/server.yaml": USER})
    for name in ("dev", "prod"):
        own = ("oidc.yaml",) if name in declaring else ()
        lay({f"overlays/{name}/kustomization.yaml": overlay(name, "../../base", *own)})
        if own:
            lay({f"overlays/{name}/oidc.yaml": OIDC})
    if extra:
        file = Path("overlays/prod/kustomization.yaml")
        file.write_text(file.read_text() + extra)


def test_a_reference_in_a_base_resolves_in_each_overlay() -> None:
    lay_users("dev", "prod")

    assert call("check").out == ""


def test_a_reference_missing_in_one_overlay_is_reported_once_with_its_namespace() -> None:
    lay_users("dev")

    outcome = call("check")
    assert outcome.status == 1
    assert outcome.out.count("[REF004]") == 1
    assert 'MCPOIDCConfig "corporate" is in namespace "mcp-dev", not in "mcp-prod"' in outcome.out


def test_a_reference_missing_in_all_overlays_is_reported_once() -> None:
    lay_users()

    assert call("check").out.count("[REF004]") == 1


def test_a_finding_about_a_base_is_dropped_if_only_a_patching_overlay_has_it() -> None:
    lay_users("dev", extra="patches: [{path: other.yaml}]\n")
    assert call("check").status == 0

    lay_users(extra="patches: [{path: other.yaml}]\n")
    Path("overlays/dev/oidc.yaml").unlink()
    assert call("check").out.count("[REF004]") == 1


def test_a_kustomization_replaces_stated_namespaces() -> None:
    group = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: tools, namespace: own}\n"
    server = group.replace("MCPGroup", "MCPServer").replace(", namespace: own", "")
    files = {
        "base/all.yaml": f"{group}---\n{server}spec: {{image: ghcr.io/acme/fetch:1, groupRef: {{name: tools}}}}\n",
        "base/kustomization.yaml": "resources: [all.yaml]\n",
        "one/kustomization.yaml": "namespace: one\nresources: [../base]\n",
        "two/kustomization.yaml": "namespace: two\nresources: [../base]\n",
    }
    lay(files)
    assert call("check", "--no-cache").status == 0
    lay(files | {"base/all.yaml": f"{group}---\n{group.replace(', namespace: own', '')}"})
    assert 'is declared a second time in namespace "one"' in call("check", "--no-cache").out


def test_the_destination_namespace_of_argo_cd_does_not_replace_a_stated_namespace() -> None:
    group = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: tools, namespace: own}\n"
    server = group.replace("MCPGroup", "MCPServer").replace(", namespace: own", "")
    application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: apps}\n"
    lay(
        {
            "apps/all.yaml": f"{group}---\n{server}spec: {{image: ghcr.io/acme/fetch:1, groupRef: {{name: tools}}}}\n",
            "cluster/app.yaml": f"{application}spec: {{destination: {{namespace: ai}}, source: {{path: apps}}}}\n",
        }
    )
    assert 'MCPGroup "tools" is in namespace "own", not in "ai"' in call("check", "--no-cache").out


def test_a_resource_in_both_overlay_and_base_is_a_duplicate() -> None:
    lay_base_and_overlays()
    lay({"overlays/prod/server.yaml": SERVER.replace("GROUP", "tools") + "---\n" + GROUP})

    outcome = call("check")
    assert outcome.out.count("[ADM090]") == 1
    assert 'a second time in namespace "mcp-prod"' in outcome.out


def test_two_bases_for_different_namespaces_can_declare_equal_names() -> None:
    for base in ("one", "two"):
        lay({f"{base}/kustomization.yaml": "resources: [all.yaml]\n"})
        lay({f"{base}/all.yaml": GROUP + "---\n" + SERVER.replace("GROUP", "tools")})
        for name in ("dev", "prod"):
            lay({f"{base}-{name}/kustomization.yaml": overlay(f"{base}-{name}", f"../{base}")})

    assert call("check").out == ""


def test_overlays_of_one_namespace_may_give_the_same_resource_two_names() -> None:
    for name in ("one", "two"):
        lay({f"{name}/kustomization.yaml": f"namespace: n\nnamePrefix: {name}-\nresources: [group.yaml]\n"})
        lay({f"{name}/group.yaml": GROUP})

    assert "ADM090" not in call("check").out


def test_a_base_satisfies_no_reference_in_an_overlay_that_does_not_use_it() -> None:
    lay_base_and_overlays()
    lay({"other/kustomization.yaml": overlay("other", "server.yaml")})
    lay({"other/server.yaml": SERVER.replace("GROUP", "tools")})

    assert 'not in "mcp-other"' in call("check").out


def test_a_base_is_compiled_for_each_overlay() -> None:
    lay_users("dev", "prod")

    outcome = call("build", "--target", "runconfig", "--output-dir", "out")

    assert outcome.status == 0
    assert sorted(str(path.relative_to("out")) for path in Path("out").rglob("*.json")) == [
        "mcp-dev/MCPServer-fetch.json",
        "mcp-prod/MCPServer-fetch.json",
    ]


def built(*options: str) -> tuple[int, str, list[str]]:
    outcome = call("build", "--target", "runconfig", "--keep-going", "--output-dir", "out", *options)
    return outcome.status, outcome.err, sorted(str(path.relative_to("out")) for path in Path("out").rglob("*.json"))


def test_a_base_is_compiled_for_the_overlays_in_which_it_is_complete() -> None:
    lay_users("dev")

    status, _, made = built()
    assert (status, made) == (1, ["mcp-dev/MCPServer-fetch.json"])


def test_a_copy_that_is_not_compiled_without_an_error_is_named() -> None:
    lay_users("dev", extra="patches: [{path: other.yaml}]\n")

    status, printed, made = built()
    assert (status, made) == (1, ["mcp-dev/MCPServer-fetch.json"])
    assert "MCPServer 'fetch' is not compiled for namespace mcp-prod" in printed


def test_a_refused_base_keeps_all_its_copies_from_being_compiled() -> None:
    lay_users("dev", "prod")
    proxy = "kind: MCPRemoteProxy\nmetadata: {name: search}\nspec:\n  remoteUrl: https://mcp.acme.example/mcp\n"
    proxy += "  oidcConfigRef: {name: corporate, audience: search}\n"
    proxy += "  headerForward: {addPlaintextHeaders: {Host: mcp.acme.example}}\n"
    lay({"base/server.yaml": USER + "---\n" + HEAD + proxy})

    status, printed, made = built()
    assert printed.count("[HDR001]") == 1
    assert (status, made) == (1, ["mcp-dev/MCPServer-fetch.json", "mcp-prod/MCPServer-fetch.json"])


def test_a_base_of_several_namespaces_is_checked_again_from_the_cache() -> None:
    lay_users("dev", "prod")
    lay({f"many/{number}.yaml": GROUP.replace("tools", f"tools-{number}") for number in range(70)})
    first = call("check")
    assert call("check") == first

    Path("overlays/prod/oidc.yaml").unlink()
    assert call("check").out == call("check", "--no-cache").out
    assert "[REF004]" in call("check").out

    lay_users("dev", "prod")
    assert call("check").out == call("check", "--no-cache").out == first.out


@pytest.mark.parametrize("extra", ["patches: [{path: other.yaml}]\n", "namePrefix: a-\n", "components: [../extra]\n"])
def test_build_and_diff_name_overlays_whose_changes_they_do_not_apply(extra: str) -> None:
    lay({"base/kustomization.yaml": "resources: [group.yaml, server.yaml]\n", "base/group.yaml": GROUP})
    lay({"base/server.yaml": SERVER.replace("GROUP", "tools"), "middle/kustomization.yaml": "resources: [../base]\n"})
    lay({"prod/kustomization.yaml": f"namespace: prod\nresources: [../middle]\n{extra}"})
    lay({"elsewhere/kustomization.yaml": "resources: []\nnamePrefix: b-\n"})

    status, printed, _ = built()
    assert status == 0
    assert "patches, components and other names in prod are not applied; pipe" in printed
    assert "patches, components and other names in prod are not applied; pipe" in call("diff", ".", ".").err


def test_build_names_no_overlay_that_only_sets_a_namespace() -> None:
    lay_users("dev", "prod")
    assert "are not applied" not in built()[1]
