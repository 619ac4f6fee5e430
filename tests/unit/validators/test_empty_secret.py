"""An empty name or key of a Secret is refused wherever a pod would get it, at the resource whose pod it is."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from judging import own_references

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.workspace.stated_reference import stated_references

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parents[3] / "fixtures" / "rules" / "REF014"
PROJECTS = {file.stem: list(yaml.safe_load_all(file.read_text())) for file in sorted(FOLDER.glob("valid-*.yaml"))}
IN_NO_POD = {
    ("MCPServerEntry", "spec.headerForward.addHeadersFromSecret.*.valueSecretRef.name"),
    ("MCPServer", "spec.sessionStorage.passwordRef.name"),
}
"""Nothing reads these (SES003)."""
WORKLOADS = {"MCPServer", "MCPRemoteProxy", "VirtualMCPServer", "EmbeddingServer", "MCPRegistry"}


def secrets(project: str) -> Iterator[tuple[int, tuple[str | int, ...]]]:
    """Yield the references to keys of Secrets in a project: the number of the document, and where the name is."""
    for number, document in enumerate(PROJECTS[project]):
        for one in stated_references(document["kind"], document):
            if one.kind == "Secret" and one.key is not None:
                yield number, one.path


REFERENCES = [(project, number, path) for project in PROJECTS for number, path in secrets(project)]


def name(value: Any) -> str:
    return ".".join(map(str, value)) if isinstance(value, tuple) else str(value)


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize("field", ["name", "key"])
@pytest.mark.parametrize(("project", "number", "path"), REFERENCES, ids=name)
def test_an_empty_text_is_refused_at_the_workload(
    tmp_path: Path, project: str, number: int, path: tuple[str | int, ...], field: str, closed: bool
) -> None:
    documents = copy.deepcopy(PROJECTS[project])
    place: Any = documents[number]
    for step in path[:-1]:
        place = place[step]
    place[field] = ""
    file = tmp_path / "a.yaml"
    file.write_text(yaml.safe_dump_all(documents))

    findings = check(discover((str(file),)), Options(closed=closed)).findings
    errors = [one for one in findings if one.severity == "error"]

    assert {one.stage for one in errors} <= {"operator", "process"}
    refused = [one.subject.kind for one in errors if one.subject and one.subject.kind in WORKLOADS]
    assert len(refused) == 1


def test_every_field_that_names_a_key_of_a_secret_is_tried() -> None:
    tried = {
        (PROJECTS[project][number]["kind"], ".".join("*" if isinstance(step, int) else step for step in path))
        for project, number, path in REFERENCES
    }
    fields = {
        (kind, ".".join(one.steps))
        for kind in WORKLOADS | {"MCPServerEntry", "MCPOIDCConfig", "MCPTelemetryConfig", "MCPExternalAuthConfig"}
        for one in own_references(kind)
        if one.kind == "Secret" and one.key is not None
    }
    assert fields - tried == IN_NO_POD
