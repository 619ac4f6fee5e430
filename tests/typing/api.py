"""A program that uses every public name. Strict types: ``make types`` checks it, and tests/test_api.py runs it."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

import mcpcfg

SERVER = """\
apiVersion: toolhive.stacklok.dev/v1alpha1
kind: MCPServer
metadata: {name: fetch, namespace: tools}
spec: {image: 'ghcr.io/acme/fetch:1.2', transport: stdio}
"""


class Row(TypedDict):
    """A finding as a table shows it."""

    place: tuple[str, int, int]
    severity: mcpcfg.Severity
    stage: mcpcfg.Stage
    about: str
    notes: list[str]


def row(finding: mcpcfg.Finding) -> Row:
    span: mcpcfg.Span = finding.span
    subject: mcpcfg.Subject | None = finding.subject
    notes: tuple[mcpcfg.Note, ...] = finding.notes
    return Row(
        place=(span.file, span.line, span.column),
        severity=finding.severity,
        stage=finding.stage,
        about="" if subject is None else f"{subject.kind}/{subject.name}",
        notes=[note.message for note in notes],
    )


def table(*paths: Path) -> list[Row]:
    try:
        report: mcpcfg.Report = mcpcfg.check(*paths, options=mcpcfg.Options(closed=True))
    except mcpcfg.InputError:
        return []
    return [row(finding) for finding in report.findings]


def compiled(target: mcpcfg.Target) -> dict[str, str]:
    report = mcpcfg.check(files={"fetch.yaml": SERVER, Path("more.yaml").name: SERVER.encode()[:0]})
    operator = mcpcfg.OperatorSettings(platform="openshift", images=mcpcfg.Images(vmcp="example.com/vmcp:1"))
    artifacts: mcpcfg.Artifacts = mcpcfg.build(
        report, target, operator=operator, machine=mcpcfg.Machine(proxy_port=9000), standalone=True
    )
    files: tuple[mcpcfg.Artifact, ...] = artifacts.files
    return {file.path: file.text for file in files}


def rendered(format_: mcpcfg.Format) -> str:
    return mcpcfg.render(mcpcfg.check(files={"fetch.yaml": SERVER}), format_, severity="info", fail_on="never")


def title(id_: str) -> str:
    rule: mcpcfg.Rule = mcpcfg.rules()[id_]
    return f"{mcpcfg.__version__}: {rule.title}"
