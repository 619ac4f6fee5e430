"""The texts of the files of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.disk.files import Texts

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_text_that_is_at_hand_is_not_read_again(tree: Path) -> None:
    texts = Texts()
    texts.add("gone.yaml", b"held")
    assert texts["gone.yaml"] == b"held"


def test_a_text_is_read_on_demand_and_kept(tree: Path) -> None:
    (tree / "a.yaml").write_bytes(b"before")
    texts = Texts()
    texts.add("a.yaml", None)
    assert texts["a.yaml"] == b"before"
    (tree / "a.yaml").write_bytes(b"after")
    assert texts["a.yaml"] == b"before"


def test_a_buffer_counts_in_place_of_the_file(tree: Path) -> None:
    (tree / "a.yaml").write_bytes(b"saved")
    texts = Texts({"a.yaml": b"edited"})
    texts.add("a.yaml", None)
    assert texts["a.yaml"] == b"edited"


def test_a_file_that_has_gone_has_an_empty_text(tree: Path) -> None:
    texts = Texts()
    texts.add("gone.yaml", None)
    assert texts["gone.yaml"] == b""


def test_files_are_arranged_and_what_was_read_stays(tree: Path) -> None:
    texts = Texts()
    texts.add("b.yaml", b"b")
    texts.add("other.yaml", b"o")
    texts.arrange(["a.yaml", "b.yaml"])
    assert (list(texts), len(texts), texts["b.yaml"]) == (["a.yaml", "b.yaml"], 2, b"b")
    with pytest.raises(KeyError):
        texts["other.yaml"]


def test_a_text_is_decoded_as_the_reader_does(tree: Path) -> None:
    texts = Texts()
    texts.add("a.yaml", "\ufeffä".encode("utf-16"))
    texts.add("b.yaml", b"b")
    assert (texts.decoded("b.yaml"), texts.decoded("a.yaml").lstrip("\ufeff")) == ("b", "ä")
