from typing import Any

import pytest

from mcpcfg.compiler.golang.decoder import Decoder
from mcpcfg.compiler.golang.shape import Encoder, Form, Hook, MisfitError, StructTable, Types

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
        ("mark", ("ptr", "bool"), False),
        ("kept", "raw", False),
        ("odd", "odd", False),
    ),
    "Inner": (("text", "string", False),),
}


def _odd(value: Any) -> int:
    if not isinstance(value, int) or value % 2 == 0:
        raise MisfitError("an odd number")
    return value


TYPES = Types(STRUCTS, {"odd": Hook(_odd, lambda value: value, zero=0)})


def decode(value: Any) -> tuple[dict[str, Any], Decoder]:
    decoder = Decoder(TYPES)
    return decoder.decode(value, ("struct", "Outer")), decoder


def test_missing_fields_decode_to_zero_values_and_are_omitted_when_encoded() -> None:
    record, decoder = decode({})
    assert not decoder.misfits
    assert record["inner"] == {"text": ""}
    assert record["maybe"] is None
    assert Encoder(TYPES).encode(record, ("struct", "Outer")) == {
        "name": "",
        "tags": None,
        "inner": {},
    }


def test_keys_ignore_case_and_an_exact_match_wins() -> None:
    record, decoder = decode({"NAME": "a", "Port": 5, "tag\u017f": ["x"], "mar\u212a": True, "other": 1})
    assert (record["name"], record["port"], record["tags"], record["mark"]) == ("a", 5, ["x"], True)
    assert decoder.unknown == [("other",)]


def test_null_leaves_the_zero_value() -> None:
    record, decoder = decode({"name": None, "tags": None, "inner": None, "env": None, "maybe": None, "free": None})
    assert not decoder.misfits
    assert (record["name"], record["tags"], record["inner"]) == ("", None, {"text": ""})


@pytest.mark.parametrize(
    ("document", "path", "expected", "found"),
    [
        ({"name": 5}, ("name",), "a string", "the number 5"),
        ({"port": "8080"}, ("port",), "a whole number", "a string"),
        ({"port": 1.0}, ("port",), "a whole number", "the number 1.0"),
        ({"port": 1 << 63}, ("port",), "a whole number", f"the number {1 << 63}"),
        ({"on": 1}, ("on",), "true or false", "the number 1"),
        ({"tags": "a"}, ("tags",), "a list", "a string"),
        ({"tags": ["a", 1]}, ("tags", 1), "a string", "the number 1"),
        ({"env": {"A": None, "B": True}}, ("env", "B"), "a string", "true"),
        ({"maybe": []}, ("maybe",), "an object", "a list"),
        ({"maybe": {"TEXT": {}}}, ("maybe", "TEXT"), "a string", "an object"),
        ({"odd": 4}, ("odd",), "an odd number", "the number 4"),
    ],
)
def test_a_value_that_go_refuses_is_reported_with_its_path(
    document: Any, path: tuple[str | int, ...], expected: str, found: str
) -> None:
    _, decoder = decode(document)
    assert decoder.misfits == [(path, expected, found)]


def test_one_misfit_does_not_hide_the_next() -> None:
    record, decoder = decode({"name": 5, "port": "x", "on": True})
    assert len(decoder.misfits) == 2
    assert record["on"] is True


def test_free_data_keeps_its_form_with_numbers_as_floats() -> None:
    record, _ = decode({"free": {"b": [1, None], "a": "x"}, "kept": {"b": 1}})
    assert record["free"] == {"b": [1.0, None], "a": "x"}
    assert isinstance(record["free"]["b"][0], float)
    assert record["kept"] == {"b": 1}


def test_pointers_to_empty_values_are_written() -> None:
    record, _ = decode({"mark": False, "maybe": {}, "tags": [], "env": {}})
    written = Encoder(TYPES).encode(record, ("struct", "Outer"))
    assert (written["mark"], written["maybe"], written["tags"]) == (False, {}, [])
    assert "env" not in written


@pytest.mark.parametrize(("form", "written"), [("json", {"tags": None, "inner": {}}), ("yaml", {"tags": []})])
def test_yaml_omits_empty_structs_and_writes_nil_lists_as_empty(form: Form, written: dict[str, Any]) -> None:
    assert Encoder(TYPES, form=form).encode({}, ("struct", "Outer")) == {"name": "", **written}


def test_a_hook_may_keep_its_zero_value_in_the_file() -> None:
    hooks = {"odd": Hook(_odd, str, zero=0, empty=False)}

    assert Encoder(Types(STRUCTS, hooks)).encode({"name": "a", "tags": []}, ("struct", "Outer"))["odd"] == "0"


@pytest.mark.parametrize(
    ("word", "value", "written"),
    [
        ("int", 3.0, "3"),
        ("int32", 3.0, "3"),
        ("float", 3.0, "3.0"),
        ("duration", "90s", "'1m30s'"),
        ("duration", "${WAIT}", "'${WAIT}'"),
        ("json", {"a": 1}, "{'a': 1.0}"),
    ],
)
def test_a_stored_value_is_written_in_the_form_of_go(word: str, value: Any, written: str) -> None:
    types = Types({"One": (("field", word, False),)})
    encoded = Encoder(types, form="yaml", stored=True).encode({"field": value}, ("struct", "One"))
    assert repr(encoded["field"]) == written


@pytest.mark.parametrize(("word", "value"), [("duration", "0s"), ("duration", "0h"), ("int", 0), ("string", "")])
def test_a_stored_zero_value_is_omitted_unless_the_field_is_always_written(word: str, value: Any) -> None:
    types = Types({"One": (("field", word, False), ("kept", word, True))})
    encoder = Encoder(types, form="yaml", stored=True)

    assert list(encoder.encode({"field": value}, ("struct", "One"))) == ["kept"]
    assert encoder.encode({}, ("struct", "One")) == encoder.encode({"kept": value}, ("struct", "One"))


def test_a_zero_duration_in_a_map_is_written() -> None:
    types = Types({"One": (("field", ("map", "duration"), False),)})
    given = {"field": {"a": "0s"}}
    assert Encoder(types, form="yaml", stored=True).encode(given, ("struct", "One")) == given


def test_a_generated_line_is_a_struct_in_the_form_of_a_release() -> None:
    text = "A key!:string old!2:*B new:[]{}*B@2 $ref:json-map\nB text:string\n"
    name, old, new, ref = (
        ("key", "string", True),
        ("old", ("ptr", ("struct", "B")), False),
        ("new", ("list", ("map", ("ptr", ("struct", "B")))), False),
        ("$ref", "json-map", False),
    )

    assert dict(StructTable(text)) == {"A": (name, old, new, ref), "B": (("text", "string", False),)}
    assert StructTable(text, lambda since: since != "2")["A"] == (name, (*old[:2], True), ref)
