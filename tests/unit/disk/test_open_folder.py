"""What is written stays below the folder that was opened, and several files are written together or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from mcpcfg.compiler.diagnostics import file_path
from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.disk import confinement, open_folder, output_file
from mcpcfg.compiler.disk.confinement import place_of
from mcpcfg.compiler.disk.open_folder import OpenFolder
from mcpcfg.compiler.disk.output_file import Change, ChangedError, read_inside, write_changes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")


@pytest.fixture(params=["stepwise", "portable"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder beside another one with the same files, on systems with and without ``dir_fd``."""
    monkeypatch.setattr(open_folder, "_IS_STEPWISE", request.param == "stepwise")
    for name in ("root", "outside"):
        (tmp_path / name / "deploy").mkdir(parents=True)
        (tmp_path / name / "deploy" / "a.yaml").write_text("before")
    (tmp_path / "root" / ".git").mkdir()
    return tmp_path / "root"


def contents(folder: Path) -> dict[str, str]:
    """Return the text of each file below a folder."""
    return {str(file.relative_to(folder)): file.read_text() for file in sorted(folder.rglob("*")) if file.is_file()}


def _flips(monkeypatch: pytest.MonkeyPatch, flip: Callable[[], None]) -> None:
    """Flip once the path was judged, before the folder is opened."""
    judged = confinement.place_of

    def place(*given: Any, **named: Any) -> Any:
        result = judged(*given, **named)
        flip()
        return result

    monkeypatch.setattr(output_file, "place_of", place)


@pytest.mark.parametrize("before", [b"before", None])
def test_a_folder_that_becomes_a_link_is_not_written_through(
    root: Path, monkeypatch: pytest.MonkeyPatch, before: bytes | None
) -> None:
    outside = root.parent / "outside"
    if before is None:
        (root / "deploy" / "a.yaml").unlink()
        (outside / "deploy" / "a.yaml").unlink()
    expected = contents(outside)

    def flip() -> None:
        (root / "deploy").rename(root / "moved")
        (root / "deploy").symlink_to(outside / "deploy")

    _flips(monkeypatch, flip)
    with pytest.raises(InputError, match=r"link|not a directory"):
        write_changes({str(root / "deploy" / "a.yaml"): Change(before, b"after")}, (str(root),))

    assert contents(outside) == expected


def test_a_file_that_becomes_a_link_is_not_written_through(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flip() -> None:
        (root / "deploy" / "a.yaml").unlink()
        (root / "deploy" / "a.yaml").symlink_to(root.parent / "outside" / "deploy" / "a.yaml")

    _flips(monkeypatch, flip)
    with pytest.raises(InputError, match="symbolic links"):
        write_changes({str(root / "deploy" / "a.yaml"): Change(b"before", b"after")}, (str(root),))

    assert contents(root.parent / "outside") == {"deploy/a.yaml": "before"}


def test_a_folder_that_becomes_a_link_while_it_is_open_is_not_written_through(root: Path) -> None:
    outside = root.parent / "outside"
    with OpenFolder(str(root), ("deploy",)) as folder:
        staged = folder.stage((b"after",))
        (root / "deploy").rename(root / "moved")
        (root / "deploy").symlink_to(outside / "deploy")
        try:
            folder.put(staged, "a.yaml")
        except OSError:
            assert not open_folder._IS_STEPWISE

    assert contents(outside) == {"deploy/a.yaml": "before"}


@pytest.mark.parametrize(
    "path", ["../outside/deploy/a.yaml", ".git/config", "deploy/.GIT/x", ".git", "up/a.yaml", "out.yaml", "a\0b"]
)
def test_a_place_outside_or_in_the_git_folder_is_refused_before_anything_is_written(root: Path, path: str) -> None:
    (root / "up").symlink_to(root.parent / "outside" / "deploy")
    (root / "out.yaml").symlink_to(root.parent / "outside" / "deploy" / "a.yaml")
    before = contents(root.parent)
    is_there = os.path.exists(root / path) if "\0" not in path else False
    changes = {
        str(root / "new.yaml"): Change(None, b"new"),
        str(root / path): Change(b"before" if is_there else None, b"after"),
    }

    with pytest.raises(InputError, match="outside of the project" if path != "out.yaml" else "outside"):
        write_changes(changes, (str(root),))

    assert contents(root.parent) == before
    assert place_of(str(root / path), (str(root),)) is None


def test_links_that_stay_inside_are_followed(root: Path) -> None:
    (root / "other").symlink_to("deploy")
    (root / "link.yaml").symlink_to("deploy/a.yaml")

    write_changes({str(root / "link.yaml"): Change(b"before", b"after")}, (str(root),))
    write_changes({str(root / "other" / "b.yaml"): Change(None, b"new")}, (str(root),))

    assert (root / "link.yaml").is_symlink()
    assert contents(root / "deploy") == {"a.yaml": "after", "b.yaml": "new"}
    assert read_inside(str(root / "link.yaml"), (str(root),)) == b"after"


@pytest.mark.parametrize("was", [None, b"other", b"before\n"])
def test_a_file_that_has_changed_is_not_replaced_and_nothing_else_is_written(root: Path, was: bytes | None) -> None:
    before = contents(root.parent)
    changes = {
        str(root / "new" / "b.yaml"): Change(None, b"new"),
        str(root / "deploy" / "a.yaml"): Change(was, b"after"),
    }

    with pytest.raises(ChangedError, match=r"a\.yaml has changed since it was read: nothing was written"):
        write_changes(changes, (str(root),))

    assert contents(root.parent) == before
    assert not (root / "new").exists()


@pytest.mark.parametrize("failing", range(6))
def test_a_full_disk_at_any_write_leaves_what_was_there(
    root: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    before = {path: path.stat().st_mode for path in sorted(root.rglob("*"))}
    done: list[str] = []

    def failing_at(name: str) -> None:
        real = getattr(OpenFolder, name)

        def method(*given: Any, **named: Any) -> Any:
            done.append(name)
            if len(done) == failing + 1:
                raise OSError(28, "No space left on device")
            return real(*given, **named)

        monkeypatch.setattr(OpenFolder, name, method)

    failing_at("stage")
    failing_at("put")
    changes = {
        str(root / "new" / "deep" / "b.yaml"): Change(None, b"new"),
        str(root / "new" / "c.yaml"): Change(None, b"new"),
        str(root / "deploy" / "a.yaml"): Change(b"before", b"after"),
    }

    with pytest.raises(InputError, match="no space left on device"):
        write_changes(changes, (str(root),))

    assert {path: path.stat().st_mode for path in sorted(root.rglob("*"))} == before
    assert (root / "deploy" / "a.yaml").read_text() == "before"


def test_a_new_file_never_replaces_one_that_appears_meanwhile(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put = OpenFolder.put

    def late(*given: Any, **named: Any) -> None:
        (root / "b.yaml").write_text("own")
        put(*given, **named)

    monkeypatch.setattr(OpenFolder, "put", late)
    changes = {str(root / name): Change(None, b"new") for name in ("a.yaml", "b.yaml")}

    with pytest.raises(ChangedError, match=r"b\.yaml is there already"):
        write_changes(changes, (str(root),))

    assert contents(root) == {"b.yaml": "own", "deploy/a.yaml": "before"}


def test_without_hard_links_a_new_file_is_renamed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: Any, **__: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    write_changes({str(root / "b.yaml"): Change(None, b"new")}, (str(root),))

    assert contents(root) == {"b.yaml": "new", "deploy/a.yaml": "before"}


def test_a_mode_is_kept_and_private_data_is_never_readable_for_others(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = root / "deploy" / "a.yaml"
    file.chmod(0o600)
    modes = []
    staged = OpenFolder.stage

    def stage(folder: OpenFolder, *given: Any) -> str:
        name = staged(folder, *given)
        modes.append(stat.S_IMODE(os.stat(root / "deploy" / name).st_mode))
        return name

    monkeypatch.setattr(OpenFolder, "stage", stage)
    write_changes({str(file): Change(b"before", b"after")}, (str(root),))

    assert (modes, stat.S_IMODE(file.stat().st_mode)) == ([0o600], 0o600)


@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_a_pipe_or_a_folder_in_place_of_a_file_is_refused_and_does_not_block(root: Path, kind: str) -> None:
    place = root / "deploy" / "b.yaml"
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.mkdir()

    with pytest.raises(InputError, match=r"not a regular file|is a directory"):
        write_changes({str(place): Change(b"", b"after")}, (str(root),))
    with pytest.raises(InputError, match=r"not a regular file|is a directory"):
        read_inside(str(place), (str(root),))


def test_no_descriptor_stays_open(root: Path) -> None:
    open_before = len(os.listdir("/dev/fd"))
    for number in range(5):
        file = str(root / f"new{number}" / "deep" / "a.yaml")
        write_changes({file: Change(None, b"new")}, (str(root),))
        with pytest.raises(ChangedError):
            write_changes({file: Change(None, b"new")}, (str(root),))

    assert len(os.listdir("/dev/fd")) == open_before


def test_writers_at_the_same_time_lose_no_change(root: Path) -> None:
    file = str(root / "deploy" / "a.yaml")

    def append(number: int) -> None:
        for line in range(10):
            while True:
                before = read_inside(file, (str(root),))
                assert before is not None
                try:
                    write_changes({file: Change(before, before + b"\n%d-%d" % (number, line))}, (str(root),))
                    break
                except ChangedError:
                    continue

    if not open_folder._IS_STEPWISE:
        append(0)  # locks need an open folder
        assert len((root / "deploy" / "a.yaml").read_text().splitlines()) == 11
        return
    threads = [threading.Thread(target=append, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len((root / "deploy" / "a.yaml").read_text().splitlines()) == 41


def test_a_folder_that_another_process_keeps_locked_is_waited_for_a_bounded_time(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_folder, "_PATIENCE", 0.1)
    with OpenFolder(str(root), ("deploy",)) as folder:
        folder.lock()
        change = {str(root / "deploy" / "a.yaml"): Change(b"before", b"after")}
        if open_folder._IS_STEPWISE:
            with pytest.raises(InputError, match="another process writes into the folder"):
                write_changes(change, (str(root),))
            assert contents(root) == {"deploy/a.yaml": "before"}

    write_changes(change, (str(root),))
    assert contents(root) == {"deploy/a.yaml": "after"}


def test_a_link_that_becomes_a_folder_while_it_is_resolved_is_resolved_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "link").symlink_to("there")
    there = os.path.join(os.path.realpath(root), "there")
    failures = [OSError(errno.EINVAL, "Invalid argument"), FileNotFoundError(errno.ENOENT, "No such file")]
    realpath = os.path.realpath

    def flipping(path: str) -> str:
        if failures:
            raise failures.pop()
        return realpath(path)

    # Python 3.11 and 3.12 raise such an error; later ones take the link for a folder.
    monkeypatch.setattr(os.path, "realpath", flipping)
    assert file_path.realpath(str(root / "link")) == there

    failures += [OSError(errno.EINVAL, "Invalid argument")] * 1_000
    with pytest.raises(InputError, match="a link in the path changes all the time"):
        file_path.realpath(str(root / "link"))
