"""Findings as SARIF 2.1.0, with the page of every reported rule.

The log contains the pages, so readers need no network. If the project has an address, the log also links to the pages.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0. Columns count Unicode code points.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..diagnostics import address
from ..diagnostics.page import without_links
from ..diagnostics.shown import in_json, sanitized

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..diagnostics.finding import Finding, Fix, Note, Rule
    from ..diagnostics.span import Span
    from ..toolhive.profile import ReleaseChoice

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def render(
    findings: Iterable[Finding],
    rules: Mapping[str, Rule],
    version: str,
    fixes: Mapping[tuple[Any, ...], Fix] | None = None,
    release: ReleaseChoice | None = None,
) -> str:
    """Return the SARIF log of one run.

    Args:
        findings: Findings in the order of the log.
        rules: Rules by id. Custom rules of the project may be missing.
        fixes: Fixes by the `identity` of the finding.
        release: The release that judged, and why.
    """
    listed = list(findings)
    ids = sorted({finding.rule for finding in listed})
    driver = {
        "name": "mcpcfg",
        "semanticVersion": version,
        **({"informationUri": address.ADDRESS} if address.ADDRESS else {}),
        "rules": [_rule(rule_id, rules.get(rule_id), listed) for rule_id in ids],
    }
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, ids.index(finding.rule), (fixes or {}).get(finding.identity())) for finding in listed
        ],
    }
    if release is not None:
        run["properties"] = {"operatorRelease": release.as_json() | {"statement": release.text}}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return in_json(json.dumps(log, indent=2, ensure_ascii=False)) + "\n"


def _rule(rule_id: str, rule: Rule | None, listed: list[Finding]) -> dict[str, Any]:
    if rule is None:
        name = next(finding.name for finding in listed if finding.rule == rule_id)
        return {"id": rule_id, "name": name}
    page = rule.page
    texts = {"text": f"{rule.title}.\n\n{page}", "markdown": f"{rule.title}.\n\n{page.markdown()}"}
    uri = address.rule_address(rule.id)
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": without_links(page.checks)},
        "help": {format_: text.rstrip() for format_, text in texts.items()},
        **({"helpUri": uri} if uri else {}),
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {"tags": [rule.stage]},
    }


def _result(finding: Finding, index: int, fix: Fix | None) -> dict[str, Any]:
    text = finding.message if finding.hint is None else f"{finding.message} (hint: {finding.hint})"
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": LEVELS[finding.severity],
        "message": {"text": _text(text)},
        "locations": [_location(finding.span)],
        "partialFingerprints": {"mcpcfg/v1": fingerprint(finding)},
        "properties": {"stage": finding.stage},
    }
    related = [_related(i, note) for i, note in enumerate(finding.notes) if note.span is not None]
    if related:
        result["relatedLocations"] = related
    if fix is not None:
        result["fixes"] = [_fix(finding.span, fix)]
    return result


def _fix(span: Span, fix: Fix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(place), "insertedContent": {"text": text}} for place, text in fix.replacements
    ]
    change = {"artifactLocation": {"uri": _uri(span)}, "replacements": replacements}
    return {"description": {"text": _text(fix.title)}, "artifactChanges": [change]}


def fingerprint(finding: Finding) -> str:
    """Return a hash that identifies the finding without its line, so it survives edits above the finding.

    If one change fixes several findings, the hash also leaves out the file, the resource and the path, so it stays the
    same if only some of them are fixed.
    """
    subject = finding.subject
    about = (subject.kind, subject.namespace, subject.name) if subject is not None else ()
    place = (finding.span.file, *about, *map(str, finding.path or ())) if finding.change is None else ()
    parts = (finding.rule, *place, finding.message)
    # 128 bits make accidental collisions impossible in practice.
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _text(text: str) -> str:
    """Return ``text`` as a SARIF message, with brackets escaped so that viewers find no links in it."""
    return re.sub(r"\[([^\[\]]*)\]\(", r"\\[\1\\](", sanitized(text))


def _location(span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span)}, "region": _region(span)}}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _uri(span: Span) -> str:
    return quote(span.file.replace("\\", "/").encode("utf-8", "surrogateescape"), safe="/-._~")


def _related(index: int, note: Note) -> dict[str, Any]:
    assert note.span is not None
    return {"id": index, "message": {"text": _text(note.message)}, **_location(note.span)}
