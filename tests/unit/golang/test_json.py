import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.golang.json import compact, indented, number, string
from mcpcfg.compiler.golang.strconv import NumberError
from mcpcfg.compiler.golang.value import RawJson, SortedMap, json_numbers, sorted_maps

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
_SCALARS = st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | st.floats(allow_nan=False) | _TEXTS
_VALUES = st.recursive(
    _SCALARS.filter(lambda value: value not in (math.inf, -math.inf)),
    lambda children: st.lists(children) | st.dictionaries(_TEXTS, children),
    max_leaves=20,
)


@given(_VALUES)
def test_a_written_value_reads_back_equal(value: Any) -> None:
    # A float may be written without a point, so both sides are compared as the float64 that Go reads.
    assert json.loads(indented(value), parse_int=float) == json_numbers(value)
    assert json.loads(compact(value), parse_int=float) == json_numbers(value)


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_integers_keep_every_digit(value: int) -> None:
    assert json.loads(indented([value])) == [value]


@given(_VALUES)
def test_indented_and_compact_json_have_the_same_values(value: Any) -> None:
    read = json.loads(indented(value, sort_keys=True), parse_int=float)
    assert compact(read) == compact(json_numbers(value))


def test_a_struct_keeps_its_order_and_a_map_is_sorted_by_bytes() -> None:
    value = {"z": 1, "a": SortedMap({"b": 1, "B": 2, "a10": 3, "a9": 4, "é": 5}), "raw": {"y": 1, "x": 2}}
    assert compact(value) == '{"z":1,"a":{"B":2,"a10":3,"a9":4,"b":1,"é":5},"raw":{"y":1,"x":2}}'
    assert compact(sorted_maps(value)) == '{"a":{"B":2,"a10":3,"a9":4,"b":1,"é":5},"raw":{"x":2,"y":1},"z":1}'


def test_empty_objects_and_lists_stay_on_one_line() -> None:
    assert indented({"a": {}, "b": [], "c": [{}]}) == '{\n  "a": {},\n  "b": [],\n  "c": [\n    {}\n  ]\n}'


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<a>&b", '"\\u003ca\\u003e\\u0026b"'),
        ("\u2028\u2029", '"\\u2028\\u2029"'),
        ('"\\/', '"\\"\\\\/"'),
        ("\b\f\n\r\t", '"\\b\\f\\n\\r\\t"'),
        ("\x00\x1f\x7f", '"\\u0000\\u001f\x7f"'),
        ("é😀\ufffd", '"é😀\ufffd"'),
        ("a\udc80b", '"a\\ufffdb"'),
    ],
)
def test_strings_are_escaped_like_go(text: str, written: str) -> None:
    assert string(text) == written
    assert compact([text]) == f"[{written}]"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (0.5, "0.5"),
        (1e6, "1000000"),
        (0.000001, "0.000001"),
        (9.5e-7, "9.5e-7"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (-1.5e300, "-1.5e+300"),
        (5e-324, "5e-324"),
        ((1 << 63) - 1, "9223372036854775807"),
        (1 << 63, "9223372036854776000"),
        (123456789012345678901234567890, "1.2345678901234568e+29"),
    ],
)
def test_numbers_are_written_like_go(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 10**400])
def test_infinities_and_nan_are_refused(value: float) -> None:
    with pytest.raises(NumberError):
        compact([value])


def test_free_form_numbers_become_floats_and_truth_values_stay() -> None:
    value = json_numbers({"b": [1, True, None, "1"], "a": 10**18})
    assert value == {"b": [1.0, True, None, "1"], "a": 1e18}
    assert [type(item) for item in value["b"]] == [float, bool, type(None), str]
    assert isinstance(value, SortedMap)


@given(_VALUES.filter(lambda value: not isinstance(value, float)))
def test_a_raw_json_text_is_indented_like_its_value(value: Any) -> None:
    raw = RawJson(json.dumps(value, ensure_ascii=False, separators=(" ,\n", ":\t ")))
    same = RawJson(compact(value))
    assert indented({"a": [same]}) == indented({"a": [value]})
    assert compact({"a": same}) == compact({"a": value})
    assert json.loads(indented(raw)) == json.loads(raw.text)


def test_a_raw_text_keeps_escapes_numbers_and_repeated_keys() -> None:
    raw = RawJson(r' {"b": "\/<\u0041", "a":1.0,"a" : [ ],"c": {"d":[1e3]}}')
    assert compact(raw) == r'{"b":"\/\u003c\u0041","a":1.0,"a":[],"c":{"d":[1e3]}}'
    assert indented(raw).splitlines() == [
        "{",
        r'  "b": "\/\u003c\u0041",',
        '  "a": 1.0,',
        '  "a": [],',
        '  "c": {',
        '    "d": [',
        "      1e3",
        "    ]",
        "  }",
        "}",
    ]
