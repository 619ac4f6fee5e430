"""Documents that cannot matter are not parsed, and nothing that is reported is another for it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.check import relevance
from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.check.relevance import droppable
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.toolhive.profile import TOOLHIVE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcpcfg.compiler.toolhive.profile import Profile

FIXTURES = Path(__file__).parents[3] / "fixtures"
PROJECTS = 40
RELEASE = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: {}\n"
ROLE = "kind: Role\napiVersion: rbac.authorization.k8s.io/v1\nmetadata: {name: a}\n"
REPOSITORY = (
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata:\n  name: a\n"
    'spec: {{url: "oci://ghcr.io/charts/{}", ref: {{tag: 1.2.3}}}}\n'
)
LEFT_OUT = (
    RELEASE.format("grafana") + "spec:\n  chart:\n    spec:\n      chart: grafana\n",
    f"---\n# of another program\n\n{ROLE}rules: [\n",
    ROLE + 'note: "{{ .Release.Name }}"\n',
    ROLE + "note: |\n  {{ .Release.Name }}\n",
    RELEASE.format("grafana") + "spec: {values: {url: http://mcp-fetch-proxy}}\n",
    RELEASE.format("&app grafana").replace("metadata:\n", "metadata:\n  labels:\n    name: mcp-fetch\n"),
    REPOSITORY.format("grafana"),
    RELEASE.format("grafana") + "spec: {values: {tolerations: [{operator: Exists}, {operator: 'Equal'}]}}\n",
)
PARSED = (
    RELEASE.format("mcp-fetch"),
    RELEASE.format('"\\x6dcp-fetch"'),
    RELEASE.format("*app"),
    RELEASE.format("${APP}"),
    RELEASE.format("mc"),
    REPOSITORY.format("toolhive-operator"),
    REPOSITORY.format("\\x74oolhive-operator"),
    RELEASE.format("toolhive-operator"),
    RELEASE.format("agents") + "spec: {chartRef: {name: agents}, values: {operator: {replicaCount: 1}}}\n",
    RELEASE.format("grafana") + "spec: {chart: {spec: {chart: ./charts/all}}}\n",
    RELEASE.format("grafana") + "spec:\n  chart:\n    spec:\n      chart: >-\n        ./charts/all\n",
    ROLE + "configMapGenerator: [{name: a, files: [values.yaml]}]\n",
    RELEASE.format("grafana").replace("\n", "\r\n"),
    ROLE + "kind: Secret\n",
    ROLE + "subjects:\n- kind: ServiceAccount\n",
    ROLE + "...\n" + ROLE,
    ROLE + "---x\n",
    ROLE + "rules: {{ .Values.rules }}\n",
    ROLE.replace("Role", "&kind Role"),
    ROLE.replace("Role\n", "Role\n  Binding\n", 1),
    ROLE.replace("Role", "RoleList"),
    ROLE.replace("Role", "MCPServer"),
    ROLE.replace("Role", "Kustomization"),
    ROLE.replace("Role", "ExternalSecret"),
    ROLE.replace("rbac.authorization.k8s.io/v1", "builtin"),
    ROLE.replace("rbac.authorization.k8s.io", "toolhive.stacklok.com"),
    f"%YAML 1.1\n---\n{ROLE}",
    f"--- !tag\n{ROLE}",
    "kind: Role\n",
    "metadata: {name: a}\n" + ROLE,
)
BROKEN = ("a: [\n", "a: 'b\n", "kind: Job\n", "a: {{ .Values.a }}\n", "a: *b\n", "\tb: c\n", "a: &a [*a, *a]\n")


@pytest.mark.parametrize("text", LEFT_OUT)
def test_a_document_of_another_program_is_not_parsed(text: str) -> None:
    assert droppable([text], "a.yaml", TOOLHIVE) == [True]


@pytest.mark.parametrize("text", PARSED)
def test_an_ambiguous_or_relevant_document_is_parsed(text: str) -> None:
    assert droppable([text], "a.yaml", TOOLHIVE) == [False]


def test_an_object_that_only_lints_read_is_parsed_if_another_document_is() -> None:
    assert droppable([RELEASE.format("a"), ROLE, RELEASE.format("mcp-a")], "a.yaml", TOOLHIVE) == [False, True, False]
    assert droppable([RELEASE.format("a"), ROLE], "a.yaml", TOOLHIVE) == [True, True]


def test_a_file_with_the_name_of_a_kustomization_is_parsed() -> None:
    assert droppable([ROLE], "a/kustomization.yaml", TOOLHIVE) == [False]


def outcome(folder: Path) -> tuple[object, ...]:
    report = check(discover((str(folder),)), Options())
    return report.findings, report.loaded.files, report.loaded.documents, report.loaded.templates


def draw(seed: int, folder: Path) -> None:
    """Write a project of files in which documents of ours and of other programs follow one another."""
    draws = random.Random(seed)
    (folder / "role.yaml").write_text(ROLE)
    ours = [*FIXTURES.glob("rules/*/invalid-*.yaml"), *FIXTURES.glob("projects/**/*.yaml")]
    ours.sort()
    for number in range(6):
        texts = draws.choices(LEFT_OUT * 4 + PARSED, k=draws.randrange(1, 5))
        texts += [text + draws.choice(BROKEN) for text in draws.choices(LEFT_OUT * 4 + PARSED, k=draws.randrange(3))]
        texts += [draws.choice(ours).read_text() for _ in range(draws.randrange(2))]
        draws.shuffle(texts)
        (folder / f"{number}.yaml").write_text("---\n".join(texts))


@pytest.mark.parametrize("seed", range(PROJECTS))
def test_skipping_documents_does_not_change_the_findings_of_mixed_projects(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw(seed, tmp_path)
    dropped: list[bool] = []

    def counted(texts: Sequence[str], file: str, profile: Profile) -> Sequence[bool]:
        found = droppable(texts, file, profile)
        dropped.extend(found)
        return found

    monkeypatch.setattr(relevance, "droppable", counted)
    filtered = outcome(tmp_path)
    monkeypatch.setattr(relevance, "droppable", lambda texts, *_: [False] * len(texts))
    assert outcome(tmp_path) == filtered
    assert any(dropped)
