"""The resource or file that a question is about is found, or the error says what there is."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest
from drawing import resource

from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.simulate.answer.registry import registry
from mcpcfg.compiler.simulate.answer.subject import AnswerSubject, QuestionError, find

if TYPE_CHECKING:
    from pathlib import Path

SERVER = resource("MCPServer", "fetch", "{image: 'a:1'}")
PROXY = resource("MCPRemoteProxy", "fetch", "{remoteUrl: 'https://a.example.com/mcp'}")
KINDS = ("MCPServer", "MCPRemoteProxy")


def _find(folder: Path, name: str, *, is_file: bool = False) -> AnswerSubject:
    with contextlib.chdir(folder):
        project = discover((name if is_file else ".",))
        return find(name, project, KINDS, namespace=None, can_be_subject=lambda data: "limit" in data)


def _fault(folder: Path, name: str, *, is_file: bool = False) -> str:
    with pytest.raises(QuestionError) as caught:
        _find(folder, name, is_file=is_file)
    return str(caught.value)


def test_a_resource_is_found_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SERVER, "utf-8")

    subject = _find(tmp_path, "fetch")

    assert subject.resource is not None
    assert subject.resource.kind == "MCPServer"
    assert not subject.has_placeholders


def test_the_kind_tells_two_resources_of_a_name_apart(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"{SERVER}---\n{PROXY}", "utf-8")

    subject = _find(tmp_path, "mcpremoteproxy/fetch")

    assert subject.resource is not None
    assert subject.resource.kind == "MCPRemoteProxy"
    assert _fault(tmp_path, "fetch").startswith("several are meant: MCPServer/fetch in a.yaml, MCPRemoteProxy/fetch")


def test_an_error_lists_the_existing_resources_or_the_refused_one(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SERVER, "utf-8")
    (tmp_path / "b.yaml").write_text(SERVER.replace("name: fetch", "name: bad").replace("image", "imagee"), "utf-8")

    assert _fault(tmp_path, "fetsh") == 'no MCPServer or MCPRemoteProxy "fetsh" among the files; there is fetch'
    assert 'MCPServer "bad" would not be admitted: b.yaml:' in _fault(tmp_path, "bad")


def test_a_file_may_contain_a_resource_or_only_data(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SERVER, "utf-8")
    (tmp_path / "limit.yaml").write_text("limit: 1\n", "utf-8")
    (tmp_path / "other.yaml").write_text("other: 1\n", "utf-8")

    assert _find(tmp_path, "a.yaml", is_file=True).resource is not None
    assert _find(tmp_path, "limit.yaml", is_file=True).data == {"limit": 1}
    assert "holds nothing to simulate" in _fault(tmp_path, "other.yaml", is_file=True)


def test_placeholders_of_the_project_are_known(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SERVER.replace("'a:1'", "'a:1', replicas: '${N}'"), "utf-8")

    assert _find(tmp_path, "fetch").has_placeholders


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{}", "a.json is not a registry: it has neither servers nor data"),
        ('{"servers": 1}', "a.json cannot be decoded as a registry; mcpcfg check --as registry reports why"),
    ],
)
def test_a_file_that_is_no_registry_is_named(text: str, fault: str) -> None:
    documents: list[Any] = read_documents(text.encode(), "a.json")[0]

    with pytest.raises(QuestionError) as caught:
        registry(documents[0])

    assert str(caught.value) == fault
