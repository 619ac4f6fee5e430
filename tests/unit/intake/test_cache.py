"""A check that remembers gives the same as one that does not, whatever was edited in between."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING, NamedTuple

import pytest
from sample import random_overlay, random_rule_text, random_text, resource, write

from mcpcfg.compiler.check import pipeline
from mcpcfg.compiler.intake import cache_file
from mcpcfg.compiler.intake.keeping import open_cache
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.check.pipeline import Report


pytestmark = pytest.mark.usefixtures("tree")


class Call(NamedTuple):
    """Options that are the same for several checks."""

    closed: bool
    namespace: str | None


def check(
    *,
    keep: bool = True,
    jobs: int = 1,
    paths: tuple[str, ...] = (".",),
    closed: bool = False,
    namespace: str | None = None,
) -> Report:
    project, options = discover(paths), pipeline.Options(jobs=jobs, closed=closed, namespace=namespace)
    keeper = open_cache(project, options) if keep else None
    return pipeline.check(project, options, findings_alone=True, keeper=keeper)


def check_at_once(*, paths: tuple[str, ...] = (".",), closed: bool = False, namespace: str | None = None) -> Report:
    """Check in one process, and without anything that is known."""
    return pipeline.check(discover(paths), pipeline.Options(jobs=1, closed=closed, namespace=namespace))


def told(report: Report) -> tuple[object, ...]:
    return (
        [one.as_json() for one in report.findings],
        report.loaded.files,
        report.loaded.documents,
        report.loaded.templates,
        list(report.loaded.texts),
        report.nothing,
    )


def edit(rng: random.Random, tree: Path) -> None:
    """Change, add or remove a file or two."""
    for _ in range(rng.randint(0, 3)):
        path = tree / rng.choice(("kustomization.yaml", *(f"f{number}.yaml" for number in range(12))))
        if path.exists() and rng.random() < 0.3:
            path.unlink()
        else:
            write(path, random_text(rng))


@pytest.mark.parametrize("seed", range(8))
def test_after_any_edits_a_warm_check_gives_the_same_as_a_cold_one(tree: Path, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(12):
        write(tree / f"f{number}.yaml", random_text(rng))
    namespace = rng.choice((None, "a"))
    for _ in range(12):
        edit(rng, tree)
        warm = told(check(jobs=rng.choice((1, 2, 3)), namespace=namespace))
        assert warm == told(check_at_once(namespace=namespace)), seed
        assert warm == told(check(namespace=namespace)), seed


@pytest.mark.parametrize("seed", range(20))
def test_parts_that_are_judged_apart_give_the_same_together(
    tree: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(100 + seed)
    monkeypatch.setattr("mcpcfg.compiler.intake.gather._MOST_LIVE", rng.choice((2, 3, 100)))
    monkeypatch.setattr("mcpcfg.compiler.intake.gather._MOST_PACKED", rng.choice((1, 3, 100)))
    monkeypatch.setattr("mcpcfg.compiler.check.several._MOST_JUDGED", rng.choice((1, 3, 100)))
    monkeypatch.setattr("mcpcfg.compiler.intake.stored._MOST_DECODED", rng.choice((1, 4, 100)))
    for number in range(rng.randint(8, 24)):
        write(tree / f"f{number}.yaml", random_text(rng))
    if rng.random() < 0.5:
        write(tree / "kustomization.yaml", random_text(rng))
    closed = rng.random() < 0.3
    namespace = rng.choice((None, "a"))
    expected = told(check_at_once(closed=closed, namespace=namespace))
    for jobs in (2, 5):
        assert told(check(keep=False, jobs=jobs, closed=closed, namespace=namespace)) == expected, seed


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_what_was_asked_about_before_its_turn_is_told_all_the_same(
    tree: Path, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcpcfg.compiler.check.several._MOST_JUDGED", at_once)
    server = ("groupRef: {name: tools}", "incomingAuth: {type: anonymous}", "config: {compositeToolRefs: [{name: w}]}")
    steps = ("name: w", "description: does things", "steps: [{id: a, tool: fetch.run, dependsOn: [b]}]")
    write(tree / "a.yaml", resource("MCPGroup", "tools"))
    for number in range(9):
        write(tree / f"n{number}.yaml", resource("MCPServer", f"s{number}", "image: x:1", "transport: stdio"))
    write(tree / "b.yaml", resource("VirtualMCPServer", "one", *server))
    write(tree / "c.yaml", resource("VirtualMCPCompositeToolDefinition", "w", *steps))
    write(tree / "m.yaml", resource("VirtualMCPServer", "two", *server))
    expected = told(check_at_once())
    assert "CMP010" in {finding["rule"] for finding in expected[0]}
    assert told(check(keep=False, jobs=2)) == expected
    assert told(check(jobs=2)) == expected


@pytest.mark.parametrize("seed", range(6))
def test_whatever_rules_say_is_the_same_for_several_processes_and_after_edits(
    tree: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(200 + seed)
    files = [f"f{number:02}.yaml" for number in range(rng.choice((12, 40)))]
    monkeypatch.setattr("mcpcfg.compiler.intake.gather._MOST_LIVE", rng.choice((3, 7, 1000)))
    monkeypatch.setattr("mcpcfg.compiler.intake.gather._MOST_PACKED", rng.choice((1, 3, 100)))
    monkeypatch.setattr("mcpcfg.compiler.check.several._MOST_JUDGED", rng.choice((2, 5, 1000)))
    monkeypatch.setattr("mcpcfg.compiler.intake.stored._MOST_DECODED", rng.choice((1, 5, 1000)))
    monkeypatch.setattr("mcpcfg.compiler.workspace.workspace._MOST_RESOLVED", rng.choice((1, 5, 1000)))
    monkeypatch.setattr("mcpcfg.compiler.check.warm._MOST_SEGMENTS", rng.choice((2, 16)))
    for file in files:
        write(tree / file, random_rule_text(rng))
    call = Call(closed=rng.random() < 0.3, namespace=rng.choice((None, "a")))
    for _ in range(5):
        if rng.random() < 0.3:
            (tree / "overlay").mkdir(exist_ok=True)
            write(tree / "overlay" / "kustomization.yaml", random_overlay(rng, files))
        for file in rng.choices(files, k=rng.randint(1, 3)):
            write(tree / file, random_rule_text(rng))
        (tree / rng.choice(files)).unlink(missing_ok=True)
        expected = told(check_at_once(**call._asdict()))
        assert told(check(jobs=rng.choice((1, 2, 3)), **call._asdict())) == expected, seed
        assert told(check(keep=False, jobs=rng.choice((2, 4)), **call._asdict())) == expected, seed


def test_a_process_knows_no_more_of_another_share_than_one_process_would_by_then(tree: Path) -> None:
    server = ("image: ghcr.io/acme/fetch:1.0", "toolConfigRef: {name: tools}")
    limits = 'rateLimiting: {shared: {maxTokens: 10, refillPeriod: "60"}}'
    write(tree / "a.yaml", resource("MCPToolConfig", "tools", "toolsFilter: [x]"))
    for number in range(6):
        write(tree / f"b{number}.yaml", resource("MCPGroup", f"group-{number}"))
    storage = 'sessionStorage: {provider: redis, address: "redis:6379"}'
    write(tree / "z.yaml", resource("MCPServer", "fetch", *server, storage, limits))
    assert "RLM001" in {finding.rule for finding in check_at_once().findings}
    assert told(check(keep=False, jobs=2)) == told(check_at_once())


@pytest.mark.parametrize("live", [2, 1000])
@pytest.mark.parametrize("folder", ["a", "z"])
def test_a_skill_which_no_plain_data_stands_for_is_told_whichever_process_reads_it(
    tree: Path, folder: str, live: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcpcfg.compiler.intake.gather._MOST_LIVE", live)
    (tree / folder).mkdir()
    write(tree / "mcpcfg.yaml", f"skills: [{folder}]\n")
    write(tree / folder / "SKILL.md", "---\nname: other\ndescription: Does things.\n---\n")
    for number in range(12):
        write(tree / f"f{number:02}.yaml", resource("MCPServer", f"x{number}", "transport: http"))
    expected = told(check_at_once())
    assert any(finding.span.file == f"{folder}/SKILL.md" for finding in check_at_once().findings)
    assert told(check(keep=False, jobs=2)) == expected
    assert told(check(jobs=2)) == expected
    assert told(check()) == expected


def test_what_lies_in_a_folder_is_a_template_as_soon_as_that_is_a_chart(tree: Path) -> None:
    (tree / "chart" / "templates").mkdir(parents=True)
    write(tree / "chart" / "templates" / "a.yaml", resource("MCPServer", "a", "transport: http"))
    for number in range(8):
        write(tree / f"b{number}.yaml", resource("MCPGroup", f"b{number}"))
    assert check().findings
    write(tree / "chart" / "Chart.yaml", "name: chart\n")
    assert told(check()) == told(check_at_once())
    for jobs in (1, 2):
        assert not check(jobs=jobs).findings
        assert check(jobs=jobs).loaded.templates == 1
    (tree / "chart" / "Chart.yaml").unlink()
    assert told(check()) == told(check_at_once())
    assert check().findings


def test_any_number_of_processes_and_any_order_of_paths_give_the_same(tree: Path) -> None:
    rng = random.Random(1)
    names = [f"f{number}.yaml" for number in range(40)]
    for name in names:
        write(tree / name, random_text(rng))
    expected = told(check_at_once(paths=tuple(names)))
    for jobs in (2, 3, 7):
        rng.shuffle(names)
        assert told(check(keep=False, jobs=jobs, paths=tuple(names))) == expected


def test_nothing_is_read_again_where_nothing_has_changed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tree / "a.yaml", resource("MCPServer", "x", "transport: http"))
    cold = told(check())

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a file was read")

    monkeypatch.setattr("mcpcfg.compiler.intake.gather.files.read_file", fail)
    assert told(check()) == cold


def test_a_change_that_leaves_size_and_time_stamps_of_a_fresh_file_is_seen(tree: Path) -> None:
    path = tree / "a.yaml"
    path.write_text(resource("MCPGroup", "x"))
    check()
    status = path.stat()
    with path.open("r+") as file:
        file.write(resource("MCPGrouq", "x"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert told(check()) == told(check_at_once())


def test_another_time_stamp_alone_is_no_change(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tree / "a.yaml"
    write(path, resource("MCPServer", "x", "transport: http"))
    cold = told(check())
    write(path, path.read_text())
    monkeypatch.setattr("mcpcfg.compiler.intake.gather.files.read_file", None)
    assert told(check()) == cold


def test_options_and_configuration_are_part_of_what_is_kept(tree: Path) -> None:
    write(tree / "a.yaml", resource("MCPServer", "x", "image: a:1", "transport: stdio", "groupRef: {name: none}"))
    assert told(check()) == told(check_at_once())
    assert told(check(closed=True)) == told(check_at_once(closed=True))
    for settings in ("external: {MCPGroup: [none]}\n", "rules: {REF001: off}\n", "namespace: other\n"):
        write(tree / "mcpcfg.yaml", settings)
        assert told(check()) == told(check_at_once())


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "text", "shared"])
def test_a_damaged_cache_counts_as_none(tree: Path, damage: str) -> None:
    write(tree / "a.yaml", resource("MCPServer", "x", "transport: http"))
    cold = told(check())
    (file,) = os.scandir(cache_file.folder())
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
    assert told(check()) == cold
    write(tree / "b.yaml", resource("MCPGroup", "y"))
    assert told(check()) == told(check_at_once())
    assert os.stat(cache_file.folder()).st_mode & 0o077 == 0


def test_the_cache_is_private_and_can_be_cleared(tree: Path) -> None:
    write(tree / "a.yaml", resource("MCPGroup", "x"))
    check()
    (file,) = os.scandir(cache_file.folder())
    assert file.stat().st_mode & 0o777 == 0o600
    assert os.stat(cache_file.folder()).st_mode & 0o777 == 0o700
    assert cache_file.clear() == 1
    assert list(os.scandir(cache_file.folder())) == []


def test_a_folder_that_cannot_be_made_is_no_fault(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tree / "blocked"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    write(tree / "a.yaml", resource("MCPGroup", "x"))
    assert told(check()) == told(check_at_once())
