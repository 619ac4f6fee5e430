"""Each resource of each fixture comes and goes, and is read by another process: what depends on it is told anew."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from sample import FIXTURES, resource

from mcpcfg.compiler import pipeline
from mcpcfg.compiler.intake import worker
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SEVERAL = sorted(path for path in FIXTURES.glob("*/invalid*.yaml") if "\n---\n" in path.read_text("utf-8"))
TOPICS = sorted({path.parent.name[:3] for path in SEVERAL})
ALONE = {"ADM", "BLD", "MRG", "RES"}
"""Topics of what is wrong with one resource, whatever stands beside it."""
BESIDE = [resource("MCPGroup", f"beside-{number}", namespace="elsewhere") for number in range(8)]


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, with a cache for few files."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(pipeline, "FEWEST_KEPT", 1)
    monkeypatch.setattr(worker, "FEWEST", 2)
    folder = tmp_path / "tree"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for number, text in enumerate(BESIDE):
        write(folder / f"beside-{number}.yaml", text)
    return folder


def write(path: Path, text: str) -> None:
    path.write_text(text)
    before = time.time_ns() - 3_600_000_000_000
    os.utime(path, ns=(before, before))


def documents(path: Path) -> list[str]:
    return [one.strip() + "\n" for one in re.split(r"^---\s*$", path.read_text("utf-8"), flags=re.MULTILINE)]


def told(*, keep: bool, jobs: int = 1) -> list[dict[str, Any]]:
    options = pipeline.Options(jobs=jobs, namespace=os.environ.get("STATED"))
    report = pipeline.check(discover((".",)), options, keep=keep, findings_alone=keep or jobs > 1)
    return [one.as_json() for one in report.findings]


def by_several(tree: Path, texts: Sequence[str]) -> None:
    """Check all texts by two processes."""
    for number, text in enumerate(texts):
        write(tree / f"part-{number}.yaml", text)
    assert told(keep=False, jobs=2) == told(keep=False)
    for number in range(len(texts)):
        (tree / f"part-{number}.yaml").unlink()


def each_comes_and_goes(tree: Path, texts: Sequence[str]) -> int:
    """Let each text come and go among the others; gives how often that changed what is told of another file."""
    names = [tree / f"part-{number}.yaml" for number in range(len(texts))]
    for name, text in zip(names, texts, strict=True):
        write(name, text)
    whole = told(keep=False)
    assert told(keep=True) == whole
    changes = 0
    for name, text in zip(names, texts, strict=True):
        name.unlink()
        rest = told(keep=False)
        assert told(keep=True) == rest, name
        write(name, text)
        assert told(keep=True) == whole, name
        changes += rest != [one for one in whole if one["file"] != name.name]
    for name in names:
        name.unlink()
    return changes


@pytest.mark.parametrize(("topic", "namespace"), [*((topic, None) for topic in TOPICS), ("REF", "a"), ("VMC", "a")])
def test_what_depends_on_a_resource_that_comes_or_goes_is_told_anew(
    tree: Path, topic: str, namespace: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if namespace is not None:
        monkeypatch.setenv("STATED", namespace)
    changes = 0
    for path in SEVERAL:
        if path.parent.name.startswith(topic):
            texts = documents(path)
            changes += each_comes_and_goes(tree, texts)
            by_several(tree, texts[::-1])
    assert changes or topic in ALONE, "nothing depended on anything"
