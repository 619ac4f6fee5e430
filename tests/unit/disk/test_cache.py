"""A check with the cache reports the same as one without, whatever was edited in between."""

from __future__ import annotations

import marshal
import os
import random
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from caching import check_kept
from calling import call
from repository import git
from sample import random_overlay, random_rule_text, random_text, resource, write

from mcpcfg.compiler.check import full
from mcpcfg.compiler.cli.check import FEWEST_KEPT, open_cache
from mcpcfg.compiler.diagnostics.version import VERSION
from mcpcfg.compiler.disk import cache_file
from mcpcfg.compiler.disk.cache import code
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.project.settings import Options

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpcfg.compiler.check.full import Report


pytestmark = pytest.mark.usefixtures("tree")


class Call(NamedTuple):
    """Options that are the same for several checks."""

    closed: bool = False
    namespace: str | None = None
    isolated: bool = False


WHOLE = Call()


def check(*, keep: bool = True, paths: tuple[str, ...] = (".",), call: Call = WHOLE) -> Report:
    project, options = discover(paths), Options(**call._asdict())
    return check_kept(project, options, keep=keep)


def check_at_once(*, paths: tuple[str, ...] = (".",), call: Call = WHOLE) -> Report:
    """Check without anything that is known."""
    return full.check(discover(paths), Options(**call._asdict()))


def outcome(report: Report) -> tuple[object, ...]:
    return (
        [one.as_json() for one in report.findings],
        report.loaded.files,
        report.loaded.documents,
        report.loaded.templates,
        list(report.loaded.texts),
        report.nothing,
    )


@pytest.mark.parametrize("text_of", [random_text, random_rule_text], ids=["all", "rules"])
@pytest.mark.parametrize("seed", range(6))
def test_checks_with_and_without_a_cache_agree_after_any_edits(
    tree: Path, seed: int, text_of: Callable[[random.Random], str]
) -> None:
    rng = random.Random(seed)
    files = [f"f{number:02}.yaml" for number in range(rng.choice((12, 40)))]
    for file in files:
        write(tree / file, text_of(rng))
    call = Call(closed=rng.random() < 0.3, namespace=rng.choice((None, "a")), isolated=rng.random() < 0.2)
    for _ in range(6):
        if rng.random() < 0.3:
            (tree / "overlay").mkdir(exist_ok=True)
            write(tree / "overlay" / "kustomization.yaml", random_overlay(rng, files))
        for file in rng.choices(files, k=rng.randint(0, 3)):
            write(tree / file, text_of(rng))
        (tree / rng.choice(files)).unlink(missing_ok=True)
        expected = outcome(check_at_once(call=call))
        for _ in range(2):
            assert outcome(check(call=call)) == expected, seed


@pytest.mark.parametrize("folder", ["a", "z"])
def test_a_skill_with_findings_is_reported_again_if_the_cache_is_used(tree: Path, folder: str) -> None:
    (tree / folder).mkdir()
    write(tree / "mcpcfg.yaml", f"skills: [{folder}]\n")
    write(tree / folder / "SKILL.md", "---\nname: other\ndescription: Does things.\n---\n")
    for number in range(12):
        write(tree / f"f{number:02}.yaml", resource("MCPServer", f"x{number}", "transport: http"))
    expected = outcome(check_at_once())
    assert any(finding.span.file == f"{folder}/SKILL.md" for finding in check_at_once().findings)
    for _ in range(2):
        assert outcome(check()) == expected


def test_files_become_templates_when_their_folder_becomes_a_chart(tree: Path) -> None:
    (tree / "chart" / "templates").mkdir(parents=True)
    write(tree / "chart" / "templates" / "a.yaml", resource("MCPServer", "a", "transport: http"))
    for number in range(8):
        write(tree / f"b{number}.yaml", resource("MCPGroup", f"b{number}"))
    assert check().findings
    write(tree / "chart" / "Chart.yaml", "name: chart\n")
    assert outcome(check()) == outcome(check_at_once())
    assert not check().findings
    assert check().loaded.templates == 1
    (tree / "chart" / "Chart.yaml").unlink()
    assert outcome(check()) == outcome(check_at_once())
    assert check().findings


def test_any_order_of_paths_gives_the_same(tree: Path) -> None:
    rng = random.Random(1)
    names = [f"f{number}.yaml" for number in range(40)]
    for name in names:
        write(tree / name, random_text(rng))
    expected = outcome(check_at_once(paths=tuple(names)))
    for _ in range(3):
        rng.shuffle(names)
        assert outcome(check(keep=False, paths=tuple(names))) == expected


def test_nothing_is_read_again_where_nothing_has_changed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tree / "a.yaml", resource("MCPServer", "x", "transport: http"))
    cold = outcome(check())

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a file was read")

    monkeypatch.setattr("mcpcfg.compiler.check.load.files.read_file", fail)
    assert outcome(check()) == cold


def test_a_change_that_leaves_size_and_time_stamps_of_a_fresh_file_is_seen(tree: Path) -> None:
    path = tree / "a.yaml"
    path.write_text(resource("MCPGroup", "x"))
    check()
    status = path.stat()
    with path.open("r+") as file:
        file.write(resource("MCPGrouq", "x"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert outcome(check()) == outcome(check_at_once())


def test_another_time_stamp_alone_is_no_change(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tree / "a.yaml"
    write(path, resource("MCPServer", "x", "transport: http"))
    cold = outcome(check())
    write(path, path.read_text())
    monkeypatch.setattr("mcpcfg.compiler.check.load.files.read_file", None)
    assert outcome(check()) == cold


def test_options_and_configuration_are_part_of_what_is_kept(tree: Path) -> None:
    write(tree / "a.yaml", resource("MCPServer", "x", "image: a:1", "transport: stdio", "groupRef: {name: none}"))
    assert outcome(check()) == outcome(check_at_once())
    assert outcome(check(call=Call(closed=True))) == outcome(check_at_once(call=Call(closed=True)))
    for settings in ("external: {MCPGroup: [none]}\n", "rules: {REF001: off}\n", "namespace: other\n"):
        write(tree / "mcpcfg.yaml", settings)
        assert outcome(check()) == outcome(check_at_once())


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "text", "shared"])
def test_a_damaged_cache_is_ignored(tree: Path, damage: str) -> None:
    write(tree / "a.yaml", resource("MCPServer", "x", "transport: http"))
    cold = outcome(check())
    (file,) = (one for one in os.scandir(cache_file.folder()) if one.name != "key")
    with open(file.path, "rb") as stream:
        data = bytearray(stream.read())
    if damage == "cut":
        data = data[:-3]
    elif damage == "flip":
        for at in range(60, len(data), 7):
            data[at] ^= 0x55
    elif damage == "empty":
        data.clear()
    elif damage == "text":
        data[:] = b"{}" * 100
    else:
        os.chmod(cache_file.folder(), 0o777)
    with open(file.path, "wb") as stream:
        stream.write(data)
    assert outcome(check()) == cold
    write(tree / "b.yaml", resource("MCPGroup", "y"))
    assert outcome(check()) == outcome(check_at_once())
    assert os.stat(cache_file.folder()).st_mode & 0o777 == (0o777 if damage == "shared" else 0o700)


def test_the_cache_is_private_and_can_be_cleared(tree: Path) -> None:
    write(tree / "a.yaml", resource("MCPGroup", "x"))
    check()
    (file,) = (one for one in os.scandir(cache_file.folder()) if one.name != "key")
    assert file.stat().st_mode & 0o777 == 0o600
    assert os.stat(cache_file.folder()).st_mode & 0o777 == 0o700
    assert cache_file.clear() == 1
    assert list(os.scandir(cache_file.folder())) == []


def test_a_cache_folder_that_cannot_be_created_is_ignored(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tree / "blocked"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    write(tree / "a.yaml", resource("MCPGroup", "x"))
    assert outcome(check()) == outcome(check_at_once())


def test_in_ci_a_file_without_resources_is_unchanged_if_its_text_is_the_same(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "1")
    write(tree / "a.yaml", resource("MCPGroup", "a"))
    write(tree / "b.yaml", "b: 1\n")
    check()
    cache = open_cache(discover((".",)), Options(), cache_file.folder())
    assert cache is not None
    assert cache.known().keys() == {"a.yaml", "b.yaml"}
    write(tree / "b.yaml", "b: 2\n")
    cache = open_cache(discover((".",)), Options(), cache_file.folder())
    assert cache is not None
    assert cache.known().keys() == {"a.yaml"}


def test_no_bit_that_flips_changes_a_finding(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "1")
    write(tree / "a.yaml", resource("MCPServer", "x", "transport: http") + "---\n" + resource("MCPGroup", "y"))
    cold = outcome(check())
    good = {file: file.read_bytes() for file in Path(cache_file.folder()).iterdir()}
    assert len(good) == 2
    rng = random.Random(7)
    for number in range(150):
        for file, data in good.items():
            file.write_bytes(data)
        file = sorted(good)[number % 2]
        changed = bytearray(good[file])
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        file.write_bytes(changed)
        project = discover((".",))
        cache = open_cache(project, Options(), cache_file.folder())
        assert cache is not None
        assert cache.known() == {}
        assert outcome(check()) == cold


def test_a_forged_cache_with_codes_of_another_key_is_ignored(
    tree: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write(tree / "a.yaml", resource("MCPServer", "x", "transport: http"))
    cold = outcome(check())
    own = Path(cache_file.folder())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "forged"))
    sound = (tree / "a.yaml").read_text()
    write(tree / "a.yaml", resource("MCPServer", "x", "transport: stdio"))
    check()
    write(tree / "a.yaml", sound)
    for file in Path(cache_file.folder()).iterdir():
        if file.name != "key":
            (own / file.name).write_bytes(file.read_bytes())
    monkeypatch.setenv("XDG_CACHE_HOME", str(own.parent))
    monkeypatch.setattr(marshal, "loads", lambda _: pytest.fail("decoded"))

    assert outcome(check()) == cold


def _project(folder: Path, text: str) -> list[Path]:
    """Write a project that is large enough for a cache."""
    files = [folder / f"f{number:02}.yaml" for number in range(FEWEST_KEPT)]
    for file in files:
        write(file, text.replace("name: x", f"name: {file.stem}"))
    return files


BAD, GOOD = resource("MCPServer", "x", "transport: http"), resource("MCPServer", "x", "image: a:1", "transport: stdio")


def _forge(repository: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, *paths: str) -> None:
    """Fill a cache with the results of sound files, and put files with errors and the same stamps in their place."""
    texts = {file: file.read_text() for file in _project(repository, GOOD)}
    bad = BAD.ljust(len(GOOD), "#")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    (cache / "mcpcfg").mkdir(parents=True, mode=0o700)
    with monkeypatch.context() as patch:
        patch.setattr(cache_file, "refusal", lambda *_: None)
        for file in texts:
            os.utime(file, (1, 1))
        patch.setattr("mcpcfg.compiler.disk.cache.stamp_of", lambda _: b"\0" * 32, raising=False)
        patch.setattr("mcpcfg.compiler.disk.stamp.stamp_of", lambda _: b"\0" * 32)
        assert call("check", *paths).status == 0
    monkeypatch.setattr("mcpcfg.compiler.disk.stamp.stamp_of", lambda _: b"\0" * 32)
    for file in texts:
        file.write_text(bad.replace("name: x", f"name: {file.stem}"))


@pytest.mark.parametrize("ci", [False, True])
@pytest.mark.parametrize("place", ["repo/.cache", "repo/deploy/.cache", "here/.cache", "repo"])
@pytest.mark.parametrize("is_git", [False, True])
def test_a_forged_cache_in_the_checkout_is_not_believed_from_wherever_the_call_is_made(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    place: str,
    *,
    ci: bool,
    is_git: bool,
) -> None:
    for name in ("repo/deploy", "here"):
        (tmp_path / name).mkdir(parents=True)
    if is_git:
        git(tmp_path / "repo", "init", "-q")
    monkeypatch.chdir(tmp_path / "here")
    path = "../repo" if is_git or place != "repo/deploy/.cache" else "../repo/deploy"
    _forge(tmp_path / "repo" / "deploy", tmp_path / place, monkeypatch, path)
    if ci:
        monkeypatch.setenv("CI", "1")
    capsys.readouterr()

    outcome = call("check", path)

    assert outcome.status == 1
    assert outcome.out.count("error[") >= FEWEST_KEPT
    assert ("lies in the checkout" in outcome.err) == (not ci)
    with monkeypatch.context() as patch:  # the forgery works where it is believed
        patch.setattr(cache_file, "refusal", lambda *_: None)
        assert call("check", path, "--cache", str(tmp_path / place / "mcpcfg")).status == (1 if ci else 0)


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720])
@pytest.mark.parametrize("is_above", [False, True])
def test_a_cache_that_others_may_write_to_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, *, is_above: bool
) -> None:
    (tmp_path / "repo").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    _forge(tmp_path / "repo", tmp_path / "above" / "cache", monkeypatch, ".")
    (tmp_path / "above" if is_above else tmp_path / "above" / "cache" / "mcpcfg").chmod(mode)

    outcome = call("check", ".")

    if is_above and not mode & 0o002:
        assert outcome.status == 0
    else:
        assert (outcome.status, "can be written by others" in outcome.err) == (1, True)


def test_in_ci_there_is_no_cache_unless_the_call_names_one(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    _project(tree, GOOD)
    outcome = call("check", ".")
    assert not os.path.exists(cache_file.folder())
    named = tree.parent / "named"
    for _ in range(2):
        assert call("check", ".", "--cache", str(named)) == outcome
        assert sorted(len(file.name) for file in named.iterdir()) == [3, 32]
    monkeypatch.setattr("mcpcfg.compiler.check.load.files.read_file", None)
    assert call("check", ".", "--cache", str(named)) == outcome
    assert call("check", ".", "--cache", str(named), "--no-cache").status == 3


def test_other_files_in_a_named_folder_are_kept(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _project(tree, GOOD)
    monkeypatch.setattr(cache_file, "_MOST_FILES", 1)
    named = tree.parent / "named"
    named.mkdir(mode=0o700)
    for name in ("own.txt", "a" * 32 + ".txt", "key.old"):
        (named / name).write_text("own")
    for path in (".", "f00.yaml f01.yaml", ".."):
        call("check", *path.split(), "--cache", str(named), "--namespace", "a")
    assert {"own.txt", "a" * 32 + ".txt", "key.old"} < {file.name for file in named.iterdir()}


@pytest.mark.parametrize("place", [".cache", "sub/cache", "."])
def test_a_cache_in_the_checkout_is_refused(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tree / place))
    write(tree / "a.yaml", resource("MCPServer", "x", "transport: http"))

    assert outcome(check()) == outcome(check_at_once())

    assert "lies in the checkout" in capsys.readouterr().err
    assert not os.path.exists(cache_file.folder())


def test_the_same_code_is_known_wherever_and_whenever_it_is_installed(tmp_path: Path) -> None:
    known = []
    for number, content in enumerate(("a", "a", "b")):
        root = tmp_path / str(number) / "mcpcfg"
        (root / "compiler").mkdir(parents=True)
        (root / "compiler" / "x.py").write_text(content)
        record = root.parent / f"mcpcfg-{VERSION}.dist-info" / "RECORD"
        record.parent.mkdir()
        script = f"../../bin/mcpcfg,sha256={number},1\nmcpcfg/__pycache__/x.pyc,,\n"
        record.write_text(f"{script}mcpcfg/compiler/x.py,sha256={content},1\n")
        known.append(code(str(root)))

    assert known[0] == known[1] != known[2]


def test_a_change_of_a_checkout_is_other_code(tmp_path: Path) -> None:
    for room in ("compiler", "validators"):
        (tmp_path / room).mkdir()
    (tmp_path / "compiler" / "x.py").write_text("a")
    before = code(str(tmp_path))
    os.utime(tmp_path / "compiler" / "x.py", (1, 1))

    assert code(str(tmp_path)) != before
