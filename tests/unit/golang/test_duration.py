import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.golang.duration import DurationError, format_duration, meant_duration, parse_duration

_LONGEST = (1 << 63) - 1


@given(st.integers(-_LONGEST - 1, _LONGEST))
def test_a_written_duration_reads_back_equal(nanoseconds: int) -> None:
    assert parse_duration(format_duration(nanoseconds)) == nanoseconds


@given(st.text("0123456789.+-nuµμmsh ", max_size=40))
def test_any_text_is_a_duration_that_go_can_hold_or_refused(text: str) -> None:
    try:
        nanoseconds = parse_duration(text)
    except DurationError:
        return
    assert -_LONGEST - 1 <= nanoseconds <= _LONGEST


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("30s", "30s"),
        ("60s", "1m0s"),
        ("90s", "1m30s"),
        ("1h", "1h0m0s"),
        ("1500ms", "1.5s"),
        ("250ms", "250ms"),
        ("0", "0s"),
        ("-0", "0s"),
        ("+1.5h", "1h30m0s"),
        ("1us", "1µs"),
        ("1µs", "1µs"),
        ("1μs", "1µs"),
        ("1.000001ms", "1.000001ms"),
        (".5s", "500ms"),
        ("5.s", "5s"),
        ("1h1h", "2h0m0s"),
        ("3s1ns", "3.000000001s"),
        ("0.9999999999ns", "0s"),
        ("0.3333333333333333333h", "20m0s"),
        ("2562047h47m16.854775807s", "2562047h47m16.854775807s"),
        ("-2562047h47m16.854775808s", "-2562047h47m16.854775808s"),
        ("9223372036854775808ns9223372036854775808ns", "0s"),
    ],
)
def test_durations_in_their_normal_form(text: str, normal: str) -> None:
    assert format_duration(parse_duration(text)) == normal


@pytest.mark.parametrize(
    "text",
    [
        *("", "-", "+", ".", "1", "1.5", "00", ".s", "-.s", "1d", "1 s", " 1s", "1s ", "s", "1S", "--1s", "1e3s"),
        *("9223372036854775808ns", "2562048h", "9223372036854775807h", "99999999999999999999ns", "\uff13s"),
    ],
)
def test_a_text_that_is_not_a_duration_is_refused(text: str) -> None:
    with pytest.raises(DurationError):
        parse_duration(text)


def test_the_error_says_what_is_missing() -> None:
    with pytest.raises(DurationError, match="without unit"):
        parse_duration("10")
    with pytest.raises(DurationError, match='unknown unit "d"'):
        parse_duration("1d")


def test_a_duration_with_a_million_digits_is_parsed_or_refused() -> None:
    assert parse_duration("0." + "1" * 1_000_000 + "s") == 111111111
    with pytest.raises(DurationError):
        parse_duration("1" * 1_000_000 + "s")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("5 minutes", "5m"),
        ("1 day", "24h"),
        ("1h 30m", "1h30m"),
        ("1 hour and 5 minutes", "1h5m"),
        ("500 millis", "500ms"),
        ("5 minutes ago", None),
        ("5 fortnights", None),
        ("10", None),
        ("9" * 100, None),
    ],
)
def test_words_for_units_mean_a_duration(text: str, meant: str | None) -> None:
    assert meant_duration(text) == meant
    assert meant is None or parse_duration(meant) > 0
