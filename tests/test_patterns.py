"""Each regular expression of the program takes linear time, or text of bounded length."""

from __future__ import annotations

import math
import re
import signal
import time
from collections import deque
from itertools import chain, takewhile
from re._constants import (  # type: ignore[import-not-found]  # the tree of a pattern has no public names
    ANY,
    ASSERT,
    ASSERT_NOT,
    BRANCH,
    IN,
    LITERAL,
    MAX_REPEAT,
    MIN_REPEAT,
    NOT_LITERAL,
    POSSESSIVE_REPEAT,
    SUBPATTERN,
)
from re._parser import SubPattern, parse  # type: ignore[import-not-found]
from typing import TYPE_CHECKING, Any

import pytest
from pattern import Use, attacks, uses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

USES = list(uses())
MEGABYTE = 1_000_000
BOUNDED = {
    "compiler.diagnostics.secret.pattern:@ (context)": "512 characters are looked at from each sign",
    "compiler.diagnostics.page:_FENCE": "it reads the pages of built-in rules",
    "compiler.diagnostics.page:_LINK": "it reads the pages of built-in rules",
    "compiler.golang.regexp:_TOKEN": "patterns of more than 10,000 characters are not compiled",
    "compiler.language.cedar.extension:_AMOUNT": "it reads what _DURATION has taken: a unit follows each number",
    "compiler.language.cedar.lexer:_STRING_ESCAPE": "it reads tokens, whose escapes are all closed",
    "compiler.language.cedar.lexer:_TOKEN": "the lexer stops at the first text that is no token",
    "compiler.language.cel.overloads:_SIGNATURE": "signatures of the program",
    "compiler.project.pin:_HYPHEN": "versions of more than 256 characters are not read",
    "compiler.project.pin:_TERM": "versions of more than 256 characters are not read",
    "compiler.records.registry.record_lint:_VARIABLE": "the text ends with the last closing brace",
    "compiler.kube.label_selector:_TERM": "selectors of more than 1,000 characters are not read",
    "compiler.kube.quantity:_SHAPE": "quantities of more than 4,000 characters are not read",
}
"""Patterns that would take long, and what bounds their text."""
COMPUTED = {
    "compiler.fix.add.manifest": "the escaped name of a kind",
    "compiler.fix.add.pattern": "escaped names of resources, folders and files, with nothing repeated",
    "compiler.fix.add.scaffold": "escaped names of resources and folders, between spaces of one line",
    "compiler.admission.leaf": "patterns of the models",
    "compiler.diagnostics.secret.text": "forms of pattern.tsv, each of which is tried",
    "compiler.check.mention": "the escaped name of a resource",
    "compiler.diagnostics.secret.outline": "two patterns of the module, with a column as the bound of the indentation",
    "compiler.check.unread": "words of the profile",
    "compiler.disk.gitignore": "written from lines of ignore files, without nested repeats",
    "compiler.fix.upgrade": "words of a release",
    "compiler.golang.strconv": "one of two patterns, for digits",
    "compiler.kube.text_format": "patterns of the module",
    "compiler.project.pin": "the name of the product, escaped, in patterns that repeat digits alone",
    "validators.rules.chart_image": "the names of product and image, in a pattern whose parts end at different signs",
    "compiler.reading.fast.place": "columns and escaped keys of the text, each tried where a line begins",
    "compiler.reading.template": "two patterns of the module, each for one kind of quote",
    "compiler.records.registry.record_lint": "escaped words of the module",
    "compiler.records.runconfig.container": "one of two patterns of the module, without nested repeats",
    "compiler.vmcp.workflow.lint.printed": "escaped pieces of a template, compared with the few words of a field",
    "compiler.golang.x509": "one of two patterns of the module, of times in digits",
    "validators.plain_object": "patterns of the models",
    "validators.rules.transport_setting": "the escaped name of a resource",
}
"""Modules whose patterns are put together when they run, and of what."""
DIFFERENT = list(
    {(one.pattern, one.functions): one for one in USES if one.pattern and one.place not in BOUNDED}.values()
)
"""What is tried: of uses of the same pattern one."""
SAMPLE = 1_000
SAMPLE_SECONDS = 0.05
SECONDS = 5


class _SlowError(Exception):
    pass


def _stop(*_: object) -> None:
    raise _SlowError


def _run(use: Use, function: str, text: str, seconds: float) -> float:
    """Return the time that a pattern takes for a text, or infinity if it is not done after ``seconds`` of CPU time."""
    assert use.pattern is not None
    call = getattr(use.pattern, function)
    data = text if isinstance(use.pattern.pattern, str) else text.encode("utf-8", "replace")
    previous = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    start = time.perf_counter()  # CPU time may be counted in ticks, which are longer than most runs
    try:
        if function in {"sub", "subn"}:
            call("", data)
        else:
            found = call(data)
            if function == "finditer":
                deque(found, maxlen=0)
    except _SlowError:
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)
    return time.perf_counter() - start


def _worst(use: Use) -> Iterator[tuple[float, str, tuple[str, str, str]]]:
    """Yield the time that each function takes for a short text of each attack, the function and the attack."""
    assert use.pattern is not None
    for function in sorted(use.functions):
        for attack in attacks(use.pattern):
            text = _text(attack, SAMPLE)
            # The shorter of two runs: a pause of the machine makes no attack the worst.
            yield min(_run(use, function, text, SAMPLE_SECONDS) for _ in range(2)), function, attack


def _text(attack: tuple[str, str, str], length: int) -> str:
    lead, pump, end = attack
    return lead + pump * (length // len(pump)) + end


@pytest.mark.parametrize("use", DIFFERENT, ids=lambda one: one.place)
def test_a_pattern_takes_linear_time(use: Use) -> None:
    """A megabyte of the text that is worst of many takes seconds at most; quadratic time would take hours."""
    _, function, attack = max(_worst(use), default=(0, min(use.functions), ("", "a", "")))

    assert _run(use, function, _text(attack, MEGABYTE), SECONDS) < math.inf, attack


def _may_fail(item: Any) -> bool:
    """Return whether a part may fail, so that it is not one that repeats from zero times on."""
    kind, value = item
    return not (kind in {MAX_REPEAT, MIN_REPEAT, POSSESSIVE_REPEAT} and value[0] == 0)


def _is_plain(item: Any) -> bool:
    """Return whether a part has no repeat, so that it leaves the place alone if it fails."""
    kind, value = item
    if kind is BRANCH:
        return all(map(_is_plain, chain.from_iterable(value[1])))
    if kind in {ASSERT, ASSERT_NOT}:
        return all(map(_is_plain, value[1]))
    if kind is SUBPATTERN:
        return all(map(_is_plain, value[-1]))
    return kind in {LITERAL, NOT_LITERAL, ANY, IN}


def _is_misread(parts: Sequence[Any]) -> bool:
    """Return whether a repeated group may fail behind the place where it began, after some of its parts matched."""
    if len(parts) == 1 and parts[0][0] is BRANCH:
        return any(map(_is_misread, parts[0][1][1]))
    plain = list(takewhile(_is_plain, parts))
    rest = list(parts)[len(plain) :]
    if not plain and rest and rest[0][0] in {MAX_REPEAT, POSSESSIVE_REPEAT} and _is_plain(rest[0][1][2][0]):
        rest = rest[1:]  # the first part fails where the group begins
        if rest and _may_fail(rest[0]):
            return True
    return any(map(_may_fail, rest))


def _possessive(parts: Iterable[Any]) -> Iterator[Any]:
    """Yield what is repeated possessively, if it is more than a character."""
    for kind, value in parts:
        if kind is POSSESSIVE_REPEAT and not (len(value[2]) == 1 and value[2][0][0] in {LITERAL, NOT_LITERAL, ANY, IN}):
            yield value[2]
        for each in value if isinstance(value, (tuple, list)) else ():
            for below in each if isinstance(each, list) else (each,):
                if isinstance(below, SubPattern):
                    yield from _possessive(below)
        if isinstance(value, SubPattern):
            yield from _possessive(value)


@pytest.mark.parametrize("use", DIFFERENT, ids=lambda one: one.place)
def test_a_pattern_means_the_same_before_python_3_11_5(use: Use) -> None:
    """A group that is repeated possessively goes on where its last, failed repetition stopped (gh-106052).

    ``(?>(?:GROUP)*)`` says the same as ``(?:GROUP)*+``, and is read right.
    """
    assert use.pattern is not None
    repeated = list(_possessive(parse(use.pattern.pattern, use.pattern.flags)))

    assert [each for each in repeated if _is_misread(each)] == []


@pytest.mark.parametrize("text", [r"(?: *+#)*+", r"(?:a|- +(?=a))*+", r"(?:-\s++)*+", r"(?: *\n)*+"])
def test_a_pattern_that_python_misreads_would_be_noticed(text: str) -> None:
    assert any(map(_is_misread, _possessive(parse(text))))


def test_a_quadratic_pattern_would_be_noticed() -> None:
    quadratic = Use("here", re.compile("a+b"), frozenset({"search"}))

    _, function, attack = max(_worst(quadratic))

    # Within one repeat of a longer text, the module looks for signals too rarely.
    assert _run(quadratic, function, _text(attack, MEGABYTE // 10), 0.5) == math.inf


def test_the_patterns_are_found() -> None:
    places = {one.place for one in USES}

    assert len(USES) > 200
    assert places.issuperset(BOUNDED)
    assert {one.place.partition(":")[0] for one in USES if one.pattern is None} == COMPUTED.keys()
