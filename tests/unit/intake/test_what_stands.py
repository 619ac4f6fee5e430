"""Each resource of each fixture comes and goes, and is read by another process: what depends on it is told anew."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from sample import FIXTURES, resource, write

from mcpcfg.compiler.check import pipeline
from mcpcfg.compiler.check.judged import judge_loaded
from mcpcfg.compiler.intake.keeping import open_cache
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
def beside(tree: Path) -> None:
    """Have enough other files for a change of one to be a small one."""
    for number, text in enumerate(BESIDE):
        write(tree / f"beside-{number}.yaml", text)


def documents(path: Path) -> list[str]:
    return [one.strip() + "\n" for one in re.split(r"^---\s*$", path.read_text("utf-8"), flags=re.MULTILINE)]


class Call(NamedTuple):
    """How the files beside one another are checked.

    Attributes:
        namespace: Of resources that state none.
    """

    namespace: str | None

    def told(self, *, keep: bool, jobs: int = 1) -> list[dict[str, Any]]:
        project, options = discover((".",)), pipeline.Options(jobs=jobs, namespace=self.namespace)
        keeper = open_cache(project, options) if keep else None
        report = pipeline.check(project, options, findings_alone=keep or jobs > 1, keeper=keeper)
        return [one.as_json() for one in report.findings]


def by_several(tree: Path, texts: Sequence[str], call: Call) -> None:
    """Check all texts by two processes."""
    for number, text in enumerate(texts):
        write(tree / f"part-{number}.yaml", text)
    assert call.told(keep=False, jobs=2) == call.told(keep=False)
    for number in range(len(texts)):
        (tree / f"part-{number}.yaml").unlink()


def each_comes_and_goes(tree: Path, texts: Sequence[str], call: Call) -> int:
    """Let each text come and go among the others; returns how often that changed what is reported of another file."""
    names = [tree / f"part-{number}.yaml" for number in range(len(texts))]
    for name, text in zip(names, texts, strict=True):
        write(name, text)
    whole = call.told(keep=False)
    assert call.told(keep=True) == whole
    changes = 0
    for name, text in zip(names, texts, strict=True):
        name.unlink()
        rest = call.told(keep=False)
        assert call.told(keep=True) == rest, name
        write(name, text)
        assert call.told(keep=True) == whole, name
        changes += rest != [one for one in whole if one["file"] != name.name]
    for name in names:
        name.unlink()
    return changes


@pytest.mark.parametrize(("topic", "namespace"), [*((topic, None) for topic in TOPICS), ("REF", "a"), ("VMC", "a")])
def test_what_depends_on_a_resource_that_comes_or_goes_is_told_anew(
    tree: Path, topic: str, namespace: str | None
) -> None:
    call = Call(namespace)
    changes = 0
    for path in SEVERAL:
        if path.parent.name.startswith(topic):
            texts = documents(path)
            changes += each_comes_and_goes(tree, texts, call)
            by_several(tree, texts[::-1], call)
    assert changes or topic in ALONE, "nothing depended on anything"


@pytest.mark.parametrize("path", SEVERAL, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_a_check_finds_lies_in_the_file_of_its_resource(tree: Path, path: Path) -> None:
    for number, text in enumerate(documents(path)):
        write(tree / f"part-{number}.yaml", text)
    project, options = discover((".",)), pipeline.Options(jobs=1)
    judged = judge_loaded(pipeline.load(project, options), project, options)
    for position, verdict in judged.verdicts.items():
        assert {finding.span.file for finding in verdict.findings} <= {judged.loaded.resources.files[position]}
