"""Areas about single texts: readers, reports, the editor, small languages, configurations."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ET
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from unittest import mock

import corpus
from area import Area, called, within
from mutate import WORDS, of_bytes, of_tokens

from mcpcfg.compiler import api
from mcpcfg.compiler.check import full
from mcpcfg.compiler.diagnostics.budget import Amount, Budget
from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.editor import action, completion, hover, navigation
from mcpcfg.compiler.editor.line_map import LineMap
from mcpcfg.compiler.editor.outline import outlines
from mcpcfg.compiler.editor.session import Home, ProjectSession
from mcpcfg.compiler.editor.subject import FileContext
from mcpcfg.compiler.golang import duration, jsonschema, regexp, url
from mcpcfg.compiler.kube import quantity
from mcpcfg.compiler.language.cedar import entities, policy
from mcpcfg.compiler.language.cel.rule import Allowance, compile_rule, matcher_faults
from mcpcfg.compiler.language.cel.runtime import CelError
from mcpcfg.compiler.language.fault import FaultError
from mcpcfg.compiler.language.template import parser
from mcpcfg.compiler.language.template.executor import execute
from mcpcfg.compiler.language.template.node import Template
from mcpcfg.compiler.language.template.value import ExecutionError
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.project.settings import Options
from mcpcfg.compiler.project.suppression import merge_by_change
from mcpcfg.compiler.reading import excerpt, tree
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.reading.excerpt import decode
from mcpcfg.compiler.reading.parser import PlainParser
from mcpcfg.compiler.report.format import FORMATS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

    from corpus import Tree

    from mcpcfg.compiler.diagnostics.span import Span
    from mcpcfg.compiler.reading.node import Dialect

_ENDING_KEY = re.compile(rb":[,\[\]{}?]")
"""``{a:}`` has the key ``a`` to PyYAML's own parser, and ``a:`` to libyaml and Go."""

DIALECTS: tuple[Dialect, ...] = ("kubernetes", "vmcp")


# --- readers ------------------------------------------------------------------------------------------------------


def draw_text(rng: random.Random) -> Tree:
    """Return one text of any kind; some have CR LF as line breaks, or values that begin with ``<``."""
    text = corpus.text(rng, corpus.texts())
    for written, other in ((b"\n", b"\r\n"), (b": ", b": <")):
        text = text.replace(written, rng.choice((written, written, written, other)))
    return {"a.yaml": text}


def hold_readers(files: Tree, rng: random.Random) -> None:
    """The fast path, the exact reader and the parser in plain Python read a text alike, data and places."""
    del rng
    for text in files.values():
        for dialect in DIALECTS:
            fast = _read(text, dialect)
            with mock.patch.object(excerpt.Excerpt, "read_fast", return_value=None):
                exact = _read(text, dialect)
            assert fast == exact
            if len(text) < 2_000 and not _ENDING_KEY.search(text):
                with mock.patch.object(tree, "event_parser", PlainParser):
                    plain = _read(text, dialect)
                assert fast[1] or plain[1] or _data(fast) == _data(plain)


def _read(text: bytes, dialect: Dialect) -> tuple[str, list[Any]]:
    documents, findings = read_documents(text, "a.yaml", dialect=dialect)
    data = [[one.index, one.data, [one.span(path) for path in paths(one.data)]] for one in documents]
    return json.dumps(data), [(one.rule, one.span, one.message) for one in findings]


def _data(read: tuple[str, list[Any]]) -> list[Any]:
    """Return the data alone: PyYAML's own parser refuses other texts, and places empty values otherwise."""
    return [data for _, data, _ in json.loads(read[0])]


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all values."""
    waiting = [(value, path)]
    while waiting:
        inner, at = waiting.pop()
        yield at
        items = inner.items() if isinstance(inner, dict) else enumerate(inner) if isinstance(inner, list) else ()
        waiting += [(item, (*at, step)) for step, item in items]


# --- reports ------------------------------------------------------------------------------------------------------


def hold_reports(files: Tree, rng: random.Random) -> None:
    """A check ends, its places lie in their files, and every format of its report parses back to what was found."""
    del rng
    report = api.check(files=files, options=Options())
    texts = {name: decode(text).replace("\r\n", "\n").replace("\r", "\n").split("\n") for name, text in files.items()}
    for finding in report.findings:
        assert_inside(finding.span, texts)
        for note in finding.notes:
            if note.span is not None and note.span.file in texts:
                assert_inside(note.span, texts)
    count = len(merge_by_change(report.findings))
    for form in FORMATS:
        assert _counted(form, api.render(report, form, severity="info")) in {count, None}, form


def assert_inside(span: Span, texts: dict[str, list[str]]) -> None:
    """Check that a place lies in its file."""
    lines = texts[span.file]
    assert 1 <= span.line <= span.end_line <= max(1, len(lines)), span
    assert 1 <= span.column <= len(lines[span.line - 1]) + 1, span
    assert (span.line, span.column) <= (span.end_line, span.end_column), span


def _counted(form: str, text: str) -> int | None:
    """Return how many findings a report holds; ``None`` where its form does not show each."""
    if form == "json":
        return len(json.loads(text)["findings"])
    if form == "sarif":
        return len(json.loads(text)["runs"][0]["results"])
    if form == "gitlab":
        return len(json.loads(text)) - 1  # the release that judges has an entry
    if form == "github":
        return len(text.splitlines()) - 1  # the release that judges has a notice
    if form == "junit":
        ET.fromstring(text)
    elif form == "markdown":
        list(csv.reader(text.splitlines(), delimiter="|"))
    return None


# --- editor -------------------------------------------------------------------------------------------------------


def hold_editor(files: Tree, rng: random.Random) -> None:
    """What the editor asks at any place of a text has an answer, and its diagnostics are the findings of a check."""
    with within(files) as folder:
        session = ProjectSession(Home(str(folder), None), Options())
        for name in sorted(files):
            session.check({str(folder / name): corpus.text(rng, (files[name],))})
        snapshot = session.check({})
        if snapshot is None:
            return  # the configuration cannot be used
        found = sorted(one for findings in snapshot.findings.values() for one in findings)
        project = full.check(discover((str(folder),)), Options())
        assert found == sorted(project.findings)
        for path, findings in list(snapshot.findings.items()) or [(str(folder / min(files)), ())]:
            text = folder.joinpath(path).read_bytes().decode("utf-8", "replace")
            lines, around = LineMap(text), FileContext(path, root=str(folder), record=snapshot.kinds.get(path))
            outlines(text)
            navigation.symbols(text, around)
            action.actions(lines, findings[:5], snapshot.project, path, snapshot.kinds.get(path))
            action.fix_all(text, snapshot.project, path, snapshot.kinds.get(path))
            for _ in range(5):
                at = rng.randrange(len(text) + 1)
                completion.completions(text, at, around, snapshot.workspace)
                hover.hover(text, at, around, snapshot.workspace, findings[:2])
                navigation.definition(text, at, around, snapshot.workspace)
                navigation.references(text, at, around, snapshot.workspace)


# --- small languages ------------------------------------------------------------------------------------------------

EXPRESSIONS = (
    *(
        "claims.groups.exists(g, g == 'a')",
        "has(self.spec.image) && self.spec.image.startsWith('x')",
        "size(self.a) > 0",
    ),
    *("claims.email.matches('^[a-z]+@x$')", "duration('1h') < duration('2h')", "self.all(k, k in {'a': 1u})"),
    *("timestamp('2020-01-01T00:00:00Z').getFullYear() == 2020", "[1, 2].map(x, x * 2)[0] == 2 ? true : false"),
)
POLICIES = (
    'permit(principal in Team::"a", action == Action::"call_tool", resource) when { principal.x like "a*" };',
    'forbid(principal, action, resource) unless { context.a.contains(1) || resource has b && ip("::1").isIpv6() };',
    'permit(principal is User, action in [Action::"a"], resource) when { {"a": [-2]} == if true then 1 else 2};',
)
SMALL = (
    "1h30m",
    "-1.5Gi",
    "12e3",
    "1000m",
    "http://u:p@[::1%25x]:80/a%20b?q#f",
    "registry:5000/a/b:c@sha256:00",
    "5µs",
)
PATTERNS = (r"^(a|b)*?c{2,5}$", r"\p{Greek}[[:alpha:]\d]+", r"(?P<n>x)(?i:y)", r"\Qa.b\E\z", "[^\\x{10FFFF}]")
SCHEMAS = ('{"type":"object","properties":{"a":{"$ref":"#/definitions/b","enum":[1]}},"required":["a"]}',)


def draw_language(rng: random.Random) -> Tree:
    """Return an expression of one of the small languages, most of them with other tokens."""
    templates = corpus.lines_of("templates/execution.jsonl", "template") + corpus.lines_of(
        "templates/syntax.jsonl", "template"
    )
    language, among = rng.choice(
        (
            ("cel", EXPRESSIONS),
            ("template", templates),
            ("cedar", POLICIES),
            ("small", SMALL),
            ("re2", PATTERNS),
            ("schema", SCHEMAS),
        )
    )
    every = [one.encode("utf-8", "replace") for one in (*among, *EXPRESSIONS)]
    text = rng.choice(every[: len(among)])
    for _ in range(rng.choice((1, 2, 4, 8))):
        text = rng.choice((of_tokens, of_tokens, of_bytes))(rng, text, (*every, *WORDS))
    return {language: text}


DATA = {"params": {"n": 3.0, "name": "a", "items": ["x", {"k": None}]}, "a": [1.0, None], "s": "text", "m": {}}
CLAIMS = {"spec": {"image": "x", "n": 2, "l": [1, "a", None]}, "a": [1], "email": "a@x"}


def hold_languages(files: Tree, rng: random.Random) -> None:
    """An expression of a small language is taken, refused with a place in it, or run within its bounds."""
    del rng
    for language, data in files.items():
        text = data.decode("utf-8", "replace")
        with suppress(ValueError):
            _LANGUAGES[language](text)


def _cel(text: str) -> None:
    for fault in matcher_faults(text):
        assert 0 <= (fault.offset or 0) <= len(text)
    with suppress(FaultError, CelError):
        compile_rule(text, together=Allowance())(self=CLAIMS)


def _template(text: str) -> None:
    parsed = parser.parse(text)
    if isinstance(parsed, Template):
        with suppress(ExecutionError):
            assert isinstance(execute(parsed, DATA, budget=Budget(Amount(steps=20_000))), str)
    else:
        assert 0 <= (parsed.offset or 0) <= len(text)


def _cedar(text: str) -> None:
    for fault in (*policy.policy_faults(text), *entities.entities_faults(text)):
        assert 0 <= (fault.offset or 0) <= len(text)
    if not policy.policy_faults(text):
        list(policy.never_matches(text, keeps_address=False))
        policy.ignored_rest(text)


def _small(text: str) -> None:
    for parse in (duration.parse_duration, quantity.parse, quantity.canonical, url.parse):
        with suppress(ValueError):
            parse(text)


def _schema(text: str) -> None:
    jsonschema.compile_faults(json.loads(text))


_LANGUAGES: dict[str, Callable[[str], object]] = {
    "cel": _cel,
    "template": _template,
    "cedar": _cedar,
    "small": _small,
    "schema": _schema,
    "re2": lambda text: regexp.compile_pattern(text).search("aabbcc x Ω"),
}


# --- configurations -------------------------------------------------------------------------------------------------


def draw_settings(rng: random.Random) -> Tree:
    """Return a small project with a configuration, baseline or environment that is mutated."""
    files = {"a.yaml": rng.choice(corpus.resources()), corpus.SETTINGS: corpus.text(rng, corpus.settings())}
    if rng.random() < 0.2:
        toml = b'[tool.mcpcfg]\nnamespace = "a"\nexclude = ["x"]\n[tool.mcpcfg.rules]\nIMG001 = "off"\n'
        files["pyproject.toml"] = of_tokens(rng, toml, corpus.settings())
        del files[corpus.SETTINGS]
    return files


def hold_settings(files: Tree, rng: random.Random) -> None:
    """Whatever a configuration holds: findings, or one reason why it cannot be used."""
    command = rng.choice((["check"], ["check", "--format", "json"], ["build", "--target", "runconfig"], ["rules"]))
    with within(files) as folder:
        outcome = called(*command)
        if outcome.status == 2:
            assert outcome.err.strip()
        with suppress(InputError):
            ProjectSession(Home(str(folder), None), Options()).check({})


AREAS = (
    Area("readers", "the ways of reading agree on data, places and faults", draw_text, hold_readers, 150),
    Area("reports", "a check ends, places lie in files, formats parse back", corpus.any_tree, hold_reports, 100),
    Area("editor", "the editor has an answer at any place, and the findings of a check", corpus.tree, hold_editor, 25),
    Area("languages", "an expression is taken, refused or bounded", draw_language, hold_languages, 800),
    Area("settings", "a configuration is used or refused for a reason", draw_settings, hold_settings, 50),
)
