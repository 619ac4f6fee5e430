"""What may be typed: the cursor stands where the bar is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample import resource

from mcpcfg.compiler.check import full
from mcpcfg.compiler.editor.completion import Item, completions
from mcpcfg.compiler.editor.subject import FileContext
from mcpcfg.compiler.project import input_kind
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.workspace.workspace import Workspace

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata:\n  name: one\n"


def offered(text: str, file: str = "a.yaml", workspace: Workspace | None = None, **around: Any) -> list[Item]:
    offset = text.index("|")
    return completions(
        text[:offset] + text[offset + 1 :],
        offset,
        FileContext(file, **around),
        workspace,
    )


def labels(text: str, file: str = "a.yaml", workspace: Workspace | None = None, **around: Any) -> list[str]:
    return [one.label for one in offered(text, file, workspace, **around)]


def applied(text: str, label: str) -> str:
    """Return the text with one completion made."""
    [item] = [one for one in offered(text) if one.label == label]
    bare = text.replace("|", "", 1)
    return bare[: item.extent[0]] + item.text + bare[item.extent[1] :]


@pytest.mark.parametrize(
    ("rest", "present", "absent"),
    [
        ("spec:\n  |\n", "image", "name"),
        ("spec:\n  image: x\n  |\n", "transport", "image"),
        ("spec:\n  |\n  image: x\n", "transport", "image"),
        ("spec:\n  tra|\n  image: x\n", "transport", "image"),
        ("spec:\n  env:\n    - |\n", "value", "image"),
        ("spec:\n  env:\n  - name: x\n    |\n", "value", "name"),
        ("spec:\n  env:\n  - name: x\n  - |\n", "name", "image"),
        ("spec:\n  env:\n  - name: x\n  |\n", "image", "env"),
        ("spec:\n  oidcConfigRef:\n    |", "audience", "image"),
        ("spec:\n  oidcConfigRef: {name: x, |}", "audience", "name"),
        ("spec:\n  oidcConfigRef: {|, name: x}", "audience", "name"),
        ("spec:\n  env: [{name: x}, {va|}]", "value", "image"),
        ("spec:\n  oidcConfigRef: {\n    name: x,\n    |", "audience", "name"),
        ("|\n", "spec", "kind"),
        ("spec:\n  image: x\n|\n", "status", "spec"),
        ("spec:\n  podTemplateSpec:\n    spec:\n      containers:\n      - name: mcp\n        |", "resources", "name"),
        ("spec:\n  podTemplateSpec:\n    |", "metadata", "image"),
        ("spec:\n  unknown: {{\n  |\n", "image", "spec"),
        ("spec:\r\n  |\r\n", "image", "spec"),
        ("---\nspec:\n  |", "", "image"),
    ],
)
def test_fields_are_offered_that_are_not_there_yet(rest: str, present: str, absent: str) -> None:
    found = labels(HEAD + rest)
    assert (present in found) is bool(present)
    assert absent not in found


@pytest.mark.parametrize(
    "rest",
    [
        "---|\n",
        "spec:\n  # |\n",
        "spec:\n  image: x # |\n",
        "spec:\n  image: x\n    |\n",
        "spec:\n  resourceOverrides: |\n",
        "spec:\n  args:\n  - |\n",
        "spec:\n  image: |\n",
        "spec:\n  args:\n  - |-\n     |\n".replace("|-", ">"),
        "spec:\n  nothing:\n    of: |\n",
        "spec:\n  image: a b |\n",
    ],
)
def test_no_completion_is_offered_at_a_position_without_valid_values(rest: str) -> None:
    assert labels(HEAD + rest) == []


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("spec:\n  transport: |\n", ["stdio", "streamable-http", "sse"]),
        ("spec:\n  transport:|\n", ["stdio", "streamable-http", "sse"]),
        ("spec:\n  transport: 's|'\n", ["stdio", "streamable-http", "sse"]),
        ("spec: {transport: |}\n", ["stdio", "streamable-http", "sse"]),
        ("spec:\n  trustProxyHeaders: |\n", ["true", "false"]),
    ],
)
def test_values_are_offered(rest: str, expected: list[str]) -> None:
    assert labels(HEAD + rest) == expected


@pytest.mark.parametrize(
    ("before", "label", "after"),
    [
        ("spec:\n  tra|", "transport", "spec:\n  transport: "),
        ("spec:\n  tra|: stdio", "transport", "spec:\n  transport: stdio"),
        ("spec:\n  tr|ans: stdio", "transport", "spec:\n  transport: stdio"),
        ("spec:\n  transport:|", "sse", "spec:\n  transport: sse"),
        ('spec:\n  transport: "s|"', "sse", 'spec:\n  transport: "sse"'),
        ("spec: {transport: 's|'}", "sse", "spec: {transport: 'sse'}"),
        ("spec: {tra|}", "transport", "spec: {transport: }"),
        ("spec:\n  en|", "env", "spec:\n  env:"),
    ],
)
def test_a_completion_replaces_the_typed_word(before: str, label: str, after: str) -> None:
    assert applied(HEAD + before, label) == HEAD + after


def test_json_is_completed_as_json() -> None:
    text = '{"apiVersion": "toolhive.stacklok.dev/v1beta1", "kind": "MCPServer", "spec": {"tra|"}}'
    assert applied(text, "transport").endswith('"spec": {"transport": }}')
    text = '{"apiVersion": "toolhive.stacklok.dev/v1beta1", "kind": "MCPServer", "spec": {"transport":|}}'
    assert applied(text, "sse").endswith('"transport": "sse"}}')


def test_root_fields_kinds_and_versions_are_offered_for_a_new_object() -> None:
    assert labels("|") == ["apiVersion", "kind", "metadata", "spec"]
    assert "MCPServer" in labels("kind: |")
    assert labels("kind: MCPServer\napiVersion: |") == ["toolhive.stacklok.dev/v1beta1"]
    earlier = profile_of_release(TOOLHIVE, "0.22.0")
    assert labels("apiVersion: |", profile=earlier) == ["toolhive.stacklok.dev/v1alpha1"]
    assert "MCPGroup" in labels(HEAD.replace("MCPServer", "MCP|Server"))
    own = TOOLHIVE._replace(api_group="own.example.com", versions=("v1",))
    assert labels("apiVersion: |", profile=own) == ["own.example.com/v1"]
    head = HEAD.replace(TOOLHIVE.api_version(), own.api_version())
    assert labels(f"{head}spec:\n  trustProxyHeaders: |\n", profile=own) == ["true", "false"]


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("services:\n  |", "compose.yaml"),
        ("apiVersion: apps/v1\nkind: |", "a.yaml"),
        ("apiVersion: apps/v1\nkind: Deployment\nspec:\n  |", "a.yaml"),
        ("|", "a.txt"),
        ("{|}", "package.json"),
    ],
)
def test_documents_of_others_stay_silent(text: str, file: str) -> None:
    assert labels(text, file) == []


def test_elements_of_a_list_are_objects_of_their_own() -> None:
    text = "kind: List\nitems:\n- apiVersion: toolhive.stacklok.dev/v1beta1\n  kind: MCPGroup\n  spec:\n    |"
    assert labels(text) == ["description"]


def test_records_and_the_configuration_are_known_by_their_file() -> None:
    assert "cmd_args" in labels('{"image": "x", "|"}', "a.json", record=input_kind.kind_named("runconfig"))
    assert "failOn" in labels("|", "mcpcfg.yaml")
    assert labels("rules:\n  IMG001: |", "/p/mcpcfg.yaml") == ["error", "warning", "info", "off"]


def test_a_word_that_yaml_reads_as_something_else_is_quoted() -> None:
    [off] = [one for one in offered("rules:\n  IMG001: |", "mcpcfg.yaml") if one.label == "off"]
    assert off.text == '"off"'


def test_names_of_the_project_are_offered_to_references(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        resource("MCPGroup", "here", namespace="a")
        + "---\n"
        + resource("MCPGroup", "there", namespace="b")
        + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: a}\n"
        + "stringData: {k2: x}\ndata: {k1: eA==}\n"
    )
    (tmp_path / "mcpcfg.yaml").write_text("external: {MCPGroup: [elsewhere], Secret: ['*']}\n")
    project = discover((str(tmp_path),))
    workspace = full.check(project, full.Options()).workspace
    reference = "spec:\n  groupRef:\n    name: |"
    assert labels(HEAD + reference, workspace=workspace) == ["elsewhere", "here", "there"]
    in_a = HEAD.replace("  name: one\n", "  name: one\n  namespace: a\n")
    assert labels(in_a + reference, workspace=workspace) == ["elsewhere", "here"]
    secret = "spec:\n  secrets:\n  - name: |"
    assert labels(in_a + secret, workspace=workspace) == ["s"]
    assert labels(in_a + "spec:\n  secrets:\n  - name: s\n    key: |", workspace=workspace) == ["k1", "k2"]
    profile = "spec:\n  permissionProfile:\n    type: {}\n    name: |"
    assert labels(in_a + profile.format("builtin"), workspace=workspace) == []


@given(st.text(st.sampled_from("a: -#'\"{}[],|>\n"), max_size=40), st.integers(0, 60))
def test_completion_works_in_any_broken_text(text: str, at: int) -> None:
    whole = HEAD + "spec:\n" + text
    offset = min(len(HEAD) + at, len(whole))
    for item in completions(whole, offset, FileContext("a.yaml")):
        assert item.extent[0] <= offset <= item.extent[1]
        assert not set(whole[slice(*item.extent)]) & set("\r\n")


def test_names_of_isolated_files_are_offered_in_themselves_alone(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(resource("MCPGroup", "here"))
    (tmp_path / "b.yaml").write_text(resource("MCPGroup", "there"))
    (tmp_path / "mcpcfg.yaml").write_text("isolated: [a.yaml]\n")
    workspace = full.check(discover((str(tmp_path),)), full.Options()).workspace
    text = HEAD + "spec:\n  groupRef:\n    name: |"
    assert labels(text, str(tmp_path / "a.yaml"), workspace=workspace) == ["here"]
    assert labels(text, str(tmp_path / "b.yaml"), workspace=workspace) == ["there"]
