import sys

import pytest

from mcpcfg.compiler.language.cedar.engine import LibraryMissingError, UnavailableError, decide
from mcpcfg.compiler.language.cedar.entities import EntityData, Extension
from mcpcfg.compiler.language.cedar.parser import parse
from mcpcfg.compiler.language.cedar.syntax import EntityId

ALL = "permit(principal, action, resource)"
REQUEST = (EntityId("User", "a"), EntityId("Action", "x"), EntityId("Tool", "t"))
ENTITIES = (
    EntityData(REQUEST[0], {"n": 1, "d": Extension("decimal", "1.5000")}, {"k": "v"}, (EntityId("weird type", "g"),)),
    EntityData(EntityId("weird type", "g"), parents=(EntityId("G", "top"),)),
    EntityData(REQUEST[2], {"text": "a*b\\é"}),
)

ERROR = "error"

VALUES = (
    ("true", True),
    ("principal.n + 1 == 2 && !(principal.n > 1)", True),
    ("principal.n * 9223372036854775807 + 1 == 0", ERROR),
    ("-(-9223372036854775808) == 0", ERROR),
    ("principal.nope", ERROR),
    ("principal has nope.more || true", True),
    ('principal has d && principal.d.lessThan(decimal("+1.6"))', True),
    ('principal.d == decimal("1.5")', True),
    ('decimal("1.50000") == decimal("1.5")', ERROR),
    ("ip(1, 2).isIpv4() || true", ERROR),
    ("true || ip(1, 2).isIpv4()", True),
    ('ip("10.1.2.3").isInRange(ip("10.0.0.0/8"))', True),
    ('duration("1h") < duration("61m")', True),
    ('datetime("2024-10-15").toDate() == datetime("2024-10-15T00:00:00Z")', True),
    ('principal in G::"top"', True),
    ('principal in [G::"nope", G::"top"]', True),
    ("principal in [1]", ERROR),
    ('principal is User in G::"top"', True),
    ('resource.text like "a\\*b*"', True),
    ('resource.text like "a\\**x"', False),
    ('resource["text"] == "a*b\\\\\\u{e9}"', True),
    ('[1, "x", true].containsAll(["x"]) && ![].containsAny([1]) && [].isEmpty()', True),
    ('{"a b": 1, c: 2} == {c: 2, "a b": 1}', True),
    ('principal.getTag("k") == "v" && !principal.hasTag("z")', True),
    ("if principal.n == 1 then context.flag else principal.nope", True),
    ('{a: {b: {c: 1}}}["a"]["b"]["c"] == 1 && {a: {b: {c: 1}}}["a"].b["c"] == 1', True),
    ('["x"].contains("x") && "a" != "b" && 1 != 2 && 3 - 2 == 1 && -principal.n < 0', True),
    ("9223372036854775807 > 00000000000000000000000000000000001", True),
    ('1 == "1"', False),
    ("5", ERROR),
)


@pytest.mark.parametrize(("condition", "expected"), VALUES)
def test_a_condition_has_the_value_that_the_proxy_gives(condition: str, expected: object) -> None:
    decision = decide([parse(f"{ALL} when {{ {condition} }};")], ENTITIES, REQUEST, {"flag": True})
    assert (ERROR if decision.errors else decision.allowed) == expected


def test_the_deciding_policies_are_given_by_index() -> None:
    texts = [
        f"{ALL};",
        f"{ALL} when {{ principal.nope }};",
        'permit(principal == User::"b", action, resource);',
        'forbid(principal, action == Action::"y", resource);',
        "permit(principal is User, action, resource);",
    ]
    decision = decide([parse(text) for text in texts], ENTITIES, REQUEST, {})
    assert decision.allowed
    assert decision.deciding == (0, 4)
    assert list(decision.errors) == [1]


def test_a_forbid_wins() -> None:
    decision = decide([parse(f"{ALL};"), parse("forbid(principal, action, resource);")], (), REQUEST, {})
    assert not decision.allowed
    assert decision.deciding == (1,)


@pytest.mark.parametrize("name", ["a'b", 'a"b', "é", "\u0301x", "a\\b", "a\nb", "a\tb", "Renamed_61", "a::b", "\0", ""])
def test_ids_may_hold_any_character(name: str) -> None:
    written = "".join(f"\\u{{{ord(char):x}}}" for char in name)
    policy = parse(f'permit(principal == User::"{written}", action, resource);')
    request = (EntityId("User", name), *REQUEST[1:])
    assert decide([policy], [EntityData(request[0])], request, {}).allowed
    other = (EntityId("User", name + "x"), *REQUEST[1:])
    assert not decide([policy], [], other, {}).allowed


def test_without_cedarpy_there_is_no_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cedarpy", None)
    with pytest.raises(LibraryMissingError, match="needs the extra cedar"):
        decide([parse(f"{ALL};")], (), REQUEST, {})


def test_a_policy_that_cedarpy_refuses_is_not_decided() -> None:
    with pytest.raises(UnavailableError, match="__entity"):
        decide([parse(f"{ALL};")], [EntityData(REQUEST[0], {"r": {"__entity": 5}})], REQUEST, {})
    nested: list[object] = []
    for _ in range(5000):
        nested = [nested]
    with pytest.raises(UnavailableError, match="does not take"):
        decide([parse(f"{ALL};")], (), REQUEST, {"x": nested})


@pytest.mark.parametrize(
    "condition",
    [
        "!" * 5000 + "true",
        "if true then " * 5000 + "true" + " else true" * 5000,
        "[" * 5000 + "]" * 5000 + " == []",
        "1" + " + 1" * 5000 + " == 1",
        "context has a" + ".a" * 5000,
    ],
    ids=lambda text: text[:12],
)
def test_a_policy_that_would_crash_cedarpy_is_not_decided(condition: str) -> None:
    with pytest.raises(UnavailableError, match="nests deeper"):
        decide([parse(f"{ALL} when {{ {condition} }};")], (), REQUEST, {})


def test_too_many_entities_with_parents_are_not_decided() -> None:
    chain = [EntityData(EntityId("G", str(i)), parents=(EntityId("G", str(i + 1)),)) for i in range(3000)]
    with pytest.raises(UnavailableError, match="have parents"):
        decide([parse(f"{ALL};")], chain, REQUEST, {})


def test_a_long_policy_that_does_not_nest_is_decided() -> None:
    condition = " && ".join(["true"] * 5000)
    assert decide([parse(f"{ALL} when {{ {condition} }};")], (), REQUEST, {}).allowed
