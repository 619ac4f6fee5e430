import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.golang.regexp import PatternError, compile_pattern

# What both Go and Python read, and read in the same way.
_ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\.", r"\d", r"\b", "^", "a*", "b+?", "a?", "b{2}", "a{0,2}"])
_PATTERNS = st.recursive(
    _ATOMS,
    lambda inner: (
        st.tuples(inner, inner).map("".join)
        | st.tuples(inner, inner).map("|".join)
        | inner.map("({})".format)
        | inner.map("(?:{})*".format)
    ),
    max_leaves=8,
)


@given(_PATTERNS, st.text("ab.1 \n", max_size=8))
def test_patterns_of_both_languages_match_as_in_python(pattern: str, text: str) -> None:
    assert compile_pattern(pattern).search(text) == bool(re.search(pattern, text, re.ASCII))


@given(st.text("ab()[]{}|*+?^$.\\-:,=<>!PpQEis012 ", max_size=30), st.text("ab-1 ", max_size=10))
def test_any_text_is_a_pattern_or_refused(pattern: str, text: str) -> None:
    try:
        compiled = compile_pattern(pattern)
    except PatternError:
        return
    assert compiled.search(text) in {True, False}


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [("a*", "baac", ["", "aa", ""]), ("x*", "é", ["", ""]), ("", "€a", ["", "", ""]), ("é", "aéé", ["é", "é"])],
)
def test_all_matches_are_those_of_go(pattern: str, text: str, found: list[str]) -> None:
    assert compile_pattern(pattern).find_all(text) == found


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("a$", "a\n", False),
        ("(?m)a$", "a\n", True),
        ("(?m)^b", "a\nb", True),
        ("^b", "a\nb", False),
        ("a.b", "a\nb", False),
        ("(?s)a.b", "a\nb", True),
        ("[^a]", "\n", True),
        (r"\d", "\u0663", False),
        (r"\w", "é", False),
        (r"\s", "\v", False),
        ("[[:space:]]", "\v", True),
        (r"é\b", "é", False),
        (r"\Aa\z", "a", True),
        (r"\Qa.b\E", "axb", False),
        (r"\Qa.b", "a.b", True),
        (r"\x41\x{e9}\101", "AéA", True),
        (r"\pL", "é", True),
        (r"\p{Uppercase_Letter}", "é", False),
        (r"\P{^L}", "é", True),
        (r"[^\pL\d]", "é1", False),
        (r"(?i)[k]", "\u212a", True),
        (r"(?i)\W", "\u212a", False),
        (r"(?i)STRASSE|straße", "STRAẞE", True),
        (r"(?i:a)b", "Ab", True),
        (r"(?i:a)b", "AB", False),
        (r"(?i)a(?-i)b", "AB", False),
        (r"\p{Greek}", "a", False),
        (r"\p{greek}", "\u03b1", True),
        (r"[^\p{Old_Italic}\p{^L}]", "\U00010300", False),
        (r"\Q\p{greek}", r"\p{greek}", True),
        ("[{99999999999}é(?<é>]", "{", True),
        ("a", "\ud800a", True),
        (r"a{,2}", "a{,2}", True),
        (r"x{01}", "x{01}", True),
        ("a{2}", "a", False),
        ("^(a{2,3}){2}$", "aaaaaa", True),
        ("^(a{2,3}){2}$", "aaaaaaa", False),
        ("", "", True),
        ("()|b*", "", True),
        ("a(?i)*", "", True),
        ("(?P<name>a)(?<name>b)", "ab", True),
        ("[]a]", "]", True),
        ("[a-]", "-", True),
        (r"[\d-z]", "-", True),
        ("a{1000}", "a" * 999, False),
    ],
)
def test_patterns_mean_what_they_mean_in_go(pattern: str, text: str, matches: bool) -> None:
    assert compile_pattern(pattern).search(text) is matches


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            "(?=a)",
            "(?!a)",
            "(?<=a)",
            "(?<!a)",
            "(?>a)",
            "(?#c)",
            "(?x)a",
            "(?i",
            "(?i-)a",
            "(?--i)",
            "(?P=n)",
            "(?'n'a)",
        ),
        *(
            r"(a)\1",
            r"\8",
            r"\k<a>",
            r"\Z",
            r"\G",
            r"\C",
            r"\R",
            r"\X",
            r"\h",
            r"\e",
            r"\cA",
            r"\u0041",
            r"\N{X}",
            r"\é",
        ),
        *("a++", "a*+", "a**", "a{2}{3}", "*", "|*", "(*)", "a|*", "{1}", "a{1001}", "a{2,1}", "a{99999999999}"),
        *("(", ")", "a)", "(a", "[", "[]", "[^]", "[a", "[z-a]", r"[a-\d]", r"[\b]", r"[\Q]", "[[:foo:]]", "[[:alpha:"),
        *(r"\x{110000}", r"\x{}", r"\x4", r"\xg1", "\\", r"\p", r"\p{}", r"\p{Foo}", r"\p{L", "(?<n-m>a)", "(?<>a)"),
        *("(a{100}){11}", "((a{10}){10}){11}", "a{0,99999999999}", "(?P<é>a)", r"\p{old_italic}", r"\pé"),
    ],
)
def test_patterns_that_go_refuses(pattern: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(?=a)", 'invalid or unsupported Perl syntax: "(?="'),
        ("a**", 'invalid nested repetition operator: "**"'),
        ("a{1001}", 'invalid repeat count: "{1001}"'),
        ("(a", "missing closing )"),
        ("é[a", 'missing closing ]: "[a"'),
        ("*", "missing argument to repetition operator"),
        ("a\\", "trailing backslash at end of expression"),
        ("(?P<>a)", 'invalid named capture: "(?P<>"'),
        (r"é\é", r'invalid escape sequence: "\\é"'),
        (r"a\p{Foo}", r'invalid character class range: "\\p{Foo}"'),
        ("a)", "unexpected )"),
    ],
)
def test_an_error_has_the_message_of_go(pattern: str, why: str) -> None:
    with pytest.raises(PatternError) as raised:
        compile_pattern(pattern)
    assert str(raised.value).partition(" is not a regular expression for Go: ")[2] == why


def test_nested_counts_may_multiply_to_a_thousand() -> None:
    assert compile_pattern("^((a{10}){10}){10}$").search("a" * 1000)


@pytest.mark.parametrize("pattern", [r"\p{ASCII}", r"[^\pc]", "a" * 60_000, "[a-z]{1000}" * 400])
def test_an_undecidable_match_counts_as_a_match(pattern: str) -> None:
    assert compile_pattern(pattern).search("")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a+)+$", "a" * 100_000 + "b"),
        ("(a|a)*b", "a" * 100_000),
        ("(?:a?){30}a{30}", "a" * 29),
        ("(x+x+)+y", "x" * 100_000),
        ("(.*)(.*)(.*)(.*)(.*)[^ab]", "ab" * 50_000),
        (".{1,1000}x", "y" * 100_000),
        ("(a.{0,900}b)+z", "ab" * 50_000),
        (r"[\s\S]{500}é", "".join(map(chr, range(0x4E00, 0x9FFF)))),
    ],
)
def test_hostile_patterns_take_bounded_time(pattern: str, text: str) -> None:
    start = time.process_time()
    compile_pattern(pattern).search(text)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a**", "invalid nested repetition operator"),
        ("(?P<a", "invalid named capture"),
        ("(?z)", "invalid or unsupported Perl syntax"),
        ("a{1001}", "invalid repeat count"),
        ("(", "missing closing )"),
        ("[a", "missing closing ]"),
        ("*", "missing argument to repetition operator"),
        ("a\\", "trailing backslash at end of expression"),
    ],
)
def test_an_invalid_pattern_has_the_error_of_go(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError, match=re.escape(reason) + "(:|$)"):
        compile_pattern(pattern)
