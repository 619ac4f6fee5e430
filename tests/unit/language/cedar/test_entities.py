import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.language.cedar.entities import Extension, entities_faults, parse_entities
from mcpcfg.compiler.language.cedar.syntax import EntityId

USER = {"type": "User", "id": "a"}


def attribute(value: object) -> str:
    return json.dumps([{"uid": USER, "attrs": {"x": value}, "parents": []}])


LOADS = (
    "",
    "null",
    " [ ] ",
    "[null]",
    "[{}]",
    '[{"uid": {"type": "User", "id": "a"}}]',
    '[{"UID": {"Type": "User", "ID": "a"}, "Attrs": null, "parents": null, "tags": {}}]',
    '[{"uid": {"__entity": {"type": "User"}}, "other": 1.5}]',
    attribute(["a", 1, True, [], {}]),
    attribute({"__entity": {"type": "T", "id": "t"}}),
    attribute({"__entity": 5}),
    attribute({"__extn": 5}),
    attribute({"__extn": {"fn": "ip", "arg": "10.0.0.0/8"}, "more": 1}),
    attribute({"__extn": {"fn": "ip", "arg": "fe80::1%eth0"}}),
    attribute({"__extn": {"fn": "decimal", "arg": "-922337203685477.5808"}}),
    attribute({"__extn": {"fn": "datetime", "arg": "2024-10-15T11:35:00.123+0100"}}),
    attribute({"__extn": {"fn": "datetime", "arg": "-000000001-01-01"}}),
    attribute({"__extn": {"fn": "duration", "arg": "-1d2h3m4s5ms"}}),
    attribute(-(2**63)),
)

REFUSED = (
    "[",
    "{}",
    "[1]",
    '"[]"',
    "[NaN]",
    "\ufeff[]",
    "[" * 100_000,
    '[{"uid": "User::a"}]',
    '[{"uid": null}]',
    '[{"uid": {"type": "User"}}]',
    '[{"uid": {"type": 1, "id": "a"}}]',
    '[{"uid": {"type": "User", "id": "a"}, "parents": {}}]',
    '[{"uid": {"type": "User", "id": "a"}, "parents": ["x"]}]',
    '[{"uid": {"type": "User", "id": "a"}, "attrs": []}]',
    attribute(None),
    attribute(1.5),
    attribute(2**63),
    attribute({"__entity": 5, "y": None}),
    attribute({"__extn": {"fn": "nope", "arg": ""}}),
    attribute({"__extn": {"fn": "ip", "arg": "10.0.0.0/08"}}),
    attribute({"__extn": {"fn": "ip", "arg": "::ffff:1.2.3.4"}}),
    attribute({"__extn": {"fn": "decimal", "arg": "1.23456"}}),
    attribute({"__extn": {"fn": "decimal", "arg": "922337203685477.5808"}}),
    attribute({"__extn": {"fn": "datetime", "arg": "2024-02-30"}}),
    attribute({"__extn": {"fn": "datetime", "arg": "2024-10-15T11:35:00"}}),
    attribute({"__extn": {"fn": "duration", "arg": "1m1h"}}),
    attribute({"__extn": {"fn": "duration", "arg": "106751991168d"}}),
)


@pytest.mark.parametrize("text", LOADS)
def test_entities_that_the_proxy_loads_have_no_faults(text: str) -> None:
    assert entities_faults(text) == []


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:60])
def test_entities_that_the_proxy_refuses_have_one_fault(text: str) -> None:
    assert len(entities_faults(text)) == 1


def test_a_fault_is_located_at_its_entity() -> None:
    text = '[\n  {"uid": {"type": "Tool", "id": "a"}},\n  {"uid": "Tool::weather"}\n]'
    (fault,) = entities_faults(text)
    assert fault.position(text) == (3, 3)
    assert fault.message.startswith("entity 1: uid must be an object such as")


def test_a_fault_of_json_is_located_at_its_character() -> None:
    text = '[\n  {"uid" 1}]'
    (fault,) = entities_faults(text)
    assert fault.position(text) == (2, 10)


def test_entities_are_plain_data() -> None:
    text = json.dumps(
        [
            {"uid": USER, "attrs": {"old": 1}},
            {
                "uid": USER,
                "attrs": {"d": {"__extn": {"fn": "decimal", "arg": "+1.5"}}, "e": {"__entity": USER}, "r": {"n": [1]}},
                "parents": [{"type": "G", "id": "g"}],
                "tags": {"t": "x"},
            },
        ]
    )
    (entity,) = parse_entities(text)
    assert entity.id == EntityId("User", "a")
    assert entity.attributes == {"d": Extension("decimal", "1.5000"), "e": EntityId("User", "a"), "r": {"n": [1]}}
    assert entity.parents == (EntityId("G", "g"),)
    assert entity.tags == {"t": "x"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["uid", "type", "id", "attrs", "parents", "__extn", "fn", "arg"]), inner)
    ),
    max_leaves=12,
)


@given(st.lists(json_values, max_size=3))
def test_any_json_is_read_or_refused(value: object) -> None:
    text = json.dumps(value)
    assert all(fault.offset in range(len(text) + 1) for fault in entities_faults(text))


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert all(fault.offset in range(len(text) + 1) for fault in entities_faults(text))
