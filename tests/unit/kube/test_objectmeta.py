"""The metadata of objects, beside the recorded judgements of the API server's own validation."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.diagnostics.fault import Flaw
from mcpcfg.compiler.kube import names
from mcpcfg.compiler.kube.objectmeta import metadata_faults

_ROOT = Path(__file__).parents[3]
_FIXTURE = _ROOT / "fixtures" / "kube" / "metadata.jsonl"
_ROWS = [json.loads(line) for line in _FIXTURE.read_text(encoding="utf-8").split("\n") if line]
_ADMISSION = Path(os.environ.get("MCPCFG_CONFORMANCE", _ROOT.parent / "shared" / "conformance")) / "admission"


def _place(fault: Flaw) -> str:
    if fault.code == "required" and fault.path == ("metadata",):
        return "metadata/name"
    return "/".join(map(str, fault.path[:2]))


@pytest.mark.parametrize("row", _ROWS, ids=range(len(_ROWS)))
def test_metadata_is_refused_where_the_api_server_refuses_it(row: dict[str, Any]) -> None:
    faults = metadata_faults(row["document"])
    if row.get("unreadable"):
        assert any(fault.code == "type" for fault in faults)
    else:
        assert sorted({_place(fault) for fault in faults}) == row["refused"]


@pytest.mark.skipif(not _ADMISSION.exists(), reason="the recorded conformance cases are not beside this checkout")
def test_every_recorded_fault_of_metadata_is_found_and_no_other() -> None:
    from ruamel.yaml import YAML

    differing = []
    for i, line in enumerate((_ADMISSION / "verdicts.jsonl").read_text(encoding="utf-8").split("\n")):
        if '"metadata' not in line and i % 20:  # a twentieth of those that are recorded as good
            continue
        if not line:
            continue
        recorded = json.loads(line)
        refused = {row["index"]: [f["path"] for f in row["findings"]] for row in recorded["refused"]}
        text = (_ADMISSION / recorded["file"]).read_text(encoding="utf-8")
        documents = [document for document in YAML(typ="safe").load_all(text) if document is not None]
        for index, document in enumerate(documents):
            wanted = {path.replace(".", "/") for path in refused.get(index, []) if path.startswith("metadata")}
            found = {_place(fault) for fault in metadata_faults(document)}
            if found != wanted:
                differing.append((recorded["file"], index, wanted, found))
    assert differing == []


def _faults(**metadata: Any) -> list[tuple[Any, ...]]:
    return [(*fault.path, fault.code) for fault in metadata_faults({"metadata": metadata})]


@pytest.mark.parametrize(
    "document", [{}, {"metadata": None}, {"metadata": {}}, {"metadata": {"name": None}}, {"metadata": {"labels": {}}}]
)
def test_a_missing_name_is_reported_at_the_mapping_that_lacks_it(document: dict[str, Any]) -> None:
    assert [(fault.path, fault.code) for fault in metadata_faults(document)] == [(("metadata",), "required")]


def test_an_empty_name_is_reported_at_its_place() -> None:
    assert _faults(name="") == [("metadata", "name", "required")]


def test_a_bad_name_comes_with_a_good_one() -> None:
    (fault,) = metadata_faults({"metadata": {"name": "Bad_Name"}})
    assert fault.hint == '"bad-name" would do'


def test_a_label_that_is_not_a_string_has_a_fix() -> None:
    (fault,) = metadata_faults({"metadata": {"name": "a", "labels": {"version": 2}}})
    message = "2 where a string is needed"
    assert fault == Flaw(("metadata", "labels", "version"), "type", message, "put it in quotes")


def test_an_unknown_field_is_reported_with_the_known_one() -> None:
    (fault,) = metadata_faults({"metadata": {"name": "a", "lables": {}}})
    assert (fault.path, fault.code, fault.hint) == (("metadata", "lables"), "unknown", 'did you mean "labels"?')


def test_names_of_fields_are_taken_as_they_stand() -> None:
    assert _faults(Name="a", name="b") == [("metadata", "Name", "unknown")]


def test_metadata_that_cannot_be_decoded_is_reported_once() -> None:
    assert _faults(name=5) == [("metadata", "name", "type")]
    assert _faults(name=["a"], namespace="b") == [("metadata", "name", "type")]


def test_the_rule_for_names_is_the_kinds() -> None:
    document = {"metadata": {"name": "1.a"}}
    assert metadata_faults(document) == ()
    assert metadata_faults(document, name_reasons=names.dns_1035_label_faults)


def test_a_namespace_is_refused_where_there_is_none() -> None:
    document = {"metadata": {"name": "a", "namespace": "b"}}
    assert [fault.code for fault in metadata_faults(document, namespaced=False)] == ["forbidden"]


def test_annotations_have_a_size() -> None:
    assert _faults(name="a", annotations={"k": "v" * (256 * 1024)}) == [("metadata", "annotations", "too-long")]
    assert _faults(name="a", annotations={"k": "v" * (256 * 1024 - 1)}) == []


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_MEMBERS = ["name", "generateName", "namespace", "labels", "annotations", "ownerReferences", "finalizers", "uid", "x"]


@given(_JSON | st.dictionaries(st.sampled_from(_MEMBERS), _JSON))
def test_any_metadata_is_judged(metadata: Any) -> None:
    for fault in metadata_faults({"metadata": metadata}):
        assert fault.path[0] == "metadata"
        assert fault.message
