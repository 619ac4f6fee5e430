import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from mcpcfg.compiler.golang.strconv import NumberError
from mcpcfg.compiler.golang.value import SortedMap, json_numbers, sorted_maps
from mcpcfg.compiler.golang.yaml import sigs, v3

# Without what go-yaml itself does not write so that it reads back: rare line breaks, byte order marks, "=", and in
# yaml.v3 texts over several lines that begin with a space or line break (a wrong indentation hint inside of lists).
_TEXTS = st.text("ab01 .:#-?'\"\n\t,[]{}&*!|>%@~\\é\x07😀", max_size=120).filter(
    lambda text: "\n" not in text or text[0] not in " \n"
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 53), 1 << 53) | _TEXTS,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(_TEXTS, children, max_size=4),
    max_leaves=12,
)


def _read(text: str, version: str) -> Any:
    reader = YAML(typ="safe", pure=True)
    reader.version = version
    return reader.load(text)


@pytest.mark.parametrize("version", ["1.1", "1.2"])
@given(value=_VALUES)
def test_a_written_value_reads_back_equal(version: str, value: Any) -> None:
    assert _read(sigs.dump(value), version) == value
    assert _read(v3.dump(value), version) == value


@given(_VALUES)
def test_the_same_value_gives_the_same_text_in_any_key_order(value: Any) -> None:
    turned = _turned(value)
    assert sigs.dump(turned) == sigs.dump(value)
    assert v3.dump(sorted_maps(turned)) == v3.dump(sorted_maps(value))


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _turned(value[key]) for key in reversed(value)}
    return [_turned(child) for child in value] if isinstance(value, list) else value


def test_maps_are_sorted_in_natural_order() -> None:
    order = ["-a", "_a", "1", "2", "10", "A", "X-Api", "Z", "a", "a-b", "a.b", "a/b", "a_b", "a1", "a2", "a10", "aB"]
    text = v3.dump(SortedMap.fromkeys(reversed(order), 0))
    assert [line.removesuffix(": 0").strip('"') for line in text.splitlines()] == order


def test_after_equal_digits_the_newer_library_puts_letters_first() -> None:
    value = SortedMap({"a1b": 0, "a1-": 0})
    assert v3.dump(value) == "a1b: 0\na1-: 0\n"
    assert sigs.dump(value) == "a1-: 0\na1b: 0\n"


def test_a_struct_keeps_its_order_in_the_newer_library_only() -> None:
    assert v3.dump({"b": 1, "a": 2}) == "b: 1\na: 2\n"
    assert sigs.dump({"b": 1, "a": 2}) == "a: 2\nb: 1\n"


@pytest.mark.parametrize(
    ("value", "by_v3", "by_sigs"),
    [
        (3, "3", "3"),
        (1000000, "1000000", "1000000"),
        (1000000.0, "1e+06", "1000000"),
        (1500000.0, "1.5e+06", "1500000"),
        (100000.0, "100000", "100000"),
        (0.5, "0.5", "0.5"),
        (-0.0, "-0", "0"),
        (1e-5, "1e-05", "1e-05"),
        (1 << 63, "9.223372036854776e+18", "9223372036854776000"),
        (-1e19, "-1e+19", "-1e+19"),
        (2.0**64, "1.8446744073709552e+19", "1.8446744073709552e+19"),
    ],
)
def test_numbers_are_written_as_each_library_writes_them(value: float, by_v3: str, by_sigs: str) -> None:
    assert v3.dump(value) == by_v3 + "\n"
    assert sigs.dump(value) == by_sigs + "\n"


def test_infinities_are_written_by_one_library_and_refused_by_the_other() -> None:
    assert v3.dump([math.inf, -math.inf, math.nan]) == "- .inf\n- -.inf\n- .nan\n"
    with pytest.raises(NumberError):
        sigs.dump([math.inf])


@pytest.mark.parametrize(
    "text",
    [
        *("y", "No", "ON", "null", "~", "", "0x1f", "0o7", "0b1", "1_000", "012", "+1", ".5", "5.", "1e3", ".inf"),
        *("2001-12-14", "2001-1-2", "2001-12-14T1:2:3Z", "2001-12-14t1:2:3.5+24:60", "2001-12-14  1:2:3,5"),
        *("1:30", "-1:59:59.5", "0xffffffffffffffff", "-0x8000000000000000", "0b-1", ".5_0", "2000-02-29"),
    ],
)
def test_texts_that_would_read_as_another_type_are_quoted(text: str) -> None:
    assert v3.dump(text) == f'"{text}"\n'
    assert sigs.dump(text) == f'"{text}"\n'


@pytest.mark.parametrize(
    "text",
    [
        *("a,b", "x{y}", "--", ":x", "?x", "=", "http://h:80/p#f", "it's", "yEs", "1e", "0x", "1:60", "..", "1e999"),
        *("2001-2-29", "2001-13-01", "2001-12-14T1:2:3", "2001-12-14 1:2:3Z", "0x10000000000000000", "10.0.0.1"),
        *("2001-12-14T1:2:3+25:00", "2001-12-14T24:00:00Z", ".1.2", "+_", "0b2", "08:99"),
    ],
)
def test_other_texts_stay_plain(text: str) -> None:
    assert v3.dump(text) == f"{text}\n"
    assert sigs.dump(text) == f"{text}\n"


def test_a_sign_after_the_octal_prefix_is_a_number_for_the_newer_library_only() -> None:
    assert v3.dump("0o-7") == '"0o-7"\n'
    assert sigs.dump("0o-7") == "0o-7\n"


def test_only_the_newer_library_writes_tabs_in_literals() -> None:
    assert v3.dump({"a": "b\n\tc"}) == "a: |-\n    b\n    \tc\n"
    assert sigs.dump({"a": "b\n\tc"}) == 'a: "b\\n\\tc"\n'


def test_a_key_over_several_lines_gets_a_question_mark() -> None:
    value = SortedMap({"a\nb": ["c"], "k" * 129: {"d": "e"}})
    assert v3.dump(value) == f"? |-\n    a\n    b\n:   - c\n? {'k' * 129}\n:   d: e\n"
    assert sigs.dump(value) == f"? |-\n  a\n  b\n: - c\n? {'k' * 129}\n: d: e\n"


def test_long_lines_are_folded_in_kubernetes_yaml_only() -> None:
    plain = " ".join(["lorem"] * 20)
    assert v3.dump({"a": plain}) == f"a: {plain}\n"
    assert sigs.dump({"a": plain}) == f"a: {' '.join(['lorem'] * 14)}\n  {' '.join(['lorem'] * 6)}\n"
    quoted = "\a " + plain
    assert sigs.dump(quoted) == f'"\\a {" ".join(["lorem"] * 13)}\n  {" ".join(["lorem"] * 7)}"\n'


def test_a_byte_order_mark_in_front_escapes_everything_behind_it() -> None:
    assert v3.dump("\ufeffa b") == '"\\uFEFF\\x61\\x20\\x62"\n'
    assert v3.dump("a\ufeffb") == '"a\\uFEFFb"\n'


def test_rare_line_breaks_are_padded_like_go_does() -> None:
    assert sigs.dump({"a": "b\u2028c"}) == "a: 'b\u2028  c'\n"
    assert v3.dump({"a": "b\u2028\nc"}) == "a: |-\n    b\u2028\n    c\n"


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    assert v3.dump({"\ud800": "a\udc80"}) == '"\ufffd": "a\ufffd"\n'


def test_nested_lists_and_objects_start_after_the_dash() -> None:
    value = json_numbers({"v": [[1, [2]], {"a": [{"b": [], "c": {}}]}]})
    assert v3.dump(value) == "v:\n    - - 1\n      - - 2\n    - a:\n        - b: []\n          c: {}\n"
    assert sigs.dump(value) == "v:\n- - 1\n  - - 2\n- a:\n  - b: []\n    c: {}\n"
