"""What became of fields: the table agrees with the schemas, and each of its lines is found where it applies alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from mcpcfg.compiler.models.history import ANY, CHANGES, MISSING, UNUSABLE, VALUES, FieldChange, change_of
from mcpcfg.compiler.models.kind import KINDS

CRDS = Path(__file__).parents[3] / "schemas" / "crds.yaml"
SCHEMAS: dict[str, Any] = {
    crd["spec"]["names"]["kind"]: crd["spec"]["versions"][-1]["schema"]["openAPIV3Schema"]
    for crd in yaml.load_all(CRDS.read_text("utf-8"), yaml.CSafeLoader)
}
CASES = [pytest.param(one, id=str(number)) for number, one in enumerate(CHANGES)]


def places(kind: str, change: FieldChange) -> list[tuple[tuple[str | int, ...], dict[str, Any]]]:
    """Return the objects of a kind that a change is about, each with its schema; of a list it is the entry 3."""
    found: list[tuple[tuple[str | int, ...], dict[str, Any]]] = []
    for path, schema in objects((), SCHEMAS[kind]):
        steps: list[str | int | None] = [ANY if one in (3, "any") else one for one in path]
        wanted = list(change.path)
        if wanted[0] == ANY:
            wanted = wanted[1:]
            steps = steps[len(steps) - len(wanted) :] if len(steps) >= len(wanted) else [None]
        if steps == wanted:
            found.append((path, schema))
    return found


def objects(path: tuple[str | int, ...], schema: dict[str, Any]) -> list[tuple[tuple[str | int, ...], dict[str, Any]]]:
    found = [(path, schema)] if "properties" in schema else []
    for name, inner in schema.get("properties", {}).items():
        found += objects((*path, name), inner)
    if "items" in schema:
        found += objects((*path, 3), schema["items"])
    if isinstance(schema.get("additionalProperties"), dict):
        found += objects((*path, "any"), schema["additionalProperties"])
    return found


def is_of(change: FieldChange, kind: str) -> bool:
    return kind in change.kinds or change.kinds == (ANY,)


@pytest.mark.parametrize("change", CASES)
def test_a_field_change_applies_only_to_the_kinds_and_paths_that_had_the_field(change: FieldChange) -> None:
    known = [one for one in SCHEMAS if is_of(change, one)]
    found = [(kind, path) for kind in known for path, _ in places(kind, change)]
    assert found
    assert {change_of(kind, path, change.field, is_text=True) for kind, path in found} == {change}
    for kind, path in found:
        text_alone = None if change.only_text else change
        assert change_of(kind, path, change.field) == text_alone
        assert change_of(kind, path, f"{change.field}s") != change
        if change.path[0] != ANY:
            assert change_of(kind, (*path, "inner"), change.field, is_text=True) != change
            assert change_of(kind, path[:-1], change.field, is_text=True) != change
    if change.kinds != (ANY,):
        others = [one.name for one in KINDS if not is_of(change, one.name)]
        path = found[0][1]
        assert [one for one in others if change_of(one, path, change.field, is_text=True) == change] == []


@pytest.mark.parametrize("change", CASES)
def test_schemas_lack_changed_fields_and_have_their_successors(
    change: FieldChange,
) -> None:
    found = [(kind, schema) for kind in SCHEMAS if is_of(change, kind) for _, schema in places(kind, change)]
    assert found
    for kind, schema in found:
        if not change.only_text:
            assert change.field not in schema["properties"] or change.kinds == (ANY,)
        if change.rewrite in ("rename", "wrap") and change.kinds != (ANY,):
            inner = schema["properties"][change.field] if change.rewrite == "wrap" else schema
            assert change.target in inner["properties"]
        if change.rewrite == "move":
            place = SCHEMAS[kind]
            for step in change.target.split("."):
                place = place["properties"][step]
        if change.required_successor and change.kinds != (ANY,):
            assert change.required_successor in schema["properties"]


@pytest.mark.parametrize("change", [one for one in CHANGES if one.rewrite == "rename"], ids=lambda one: one.field)
def test_the_successor_of_a_renamed_field_is_its_new_name(change: FieldChange) -> None:
    assert change.successor == change.target
    assert change.target in change.hint


def test_no_field_has_two_changes() -> None:
    named = [(kind, one.path, one.field) for one in CHANGES for kind in one.kinds]
    assert len(named) == len(set(named))


def test_every_missing_field_with_a_hint_is_required_by_the_schema() -> None:
    assert [(kind, name) for kind, name in MISSING if name not in SCHEMAS[kind]["properties"]["spec"]["required"]] == []


def test_every_value_proposed_for_a_wrong_value_is_allowed_by_a_field() -> None:
    allowed: set[str] = set()
    for schema in SCHEMAS.values():
        for _, one in objects((), schema):
            allowed.update(*(inner.get("enum", ()) for inner in one["properties"].values()))
    assert set(VALUES.values()) | UNUSABLE <= allowed
