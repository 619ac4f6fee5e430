"""Records are checked from the command line's way of data: findings with places."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mcpcfg.compiler import pipeline, project

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.finding import Finding


def findings(folder: Path, files: dict[str, Any], **options: Any) -> list[Finding]:
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content, indent=2)
        (folder / name).write_text(text)
    names = tuple(str(folder / name) for name in files)
    return pipeline.check(project.discover(names), pipeline.Options(first=names[0], **options)).findings


def told(found: list[Finding]) -> list[tuple[str, int, int]]:
    return [(one.rule, one.span.line, one.span.column) for one in found if one.severity == "error"]


def test_a_fault_of_a_registry_has_its_place(tmp_path: Path) -> None:
    registry = {
        "version": "1.0.0",
        "last_updated": "2025-01-01T00:00:00Z",
        "servers": {"fetch": {"image": "ghcr.io/acme/fetch:1", "transport": "stdi"}},
    }
    found = findings(tmp_path, {"registry.json": registry})
    assert 7 in [line for _, line, _ in told(found)]


def test_a_request_is_checked_against_the_registry_beside_it(tmp_path: Path) -> None:
    registry = {
        "version": "1.0.0",
        "last_updated": "2025-01-01T00:00:00Z",
        "servers": {
            "fetch": {
                "description": "Fetches web pages",
                "image": "ghcr.io/acme/fetch:1",
                "transport": "stdio",
                "status": "Active",
                "tier": "Community",
                "tools": ["fetch"],
            },
        },
    }
    request = {"name": "fetch", "image": "fetch", "tools": ["fetsh"]}
    alone = findings(tmp_path, {"request.json": request})
    assert told(alone) == []
    beside = findings(tmp_path, {"request.json": request, "registry.json": registry})
    assert told(beside) == [("WRK014", 5, 5)]


def test_the_second_request_of_one_name_is_refused(tmp_path: Path) -> None:
    request = {"name": "fetch", "image": "ghcr.io/acme/fetch:1", "proxy_port": 18080}
    found = findings(tmp_path, {"a.json": request, "b.json": request})
    assert [(one.rule, one.span.file.endswith("b.json")) for one in found if one.severity == "error"] == [
        ("WRK018", True)
    ]


@pytest.mark.parametrize("kind", ["registry", "server", "catalog-skill", "workload", "permission-profile"])
@pytest.mark.parametrize("text", ["[]", "3", '"x"', "{}", "null", '{"name": 3}', '{"data": {"servers": [[]]}}'])
def test_any_value_read_as_a_record_gives_findings(kind: str, text: str, tmp_path: Path) -> None:
    findings(tmp_path, {"a.json": text}, read_as=kind)
