import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.golang.strconv import (
    NumberError,
    format_float,
    format_plain,
    parse_any_int,
    parse_bool,
    parse_float,
    parse_int,
    quote,
)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_written_float_reads_back_equal(value: float) -> None:
    assert parse_float(format_float(value)) == value
    assert parse_float(format_plain(value)) == value


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_an_integer_reads_back_equal_in_every_base(value: int) -> None:
    assert parse_int(str(value)) == value
    assert [parse_any_int(text) for text in (str(value), hex(value), oct(value), bin(value))] == [value] * 4


@given(st.text(max_size=12))
def test_any_text_is_a_number_or_refused(text: str) -> None:
    for read in (parse_float, parse_int, parse_any_int):
        try:
            read(text)
        except NumberError as error:
            assert str(error)  # noqa: PT017 - the property is that nothing else is raised


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("+1e3", 1000.0),
        ("1_000.5_0", 1000.5),
        ("0x1p-2", 0.25),
        ("0X_1.8P1", 3.0),
        ("-Inf", -math.inf),
        ("infinity", math.inf),
        ("1e-400", 0.0),
    ],
)
def test_floats_that_go_reads(text: str, value: float) -> None:
    assert parse_float(text) == value


@pytest.mark.parametrize("text", ["", " 1", "1 ", "1__0", "_1", "1_", "1e", "0x1", "+nan", "0b1", "\u0661", "1\n"])
def test_a_text_that_is_not_a_float_in_go_is_refused(text: str) -> None:
    with pytest.raises(NumberError) as caught:
        parse_float(text)
    assert not caught.value.out_of_range


@pytest.mark.parametrize("text", ["1e309", "-1e400", "0x1p1024", "9" * 400])
def test_floats_beyond_64_bits_are_out_of_range(text: str) -> None:
    with pytest.raises(NumberError) as caught:
        parse_float(text)
    assert caught.value.out_of_range


@pytest.mark.parametrize(("text", "bits"), [("2147483648", 32), ("-2147483649", 32), ("9223372036854775808", 64)])
def test_integers_beyond_the_type_are_out_of_range(text: str, bits: int) -> None:
    with pytest.raises(NumberError) as caught:
        parse_int(text, bits=bits)
    assert caught.value.out_of_range


@pytest.mark.parametrize("text", ["", "+", "1.0", "0x1", "1_0", " 1", "\uff19"])
def test_a_text_that_is_not_a_decimal_integer_is_refused(text: str) -> None:
    with pytest.raises(NumberError):
        parse_int(text)


@pytest.mark.parametrize(
    ("text", "value"), [("0x_1F", 31), ("-0b101", -5), ("0o17", 15), ("017", 15), ("+1_000", 1000), ("0", 0)]
)
def test_integer_literals_of_go(text: str, value: int) -> None:
    assert parse_any_int(text) == value


@pytest.mark.parametrize("text", ["08", "0x", "0b2", "1__0", "0_x1", "_1", "1_"])
def test_a_text_that_is_not_an_integer_literal_is_refused(text: str) -> None:
    with pytest.raises(NumberError):
        parse_any_int(text)


def test_twelve_words_are_booleans() -> None:
    assert all(parse_bool(word) for word in ("1", "t", "T", "true", "TRUE", "True"))
    assert not any(parse_bool(word) for word in ("0", "f", "F", "false", "FALSE", "False"))


@pytest.mark.parametrize("word", ["", "yes", "tRUE", "on", "2"])
def test_other_words_are_not_booleans(word: str) -> None:
    with pytest.raises(NumberError):
        parse_bool(word)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e5, "100000"),
        (1e6, "1e+06"),
        (123456789.123, "1.23456789123e+08"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (1e100, "1e+100"),
        (-0.0, "-0"),
        (math.inf, "+Inf"),
        (math.nan, "NaN"),
    ],
)
def test_floats_in_their_shortest_form(value: float, text: str) -> None:
    assert format_float(value) == text


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("a b", '"a b"'),
        ('"\\', '"\\"\\\\"'),
        ("\a\b\f\n\r\t\v", '"\\a\\b\\f\\n\\r\\t\\v"'),
        ("\x00\x7f", '"\\x00\\x7f"'),
        ("é\u200b\ue000\U000e0001", '"é\\u200b\\ue000\\U000e0001"'),
        ("\udcff", '"\\xff"'),
        ("\ud800", '"\\xed\\xa0\\x80"'),
    ],
)
def test_texts_are_quoted_like_string_literals_of_go(text: str, quoted: str) -> None:
    assert quote(text) == quoted
