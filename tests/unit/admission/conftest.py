"""Documents from text, and what admission reports of them."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

from mcpcfg.compiler.admission.admit import Admission, admit
from mcpcfg.compiler.reading.document import Document, read_documents

if TYPE_CHECKING:
    from collections.abc import Callable

HEADS = {
    "server": "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata:\n  name: fetch\n",
    "beta": "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata:\n  name: fetch\n",
}


def _document(text: str) -> Document:
    documents, findings = read_documents(dedent(text), "input.yaml")
    assert not findings
    return documents[0]


@pytest.fixture
def document() -> Callable[[str], Document]:
    """Read the first document of a text."""
    return _document


@pytest.fixture
def admitted() -> Callable[..., Admission]:
    """Admit the first document of a text."""

    def run(text: str, **options: Any) -> Admission:
        return admit(_document(text), **options)

    return run


@pytest.fixture
def kind() -> Callable[..., Admission]:
    """Admit an object of a kind from the text of its spec."""

    def run(name: str, spec: str, **options: Any) -> Admission:
        head = HEADS["server"].replace("MCPServer", name)
        body = "".join(f"  {line}\n" for line in dedent(spec).strip().splitlines())
        return admit(_document(f"{head}spec:\n{body}"), **options)

    return run


@pytest.fixture
def reported() -> Callable[[Admission], list[tuple[str, str]]]:
    """Return rule name and path of each finding."""

    def run(admission: Admission) -> list[tuple[str, str]]:
        return [(one.name, "/".join(map(str, one.path or ()))) for one in admission.findings]

    return run
