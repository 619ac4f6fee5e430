"""A sound entry of a list hides no fault of another: what a rule passes over ends its search for no other."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from judging import release_of
from neighbour import Place, lists, lists_around, moved, unnumbered

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FOLDER = Path(__file__).parents[3] / "fixtures" / "rules"
FILES = sorted(FOLDER.glob("*/*.yaml"))
FAULTY = [one for one in FILES if one.stem.startswith("invalid-")]
AT_MOST = 4
"""Neighbours that are tried in one place."""
TOPICS = ("AUT", "AZN", "CMP", "DEC", "EAS", "ENV", "HDR", "IGN", "MRG", "POD", "SEC", "TLC", "VMC", "VOL")
"""Those of rules about entries of lists."""
INTENDED = {
    ("VMC213", "filter"): "another filter names another tool, and the old name may be that of one",
    ("IGN013", "args"): "a word behind another argument may be its value, and not the mode of the server",
}
"""Rule and list: what a neighbour is meant to change."""

Findings: TypeAlias = dict[int, set[tuple[str, Place]]]


def objects_of(file: Path) -> list[dict[str, Any]]:
    documents, findings = read_documents(file.read_bytes(), str(file))
    objects = [one.data for one in documents]
    return objects if not findings and all(isinstance(one, dict) for one in objects) else []


@cache
def entries() -> dict[tuple[str, Place], list[Any]]:
    """Return the entries of all lists of the examples by kind and path; a placeholder is no neighbour to rely on."""
    found: dict[tuple[str, Place], dict[str, Any]] = defaultdict(dict)
    for file in FILES:
        for one in objects_of(file):
            for path, values in lists(one):
                texts = {json.dumps(value, sort_keys=True): value for value in values}
                known = {text: value for text, value in texts.items() if "${" not in text and "{{" not in text}
                found[str(one.get("kind")), unnumbered(path)] |= known
    return {place: list(values.values()) for place, values in found.items()}


def with_neighbours(objects: list[dict[str, Any]], number: int, below: Place) -> Iterator[list[dict[str, Any]]]:
    """Yield the objects with one more entry at the beginning of a list of one of them."""
    for neighbour in entries()[str(objects[number].get("kind")), unnumbered(below)][:AT_MOST]:
        changed = copy.deepcopy(objects)
        place: Any = changed[number]
        for step in below:
            place = place[step]
        if neighbour not in place:
            place.insert(0, copy.deepcopy(neighbour))
            yield changed


@pytest.fixture
def found(tmp_path: Path) -> Callable[[list[dict[str, Any]], str | None], Findings]:
    """Rule and path of the findings about each of some objects by a release."""

    def run(objects: list[dict[str, Any]], release: str | None) -> Findings:
        file = tmp_path / "a.yaml"
        file.write_text("\n---\n".join(json.dumps(one, indent=1) for one in objects))
        of_objects: Findings = {number: set() for number in range(len(objects))}
        for one in check(discover((str(file),), release=release), Options(closed=True)).findings:
            if one.document is not None and one.path is not None:
                of_objects[one.document].add((one.rule, one.path))
        return of_objects

    return run


@pytest.mark.parametrize("topic", TOPICS)
def test_every_fault_of_an_entry_is_found_behind_another_entry(
    topic: str, found: Callable[[Any, str | None], Findings]
) -> None:
    tried: set[str] = set()
    for file in FAULTY:
        if not file.parent.name.startswith(topic):
            continue
        objects = objects_of(file)
        release = release_of(file)
        before = found(objects, release) if objects else {}
        for number, findings in before.items():
            own = [path for rule, path in findings if rule == file.parent.name]
            for below in lists_around(own):
                expected = {(rule, moved(path, below)) for rule, path in findings}
                for changed in with_neighbours(objects, number, below):
                    after = found(changed, release)[number]
                    # A neighbour with a fault of its own may be what the rule is to look at first.
                    if after <= expected and (file.parent.name, below[-1]) not in INTENDED:
                        assert (file.stem, after) == (file.stem, expected)
                        tried.add(file.parent.name)
    assert tried
