from __future__ import annotations

import pytest

from mcpcfg.compiler.language.cel.checker import check
from mcpcfg.compiler.language.cel.parser import parse
from mcpcfg.compiler.language.cel.types import CLAIMS

TYPED = (
    ("claims", "map(string, dyn)"),
    ("claims.x", "dyn"),
    ("claims.x.y.z", "dyn"),
    ("claims['x'][0]", "dyn"),
    ("has(claims.x.y)", "bool"),
    ("claims.level > 3", "bool"),
    ("'admins' in claims['groups']", "bool"),
    ("claims.x + 1", "int"),
    ("-claims.x", "dyn"),
    ("[]", "list(dyn)"),
    ("[1, 'a']", "list(dyn)"),
    ("[] + [1]", "list(int)"),
    ("[1] + [claims.x]", "list(dyn)"),
    ("{'a': 1, 2: 'b'}", "map(dyn, dyn)"),
    ("{'a': 1}.a + 1", "int"),
    ("[1].map(x, [x])", "list(list(int))"),
    ("[null, 1]", "list(dyn)"),
    ("null == timestamp(1)", "bool"),
    ("type(1) == string", "bool"),
    ("type(claims)", "type(map(string, dyn))"),
    ("true ? claims.x : 1", "dyn"),
    ("1 == 2 == true", "bool"),
    ("dyn(1) == 'a'", "bool"),
    ("google.protobuf.Timestamp", "type(timestamp)"),
    ("google.protobuf.Struct{fields: {'a': 1}}", "map(string, dyn)"),
    ("google.protobuf.NullValue.NULL_VALUE", "int"),
    ("claims.exists(claims, claims == 'a') && has(claims.x)", "bool"),
    ("'x'", "string"),
)

REFUSED = (
    # the expression, and where its faults stand
    ("unknown.x", [0]),
    ("a ? b : c", [0, 4, 8]),
    ("claims.sub.lowerAscii()", [11]),
    ("claims.existsOne(x, true)", [7, 17]),
    ("1 == 2.0", [2]),
    ("1 < 2u", [2]),
    ("1 ? 2 : 3", [2]),
    ("true ? 1 : 'a'", [5]),
    ("null == 1", [5]),
    ("size(1)", [0]),
    ("1 in claims", [2]),
    ("claims[1]", [6]),
    ("-true", [0]),
    ("1 && true", [0]),
    ("'a' + 1", [4]),
    ("1.x", [1]),
    ("[1].x", [3]),
    ("claims.exists(x, x)", [17]),
    ("claims.exists(x, x == 1)", [19]),
    ("'a'.exists(x, true)", [0]),
    ("[1].filter(x, x)", [14]),
    ("string([1])", [0]),
    ("contains('a', 'b')", [0]),
    ("duration('1s') * 2", [15]),
    ("dyn", [0]),
    ("google", [0]),
    ("google.protobuf.Any", [15]),
    ("google.protobuf.Timestamp{nope: 1}", [26]),
    ("google.protobuf.Int64Value{value: 'x'}", [27]),
    ("int{}", [0]),
    ("claims.x[null]", [9]),
    ("claims.x[string]", [9]),
    ("[int].map(x, x)", [13]),
)


@pytest.mark.parametrize(("expression", "expected"), TYPED)
def test_the_type_is_that_of_cel_go(expression: str, expected: str) -> None:
    checked = check(expression, parse(expression), {"claims": CLAIMS})

    assert (str(checked.result), checked.faults) == (expected, ())


@pytest.mark.parametrize(("expression", "offsets"), REFUSED)
def test_an_expression_that_cel_go_refuses_is_refused_at_the_same_position(expression: str, offsets: list[int]) -> None:
    checked = check(expression, parse(expression), {"claims": CLAIMS})

    assert [fault.offset for fault in checked.faults] == offsets


def test_numbers_of_two_kinds_compare_after_a_macro() -> None:
    """A slip of cel-go, kept: it forgets the rule at the first macro."""
    assert check("1 < 2.0", parse("1 < 2.0"), {}).faults
    text = "[1].all(x, x < 2.0) && 1 < 2.0"
    assert not check(text, parse(text), {}).faults


def test_messages_name_the_conflicting_types() -> None:
    def message(text: str) -> str:
        return check(text, parse(text), {"claims": CLAIMS}).faults[0].message

    assert message("foo") == "'foo' is not declared; the names known here are claims"
    assert message("1 + 'a'") == "the operator '+' does not take int and string"
    assert message("'a'.startsWith(1)") == "startsWith() cannot be called on string with (int)"
    assert message("size(1, 2)") == "size() does not take (int, int)"
