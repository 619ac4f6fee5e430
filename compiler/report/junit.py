"""Findings as JUnit XML: a suite for each file, and a failing case for each finding at or above the threshold.

The name of a case has the rule and the subject, never the line, because CI systems track a case by its name.

Source: the schema that CI systems agree on (the one of the Jenkins xUnit plugin).
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from ..diagnostics.secret.text import masked_path
from ..diagnostics.shown import lines, sanitized
from ..diagnostics.span import pointer
from .text import remarks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..diagnostics.finding import Finding
    from ..toolhive.profile import ReleaseChoice


def render(
    findings: Iterable[Finding], files: Iterable[str], fails: Callable[[Finding], bool], release: ReleaseChoice
) -> str:
    """Return the JUnit XML document.

    Args:
        findings: Findings in order of file and place.
        files: All checked files. A file without findings has one passing case.
        fails: Returns whether a finding is at or above the threshold. Other findings are passing cases with a text.
        release: The release that judged, and why; a property of each suite.
    """
    by_file: dict[str, list[Finding]] = {file: [] for file in sorted(files)}
    for finding in findings:
        by_file.setdefault(finding.span.file, []).append(finding)
    release_property = (
        f'    <properties><property name="operatorRelease" value={_attribute(release.text)}/></properties>\n'
    )
    suites = "".join(
        _suite(file, file_findings, fails, release_property) for file, file_findings in sorted(by_file.items())
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="mcpcfg">\n{suites}</testsuites>\n'


def _suite(file: str, findings: list[Finding], fails: Callable[[Finding], bool], properties: str) -> str:
    cases = "".join(
        _case(finding, name, failing=fails(finding)) for finding, name in zip(findings, _names(findings), strict=True)
    )
    if not findings:
        cases = f'    <testcase name="clean" classname={_attribute(file)}/>\n'
    failures = sum(map(fails, findings))
    head = f'tests="{max(1, len(findings))}" failures="{failures}" errors="0" skipped="0"'
    return f"  <testsuite name={_attribute(file)} {head}>\n{properties}{cases}  </testsuite>\n"


def _names(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the name of the test case for each finding of a file. Repeated names get a number."""
    seen: dict[str, int] = {}
    for finding in findings:
        subject = finding.subject
        about = "" if subject is None else f" {subject.kind}/{subject.namespace}/{subject.name}"
        path = "" if finding.path is None else f" {pointer(masked_path(finding.path))}"
        name = f"{finding.rule} {finding.name}{about}{path}"
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name} ({seen[name]})"


def _case(finding: Finding, name: str, *, failing: bool) -> str:
    span = finding.span
    texts = map(sanitized, (f"{span.file}:{span.line}:{span.column}: {finding.message}", *remarks(finding)))
    text = escape(lines("\n".join(texts)))
    kind = f"{finding.severity} ({finding.stage})"
    body = (
        f"<failure message={_attribute(finding.message)} type={_attribute(kind)}>{text}</failure>"
        if failing
        else f"<system-out>{text}</system-out>"
    )
    return f"    <testcase name={_attribute(name)} classname={_attribute(span.file)}>{body}</testcase>\n"


def _attribute(text: str) -> str:
    return quoteattr(sanitized(text))
