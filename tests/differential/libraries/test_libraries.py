"""What our readers and interpreters make of a text is what Go's libraries make of it.

Texts are mutated fixtures, and expressions drawn from grammars; ``make differential`` sets ``MCPCFG_DIFFERENTIAL``.
What differs on purpose is counted by its reason; anything else fails.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import question
import typed_question
from counts import record
from go_library import OF_KUBERNETES, PROGRAM, Answer, answers

from mcpcfg.compiler.diagnostics.budget import Amount, Budget
from mcpcfg.compiler.golang.regexp import PatternError, compile_pattern
from mcpcfg.compiler.kube.cel.function import LIBRARY
from mcpcfg.compiler.language.cel.rule import compile_matcher, compile_typed
from mcpcfg.compiler.language.cel.runtime import CelError
from mcpcfg.compiler.language.cel.value import CostError, UnsupportedError
from mcpcfg.compiler.language.fault import FaultError
from mcpcfg.compiler.language.template.executor import execute
from mcpcfg.compiler.language.template.node import Template
from mcpcfg.compiler.language.template.parser import parse
from mcpcfg.compiler.language.template.value import ExecutionError, LimitError
from mcpcfg.compiler.reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT = 2 * int(os.environ.get("MCPCFG_DIFFERENTIAL", "0"))
pytestmark = [
    pytest.mark.skipif(not COUNT, reason="make differential compares with Go's libraries"),
    pytest.mark.skipif(shutil.which("go") is None, reason="there is no Go here to build its libraries with"),
]


class Comparison(NamedTuple):
    """How an area is compared.

    Attributes:
        library: Go's side.
        draw: Return a text.
        data: What it is asked of.
        ours: Our answer.
        known: Why answers to a text may differ, ``None`` where they may not.
    """

    library: str
    draw: Callable[[random.Random], str]
    data: Any
    ours: Callable[[str], Answer]
    known: Callable[[str, Answer, Answer], str | None]


def kubernetes(text: str) -> Answer:
    documents, findings = read_documents(text, "a.yaml")
    first = min((one.document or 0 for one in findings), default=None)
    odd = [one.index for one in documents if one.odd_beginning() is not None]
    values = tuple(one.data for one in documents if first is None or one.index < first)
    return Answer(values, "yaml" if findings or odd else None, str([one.message for one in findings]))


def vmcp(text: str) -> Answer:
    documents, findings = read_documents(text, "a.yaml", dialect="vmcp")
    is_faulty = any(not one.document for one in findings)
    faults = str([one.message for one in findings])
    return Answer(tuple(one.data for one in documents if one.index == 0), "yaml" if is_faulty else None, faults)


def json_values(text: str) -> Answer:
    documents, findings = read_documents(text.removeprefix("\ufeff"), "a.json")
    faults = str([one.message for one in findings])
    return Answer(tuple(one.data for one in documents), "json" if findings else None, faults)


def cel(text: str) -> Answer:
    try:
        evaluate = compile_matcher(text)
    except FaultError as error:
        return Answer((), "compile", str(error))
    try:
        return Answer((evaluate(claims=question.CLAIMS),), None, None)
    except CelError as error:
        return Answer((), "evaluate", str(error))


def kubernetes_cel(text: str) -> Answer:
    try:
        evaluate = compile_typed(text, typed_question.VARIABLES, LIBRARY, fields=lambda _: {})
    except FaultError as error:
        return Answer((), "compile", str(error))
    try:
        return Answer((evaluate(**typed_question.VALUES),), None, None)
    except (CostError, UnsupportedError) as error:
        return Answer((), "limit", str(error))
    except CelError as error:
        return Answer((), "evaluate", str(error))


def template(text: str) -> Answer:
    parsed = parse(text)
    if not isinstance(parsed, Template):
        return Answer((), "parse", parsed.message)
    data = json.loads(json.dumps(question.DATA), parse_int=float)
    try:
        return Answer((execute(parsed, data, budget=Budget(Amount(steps=200_000))),), None, None)
    except LimitError as error:
        return Answer((), "limit", str(error))
    except ExecutionError as error:
        return Answer((), "execute", str(error))


def re2(text: str) -> Answer:
    try:
        pattern = compile_pattern(text)
    except PatternError as error:
        return Answer((), "compile", str(error))
    return Answer(([pattern.search(one) for one in question.TEXTS],), None, None)


def known_of_yaml(text: str, theirs: Answer, ours: Answer) -> str | None:
    """Return why readings of a YAML text differ on purpose."""
    fault = ours.fault or ""
    if "follows the end of the document" in fault or re.search(r"(?m)^\.\.\.", text):
        return "text after the end of a document, which Go drops, is reported"
    if "byte order mark" in fault:
        return "a byte order mark on a later line is reported"
    if "no key" in fault or "levels" in fault or "more than" in fault:
        return "beyond the bounds of docs/reading.md"
    if re.search(r"(?m)!\S*[,\[\]{}]", text):
        return "brackets and commas in tags, which Go takes"
    if theirs.stage == "separator" and re.search(r"(?m)^---[ \t]+(?:null|~)?[ \t]*$", text):
        return "an empty document on the line of its separator, which kubectl refuses"
    if "\r" in text:
        return "lines that end with a carriage return alone"
    if "<<" in text:
        return "a key that is written out wins over a merged one"
    return None


def known_of_vmcp(text: str, theirs: Answer, ours: Answer) -> str | None:
    """Return why readings of a text by the vMCP process differ on purpose."""
    if theirs.stage == "yaml" and ours.stage is None and ours.fault != "[]":
        return "a fault of a later document, which is reported there"
    if theirs.values == (None,):
        return "an empty first document, after which the next is checked"
    if theirs.stage == "json":
        return "keys that are no texts, which no field takes"
    if re.search(r"\d{4}-\d\d?-\d", text):
        return "dates, which fields take as texts"
    return known_of_yaml(text, theirs, ours)


def known_of_json(text: str, theirs: Answer, ours: Answer) -> str | None:
    """Return why readings of a JSON text differ on purpose."""
    del ours
    if text.lstrip()[:1] != "{" and len(theirs.values) > 1:
        return "several values of which the first is no object"
    return None


_ONLY_OF_CRDS = (
    "expected type .* but found|invalid (duration|timestamp|matches) arg|string.format|formatting clause|out of range"
)
_UNWRAPPED = re.compile(r"ref.Val: \(|overload(: (hasValue|value|or|orValue)\(|$)")


def known_of_kubernetes_cel(text: str, theirs: Answer, ours: Answer) -> str | None:  # noqa: PLR0911 - a line each
    """Return why values of a rule differ on purpose."""
    if theirs.stage is ours.stage is None and ".validate(" in text:
        return "the words in which a format refuses a text"
    if ".sum()" in text and "no such overload" in (ours.fault or ""):
        return "the sum of no durations or unsigned numbers, which is the number 0 here"
    if "sInteger()" in text and re.search(r"\.(add|sub)\(", text):
        return "isInteger() of a sum, for which the API server asks how it keeps the amount"
    if " in [])" in text and theirs.stage is None:
        return "what is looked for in an empty list, which the API server does not evaluate"
    if re.search(r"(isSorted|min|max)\(\)", text) and re.search(r"x\.l|flatten\(", text):
        return "the order of values of several types, by the first of them to the API server"
    fault = theirs.fault or ""
    if theirs.stage == "compile" and ours.stage != "compile":
        if re.search(_ONLY_OF_CRDS, fault):
            return "a constant, or a list of several types, which the API server refuses with the CRD"
        if "ERROR" not in fault:
            return "an expression of constants that has no value, which the API server refuses with the CRD"
    if theirs.stage == "evaluate" and _UNWRAPPED.search(fault):
        return "an optional value that comes out of ?:, which cel-go unwraps once more"
    return None


def nothing_known(text: str, theirs: Answer, ours: Answer) -> str | None:
    """No difference is on purpose."""
    del text, theirs, ours
    return None


COMPARISONS = {
    "kubernetes": Comparison(
        "sigs.k8s.io/yaml 1.6, k8s.io/apimachinery 0.35",
        lambda rng: _no_json(question.text(rng)),
        None,
        kubernetes,
        known_of_yaml,
    ),
    "vmcp": Comparison("gopkg.in/yaml.v3 3.0.1", question.text, None, vmcp, known_of_vmcp),
    "json": Comparison("encoding/json, sigs.k8s.io/json", question.json_text, None, json_values, known_of_json),
    "cel": Comparison("cel-go 0.28", question.matcher, question.CLAIMS, cel, nothing_known),
    OF_KUBERNETES: Comparison(
        "k8s.io/apiserver/pkg/cel 0.35, cel-go 0.26",
        typed_question.expression,
        typed_question.VALUES,
        kubernetes_cel,
        known_of_kubernetes_cel,
    ),
    "template": Comparison("text/template", question.template, question.DATA, template, nothing_known),
    "re2": Comparison("regexp", question.pattern, question.TEXTS, re2, nothing_known),
}


def _no_json(text: str) -> str:
    """Begin a text so that kubectl does not take it for JSON, which is another area."""
    return f"#\n{text}" if text.lstrip()[:1] == "{" else text


@pytest.mark.parametrize("area", COMPARISONS)
def test_a_text_is_to_us_what_it_is_to_go(area: str) -> None:
    one = COMPARISONS[area]
    chance = random.Random(f"{os.environ.get('SEED', '0')} {area}")
    texts = [one.draw(chance) for _ in range(COUNT)]
    theirs = answers(area, [(text, one.data) for text in texts])

    reasons: Counter[str] = Counter()
    unknown: dict[str, tuple[Answer, Answer]] = {}
    for text, their in zip(texts, theirs, strict=True):
        ours = one.ours(text)
        if not agree(their, ours):
            reason = one.known(text, their, ours)
            reasons[reason or "for no known reason"] += 1
            if reason is None:
                unknown[text] = (their, ours)
    taken = sum(their.stage is None for their in theirs)
    print(
        f"{area}: {len(texts)} texts, {taken} taken by {one.library}, {sum(reasons.values())} differ: {dict(reasons)}"
    )
    numbers = {"library": one.library, "texts": len(texts), "taken": taken, "differ": dict(reasons)}
    record("libraries", area, numbers)
    listed = PROGRAM.with_name(f"{area}.txt")
    listed.write_text(
        "\n".join(
            f"{text!r}\n  Go: {unknown[text][0]}\n  here: {unknown[text][1]}" for text in sorted(unknown, key=len)
        )
    )
    assert len(unknown) == 0, f"{listed} holds what differs"


def agree(theirs: Answer, ours: Answer) -> bool:
    """Return whether two answers are one: the stage of a fault, and the values as far as both have some."""
    if (theirs.stage is None) != (ours.stage is None) or "limit" in {theirs.stage, ours.stage}:
        return ours.stage == "limit"
    if {theirs.stage, ours.stage} in ({"compile", "evaluate"}, {"parse", "execute"}):
        return False
    their_values, our_values = ([plain(value) for value in one.values if value is not None] for one in (theirs, ours))
    if theirs.stage is None:
        return their_values == our_values
    both = min(len(their_values), len(our_values))
    return their_values[:both] == our_values[:both]


def plain(value: Any) -> str:
    """Return a value as text in which numbers that are the same are written the same."""
    return json.dumps(_numbers(value), sort_keys=True)


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    return float(value) + 0.0 if isinstance(value, int | float) and not isinstance(value, bool) else value
