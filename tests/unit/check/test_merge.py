"""What the files of a call say together: namespaces, counts, and identities that are declared twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sample

from mcpcfg.compiler.check.delivery_plan import report_expansion
from mcpcfg.compiler.check.facts import read_facts
from mcpcfg.compiler.check.full import Options, read
from mcpcfg.compiler.diagnostics.budget import Amount, Budget
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.check.full import Loaded

GROUP = sample.resource("MCPGroup", "tools")
STATED = sample.resource("MCPGroup", "tools", namespace="mcp")
OPEN = Options()


def merged(tree: Path, files: dict[str, str], options: Options = OPEN) -> Loaded:
    for file, text in files.items():
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        (tree / file).write_text(text)
    return read(discover((".",)), options)


def namespaces(loaded: Loaded) -> list[str | None]:
    return [one.namespace for one in loaded.resources]


def test_a_namespace_that_nothing_states_is_unknown_in_an_open_world(tree: Path) -> None:
    assert namespaces(merged(tree, {"a.yaml": GROUP})) == [None]
    assert namespaces(merged(tree, {}, Options(closed=True))) == ["default"]


def test_the_namespace_of_the_document_precedes_that_of_the_call_and_the_settings(tree: Path) -> None:
    files = {"a.yaml": GROUP, "b.yaml": STATED, "mcpcfg.yaml": "namespace: settings\n"}
    assert namespaces(merged(tree, files)) == ["settings", "mcp"]
    assert namespaces(merged(tree, {}, Options(namespace="call"))) == ["call", "mcp"]


def test_a_kustomization_sets_the_namespace_of_its_resources(tree: Path) -> None:
    files = {"a/g.yaml": GROUP, "a/kustomization.yaml": "namespace: over\nresources: [g.yaml]\n"}
    assert namespaces(merged(tree, files)) == ["over"]


def test_two_overlays_of_a_base_make_two_copies(tree: Path) -> None:
    overlay = "namespace: {}\nresources: [../base]\n"
    files = {
        "base/g.yaml": GROUP,
        "base/kustomization.yaml": "resources: [g.yaml]\n",
        "a/kustomization.yaml": overlay.format("a"),
        "b/kustomization.yaml": overlay.format("b"),
    }
    loaded = merged(tree, files)
    assert namespaces(loaded) == ["a", "b"]
    assert [(subject.namespace, file) for (subject, _), file, _ in loaded.copied] == [
        ("a", "base/g.yaml"),
        ("b", "base/g.yaml"),
    ]
    assert loaded.findings == []


def test_the_second_of_two_equal_resources_of_one_cluster_is_refused(tree: Path) -> None:
    loaded = merged(tree, {"a.yaml": STATED, "b.yaml": STATED, "other/c.yaml": STATED})
    assert [one.admitted for one in loaded.resources] == [True, False, True]
    (finding,) = loaded.findings
    assert (finding.severity, finding.span.file) == ("error", "b.yaml")
    assert [note.span.file for note in finding.notes if note.span] == ["a.yaml"]


def test_a_duplicate_is_reported_once_for_all_its_copies(tree: Path) -> None:
    overlay = "namespace: {}\nresources: [../base]\n"
    files = {
        "base/g.yaml": GROUP,
        "base/h.yaml": GROUP,
        "base/kustomization.yaml": "resources: [g.yaml, h.yaml]\n",
        "a/kustomization.yaml": overlay.format("a"),
        "b/kustomization.yaml": overlay.format("b"),
    }
    loaded = merged(tree, files)
    assert [one.admitted for one in loaded.resources] == [True, True, False, False]
    assert [(one.rule, one.span.file) for one in loaded.findings] == [("ADM090", "base/h.yaml")]


def test_a_refused_resource_is_not_the_first_of_two_duplicates(tree: Path) -> None:
    refused = sample.resource("MCPGroup", "tools", "nope: 1", namespace="mcp")
    loaded = merged(tree, {"a.yaml": refused, "b.yaml": STATED, "c.yaml": STATED})
    assert [one.admitted for one in loaded.resources] == [False, True, False]
    assert [(one.rule, one.span.file) for one in loaded.findings] == [("ADM001", "a.yaml"), ("ADM090", "c.yaml")]


def test_objects_of_kubernetes_may_be_declared_twice(tree: Path) -> None:
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: mcp}\n"
    loaded = merged(tree, {"a.yaml": secret, "b.yaml": secret})
    assert ([one.admitted for one in loaded.resources], loaded.findings) == ([True, True], [])


def test_resources_whose_names_have_placeholders_are_no_duplicates(tree: Path) -> None:
    loaded = merged(tree, {"a.yaml": STATED.replace("tools", "${NAME}"), "b.yaml": STATED.replace("tools", "${NAME}")})
    assert [one.admitted for one in loaded.resources] == [True, True]


def test_a_patch_is_no_resource_and_its_values_are_checked(tree: Path) -> None:
    files = {
        "g.yaml": STATED,
        "patch.yaml": sample.resource("MCPServer", "fetch", "transport: nonsense"),
        "kustomization.yaml": "resources: [g.yaml]\npatches: [{path: patch.yaml}]\n",
    }
    loaded = merged(tree, files)
    assert [one.kind for one in loaded.resources] == ["MCPGroup"]
    assert [(one.rule, one.span.file) for one in loaded.findings] == [("ADM004", "patch.yaml")]


def test_files_and_documents_are_counted(tree: Path) -> None:
    loaded = merged(tree, {"a.yaml": STATED + "---\n" + GROUP, "b.yaml": "just: text\n", "c.yaml": GROUP})
    assert (loaded.files, loaded.documents) == (2, 3)


def test_reaches_out_is_true_if_a_kustomization_lists_a_file_outside(tree: Path) -> None:
    assert not merged(tree, {"g.yaml": GROUP, "kustomization.yaml": "resources: [g.yaml]\n"}).plan.reaches_out
    assert merged(tree, {"kustomization.yaml": "resources: [g.yaml, ../elsewhere.yaml]\n"}).plan.reaches_out


@pytest.mark.parametrize(
    ("refused_at", "file"),
    [
        (".", "kustomization.yaml"),
        ("apps", "apps/kustomization.yaml"),
        ("apps/kustomization.yaml#transformers/0", "apps/kustomization.yaml"),
        ("apps/a.yaml", "apps/a.yaml"),
    ],
)
def test_an_expansion_beyond_the_budget_is_reported_at_the_file_that_states_it(refused_at: str, file: str) -> None:
    names = ("kustomization.yaml", "apps/kustomization.yaml")
    read = [*(read_facts(b"resources: [a.yaml]\n", name) for name in names), None]
    budget = Budget(Amount())
    assert not budget.grants(refused_at, steps=1)
    assert report_expansion(budget, read).span.file == file
