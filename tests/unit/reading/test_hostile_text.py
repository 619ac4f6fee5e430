"""Texts that are made to do harm end in a finding, in bounded time and memory."""

import itertools
from time import process_time

import pytest

from mcpcfg.compiler.reading import bound
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.reading.node import Dialect
from mcpcfg.compiler.reading.suppression_comment import ignores

_MANY = 100_000
_NINE = "abcdefghi"

HOSTILE = {
    "alias bomb": (
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"{one}: &{one} [{','.join(['*' + other] * 9)}]\n" for other, one in itertools.pairwise(_NINE)),
        "SYN017",
    ),
    "aliases in a chain": (
        "a0: &a0 x\n" + "".join(f"a{n}: &a{n} {'[' * 50}*a{n - 1}{']' * 50}\n" for n in range(1, 300)),
        "SYN016",
    ),
    "brackets": ("[" * _MANY, "SYN016"),
    "brackets and then a bad character": ("[" * 1010 + "`", "SYN008"),
    "keyless question mark": ("[" * 90 + "?" + "]" * 90, "SYN008"),
    "closed brackets": ("[" * _MANY + "]" * _MANY, "SYN016"),
    "braces": ("{a: " * _MANY, "SYN016"),
    "json brackets": ('{"a":' + "[" * _MANY, "SYN016"),
    "dashes": ("- " * _MANY + "x", "SYN016"),
    "wide dashes": ("-  " * _MANY + "x", "SYN016"),
    "question marks": ("? " * _MANY + "x", "SYN016"),
    "stairs": ("\n".join(" " * n + "a:" for n in range(1500)), "SYN016"),
    "stairs of lists": ("\n".join(f"{' ' * n}-" for n in range(1500)), "SYN016"),
    "markers": ("---\n" * _MANY, "SYN016"),
    "markers with carriage returns": ("a\r---\r" * _MANY, "SYN016"),
    "ends": ("a\n...\n" * _MANY, "SYN016"),
    "directives": ("%TAG !a! x\n" * _MANY + "---\na", "SYN016"),
    "items": ("[" + "1," * 600_000 + "]", "SYN016"),
    "json items": ("[" + "1," * 2_100_000 + "1]", "SYN016"),
    "one key": ("k: v\n" * 20_000, "SYN010"),
    "one json key": ("{" + '"k":1,' * _MANY + '"k":1}', "SYN010"),
    "odd colons": ("[" + "a:," * _MANY + "]", "SYN006"),
    "quotes": ('"' * _MANY, "SYN001"),
    "backslashes": ('"' + "\\" * _MANY, "SYN003"),
    "anchor": ("&a " * _MANY, "SYN001"),
    "long key": ("x" * _MANY + ": 1", "SYN005"),
    "template openings": ("{{" * _MANY, "SYN016"),
    "control characters": ("".join(map(chr, range(1, 9))) * _MANY, "SYN015"),
    "NULs": ("\0" * _MANY, "SYN015"),
}


@pytest.mark.parametrize(("text", "rule"), HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("dialect", ["kubernetes", "vmcp"])
def test_a_hostile_text_ends_in_findings(text: str, rule: str, dialect: Dialect) -> None:
    file = "a.json" if text.startswith(('{"', '["')) else "a.yaml"
    began = process_time()
    documents, findings = read_documents(text, file, dialect=dialect)

    assert documents == [] or rule == "SYN001"
    assert {finding.rule for finding in findings} == {rule}
    assert len(findings) <= bound.MAX_FAULTS
    assert process_time() - began < 30


HARMLESS = {
    "scalar": "a: " + "x" * 5_000_000,
    "digits": "a: " + "1" * 1_000_000,
    "quoted": 'a: "' + "\\n" * 1_000_000 + '"',
    "block": "a: |\n  " + "x " * 2_000_000,
    "blanks": " " * 5_000_000 + "a",
    "lines": "\n" * 1_000_000 + "a: b",
    "keys": "\n".join(f"k{n}: v" for n in range(50_000)),
    "anchors": "\n".join(f"- &a{n} x\n- *a{n}" for n in range(10_000)),
    "json string": '{"a": "' + "\\ud800" * 200_000 + '"}',
    "json digits": '{"a": 1.' + "1" * 1_000_000 + "}",
    "comments": "# mcpcfg: ignore[A]\n" * 20_000 + "a: 1",
    "deep enough": "{a: " * 99 + "1" + "}" * 99,
    "brackets in text": "a: '" + "[{" * _MANY + "'",
    "dashes in text": "a: >\n  " + "- " * _MANY,
}


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_a_large_text_is_read(text: str) -> None:
    began = process_time()
    documents, findings = read_documents(text, "a.yaml")

    assert findings == []
    assert len(documents) == 1
    assert documents[0].span(("a",)).file == "a.yaml"
    ignores(text, "a.yaml")
    assert process_time() - began < 30


@pytest.mark.parametrize("depth", [bound.MAX_DEPTH - 1, bound.MAX_DEPTH])
@pytest.mark.parametrize("form", ["[{}]", "{{a: {}}}", "- {}", '{{"a": {}}}'])
@pytest.mark.parametrize("innermost", ["{}", "[1]"])
def test_the_bound_on_nesting_is_exact(depth: int, form: str, innermost: str) -> None:
    text = innermost
    for _ in range(depth):
        text = form.format(text)

    documents, findings = read_documents(text, "a.yaml")

    assert (len(documents), [finding.rule for finding in findings]) == (
        (1, []) if depth < bound.MAX_DEPTH else (0, ["SYN016"])
    )


@pytest.mark.parametrize(("repeated", "refused"), [(3923, False), (3924, True)])
@pytest.mark.parametrize("dialect", ["kubernetes", "vmcp"])
def test_repeated_aliases_are_refused_at_the_limit_of_go(repeated: int, refused: bool, dialect: Dialect) -> None:
    """The number of aliases at which Go's readers, asked themselves, begin to refuse this text."""
    text = f"a: &a [{', '.join(['x'] * 100)}]\nb: [{', '.join(['*a'] * repeated)}]\n"

    findings = read_documents(text, "a.yaml", dialect=dialect)[1]

    assert [finding.rule for finding in findings] == (["SYN017"] if refused else [])
