from typing import Any

import pytest

from mcpcfg.compiler.golang.decoder import Decoder
from mcpcfg.compiler.golang.shape import Hook, Misfit, MisfitError, Types
from mcpcfg.compiler.reading.document import read_documents

STRUCTS: dict[str, tuple[tuple[str, Any, bool], ...]] = {
    "Outer": (
        ("name", "string", True),
        ("port", "int", False),
        ("on", "bool", False),
        ("share", "float", False),
        ("tags", ("list", "string"), True),
        ("env", ("map", "string"), False),
        ("inner", ("struct", "Inner"), False),
        ("maybe", ("ptr", ("struct", "Inner")), False),
        ("free", "any", False),
        ("wait", "duration", False),
        ("even", "even", False),
    ),
    "Inner": (("text", "string", False),),
}


def _even(value: Any) -> int:
    if not isinstance(value, int) or value % 2:
        raise MisfitError("an even number")
    return value


TYPES = Types(STRUCTS, {"even": Hook(_even, lambda value: value, zero=0)})


def decode(text: str) -> tuple[dict[str, Any], Decoder]:
    (document,), _ = read_documents(text, "f.yaml", dialect="vmcp")
    decoder = Decoder(TYPES, "yaml", text=document.scalar)
    return decoder.decode(document.data, ("struct", "Outer")), decoder


def test_a_string_field_gets_the_source_text_of_every_scalar() -> None:
    record, decoder = decode("name: 1.10\ntags: [true, 0x1F, 'a']\nenv: {A: 07}\n")
    assert (record["name"], record["tags"], record["env"]) == ("1.10", ["true", "0x1F", "a"], {"A": "07"})
    assert not decoder.misfits


def test_words_of_yaml_1_1_are_only_valid_for_booleans() -> None:
    record, decoder = decode("on: yes\nname: off\n")
    assert (record["on"], record["name"]) == (True, "off")
    assert decode("on: 'no'\n")[0]["on"] is False
    assert not decoder.misfits


def test_an_integer_loses_its_fraction() -> None:
    assert decode("port: 80.9\n")[0]["port"] == 80
    assert decode("port: 1e400\n")[1].misfits == [Misfit(("port",), "a whole number", "a string")]


def test_null_leaves_zero_and_is_dropped_from_lists_of_texts() -> None:
    record, decoder = decode("name: ~\nmaybe: ~\ntags: [a, ~, b]\nenv: {A: ~}\neven: ~\n")
    assert (record["name"], record["maybe"], record["tags"], record["env"]) == ("", None, ["a", "b"], {"A": ""})
    assert record["even"] == 0
    assert not decoder.misfits


def test_keys_match_exactly() -> None:
    record, decoder = decode("Name: a\ninner: {text: x, more: 1}\n")
    assert record["name"] == ""
    assert decoder.unknown == [("Name",), ("inner", "more")]


def test_a_value_that_does_not_fit_is_reported_with_its_path() -> None:
    _, decoder = decode("name: [a]\ntags: x\ninner: x\nenv: [x]\nwait: 30\non: 1\neven: 3\n")
    assert [(misfit.path, misfit.expected) for misfit in decoder.misfits] == [
        (("name",), "a text"),
        (("tags",), "a list"),
        (("inner",), "a mapping"),
        (("env",), "a mapping"),
        (("wait",), "a duration such as 30s"),
        (("on",), "true or false"),
        (("even",), "an even number"),
    ]


def test_durations_are_nanoseconds_and_zero_needs_no_unit() -> None:
    assert decode("wait: 1m30s\n")[0]["wait"] == 90_000_000_000
    assert decode("wait: 0\n")[0]["wait"] == 0
    assert decode("share: 3\n")[0]["share"] == 3


@pytest.mark.parametrize("word", ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON"])
def test_words_of_yaml_1_1_for_true_are_booleans(word: str) -> None:
    assert decode(f"on: {word}\n")[0]["on"] is True
    assert decode(f"on: '{word}'\n")[0]["on"] is True


@pytest.mark.parametrize("word", ["n", "N", "no", "No", "NO", "off", "Off", "OFF"])
def test_words_of_yaml_1_1_for_false_are_booleans(word: str) -> None:
    assert decode(f"on: {word}\n")[0]["on"] is False
    assert decode(f"on: '{word}'\n")[0]["on"] is False
