"""Runs the examples on the pages of rules, alone or in the place of a sound file that they name.

An example without a place is a whole file. ``MCPServer.spec`` is a place in a resource, ``runconfig.transport`` in a
record, and ``vmcp`` or ``values`` in a file without a kind. ``[]`` is the first item of a list.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from calling import call
from judging import is_open, release_of
from merge_patch import merged as patched

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.check.record import checker
from mcpcfg.compiler.diagnostics.finding import OPT_IN, Finding, Rule
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.target import artifacts
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.project.input_kind import kind_named
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.machine import Environment
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release
from mcpcfg.compiler.toolhive.release import OLDEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcpcfg.compiler.diagnostics.page import Example
    from mcpcfg.compiler.project.settings import Level

ROOT = Path(__file__).parents[2]
RECORDS = json.loads((ROOT / "fixtures" / "records" / "rules.json").read_text("utf-8"))
FILES = {"yaml": "a.yaml", "json": "a.json", "markdown": "pdf/SKILL.md", "dotenv": "a.env"}
AS = {"CFG011": "mcpcfg", "FIL003": "runconfig", "FIL055": "secret-creation", "FIL056": "workload-list"}
"""The value of ``--as`` for rules about files that nothing else identifies."""


def whole_is_reported(example: Example, rule: Rule, folder: Path) -> bool:
    """Return whether the rule reports a whole file, at the release that its first line names or that has the fault."""
    file = folder / FILES[example.language]
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"{example.text}\n".replace("<tab>", "\t"), encoding="utf-8")
    kind = "env-file" if example.language == "dotenv" else AS.get(rule.id)
    if kind is not None:
        outcome = call("check", "--isolated", "--as", kind, "-f", "json", str(file))
        return any(finding["rule"] == rule.id for finding in json.loads(outcome.out)["findings"])
    return _reports(file, rule, release_of(file) or rule.since, closed=not is_open(file))


def _reports(file: Path, rule: Rule, release: str | None, *, closed: bool) -> bool:
    project = discover((str(file),), release=release)._replace(complete=True)
    levels: dict[str, Level] = {**project.settings.rules}
    if rule.id in OPT_IN:
        levels[rule.id] = "info"
    project = project._replace(settings=project.settings._replace(rules=levels))
    report = check(project, Options(closed=closed))
    built = []
    if rule.id == "BLD001":
        build = Build(report.workspace, project.settings.operator)
        built = artifacts("kubernetes", build, report.loaded.resources)[1]
    return any(finding.rule == rule.id for finding in (*report.findings, *built))


def outcomes(wrong: Any, right: Any, place: str, rule: Rule, folder: Path) -> Iterator[tuple[bool, bool]]:
    """Yield whether the rule reports the wrong and the right example, for each sound or faulty file with their place.

    First the right example is merged into the file. Then what differs between the examples is changed.
    """
    kind, *steps = re.findall(r"\[\]|[^.\[\]]+", place)
    for documents, is_reported in _frames(rule, folder):
        for index, (document_kind, document) in enumerate(documents):
            if kind == document_kind:
                sound = _changed(document, steps, lambda inner: merged(inner, right))
                faulty = _changed(sound, steps, lambda inner: replaced(inner, right, wrong))
                data = [document for _, document in documents]
                before, after = data[:index], data[index + 1 :]
                yield is_reported([*before, faulty, *after]), is_reported([*before, sound, *after])


def _kind(document: Any, rule: Rule) -> str:
    if isinstance(document, dict) and isinstance(document.get("kind"), str):
        return str(document["kind"])
    return "values" if rule.id.startswith("CHT") else "vmcp"


def _frames(rule: Rule, folder: Path) -> Iterator[tuple[list[tuple[str, Any]], Callable[[list[Any]], bool]]]:
    """Yield files to put examples into: documents with their kinds, and a function that checks changed documents."""
    if rule.id in RECORDS["rules"]:
        base = RECORDS["bases"][RECORDS["rules"][rule.id]["base"]]
        yield [(base["kind"], base["document"])], lambda documents: _reports_record(base["kind"], documents[0], rule)
    for name in ("valid", "invalid"):
        fixtures = [path for path in (ROOT / "fixtures" / "rules" / rule.id).glob(f"{name}-*.yaml") if path.is_file()]
        for fixture in sorted(fixtures, key=lambda path: (path.stat().st_size, path.name)):
            try:
                documents = [document for document in yaml.safe_load_all(fixture.read_text("utf-8")) if document]
            except yaml.YAMLError:
                continue

            def is_reported(documents: list[Any], fixture: Path = fixture) -> bool:
                file = folder / "a.yaml"
                file.write_text(yaml.safe_dump_all(documents, sort_keys=False, allow_unicode=True), encoding="utf-8")
                return _reports(file, rule, release_of(fixture), closed=not is_open(fixture))

            yield [(_kind(document, rule), document) for document in documents], is_reported


def _reports_record(kind: str, data: Any, rule: Rule) -> bool:
    documents, _ = read_documents(json.dumps(data, indent=2, ensure_ascii=False), f"{kind}.json")
    beside = patched(RECORDS["beside"], RECORDS["rules"][rule.id].get("beside", {}))
    registry = read_documents(json.dumps(beside), "registry.json")[0]
    records = {kind: documents} | ({"registry": registry} if kind == "workload" else {})
    input_kind = kind_named(kind)
    assert input_kind is not None
    environment = Environment(closed=True, profile=profile_of_release(TOOLHIVE, rule.since or OLDEST))
    findings: list[Finding] = checker(input_kind)(documents[0], records, environment)
    return any(finding.rule == rule.id for finding in findings)


def _changed(data: Any, steps: list[str], change: Callable[[Any], Any]) -> Any:
    """Return a copy of data with the value at a place changed. Missing mappings are added."""
    if not steps:
        return change(data)
    step, *rest = steps
    if step == "[]":
        items = list(data) if isinstance(data, list) and data else [{}]
        return [_changed(items[0], rest, change), *items[1:]]
    out = dict(data) if isinstance(data, dict) else {}
    return out | {step: _changed(out.get(step, [] if rest[:1] == ["[]"] else {}), rest, change)}


def merged(frame: Any, example: Any) -> Any:
    """Return a frame with the values of an example: mappings are joined, and items of lists one by one."""
    if isinstance(frame, dict) and isinstance(example, dict):
        return frame | {key: merged(frame.get(key), value) for key, value in example.items()}
    if isinstance(frame, list) and isinstance(example, list):
        frames = [*frame[: len(example)], *([None] * (len(example) - len(frame)))]
        return [merged(*pair) for pair in zip(frames, example, strict=True)]
    return deepcopy(example)


def replaced(frame: Any, old: Any, new: Any) -> Any:
    """Return a frame in which the values of one example are replaced with those of another."""
    if isinstance(frame, dict) and isinstance(old, dict) and isinstance(new, dict):
        kept = {key: value for key, value in frame.items() if key in new or key not in old}
        return kept | {key: replaced(frame.get(key), old.get(key), value) for key, value in new.items()}
    if isinstance(frame, list) and isinstance(old, list) and isinstance(new, list):
        short = [*([None] * (len(new) - len(old)))]
        triples = zip([*frame, *short], [*old, *short], new, strict=False)
        return [replaced(*triple) for triple in triples]
    return deepcopy(new)
