"""Where names lead, and which places hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sample import resource

from mcpcfg.compiler.check import full
from mcpcfg.compiler.editor.mention import mentions
from mcpcfg.compiler.editor.navigation import definition, references, symbols, workspace_symbols
from mcpcfg.compiler.editor.subject import FileContext
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.diagnostics.span import Span
    from mcpcfg.compiler.workspace.workspace import Workspace

GROUP = resource("MCPGroup", "team", namespace="a")
OTHER = resource("MCPGroup", "team", namespace="b")
SERVER = resource(
    "MCPServer",
    "one",
    "image: ghcr.io/acme/one:1.0",
    "transport: stdio",
    "groupRef: {name: team}",
    "secrets: [{name: keys, key: k2, targetEnvName: K}]",
    namespace="a",
)
SECOND = SERVER.replace("name: one", "name: two")
BROKEN = SERVER.replace("name: one", "name: three").replace("transport", "transports")
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: keys, namespace: a}\ndata: {k1: eA==}\nstringData:\n  k2: x\n"
RESOURCE_SET = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: servers, namespace: a}
spec:
  inputs: [{team: one}, {team: second}]
  resources:
  - apiVersion: toolhive.stacklok.dev/v1beta1
    kind: MCPServer
    metadata: {name: '<< inputs.team >>-git', namespace: a}
    spec: {image: 'ghcr.io/acme/git:1.0'}
  - apiVersion: gateway.networking.k8s.io/v1
    kind: HTTPRoute
    metadata: {name: '<< inputs.team >>', namespace: a}
    spec:
      rules: [{backendRefs: [{name: 'mcp-<< inputs.team >>-git-proxy', port: 8080}]}]
"""
TEXTS = {
    "group.yaml": GROUP + "---\n" + OTHER,
    "one.yaml": SERVER,
    "two.yaml": SECOND,
    "three.yaml": BROKEN,
    "s.yaml": SECRET,
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return full.check(discover((str(tmp_path),)), full.Options()).workspace


def place(span: Span | None) -> tuple[str, str] | None:
    """Return the file of a span, and what stands there."""
    if span is None:
        return None
    name = span.file.rpartition("/")[2]
    line = TEXTS[name].splitlines()[span.line - 1]
    return name, f"{span.line}: {line[span.column - 1 : span.end_column - 1]}"


@pytest.mark.parametrize(
    ("text", "what", "expected"),
    [
        (SERVER, "team", ("group.yaml", "4: team")),
        (SERVER.replace("namespace: a", "namespace: b"), "team", ("group.yaml", "12: team")),
        (SERVER, "keys", ("s.yaml", "3: keys")),
        (SERVER, "k2", ("s.yaml", "6: k2")),
        (SERVER, "one", ("one.yaml", "4: one")),
        (SERVER, "stdio", None),
        (SERVER, "groupRef", None),
        (SERVER.replace("team", "crew"), "crew", None),
        (SERVER.replace("k2", "k3"), "k3", None),
        ("other: 1", "other", None),
    ],
)
def test_a_name_links_to_its_target(
    workspace: Workspace, text: str, what: str, expected: tuple[str, str] | None
) -> None:
    assert place(definition(text, text.index(what), FileContext("x.yaml"), workspace)) == expected


def test_references_from_refused_resources_are_listed_too(workspace: Workspace) -> None:
    expected = ["one.yaml", "three.yaml", "two.yaml"]
    for text, what in ((GROUP, "team"), (SERVER, "team")):
        found = references(text, text.index(what), FileContext("group.yaml"), workspace)
        assert [place(span) for span in found] == [(name, "9: team") for name in expected]
    found = references(SECRET, SECRET.index("keys"), FileContext("s.yaml"), workspace, with_declaration=True)
    assert [place(span) for span in found] == [
        ("one.yaml", "10: keys"),
        ("s.yaml", "3: keys"),
        ("three.yaml", "10: keys"),
        ("two.yaml", "10: keys"),
    ]
    assert references(OTHER, OTHER.index("team"), FileContext("group.yaml"), workspace) == []
    assert references(SERVER, SERVER.index("stdio"), FileContext("one.yaml"), workspace) == []


def test_a_route_that_a_resource_set_makes_names_the_server_of_each_copy(tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text(RESOURCE_SET)
    workspace = full.check(discover((str(tmp_path),)), full.Options()).workspace
    servers = workspace.of_kind("MCPServer")
    assert [server.name for server in servers] == ["one-git", "second-git"]
    for server in servers:
        assert [mention.span.line for mention in mentions(server, workspace)] == [15]


def test_the_resources_of_a_text_are_its_symbols() -> None:
    foreign = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\n"
    text = f"# a file\n{GROUP}---\n{SECRET}---\n{foreign}---\nkind: [\n"
    found = symbols(text, FileContext("a.yaml"))
    assert [(one.kind, one.name) for one in found] == [("MCPGroup", "team"), ("Secret", "keys")]
    assert [text[slice(*one.place)] for one in found] == ["team", "keys"]
    assert text[slice(*found[0].extent)].startswith("# a file\n")
    assert text[slice(*found[1].extent)] == "---\n" + SECRET.rstrip()


def test_elements_of_a_list_are_symbols_of_their_own() -> None:
    items = "".join(f"- {one.replace(chr(10), chr(10) + '  ').rstrip()}\n" for one in (GROUP, SERVER))
    text = f"apiVersion: v1\nkind: List\nitems:\n{items}"
    found = symbols(text, FileContext("a.yaml"))
    assert [(one.kind, one.name) for one in found] == [("MCPGroup", "team"), ("MCPServer", "one")]
    assert text[slice(*found[0].extent)] + "\n" + text[slice(*found[1].extent)] == items.rstrip()


@pytest.mark.parametrize("kind", ["ConfigMap", "Secret", "ServiceAccount", "Namespace"])
def test_objects_of_kubernetes_that_resources_need_are_symbols_too(kind: str) -> None:
    text = f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: a}}\n"
    assert [(one.kind, one.name) for one in symbols(text, FileContext("a.yaml"))] == [(kind, "a")]


def test_an_element_without_a_name_hides_no_symbol_after_it() -> None:
    nameless = GROUP.replace("  name: team\n", "  labels: {}\n")
    items = "".join(f"- {one.replace(chr(10), chr(10) + '  ').rstrip()}\n" for one in (nameless, SERVER))
    found = symbols(f"apiVersion: v1\nkind: List\nitems:\n{items}", FileContext("a.yaml"))
    assert [(one.kind, one.name) for one in found] == [("MCPServer", "one")]


def test_resources_of_the_project_are_found_by_some_of_their_letters(workspace: Workspace) -> None:
    def found(query: str) -> list[str]:
        return [f"{one.kind} {one.name}" for one in workspace_symbols(workspace, query)]

    assert found("tw") == ["MCPServer two"]
    assert found("MCPServer one") == ["MCPServer one"]
    assert found("grptm") == ["MCPGroup team", "MCPGroup team"]
    assert len(found("")) == 6
    assert found("nothing") == []
