"""Records that no author would write on purpose: no check fails on one, and each finding has its place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mcpcfg.compiler.check.record import checker
from mcpcfg.compiler.project.input_kind import KINDS, kind_named
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.records.runconfig.check import check_runconfig
from mcpcfg.compiler.records.unknown_key import MOST_GUESSES
from mcpcfg.compiler.toolhive.machine import Environment

from .conftest import FIXTURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.diagnostics.span import Path

EXAMPLES = json.loads((FIXTURES / "rules.json").read_text("utf-8"))
ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 0.5, 1e308, 1 << 64, 10**40, "", " ", "\n", "\0", "\U0001f600", "\u202e", "x" * 70_000),
    *("..", "/", ":", "::", "://", "http://[", "%zz", "a,target=b", "=", "[::1]:80", "0x10", "${X}", "{}"),
    *([], {}, [[]], [None], [{}], [5], {"": ""}, {"a": None}, {"\0": 1}, [""] * 300, {f"k{i}": i for i in range(300)}),
)


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    for step, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from paths(inner, (*path, step))


def put(value: Any, path: Path, new: Any) -> Any:
    """Return a copy of ``value`` with another value at a path."""
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


def changed(base: str) -> Iterator[Any]:
    """Yield the example with one odd value in each place, another one from place to place, some 200 in all."""
    document = EXAMPLES["bases"][base]["document"]
    places = list(paths(document))
    for turn in range(max(1, 200 // len(places))):
        for number, path in enumerate(places):
            yield put(document, path, ODD[(turn * 7 + number) % len(ODD)])
    yield from ODD


def check(kind: str, text: str) -> None:
    documents, _ = read_documents(text, f"{kind}.json")
    registry, _ = read_documents(json.dumps(EXAMPLES["beside"]), "registry.json")
    found = kind_named(kind)
    assert found is not None
    lines = text.split("\n")
    for document in documents:
        for one in checker(found)(document, {kind: documents, "registry": registry}, Environment(closed=True)):
            span = one.span
            assert 1 <= span.line <= span.end_line <= len(lines)
            assert (span.line, span.column) <= (span.end_line, span.end_column)
            assert span.end_column <= len(lines[span.end_line - 1]) + 1
            assert len(one.message) < 500
            value = document.data
            for step in one.path or ():
                value = value[step]


@pytest.mark.parametrize("base", EXAMPLES["bases"])
def test_findings_of_mutated_examples_have_positions(base: str) -> None:
    for document in changed(base):
        check(EXAMPLES["bases"][base]["kind"], json.dumps(document, indent=1, ensure_ascii=False))


@pytest.mark.parametrize("kind", [one.name for one in KINDS if one.form == "document" and one.dialect == "kubernetes"])
@pytest.mark.parametrize(
    "text",
    ["[" * 2000 + "]" * 2000, '{"a":' * 500 + "1" + "}" * 500, '{"a": 1, "a": 2}', "a: [", "- &a [*a]", "\ufeff{}"],
)
def test_hostile_texts_are_checked_without_a_crash(kind: str, text: str) -> None:
    check(kind, text)


def test_very_many_unknown_keys_are_reported_in_bounded_time() -> None:
    sound = {"schema_version": "v0.1.0", "image": "a", "container_name": "a", "transport": "stdio"}
    faults = check_runconfig(sound | {f"transport{number}": 1 for number in range(20_000)})
    assert len(faults) == 20_000
    assert sum(fault.hint is not None for fault in faults) == MOST_GUESSES
