"""What a name means: of several resources that it fits the nearest, and of Secrets any that has the key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from admitted import only
from sample import resource

from mcpcfg.compiler.admission.admit import admit_document
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.workspace.context import Layout, ProjectContext, folders_above
from mcpcfg.compiler.workspace.reference import declared_keys
from mcpcfg.compiler.workspace.workspace import Workspace

if TYPE_CHECKING:
    from mcpcfg.compiler.workspace.reference import Reference
    from mcpcfg.compiler.workspace.resource import Resource

GROUP = resource("MCPGroup", "tools", namespace="mcp")
BROKEN = GROUP.replace("  {}", "  nonsense: 1")
SERVER = resource("MCPServer", "fetch", "image: a:1", "groupRef: {name: tools}", namespace="mcp")
WITH_SECRET = resource("MCPServer", "fetch", "image: a:1", "secrets: [{name: token, key: key}]", namespace="mcp")


def workspace(files: dict[str, str], layout: Layout | None = None) -> Workspace:
    """Return a workspace of files, in order."""
    documents = [document for file, text in files.items() for document in read_documents(text, file)[0]]
    resources = [found for found, _ in map(admit_document, documents) if found is not None]
    return Workspace(resources, ProjectContext(layout=layout or Layout()))


def in_file(found: Workspace, file: str, kind: str = "MCPServer") -> Resource:
    return next(one for one in found.resources if one.kind == kind and one.document.file == file)


def meant(found: Workspace, file: str) -> str | None:
    """Return the file of the group that the server in ``file`` means."""
    target = found.target(in_file(found, file), "spec", "groupRef", "name")
    return None if target is None else target.document.file


def secret(keys: str, *, namespace: str = "mcp", more: str = "") -> str:
    return f"apiVersion: v1\nkind: Secret\nmetadata: {{name: token, namespace: {namespace}}}\n{keys}\n{more}"


def asked(found: Workspace, file: str = "app/fetch.yaml") -> Reference:
    (reference,) = found.references(in_file(found, file))
    return reference


@pytest.mark.parametrize(
    ("files", "roots", "expected"),
    [
        ({"a/s.yaml": SERVER, "b/g.yaml": GROUP}, {}, "b/g.yaml"),
        ({"a/s.yaml": GROUP + "---\n" + SERVER, "a/g.yaml": GROUP}, {}, "a/s.yaml"),
        ({"a/g.yaml": GROUP, "b/g.yaml": GROUP, "b/s.yaml": SERVER}, {}, "b/g.yaml"),
        ({"a/g.yaml": GROUP, "b/groups/g.yaml": GROUP, "b/servers/s.yaml": SERVER}, {}, "b/groups/g.yaml"),
        ({"a/g.yaml": GROUP, "b/g.yaml": GROUP, "c/s.yaml": SERVER}, {}, "a/g.yaml"),
        (
            {"base/g.yaml": GROUP, "c/x/g.yaml": GROUP, "c/x/s.yaml": SERVER},
            {"base/g.yaml": ("c/kustomization.yaml",), "c/x/s.yaml": ("c/kustomization.yaml",)},
            "base/g.yaml",
        ),
        ({"a/g.yaml": BROKEN, "a/s.yaml": SERVER, "b/g.yaml": GROUP}, {}, "b/g.yaml"),
    ],
    ids=["only", "file", "folder", "nearest", "first", "kustomization", "admitted"],
)
def test_a_reference_resolves_to_the_nearest_of_several_resources(
    files: dict[str, str], roots: dict[str, tuple[str, ...]], expected: str
) -> None:
    source = next(file for file in files if file.endswith("s.yaml"))
    assert meant(workspace(files, Layout(roots)), source) == expected


def test_a_refused_group_in_the_same_kustomization_is_the_target_of_a_reference() -> None:
    roots = dict.fromkeys(("a/g.yaml", "a/s.yaml"), ("a/kustomization.yaml",))
    found = workspace({"a/g.yaml": BROKEN, "a/s.yaml": SERVER, "b/g.yaml": GROUP}, Layout(roots))
    reference = found.reference(in_file(found, "a/s.yaml"), "spec", "groupRef", "name")
    assert reference is not None
    assert reference.problem == "not-admitted"


def test_a_resource_of_the_stated_namespace_wins_over_a_nearer_one_without_namespace() -> None:
    found = workspace({"a/s.yaml": SERVER, "a/g.yaml": resource("MCPGroup", "tools"), "b/g.yaml": GROUP})
    assert meant(found, "a/s.yaml") == "b/g.yaml"


def test_each_cluster_has_its_own_members() -> None:
    files = {f"{cluster}/{name}.yaml": text for cluster in "ab" for name, text in (("g", GROUP), ("s", SERVER))}
    found = workspace(files)
    for cluster in "ab":
        group = in_file(found, f"{cluster}/g.yaml", "MCPGroup")
        assert [member.document.file for member in found.members(group)] == [f"{cluster}/s.yaml"]
        assert [one.source.document.file for one in found.referrers(group)] == [f"{cluster}/s.yaml"]


def test_of_members_declared_in_each_cluster_the_nearest_is_returned() -> None:
    virtual = resource("VirtualMCPServer", "desk", "groupRef: {name: tools}", namespace="mcp")
    files = {"a/s.yaml": SERVER, "b/s.yaml": SERVER, "b/v.yaml": virtual, "base/g.yaml": GROUP}
    found = workspace(files)
    group = in_file(found, "base/g.yaml", "MCPGroup")
    viewer = in_file(found, "b/v.yaml", "VirtualMCPServer")
    assert [member.document.file for member in found.members(group, viewer)] == ["b/s.yaml"]


def test_each_declaration_of_a_group_has_the_members() -> None:
    virtual = resource("VirtualMCPServer", "desk", "groupRef: {name: tools}", namespace="mcp")
    found = workspace({"a/g.yaml": GROUP, "a/v.yaml": virtual, "b/g.yaml": GROUP, "b/s.yaml": SERVER})
    for file in ("a/g.yaml", "b/g.yaml"):
        group = in_file(found, file, "MCPGroup")
        assert found.is_referred(group)
        assert len(found.members(group)) == 1


@pytest.mark.parametrize(
    ("secrets", "holder"),
    [
        ({"app/s.yaml": "data: {other: eA==}", "boot/s.yaml": "data: {key: eA==}"}, "boot/s.yaml"),
        ({"app/s.yaml": "", "boot/s.yaml": "data: {key: eA==}"}, "boot/s.yaml"),
        ({"app/s.yaml": "data: {key: eA==}", "boot/s.yaml": "stringData: {key: x}"}, "app/s.yaml"),
        ({"app/s.yaml": "data: {other: eA==}", "boot/s.yaml": ""}, "boot/s.yaml"),
        ({"app/s.yaml": "data: {}"}, "app/s.yaml"),
        ({"app/s.yaml": "data: {other: eA==}", "boot/s.yaml": "immutable: true"}, None),
        ({"app/s.yaml": "data: 5"}, None),
    ],
    ids=["elsewhere", "shell", "nearest", "only-shell", "empty", "sealed", "malformed"],
)
def test_any_secret_of_the_name_that_has_the_key_satisfies_a_reference(
    secrets: dict[str, str], holder: str | None
) -> None:
    files = {"app/fetch.yaml": WITH_SECRET} | {file: secret(keys) for file, keys in secrets.items()}
    reference = asked(workspace(files))
    if holder is None:
        assert reference.problem == "key-missing"
    else:
        assert reference.problem is None
        assert reference.target is not None
        assert reference.target.document.file == holder


def test_a_secret_without_a_namespace_satisfies_a_reference_to_a_key() -> None:
    texts = {"a/s.yaml": secret("data: {other: eA==}"), "b/s.yaml": secret("data: {key: eA==}", namespace='""')}
    assert asked(workspace({"app/fetch.yaml": WITH_SECRET} | texts)).problem is None


def test_a_secret_in_another_namespace_satisfies_no_reference_to_a_key() -> None:
    texts = {"a/s.yaml": secret("data: {other: eA==}"), "b/s.yaml": secret("data: {key: eA==}", namespace="other")}
    reference = asked(workspace({"app/fetch.yaml": WITH_SECRET} | texts))
    assert (reference.problem, reference.others) == ("key-missing", ())


def test_all_secrets_of_the_name_are_reported_if_none_has_the_key() -> None:
    texts = {f"{folder}/s.yaml": secret("data: {other: eA==}") for folder in ("app", "boot", "c")}
    reference = asked(workspace({"app/fetch.yaml": WITH_SECRET} | texts))
    assert reference.problem == "key-missing"
    assert reference.target is not None
    assert [one.document.file for one in (reference.target, *reference.others)] == [*texts]


def test_isolated_files_see_only_themselves_and_no_file_sees_them() -> None:
    files = {"a.yaml": GROUP + "---\n" + SERVER, "b.yaml": SERVER, "c.yaml": SERVER, "d.yaml": GROUP}
    found = workspace(files, Layout(is_isolated=lambda file: file in ("a.yaml", "b.yaml")))
    assert [meant(found, file) for file in ("a.yaml", "b.yaml", "c.yaml")] == ["a.yaml", None, "d.yaml"]
    assert len(found.members(in_file(found, "d.yaml", "MCPGroup"))) == 1
    alone = found.around("b.yaml")
    assert [one.document.file for one in alone.resources] == ["b.yaml"]
    assert alone.context.complete
    assert not alone.has_any(["MCPGroup"])
    assert [one.document.file for one in found.around("c.yaml").resources] == ["c.yaml", "d.yaml"]
    assert found.find("MCPGroup", "mcp", "tools", "b.yaml") is None


def test_without_isolated_files_each_file_sees_the_whole_workspace() -> None:
    found = workspace({"a.yaml": GROUP, "b.yaml": SERVER})
    assert found.around("a.yaml") is found


@pytest.mark.parametrize(
    ("file", "folders"),
    [("x.yaml", [""]), ("a/b/x.yaml", ["a/b", "a", ""]), ("/a/x.yaml", ["/a", "/", ""]), ("../x.yaml", ["..", ""])],
)
def test_folders_above_a_file_are_listed_innermost_first(file: str, folders: list[str]) -> None:
    assert folders_above(file) == folders


def test_references_to_very_many_namesakes_are_resolved() -> None:
    files = {f"{number}/all.yaml": GROUP + "---\n" + SERVER for number in range(1_500)}
    found = workspace(files)
    assert [meant(found, file) for file in files] == [*files]


@pytest.mark.parametrize("way", ["Merge", "IfNotPresent", "Ignore", "Override"])
def test_an_object_that_flux_merges_may_have_more_keys_than_it_states(way: str) -> None:
    annotation = f"kustomize.toolkit.fluxcd.io/ssa: {way}"
    given = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a, annotations: {{{annotation}}}}}\ndata: {{k: v}}\n"

    assert declared_keys(only(given)) == (frozenset({"k"}) if way == "Override" else None)


def test_the_nearest_name_of_the_same_namespace_comes_before_nearer_names_of_others() -> None:
    groups = resource("MCPGroup", "team-one", namespace="a") + "---\n" + resource("MCPGroup", "team-to", namespace="b")
    found = workspace({"g.yaml": groups})
    names = [found.nearest("MCPGroup", namespace, "team-on") for namespace in ("a", "b", "c", None)]
    assert names == ["team-one", "team-to", "team-one", "team-one"]
