"""A placeholder in place of any value of a sound project brings no error and no warning: its value is not known."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from judging import release_of

import mcpcfg
from mcpcfg.compiler.reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parents[3] / "fixtures" / "rules"
FILES = [
    file
    for file in sorted(FOLDER.glob("*/valid-*.yaml"))
    if not file.parent.name.startswith(("ADM03", "RES004", "SYN")) and release_of(file) is None
]
"""Those that hold values of ours."""
IDENTITY = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))
"""What makes it another resource, to which nothing refers."""
UNCONNECTED = {"TLC003": "the reference leads nowhere, so that the tool configuration is nobody's"}


def _values(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    entries: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if entries is None:
        yield path
        return
    for key, inner in entries:
        yield from _values(inner, (*path, key))


def _found(objects: list[Any]) -> set[tuple[str, Any, Any]]:
    report = mcpcfg.check(files={"project.yaml": "\n---\n".join(map(json.dumps, objects))})
    return {
        (one.rule, one.document, one.path)
        for one in report.findings
        if one.severity != "info" and one.rule not in UNCONNECTED
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_placeholder_in_place_of_a_value_brings_no_finding(file: Path) -> None:
    objects = [one.data for one in read_documents(file.read_bytes(), str(file))[0]]
    places = [path for path in _values(objects) if path[1:] not in IDENTITY]
    before = _found(objects)

    for place in places:
        filled_in_later = copy.deepcopy(objects)
        holder: Any = filled_in_later
        for step in place[:-1]:
            holder = holder[step]
        holder[place[-1]] = "${FILLED_IN_LATER}"

        assert _found(filled_in_later) <= before, "/".join(map(str, place))
