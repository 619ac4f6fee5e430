"""Declarations as the generator reads them."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

import pytest

from mcpcfg.compiler.generate.declaration import DeclarationError, DeclarationReader
from mcpcfg.compiler.models.declare import Always, Default
from mcpcfg.compiler.toolhive.release import OLDEST


def test_fields_keep_their_order_and_facts(crd_model: Any) -> None:
    assert [one.key for one in crd_model.fields][:4] == ["mode", "port", "flag", "share"]
    mode = crd_model.field("mode")
    assert (mode.required, mode.default, mode.always, mode.value.enum) == (True, Default("a"), Always(), ("a", "b"))


def test_required_is_seen_through_annotations_that_are_kept_as_text(crd_model: Any) -> None:
    assert [one.key for one in crd_model.fields if one.required] == ["mode"]


def test_facts_of_a_field_override_those_of_its_type(crd_model: Any) -> None:
    port = crd_model.field("port")

    assert port.description == "Its own port."
    assert (port.value.minimum, port.value.maximum, port.value.format) == (1, 65535, "int32")


def test_a_bound_of_zero_is_kept(crd_model: Any) -> None:
    assert crd_model.field("share").value.minimum == 0


def test_facts_of_items_stay_with_the_items(crd_model: Any) -> None:
    words = crd_model.field("words").value

    assert (words.list_type, words.min_items, words.items.min_length) == ("set", 1, 2)


def test_lines_of_a_description_are_joined_and_paragraphs_kept(crd_model: Any) -> None:
    assert crd_model.description == "A sample.\n\nIt has a second paragraph of two lines."


def test_the_api_server_accepts_any_value_of_an_opaque_field(crd_model: Any, file_model: Any) -> None:
    step = crd_model.field("steps").value.items.model
    assert (step.field("inner").value.type, step.field("inner").value.model) == ("object", None)
    assert step.field("extra").value.type == "any"

    step = file_model.field("steps").value.items.model
    assert step.field("inner").value.model is step


def test_free_fields_are_an_object_without_a_model(crd_model: Any) -> None:
    free = crd_model.field("free").value

    assert (free.type, free.model, free.preserve) == ("object", None, True)


def test_a_field_needs_a_description() -> None:
    class Bare(TypedDict):
        """A model."""

        field: Annotated[str, Default("a")]

    with pytest.raises(DeclarationError, match=r"Bare\.field has no description"):
        DeclarationReader(of_crd=True, release=OLDEST).model(Bare)


def test_a_model_needs_a_description() -> None:
    class Bare(TypedDict):
        field: Annotated[str, "A field."]

    with pytest.raises(DeclarationError, match="Bare has no description"):
        DeclarationReader(of_crd=True, release=OLDEST).model(Bare)


def test_a_value_has_one_type() -> None:
    class Two(TypedDict):
        """A model."""

        field: Annotated[str | int, "A field."]

    with pytest.raises(DeclarationError, match=r"Two\.field: a value has one type"):
        DeclarationReader(of_crd=True, release=OLDEST).model(Two)
