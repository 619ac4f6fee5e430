"""The facts of one file: how strictly it is read depends on who will read it."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.check.facts import read_facts
from mcpcfg.compiler.project import input_kind

RUN = '"schema_version": "v0.1.0", "name": "x", "image": "a:1", "transport": "stdio"'
REGISTRY = '"version": "1.0.0", "last_updated": "2025-01-01T00:00:00Z", "servers": {}'


def read(text: str, file: str = "x.json", kind: str = "") -> tuple[list[tuple[str, str]], list[str]]:
    """Return rule and severity of each finding, and the kinds of the records."""
    facts = read_facts(text.encode(), file, forced=input_kind.kind_named(kind))
    return [(one.rule, one.severity) for one in facts.findings], [name for name, _ in facts.records]


@pytest.mark.parametrize("head", [RUN, REGISTRY])
def test_the_last_of_duplicate_keys_of_a_record_counts(head: str) -> None:
    text = f'{{{head}, "group": "one", "group": "two"}}'
    findings, records = read(text)
    assert findings == [("SYN010", "warning")]
    assert len(records) == 1
    ((_, document),) = read_facts(text.encode(), "x.json").records
    assert document.data["group"] == "two"
    place = document.span(("group",))
    assert text[place.column - 1 : place.end_column - 1] == '"two"'


def test_text_after_a_run_configuration_is_a_warning() -> None:
    assert read(f"{{{RUN}}} }} what is left") == ([("SYN018", "warning")], ["runconfig"])
    assert read(f'{{{RUN}, "name": "y"}} [') == ([("SYN010", "warning"), ("SYN018", "warning")], ["runconfig"])


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (f"{{{REGISTRY}}} what is left", "SYN018"),
        (f'{{{REGISTRY}, "servers": {{}}}} x', "SYN010"),
        ('{"a": 1, "a": 2}', "SYN010"),
        ('{"apiVersion": "v1", "kind": "Secret", "kind": "Secret", "metadata": {"name": "a"}}', "SYN010"),
        (f'{{{RUN}, "port": }}', "SYN018"),
        (f'{{{RUN}, "image": "b:1", "port": }}', "SYN018"),
    ],
)
def test_other_records_are_read_strictly(text: str, rule: str) -> None:
    assert read(text) == ([(rule, "error")], [])


def test_a_configuration_of_the_virtual_server_is_read_strictly_by_its_process() -> None:
    findings, records = read('{"name": "v", "name": "w", "groupRef": "g"}', kind="vmcp")
    assert findings == [("SYN010", "error")]
    assert not records


@pytest.mark.parametrize(
    ("field", "expected"),
    [("wait: true", False), ("patches: []", True), ("healthChecks: []", True), ("patchesStrategicMerge: []", True)],
)
def test_only_patches_and_health_checks_of_flux_depend_on_the_release(field: str, expected: bool) -> None:
    text = f"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {{path: ./apps, {field}}}\n"
    assert read_facts(text.encode(), "ks.yaml").depends_on_release is expected
