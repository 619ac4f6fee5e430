"""What is applied in several ways is judged in each of them, and reported once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler import api
from mcpcfg.compiler.check.copies import Copies, reported_once
from mcpcfg.compiler.diagnostics.finding import Finding, Stage, Subject
from mcpcfg.compiler.diagnostics.secret.text import Shown
from mcpcfg.compiler.diagnostics.span import Span
from mcpcfg.compiler.disk.files import Texts
from mcpcfg.compiler.project.settings import Options

if TYPE_CHECKING:
    from mcpcfg.compiler.check.copies import CopiesOf

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
OIDC = (
    HEAD + "kind: MCPOIDCConfig\nmetadata: {name: login}\nspec: {type: inline, inline: {issuer: https://a.example}}\n"
)
PROXY = (
    HEAD
    + "kind: MCPRemoteProxy\nmetadata: {name: docs}\nspec:\n  remoteUrl: https://${HOST}/mcp\n"
    + "  oidcConfigRef: {name: login, audience: docs}\n"
)
MCP = "  targetNamespace: mcp\n"


def flux(path: str, more: str = MCP) -> str:
    head = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
    return f"{head}metadata: {{name: servers, namespace: flux-system}}\nspec:\n  path: {path}\n{more}"


def clusters(*declaring: str, north: str = MCP, south: str = MCP) -> dict[str, str]:
    """Return two clusters that take one base, of which some declare the login that it refers to."""
    files = {
        "base/kustomization.yaml": "resources: [docs.yaml]\n",
        "base/docs.yaml": PROXY.replace("${HOST}", "docs.example.org"),
        "north/ks.yaml": flux("./servers/north", north),
        "south/ks.yaml": flux("./servers/south", south),
    }
    for name in ("north", "south"):
        own = ", login.yaml" if name in declaring else ""
        files[f"servers/{name}/kustomization.yaml"] = f"resources: [../../base{own}]\n"
        if own:
            files[f"servers/{name}/login.yaml"] = OIDC
    return files


def reported(files: dict[str, str], options: Options | None = None) -> list[Finding]:
    found = api.check(files=files, options=options or Options()).findings
    return [one for one in found if one.severity != "info"]


@pytest.mark.parametrize("south", [MCP, "  targetNamespace: tools\n"])
def test_a_reference_in_a_base_resolves_in_each_cluster(south: str) -> None:
    assert reported(clusters("north", "south", south=south)) == []


def test_a_reference_missing_in_one_cluster_has_a_note_at_the_delivery_of_that_cluster() -> None:
    (finding,) = reported(clusters("north"))

    assert (finding.rule, finding.span.file, finding.severity) == ("REF004", "base/docs.yaml", "error")
    assert finding.message == 'MCPOIDCConfig "login" is applied from north, not from south'
    places = [(note.span.file, note.span.line) for note in finding.notes if note.span is not None]
    assert places == [("servers/north/login.yaml", 3), ("south/ks.yaml", 3)]


def test_a_reference_missing_in_one_namespace_has_a_note_at_the_setting_of_that_namespace() -> None:
    (finding,) = reported(clusters("north", south="  targetNamespace: tools\n"))

    assert finding.message == 'MCPOIDCConfig "login" is in namespace "mcp", not in "tools"'
    assert ("south/ks.yaml", 6) in [(note.span.file, note.span.line) for note in finding.notes if note.span]


def test_a_reference_missing_in_both_clusters_is_reported_once_without_naming_a_cluster() -> None:
    (finding,) = reported(clusters())

    assert finding.rule == "REF004"
    assert [note.message for note in finding.notes] == ['namespace "mcp" is set here']


def test_in_a_closed_project_every_file_can_satisfy_a_reference() -> None:
    assert reported(clusters("north"), Options(closed=True)) == []


def test_a_resource_of_an_unknown_cluster_may_satisfy_a_reference() -> None:
    files = clusters("north")
    files["servers/south/kustomization.yaml"] = "resources: [own.yaml]\n"
    files["servers/south/own.yaml"] = PROXY.replace("docs", "own").replace("${HOST}", "own.example.org")

    assert reported(files) == []


@pytest.mark.parametrize(("north", "south", "count"), [("ok", "local", 1), ("local", "local", 1), ("ok", "ok", 0)])
def test_a_fault_of_several_clusters_is_reported_once(north: str, south: str, count: int) -> None:
    hosts = {"ok": "docs.example.org", "local": "localhost"}
    values = [f"{MCP}  postBuild: {{substitute: {{HOST: {hosts[one]}}}}}\n" for one in (north, south)]
    files = clusters("north", "south", north=values[0], south=values[1])
    files["base/docs.yaml"] = PROXY

    found = reported(files)

    assert [(one.rule, one.span.file, one.span.line) for one in found] == [("URL002", "base/docs.yaml", 5)] * count
    if count and north != south:
        assert [note.span.file for note in found[0].notes if note.span] == ["south/ks.yaml"]


def test_one_folder_can_be_applied_several_times_with_different_variables() -> None:
    server = HEAD + "kind: MCPServer\nmetadata: {name: 'mcp-${APP}'}\nspec: {image: 'ghcr.io/a/b:1'}\n"
    files = {"parts/server.yaml": server}
    for app in ("notes", "search"):
        files[f"apps/{app}.yaml"] = flux("./parts", f"{MCP}  postBuild: {{substitute: {{APP: {app}}}}}\n")

    report = api.check(files=files)

    assert report.findings == []
    assert sorted(one.name for one in report.loaded.resources) == ["mcp-notes", "mcp-search"]


def test_a_dropped_lint_about_one_copy_hides_no_finding_about_all_copies() -> None:
    subjects = {copy_id: Subject("MCPServer", "mcp", "a") for copy_id in ("north", "south")}
    copies = Copies(frozenset((one, copy_id) for copy_id, one in subjects.items()), frozenset(), {})
    copied: CopiesOf = {((one, copy_id), "a.yaml", None): copies for copy_id, one in subjects.items()}

    def found(rule: str, stage: Stage, copy_id: str) -> Finding:
        span = Span("a.yaml", 1, 1, 1, 2)
        return Finding(
            rule=rule,
            name=rule,
            severity="error",
            stage=stage,
            span=span,
            message=Shown("m"),
            subject=subjects[copy_id],
            copy_id=copy_id,
        )

    findings = [found("A", "lint", "north"), found("B", "operator", "north"), found("B", "operator", "south")]
    assert [one.rule for one in reported_once(findings, copied, {}, Texts())] == ["B"]


def test_a_group_outside_of_a_cluster_does_not_satisfy_its_references() -> None:
    group = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: tools}\n"

    assert [one.rule for one in reported({"apart/group.yaml": group} | clusters("north"))] == ["REF004"]
