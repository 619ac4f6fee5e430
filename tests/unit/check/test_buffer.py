"""Texts that count in place of what files hold: what an editor has not saved yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sample import resource

from mcpcfg.compiler.check import full
from mcpcfg.compiler.disk.files import FoundFile
from mcpcfg.compiler.project.discovery import Project, discover

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SERVER = resource("MCPServer", "one", "image: ghcr.io/acme/one:1.0", "transport: stdio", "groupRef: {name: team}")


def rules(project: Project, buffers: dict[str, bytes]) -> list[str]:
    report = full.check(project, full.Options(buffers=buffers))
    return [finding.rule for finding in report.findings if finding.severity == "error"]


def test_a_buffer_replaces_the_content_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "server.yaml"
    file.write_text(SERVER)
    project = discover((str(tmp_path),))
    assert rules(project, {}) == ["REF001"]
    assert rules(project, {str(file): (SERVER + "---\n" + resource("MCPGroup", "team")).encode()}) == []


def test_a_buffer_can_belong_to_a_file_that_does_not_exist_yet(tmp_path: Path) -> None:
    (tmp_path / "server.yaml").write_text(SERVER)
    project = discover((str(tmp_path),))
    group = str(tmp_path / "group.yaml")
    project = project._replace(files=(FoundFile(group, is_named=False), *project.files))
    assert rules(project, {group: resource("MCPGroup", "team").encode()}) == []


def test_a_buffer_is_bounded_as_a_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpcfg.compiler.disk.files.MAX_FILE_BYTES", 10)
    file = tmp_path / "server.yaml"
    file.write_text("a: 1\n")
    assert rules(discover((str(tmp_path),)), {str(file): SERVER.encode()}) == ["SYN016"]
