"""Files of other programs are edited in the lines that change, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.fix.edit import apply_edits
from mcpcfg.compiler.fix.foreign_file import put
from mcpcfg.compiler.fix.source_buffer import SourceBuffer, line_starts
from mcpcfg.compiler.reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcpcfg.compiler.diagnostics.span import Path

MESSY = """\
# first
---
resources:
- a.yaml   # not indented
patches:
    - { path: b.yaml }

    - target: {kind: MCPServer,   version: "OLD"}   # with spaces
      patch: |
          # inside
          version: OLD
kind:   Kustomization
---
---
patches: [{path: a.yaml, target: {version: 'OLD'}}]
"""
VALUES = {
    ("patches", 1, "target", "version"): "NEW",
    ("patches", 1, "patch"): "# inside\nversion: NEW\n",
}


def put_in(text: str, index: int, values: Mapping[Path, str]) -> str:
    documents, _ = read_documents(text, "kustomization.yaml")
    return apply_edits(text, put(SourceBuffer(text, documents[index], line_starts(text)), values))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_the_lines_that_change_are_edited_and_comments_quotes_and_indentation_stay(newline: str) -> None:
    text = MESSY.replace("\n", newline)
    assert put_in(text, 0, VALUES) == text.replace("OLD", "NEW", 2)


def test_any_document_of_a_file_is_edited() -> None:
    assert put_in(MESSY, 1, {("patches", 0, "target", "version"): "NEW"}) == MESSY.replace("'OLD'", "'NEW'")


@pytest.mark.parametrize("text", ["a: &x OLD\nb: *x\n", "a: [{b: OLD}]\n"])
def test_a_text_that_ruamel_yaml_would_change_elsewhere_is_unchanged(text: str) -> None:
    path: Path = ("a", 0, "b") if "{" in text else ("a",)
    assert put_in(text, 0, {path: "NEW"}) == text
