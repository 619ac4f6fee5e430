"""What an editor sends of its documents, and at the beginning."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.editor.opened import InitializationOptions, Opened, settings_of


@pytest.mark.parametrize(
    ("given", "settings", "wrong"),
    [
        (None, InitializationOptions(), 0),
        ({}, InitializationOptions(), 0),
        ({"closed": True, "namespace": "a", "other": 1}, InitializationOptions(closed=True, namespace="a"), 0),
        ({"closed": 1, "namespace": "a"}, InitializationOptions(namespace="a"), 1),
        ({"isolated": True}, InitializationOptions(isolated=True), 0),
        ({"isolated": "no"}, InitializationOptions(), 1),
        ({"closed": False, "namespace": ""}, InitializationOptions(), 1),
        ([], InitializationOptions(), 1),
    ],
)
def test_the_options_of_the_command_may_be_given(given: object, settings: InitializationOptions, wrong: int) -> None:
    found, faults = settings_of(given)
    assert found == settings
    assert len(faults) == wrong


def test_a_document_without_a_file_has_a_name_all_the_same() -> None:
    one = Opened("untitled:Untitled-1", None, "", 1, "utf-16")
    assert one.name == "Untitled-1"
    one.language = "yaml"
    assert one.name == "Untitled-1.yaml"
    assert Opened("file:///a/../b.yaml", "/a/../b.yaml", "", 1, "utf-16").name == "/b.yaml"


def test_a_changed_text_is_indexed_again() -> None:
    one = Opened("file:///b.yaml", "/b.yaml", "a", 1, "utf-16")
    before = one.lines
    assert one.lines is before
    one.text = "b\n"
    assert one.lines.text == "b\n"


def test_a_lone_surrogate_is_replaced() -> None:
    assert (
        Opened("file:///b.yaml", "/b.yaml", "a\ud800\U0001f600\udc00", 1, "utf-16").encoded()
        == "a\ufffd😀\ufffd".encode()
    )
