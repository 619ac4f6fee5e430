"""A placeholder in place of a name that a sound project states is no finding: whatever stands there may be right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.check import full
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.workspace.resource import Resource

NAMELESS = {"http", "ratelimit-replicas"}
"""Projects that state no name but their own."""
PROJECTS = [
    file
    for file in sorted((Path(__file__).parents[3] / "fixtures" / "sound").glob("*.yaml"))
    if file.stem not in NAMELESS
]


def check(file: Path, *, closed: bool) -> full.Report:
    return full.check(discover((str(file),)), full.Options(closed=closed))


def with_placeholders(text: str, resource: Resource) -> Iterator[str]:
    """Yield the text with a placeholder in place of each name in turn that ``resource`` states, and of each key."""
    for reference in resource.stated_references:
        for path, stated in ((reference.path, reference.name), (reference.key_path, reference.key)):
            if path is not None and stated is not None:
                place = resource.at(path)
                lines = text.split("\n")
                line = lines[place.line - 1]
                if line[place.column - 1 : place.end_column - 1].strip("'\"") == stated:
                    lines[place.line - 1] = line[: place.column - 1] + "'${X}'" + line[place.end_column - 1 :]
                    yield "\n".join(lines)


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.stem)
@pytest.mark.parametrize("closed", [False, True])
def test_a_placeholder_in_a_name_causes_no_new_finding(project: Path, tmp_path: Path, *, closed: bool) -> None:
    text = project.read_text(encoding="utf-8")
    before = check(project, closed=closed)
    known = {(one.rule, one.document) for one in before.findings}
    changed = tmp_path / project.name
    for resource in before.loaded.resources:
        for other in with_placeholders(text, resource):
            changed.write_text(other, encoding="utf-8")
            found = check(changed, closed=closed).findings
            new = [one for one in found if one.severity != "info" and (one.rule, one.document) not in known]
            assert not new, other
