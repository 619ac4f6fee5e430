"""Writing what is generated, and reporting what is not up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mcpcfg.compiler.generate.output import drift, left_over, outputs, write
from mcpcfg.compiler.generate.page import page

_ROOT = Path(__file__).parents[3]


def test_the_generated_files_are_what_the_models_give() -> None:
    assert drift(str(_ROOT), outputs()) == []


def test_the_same_models_give_the_same_texts() -> None:
    assert outputs() == outputs()


def test_missing_outdated_and_left_over_files_are_reported_and_corrected(tmp_path: Path) -> None:
    expected = {"schemas/a.schema.json": "a\n", "schemas/b.schema.json": "b\n", "compiler/room/_t.py": "t\n"}
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "a.schema.json").write_text("old\n")
    (tmp_path / "schemas" / "c.schema.json").write_text("left over\n")
    (tmp_path / "schemas" / "d.schema.json").write_text("left over, too\n")
    (tmp_path / "schemas" / "_own.py").write_text("not generated from models\n")
    wrong = ["compiler/room/_t.py", "schemas/a.schema.json", "schemas/b.schema.json"]
    wrong += ["schemas/c.schema.json", "schemas/d.schema.json"]

    assert drift(str(tmp_path), expected) == wrong
    assert left_over(str(tmp_path), expected) == wrong[-2:]
    assert write(str(tmp_path), expected) == wrong
    assert drift(str(tmp_path), expected) == []
    assert (tmp_path / "schemas" / "_own.py").exists()


def test_a_page_shows_type_default_and_constraints(kind: Any) -> None:
    text = page("Sample", "A kind.", kind.parts)

    assert '| `mode` (required) | string | `"a"` | How it works. One of `a`, `b`. |' in text
    assert "| `port` | integer |  | Its own port. At least `1`. At most `65535`. |" in text
    assert "| `entries` | list of [Entry](#entry) |  | Entries. Entries must differ in `name`. |" in text
    assert "| `old` | string |  | A former field. Since release 0.1.0. Deprecated: mode |" in text
    assert "- mode b needs a port: `has(self.port) || self.mode == 'a'`" in text
    assert "\n## Entry\n" in text
