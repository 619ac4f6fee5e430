from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.language.cel.parser import MAX_DEPTH, parse
from mcpcfg.compiler.language.cel.syntax import Call, Ident, Literal, Logic, Macro, Select
from mcpcfg.compiler.language.fault import FaultError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpcfg.compiler.diagnostics.fault import Flaw

TRUE, FALSE = (("Literal", "bool", value) for value in (True, False))
ONE, TWO, THREE = (("Literal", "int", value) for value in (1, 2, 3))
READS = (
    # the expression, and its tree without places
    ("[1,2,]", ("ListItems", (ONE, TWO))),
    ("[,]", ("ListItems", ())),
    ("{,}", ("MapItems", ())),
    ("{'a': 1,}", ("MapItems", ((("Literal", "string", "a"), ONE),))),
    ("claims.as", ("Select", ("Ident", "claims"), "as", False)),
    ("claims.`a-b`", ("Select", ("Ident", "claims"), "a-b", False)),
    ("- 9223372036854775808", ("Literal", "int", -9223372036854775808)),
    ("--1", ONE),
    ("!-1", ("Call", "!_", None, (("Literal", "int", -1),))),
    ("!!true", TRUE),
    ("0x7fffffffffffffff", ("Literal", "int", 9223372036854775807)),
    ("18446744073709551615u", ("Literal", "uint", 18446744073709551615)),
    (".5e3", ("Literal", "double", 500.0)),
    ("r'\\'", ("Literal", "string", "\\")),
    ("'''a\nb'''", ("Literal", "string", "a\nb")),
    ('"""a"b"""', ("Literal", "string", 'a"b')),
    ("b'\\x00\\377'", ("Literal", "bytes", b"\x00\xff")),
    ("'\\u00e9\\U0001F600\\?\\`'", ("Literal", "string", "é😀?`")),
    ("claims // a comment", ("Ident", "claims")),
    (
        "true ? (false ? 1 : 2) : 3",
        (
            "Call",
            "_?_:_",
            None,
            (
                TRUE,
                ("Call", "_?_:_", None, (FALSE, ONE, TWO)),
                THREE,
            ),
        ),
    ),
    (
        "true ? 1 : false ? 2 : 3",
        (
            "Call",
            "_?_:_",
            None,
            (
                TRUE,
                ONE,
                ("Call", "_?_:_", None, (FALSE, TWO, THREE)),
            ),
        ),
    ),
    (
        "google.protobuf.Timestamp{seconds: 1,}",
        ("Message", "google.protobuf.Timestamp", (("seconds", ONE, 26),)),
    ),
    (".claims.x", ("Select", ("Ident", ".claims"), "x", False)),
    ("has(has(a.b))", ("Select", ("Ident", "a"), "b", True)),
    ("claims.map(x, x, x)", ("Macro", "map", ("Ident", "claims"), "x", ("Ident", "x"), ("Ident", "x"), "")),
)

REFUSED = (
    # the expression, and where the fault stands
    ("", 0),
    ("claims.", 7),
    ("claims.in", 7),
    ("as", 0),
    ("in", 0),
    ("1.", 2),
    ("1 +", 3),
    ("(1", 2),
    ("[1,,]", 3),
    ("f(1,)", 4),
    ("{1}", 2),
    ("'a' 'b'", 4),
    ("true ? false ? 1 : 2 : 3", 13),
    ("-!true", 1),
    ("--9223372036854775808", 2),
    ("9223372036854775808", 0),
    ("0x8000000000000000", 0),
    ("18446744073709551616u", 0),
    ("1e400", 0),
    ("'\\q'", 0),
    ("'\\ud800'", 0),
    ("b'\\u0041'", 0),
    ("'a\nb'", 0),
    ("a = b", 2),
    ("a & b", 2),
    ("`x`", 0),
    ("claims.`x`()", 10),
    ("claims.?x", 6),
    ("claims[?1]", 7),
    ("[?1]", 1),
    ("{?'a': 1}", 1),
    ("google.protobuf.Timestamp{seconds: 1 nanos: 2}", 37),
    ("{'a': 1 'b': 2}", 8),
    ("has(claims)", 4),
    ("has(claims['x'])", 10),
    ("claims.exists(x.y, true)", 15),
    ("claims.all(__result__, true)", 11),
    ("claims.x == é", 12),
)


def outline(part: Any) -> Any:
    if isinstance(part, tuple):
        return tuple(map(outline, part))
    if is_dataclass(part):
        own = (getattr(part, field.name) for field in fields(part) if field.name != "offset")
        return (type(part).__name__, *map(outline, own))
    return part


@pytest.mark.parametrize(("expression", "tree"), READS)
def test_an_expression_that_cel_go_parses_is_parsed(expression: str, tree: Any) -> None:
    assert outline(parse(expression)) == tree


@pytest.mark.parametrize(("expression", "offset"), REFUSED)
def test_an_expression_that_cel_go_refuses_is_refused_at_the_same_position(expression: str, offset: int) -> None:
    with pytest.raises(FaultError) as caught:
        parse(expression)

    assert [fault.offset for fault in caught.value.faults] == [offset]


def test_a_position_counts_lines_and_code_points() -> None:
    with pytest.raises(FaultError) as caught:
        parse("'é' ==\n  )")

    (fault,) = caught.value.faults
    assert fault.position("'é' ==\n  )") == (2, 3)


def test_operators_bind_as_in_the_grammar() -> None:
    tree = parse("a || b && !c == 1 + 2 * 3")

    assert isinstance(tree, Logic)
    assert tree.operator == "||"
    right = tree.operands[1]
    assert isinstance(right, Logic)
    relation = right.operands[1]
    assert isinstance(relation, Call)
    assert relation.function == "_==_"
    sums = relation.args[1]
    assert isinstance(sums, Call)
    assert sums.function == "_+_"


def test_a_minus_belongs_to_the_number_it_precedes() -> None:
    tree = parse("-1")

    assert isinstance(tree, Literal)
    assert tree.value == -1


def test_macros_are_distinguished_by_their_arguments() -> None:
    assert isinstance(parse("a.map(x, x)"), Macro)
    assert isinstance(parse("a.map(x)"), Call)
    assert isinstance(parse("a.existsOne(x, x)"), Call)
    has = parse("has(a.b)")
    assert isinstance(has, Select)
    assert has.test
    assert isinstance(parse("has(a.b, 1)"), Call)
    assert isinstance(parse("a"), Ident)


def assert_read_or_refused(text: str) -> None:
    faults: tuple[Flaw, ...] = ()
    try:
        parse(text)
    except FaultError as error:
        faults = error.faults
    assert all(fault.offset in range(len(text) + 1) for fault in faults)


NESTED = (
    # a text for a depth, and the smallest depth that is refused
    (lambda depth: "(" * depth + "1" + ")" * depth, 250),
    (lambda depth: "[" * depth + "]" * depth, 251),
    (lambda depth: "f(" * depth + ")" * depth, 251),
    (lambda depth: "true?1:" * depth + "1", 250),
    (lambda depth: "claims" + ".a" * depth, 251),
    (lambda depth: "1" + "+1" * depth, 251),
    (lambda depth: "1+(" * depth + "1" + ")" * depth, 125),
    (lambda depth: "1+1*(" * depth + "1" + ")" * depth, 84),
    (lambda depth: "x" + ".a" * depth + "+1" * depth, 126),
)


@pytest.mark.parametrize(("text", "refused"), NESTED)
def test_nesting_is_bounded_where_cel_go_bounds_it(text: Callable[[int], str], refused: int) -> None:
    parse(text(refused - 1))
    with pytest.raises(FaultError):
        parse(text(refused))


def test_an_expression_that_does_not_nest_may_be_long() -> None:
    assert outline(parse(" || ".join(["true"] * 5000))) == ("Logic", "||", (TRUE,) * 5000)
    assert outline(parse("!" * 5000 + "true")) == TRUE


def test_too_long_an_expression_is_refused() -> None:
    with pytest.raises(FaultError, match="100001 characters"):
        parse(" " * 100_001)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert_read_or_refused(text)


PIECES = re.findall(
    r"\S+", "claims x has ( ) [ ] { } . , ? : + - * ! == && || in true 1 2.5 3u 'a' `b` as all map // = $"
)


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_any_sequence_of_tokens_is_parsed_or_refused(pieces: list[str]) -> None:
    text = " ".join(pieces)
    assert_read_or_refused(text)


def test_hostile_nesting_does_not_overflow_the_stack() -> None:
    with pytest.raises(FaultError):
        parse("(" * (MAX_DEPTH * 200))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("'a", "the string is not closed, or holds an escape sequence that CEL does not know"),
        ('rb"a', "the string is not closed, or holds an escape sequence that CEL does not know"),
        ("a = b", "'=' is not an operator; did you mean '=='"),
        ("a # b", "'#' has no meaning in CEL"),
    ],
)
def test_the_message_names_an_invalid_token(text: str, message: str) -> None:
    with pytest.raises(FaultError) as refused:
        parse(text)
    assert [one.message for one in refused.value.faults] == [message]
