"""One object of the input: identity, data and places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sample
from admitted import only

from mcpcfg.compiler.diagnostics.doubt import Doubt
from mcpcfg.compiler.diagnostics.finding import Rule
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED

if TYPE_CHECKING:
    from mcpcfg.compiler.workspace.resource import Resource

LINT = Rule(id="XXX001", name="x", stage="lint", severity="warning", title="")
SERVER = sample.resource("MCPServer", "fetch", "image: a:1", "groupRef: {name: tools}")


def test_a_namespace_that_nothing_states_is_unknown_and_printed_as_default() -> None:
    resource = only(SERVER)
    assert resource.identity == ("MCPServer", None, "fetch")
    assert resource.printed_namespace == "default"
    assert resource.subject == ("MCPServer", "default", "fetch")
    stated = only(sample.resource("MCPGroup", "tools", namespace="mcp"))
    assert (stated.identity, stated.printed_namespace) == (("MCPGroup", "mcp", "tools"), "mcp")


def test_a_default_is_in_the_data_and_not_stated() -> None:
    resource = only(SERVER)
    assert resource.data["spec"]["transport"] == "stdio"
    assert not resource.states("spec", "transport")
    assert resource.states("spec", "image")


def test_a_placed_copy_keeps_data_document_and_references() -> None:
    resource = only(SERVER)
    placed = resource.placed("mcp")
    assert (placed.namespace, resource.namespace) == ("mcp", None)
    assert (placed.data, placed.document, placed.admitted) == (resource.data, resource.document, True)
    assert placed.targets == [("MCPGroup", "tools")]
    assert (placed.repeated().admitted, placed.repeated().namespace, placed.admitted) == (False, "mcp", True)


def test_once_computes_a_result_only_once() -> None:
    resource = only(SERVER)
    calls: list[Resource] = []
    assert [resource.once(calls.append) for _ in range(3)] == [None] * 3
    assert calls == [resource]


def test_at_returns_the_span_of_the_value_or_of_its_key() -> None:
    resource = only(SERVER)
    path = ("spec", "groupRef", "name")
    assert (resource.at(path).line, resource.at(path).column) == (7, 20)
    assert (resource.at(path, "key").line, resource.at(path, "key").column) == (7, 14)
    assert resource.at(("spec", "nowhere")) == resource.at(("spec",))


def test_a_finding_of_a_resource_has_its_subject_path_and_span() -> None:
    found = only(SERVER).finding(LINT, ("spec", "image"), "is old", hint="take another")
    assert (found.rule, found.severity, found.message, found.hint) == ("XXX001", "warning", "is old", "take another")
    assert (found.subject, found.path, found.span.line) == (("MCPServer", "default", "fetch"), ("spec", "image"), 6)


def test_findings_at_a_doubt_of_admission_are_in_doubt() -> None:
    resource = only(SERVER)
    found = resource.finding(LINT, ("spec", "image"), "is old")
    assert not resource.is_in_doubt(found)
    object.__setattr__(resource, "doubts", (Doubt(("spec",), is_exact=True), Doubt(("spec", "groupRef"))))
    assert not resource.is_in_doubt(found)
    assert resource.is_in_doubt(resource.finding(LINT, ("spec", "groupRef", "name"), "is unknown"))
    object.__setattr__(resource, "doubts", (Doubt(("spec",), is_lint_alone=True),))
    assert resource.is_in_doubt(found)
    assert not resource.is_in_doubt(found._replace(stage="operator"))


def test_a_resource_is_judged_by_the_release_that_is_stated() -> None:
    resource = only(SERVER).placed("tools", profile_of_release(TOOLHIVE, "0.30.0"))

    assert (only(SERVER).release, resource.release) == (NEWEST_MODELLED, "0.30.0")
    assert (resource.is_judged(since="0.30.0"), resource.is_judged(since="0.30.1")) == (True, False)
    assert (resource.is_judged(until="0.30.0"), resource.is_judged(until="0.30.1")) == (False, True)


def test_missing_entries_and_a_missing_spec_are_empty() -> None:
    secret = only("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: b}\n")
    assert (secret.entries("stringData"), secret.entries("data"), secret.spec) == ({"a": "b"}, {}, {})
