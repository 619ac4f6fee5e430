"""What a template prints, piece by piece."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.vmcp.workflow.lint.printed import can_print, literal, pieces
from mcpcfg.compiler.vmcp.workflow.model import read


def printed(template: str) -> list[str | None]:
    """Return the texts that a template always prints, ``None`` for those that are not known."""
    properties = {"i": {"type": "integer"}, "b": {"type": "boolean"}, "s": {"type": "string"}}
    parameters = {"type": "object", "properties": properties}
    step = {"id": "a", "tool": "t.a", "arguments": {"x": template}}
    workflow = read({"name": "w", "parameters": parameters, "steps": [step]})
    (text,) = workflow.templates
    found = pieces(text, workflow)
    assert found is not None
    assert literal(found) == (None if None in [one.text for one in found] else "".join(one.text or "" for one in found))
    assert [can_print(found, (word,)) for word in ("true", "7", "other words")] == WORDS[template]
    return [one.text for one in found]


WORDS = {
    "x": [False, False, False],
    "{{true}}": [True, False, False],
    "{{false}}": [False, False, False],
    "{{7}}": [False, True, False],
    "{{1.50}}": [False, False, False],
    '{{"other words"}}': [False, False, True],
    "{{.params.i}}": [False, True, False],
    "{{.params.b}}": [True, False, False],
    "{{.params.s}}": [True, True, True],
    "other {{.params.s}}": [False, False, True],
    "{{.params.i}}{{.params.i}}": [False, False, False],
    "{{if .params.b}}x{{end}}": [True, True, True],
    "{{$v := 1}}true": [True, False, False],
}


@pytest.mark.parametrize(
    ("template", "texts"),
    [
        ("x", ["x"]),
        ("{{true}}", ["true"]),
        ("{{false}}", ["false"]),
        ("{{7}}", ["7"]),
        ("{{1.50}}", ["1.5"]),
        ('{{"other words"}}', ["other words"]),
        ("{{.params.i}}", [None]),
        ("{{.params.b}}", [None]),
        ("{{.params.s}}", [None]),
        ("other {{.params.s}}", ["other ", None]),
        ("{{.params.i}}{{.params.i}}", [None, None]),
        ("{{if .params.b}}x{{end}}", [None]),
        ("{{$v := 1}}true", ["true"]),
    ],
)
def test_constants_are_printed_like_go_and_other_values_have_a_kind(template: str, texts: list[str | None]) -> None:
    assert printed(template) == texts
