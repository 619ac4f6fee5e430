import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.language.cedar.expression import Like, Operation
from mcpcfg.compiler.language.cedar.parser import parse
from mcpcfg.compiler.language.cedar.policy import (
    ignored_rest,
    never_matches,
    policy_faults,
)

ALL = "permit(principal, action, resource)"

LOADS = (
    f"{ALL};",
    "permit(principal, action, resource,);",
    'permit(principal is User, action in [Action::"a",], resource) unless { context has x && context.x like "*a" };',
    "permit(principal, action in [], resource);",
    'permit(principal is A::B in C::"d", action in A::B::"c", resource is T);',
    f'@id("x") @if("y") {ALL};',
    f"{ALL} when {{ true }} unless {{ false }} when {{ 1 == 1 }};",
    f"{ALL} when {{ context has a.b.c }};",
    f"{ALL} when {{ -9223372036854775808 < - -1 }};",
    f'{ALL} when {{ if principal has "a b" then [1, "x",] else {{a: 1, "b": {{}},}} }};',
    f'{ALL} when {{ ip("no address").isInRange() }};',
    f'{ALL} when {{ decimal() == "x".isEmpty() }};',
    f'{ALL} when {{ "\\u{{1F600}}\\x7f\\0\\\'" like "\\*" }};',
    f"{ALL}; permit(",
    f"{ALL}; ???",
    f"// first\n/* second */ {ALL} /* ; */ ;",
)

REFUSED = (
    # the text, and where the fault stands
    ("", 0),
    ("// only a comment", 17),
    ("allow(principal, action, resource);", 0),
    ("permit(principal, action);", 24),
    (ALL, 35),
    ("permit(principal == ?principal, action, resource);", 20),
    ("permit(principal, action == Action::call_tool, resource);", 45),
    ("permit(principal, action is Action, resource);", 25),
    ('permit(principal == "alice", action, resource);', 20),
    ("permit(principal, action, resource) when { principal.x == };", 58),
    ("permit(principal, action, resource) when { };", 43),
    ("permit(principal, action, resource) when { principal.if };", 53),
    ("permit(principal, action, resource) when { alice == 1 };", 43),
    ("permit(principal, action, resource) when { 9223372036854775808 > 1 };", 43),
    ("permit(principal, action, resource) when { foo(1) };", 43),
    ("permit(principal, action, resource) when { isIpv4(1) };", 43),
    ("permit(principal, action, resource) when { principal.ip() };", 53),
    ("permit(principal, action, resource) when { [1].contains() };", 47),
    ("permit(principal, action, resource) when { {a: 1, a: 2} };", 50),
    ("permit(principal, action, resource) when { 'a' == 1 };", 43),
    ("permit(principal, action, resource) when { 1 = 1 };", 45),
    ('permit(principal, action, resource) when { "a\\q" == 1 };', 45),
    ('permit(principal, action, resource) when { "\\*" == 1 };', 43),
    ('permit(principal, action, resource) when { "\\x80" == 1 };', 43),
    ('permit(principal, action, resource) when { "a\n" == 1 };', 43),
    (f'@a("x") @a("y") {ALL};', 9),
    (f"@a {ALL};", 3),
    (f'{ALL}; "not closed', 37),
    (f"{ALL}; /* not closed", 37),
    (f"{ALL}; \0", 37),
)


@pytest.mark.parametrize("text", LOADS)
def test_a_policy_that_the_proxy_loads_has_no_faults(text: str) -> None:
    assert policy_faults(text) == []


@pytest.mark.parametrize(("text", "offset"), REFUSED)
def test_a_policy_that_the_proxy_refuses_has_a_fault_at_the_right_position(text: str, offset: int) -> None:
    assert [fault.offset for fault in policy_faults(text)] == [offset]


def test_a_fault_counts_lines_and_code_points() -> None:
    text = 'permit(principal, action, resource) when {\n  "é" == alice\n};'
    (fault,) = policy_faults(text)
    assert fault.position(text) == (2, 10)
    assert fault.message == "'alice' is not one of principal, action, resource, context; a string needs quotes"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("isIpv4()", "isIpv4() is a method and needs a receiver"),
        ("nothing()", "nothing() is not a function"),
        ('context.ip("a")', "ip() is a function and has no receiver"),
    ],
)
def test_a_call_that_does_not_exist_is_reported_with_the_reason(call: str, message: str) -> None:
    (fault,) = policy_faults(f"{ALL} when {{ {call} }};")
    assert fault.message == message


def test_only_the_first_policy_of_a_text_counts() -> None:
    text = f"{ALL};\n// and\nforbid(principal, action, resource);"
    rest = ignored_rest(text)
    assert rest is not None
    assert rest.position(text) == (3, 1)
    assert ignored_rest(f"{ALL}; // the end") is None


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('permit(principal == User::"a", action, resource);', "always a Client"),
        ("permit(principal is User, action, resource);", "no principal is a User"),
        ('permit(principal, action == Action::"calltool", resource);', "call_tool"),
        ('permit(principal, action in [Action::"call_tool", Action::"x"], resource);', 'Action::"x"'),
        ('permit(principal, action, resource == File::"x");', "no resource is a File"),
        ("permit(principal, action, resource is File);", "no resource is a File"),
        ('permit(principal, action, resource == Resource::"file:///a.txt");', "'file____a_txt'"),
    ],
)
def test_a_head_that_no_request_fits_is_reported(text: str, word: str) -> None:
    (fault,) = never_matches(text, keeps_address=False)
    assert word in fault.message


@pytest.mark.parametrize(
    "text",
    [
        f"{ALL};",
        'permit(principal == Client::"a", action == Action::"call_tool", resource == Tool::"x");',
        'permit(principal in Role::"a", action, resource in Folder::"x");',
        'permit(principal, action, resource == Resource::"file____a_txt");',
    ],
)
def test_a_head_that_some_request_fits_is_not_reported(text: str) -> None:
    assert list(never_matches(text, keeps_address=False)) == []


def test_the_address_of_a_resource_may_be_its_id() -> None:
    text = 'permit(principal, action, resource == Resource::"file:///a.txt");'

    assert list(never_matches(text, keeps_address=True)) == []


def test_patterns_distinguish_wildcards_from_asterisks() -> None:
    (condition,) = parse(f'{ALL} when {{ "" like "a**\\*b\\\\*" }};').conditions
    assert isinstance(condition.body, Like)
    assert condition.body.pattern == ("a", None, "*b\\", None)


def test_operators_bind_as_in_the_grammar() -> None:
    (condition,) = parse(f"{ALL} when {{ 1 + 2 * 3 == 7 || false && true }};").conditions
    assert isinstance(condition.body, Operation)
    assert condition.body.operator == "||"
    equal = condition.body.operands[0]
    assert isinstance(equal, Operation)
    assert equal.operator == "=="


def test_hostile_nesting_does_not_overflow_the_stack() -> None:
    depth = 20_000
    assert policy_faults(f"{ALL} when {{ {'(' * depth}true{')' * depth} }};") == []
    assert policy_faults(f"{ALL} when {{ {'(' * depth}") != []


@given(st.text(max_size=80))
def test_any_text_is_parsed_or_refused_at_an_offset_inside_it(text: str) -> None:
    assert all(fault.offset in range(len(text) + 1) for fault in policy_faults(text))


_PIECES = """
permit ( principal , action == Action:: "a" in [ ] resource ) when { context . x has like "*" is A } ; @ id
unless if then else true 1 - ! && || < + { : } ip // c
"""
PIECES = _PIECES.split()


@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_any_sequence_of_tokens_is_parsed_or_refused(pieces: list[str]) -> None:
    text = " ".join(pieces)
    assert all(fault.offset in range(len(text) + 1) for fault in policy_faults(text))


@pytest.mark.parametrize(
    ("policy", "hint"),
    [
        ('permit(principal, action, resource) when { resource.name = "x" };', "compare with =="),
        ("allow(principal, action, resource);", "write permit"),
        ("permit(principal, action, resource) when { true and false };", "write &&"),
        ('permit(principal, action == Action:"a", resource);', "write ::"),
        ("permit(principal action, resource);", "write ',' before action"),
        ("permit(principal, action, resource)", "end the policy with ;"),
    ],
)
def test_a_fault_of_a_policy_has_a_remedy(policy: str, hint: str) -> None:
    assert [fault.hint for fault in policy_faults(policy)] == [hint]


def test_a_misspelt_action_is_suggested() -> None:
    text = 'permit(principal, action == Action::"callTool", resource);'

    assert [fault.hint for fault in never_matches(text, keeps_address=True)] == ['write Action::"call_tool"']
