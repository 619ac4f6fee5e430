"""A file is written whole or not at all, and an output folder loses nothing but what was written into it."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any

import pytest

from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.disk import output_folder
from mcpcfg.compiler.disk.open_folder import OpenFolder
from mcpcfg.compiler.disk.output_file import write_file
from mcpcfg.compiler.disk.stamp import digest

if TYPE_CHECKING:
    from pathlib import Path


def test_an_interruption_leaves_the_file_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "report.json"
    file.write_text("before")

    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_file(str(file), "after")

    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("report.json", "before")]


def test_a_link_stays_a_link_and_a_mode_stays_a_mode(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text("before")
    file.chmod(0o640)
    (tmp_path / "link").symlink_to(file)

    write_file(str(tmp_path / "link"), "after")

    assert (tmp_path / "link").is_symlink()
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"after", 0o640)


def test_a_device_is_written_and_not_replaced() -> None:
    write_file(os.devnull, "text")

    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_folder_is_no_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        write_file(str(tmp_path), "text")


@pytest.mark.parametrize("path", ["README.md", "sub/own.yaml", "../beside.yaml", "link.yaml"])
@pytest.mark.parametrize("line", ["{path}", '{other} "{path}"', 'x "{path}"', "{other} {path}"])
def test_a_manifest_removes_nothing_that_was_not_written(tmp_path: Path, path: str, line: str) -> None:
    out = tmp_path / "out"
    (out / "sub").mkdir(parents=True)
    (tmp_path / "beside.yaml").write_text("own")
    for name in ("README.md", "sub/own.yaml"):
        (out / name).write_text("own")
    (out / "link.yaml").symlink_to(tmp_path / "beside.yaml")
    (out / output_folder.MANIFEST).write_text(line.format(path=path, other=digest(b"other").hex()) + "\n")

    done = output_folder.write(str(out), {"a.yaml": "a"})

    assert (done.written, done.removed) == (["a.yaml"], [])
    assert (out / path).read_text() == "own"


def test_a_link_out_of_the_folder_is_never_removed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "beside.yaml").write_text("own")
    (out / "link.yaml").symlink_to(tmp_path / "beside.yaml")
    own = digest(b"own").hex()
    (out / output_folder.MANIFEST).write_text(f'{own} "../beside.yaml"\n{own} "link.yaml"\n')

    assert output_folder.write(str(out), {"a.yaml": "a"}).removed == []
    assert (out / "link.yaml").read_text() == "own"


def test_a_manifest_that_is_a_link_is_not_written_through(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "beside.yaml").write_text("own")
    (out / output_folder.MANIFEST).symlink_to("../beside.yaml")

    with pytest.raises(InputError, match="refusing to write outside"):
        output_folder.write(str(out), {"a.yaml": "a"})

    assert (tmp_path / "beside.yaml").read_text() == "own"
    assert not (out / "a.yaml").exists()


def test_a_file_that_somebody_changed_stays_and_is_named(tmp_path: Path) -> None:
    output_folder.write(str(tmp_path), {"a.yaml": "a", "b.yaml": "b", "c.yaml": "c"})
    (tmp_path / "b.yaml").write_text("changed")

    assert output_folder.differences(str(tmp_path), {"c.yaml": "c"}) == ["a.yaml: no longer compiled"]
    done = output_folder.write(str(tmp_path), {"c.yaml": "c"})

    assert (done.removed, done.kept) == (["a.yaml"], ["b.yaml"])


def test_files_of_an_interrupted_call_are_removed_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output_folder.write(str(tmp_path), {"a.yaml": "a", "b.yaml": "b"})
    done: list[str] = []

    def interrupted(folder: OpenFolder, temporary: str, name: str, *, is_new: bool = False) -> None:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(name)
        put(folder, temporary, name, is_new=is_new)

    put = OpenFolder.put
    monkeypatch.setattr(OpenFolder, "put", interrupted)
    with pytest.raises(KeyboardInterrupt):
        output_folder.write(str(tmp_path), {"a.yaml": "changed", "b.yaml": "changed"})
    monkeypatch.undo()

    assert output_folder.write(str(tmp_path), {}).removed == ["a.yaml", "b.yaml"]
