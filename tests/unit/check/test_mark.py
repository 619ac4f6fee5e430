"""A byte order mark: YAML and the API server take it, Go's encoding/json does not."""

from __future__ import annotations

import json
from codecs import BOM_UTF8

import pytest

from mcpcfg.compiler.check.facts import read_facts

RESOURCE = {"apiVersion": "toolhive.stacklok.dev/v1beta1", "kind": "MCPGroup", "metadata": {"name": "a"}, "spec": {}}
REGISTRY = {"version": "1.0.0", "last_updated": "2026-01-01T00:00:00Z", "servers": {}}


@pytest.mark.parametrize(("data", "expected"), [(REGISTRY, ["SYN018"]), (RESOURCE, [])])
def test_a_byte_order_mark_is_only_reported_before_a_registry(data: object, expected: list[str]) -> None:
    text = json.dumps(data).encode()

    marked, plain = read_facts(BOM_UTF8 + text, "a.json"), read_facts(text, "a.json")

    assert [one.rule for one in marked.findings] == expected
    assert plain.findings == ()
    assert (len(marked.records), len(marked.resources)) == (len(plain.records), len(plain.resources))


OBJECT = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: b}\nspec: {}\n"
INLINE = "{apiVersion: toolhive.stacklok.dev/v1beta1, kind: MCPGroup, metadata: {name: b}, spec: {}}\n"


@pytest.mark.parametrize("before", ["", OBJECT.replace("name: b", "name: a")])
@pytest.mark.parametrize(
    ("beginning", "column"),
    [(f"--- {INLINE}", 5), (f"--- !!map\n{OBJECT}", 5), (f"---\t &x\n{OBJECT}", 6), (f"--- {INLINE}# end\n", 5)],
)
def test_text_other_than_a_comment_after_a_document_separator_is_reported(
    before: str, beginning: str, column: int
) -> None:
    facts = read_facts((before + beginning).encode(), "a.yaml")

    (finding,) = facts.findings
    line = before.count("\n") + 1
    assert (finding.rule, finding.span.line, finding.span.column) == ("SYN001", line, column)
    assert finding.document == (1 if before else 0)
    assert len(facts.resources) == (2 if before else 1)


@pytest.mark.parametrize("before", ["%YAML 1.1\n", "# one\n\n%YAML 1.1\n"])
def test_kubectl_reads_no_directive(before: str) -> None:
    (finding,) = read_facts(f"{before}---\n{OBJECT}".encode(), "a.yaml").findings

    assert (finding.rule, finding.span.line) == ("SYN001", before.count("\n"))
    assert finding.message == "a directive begins the document, which kubectl does not read"


@pytest.mark.parametrize(
    "text", [f"--- # one\n{OBJECT}", f"---\n{OBJECT}---   \n{OBJECT}--- #\n{OBJECT}", f"# 50 %\n---\n# %\n{OBJECT}"]
)
def test_comments_and_blanks_may_follow_the_line_between_documents(text: str) -> None:
    assert read_facts(text.encode(), "a.yaml").findings == ()


def test_a_line_inside_a_string_that_kubectl_takes_for_a_separator_is_reported() -> None:
    text = OBJECT.replace("name: b", 'name: b, annotations: {a: "x\n---y\n"}')

    (finding,) = read_facts(text.encode(), "a.yaml").findings

    assert (finding.rule, finding.span.line, finding.hint) == ("SYN001", 4, "indent the line")


def test_documents_of_other_programs_may_follow_a_separator_on_its_line() -> None:
    assert read_facts(b"--- {a: b}\n", "a.yaml").findings == ()
