from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcfg.compiler.language.cel.reference import compile_reference
from mcpcfg.compiler.language.cel.rule import compile_rule
from mcpcfg.compiler.language.cel.value import CelError
from mcpcfg.compiler.language.fault import FaultError

RULES = (
    "!has(self.rate) || (has(self.store) && self.store.provider == 'redis')",
    "self.type == 'inline' ? has(self.inline) : !has(self.inline)",
    "(self.type == 'configMap') == has(self.configMap)",
    "!has(self.tools) || !self.tools.exists(t, has(t.perUser)) || has(self.ref)",
    "!has(self.headers) || !has(self.secret) || self.secret.all(s, !(s.name in self.headers))",
    "has(self.shared) || has(self.rate) || (has(self.tools) && size(self.tools) > 0)",
    "!has(self.timeout) || duration(self.timeout) >= duration('1s')",
    "has(self.type) && self.type in ['inline', 'configMap']",
    "has(self.tools) && self.tools.all(t, t.name.startsWith('a') || t.name.endsWith('b'))",
    "has(self.tools) && self.tools.filter(t, t.name == 'a').size() == 1",
    "has(self.tools) && self.tools.map(t, t.name) == ['a']",
    "has(self.tools) && self.tools.exists_one(t, t.name == 'ab')",
)

text = st.sampled_from(["inline", "configMap", "redis", "a", "ab", "", "2s", "1h30m", "500ms"])
empty: st.SearchStrategy[dict[str, Any]] = st.just({})
tool = st.fixed_dictionaries({"name": text}, optional={"perUser": empty})
document = st.fixed_dictionaries(
    {"type": text},
    optional={
        "rate": empty,
        "store": st.fixed_dictionaries({}, optional={"provider": text}),
        "inline": st.just({}),
        "configMap": st.just({}),
        "tools": st.lists(tool, max_size=3),
        "ref": st.just({}),
        "headers": st.dictionaries(text, text, max_size=2),
        "secret": st.lists(tool, max_size=2),
        "shared": st.just({}),
        "timeout": text,
    },
)


def outcome(function: Any, value: Any) -> Any:
    try:
        return function(self=value)
    except CelError:
        return "error"


@pytest.mark.parametrize("expression", RULES)
def test_the_generated_python_agrees_with_cel_python(expression: str) -> None:
    ours, theirs = compile_rule(expression), compile_reference(expression)

    @settings(max_examples=40)
    @given(document)
    def agree(value: dict[str, Any]) -> None:
        assert outcome(ours, value) == outcome(theirs, value)

    agree()


def test_known_differences_of_cel_python_are_still_there() -> None:
    """Where this fails cel-python has changed, and the list in ``reference`` is to be corrected."""
    assert outcome(compile_rule("self.a == 1"), {"a": "1"}) is False
    assert outcome(compile_reference("self.a == 1"), {"a": "1"}) == "error"
    assert outcome(compile_rule("duration('1d') == duration('24h')"), {}) == "error"
    assert outcome(compile_reference("duration('1d') == duration('24h')"), {}) is True
    assert compile_rule("[1,] == [1]")(self={})
    with pytest.raises(FaultError):
        compile_reference("[1,] == [1]")


def test_a_fault_has_a_line_number() -> None:
    with pytest.raises(FaultError) as caught:
        compile_reference("true &&\n  self.(")

    assert str(caught.value).startswith("2:")


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 2**70])
def test_an_integer_beyond_64_bits_is_a_float_as_the_api_server_decodes_it(number: int) -> None:
    assert compile_reference("type(self.n[0]) == double")(self={"n": [number]})
    assert compile_reference("type(self.n) == int")(self={"n": 2**63 - 1})
