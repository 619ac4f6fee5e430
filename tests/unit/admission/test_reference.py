"""The generated checks and the libraries jsonschema and cel-python reach the same verdicts."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcpcfg.compiler.admission.admit import Admission, admit
from mcpcfg.compiler.admission.table import KINDS
from mcpcfg.compiler.diagnostics.span import Span
from mcpcfg.compiler.generate.explain.schema_place import schema_of
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release
from mcpcfg.compiler.toolhive.release import RELEASES

_FIXTURES = Path(__file__).parents[3] / "fixtures" / "admission"
_VALUES: tuple[Any, ...] = (
    *(None, "", "x", "1m", "-", "redis", "oidc", "inline", "https://x", "a\n", "ä" * 10, "${X}", "cloudSts"),
    *(True, False, 0, -1, 5.0, 2.5, 65536, 2**31, 2**63 - 1, 1e20, 8080.000000001),
    *([], ["a", "a"], [None], [{}], [{"name": "x"}, {"name": "x"}]),
    *({}, {"a": None}, {"name": "x"}, {"type": "cloudSts"}),
)
_KEYS = ("name", "key", "type", "value", "bogus", "Name", "inline", "cloudSts", "spec", "status", "${X}")


class _Place:
    """A document that is data alone."""

    index = 0
    prefix = ()

    def __init__(self, data: Any) -> None:
        self.data = data

    def span(self, _path: Any) -> Span:
        return Span("input.yaml", 1, 1, 1, 1)

    key_span = span

    def has(self, _path: Any) -> bool:
        return False

    def scalar(self, _path: Any) -> None:
        return None


def _objects() -> list[dict[str, Any]]:
    out = []
    for file in sorted(_FIXTURES.glob("*.yaml")):
        documents, _ = read_documents(file.read_bytes(), file.name)
        out += [one.data for one in documents if one.data.get("kind") in KINDS]
    return out


_OBJECTS = _objects()


def _paths(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, item in items for path in ((*above, key), *_paths(item, (*above, key)))]


@st.composite
def _broken(draw: st.DrawFn) -> dict[str, Any]:
    """Return a sound or recorded object with up to four places changed."""
    data: dict[str, Any] = deepcopy(draw(st.sampled_from(_OBJECTS)))
    for _ in range(draw(st.integers(0, 4))):
        paths = [path for path in _paths(data) if path[0] not in {"apiVersion", "kind"}]
        if not paths:
            break
        *above, last = draw(st.sampled_from(paths))
        parent: Any = data
        for step in above:
            parent = parent[step]
        value = deepcopy(draw(st.sampled_from(_VALUES)))
        change = draw(st.sampled_from(("set", "drop", "add", "repeat", "move")))
        if change == "set":
            parent[last] = value
        elif change == "drop":
            del parent[last]
        elif change == "add" and isinstance(parent, dict):
            parent[draw(st.sampled_from(_KEYS))] = value
        elif change == "repeat" and isinstance(parent, list):
            parent.append(deepcopy(parent[last]))
        elif change == "move" and isinstance(parent, dict):
            parent[str(last).capitalize()] = parent.pop(last)
    return data


def _reported(admission: Admission) -> list[Any]:
    return sorted((one.rule, one.path, one.severity) for one in admission.findings)


@pytest.fixture(scope="module", autouse=True)
def _cel_python() -> None:
    """Start cel-python, which raises the recursion limit, before hypothesis looks at the limit."""
    from mcpcfg.compiler.language.cel.reference import compile_reference

    compile_reference("true")


@given(_broken(), st.sampled_from(RELEASES))
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None, derandomize=True)
def test_both_engines_agree_about_any_object_in_any_release(data: dict[str, Any], release: str) -> None:
    profile = profile_of_release(TOOLHIVE, release)
    place: Any = _Place(data)  # all that admission asks of a document
    quick, exact = (admit(place, profile=profile, reference=reference) for reference in (None, schema_of))

    assert _reported(quick) == _reported(exact)
    assert quick.admitted == exact.admitted
    if quick.admitted:
        assert quick.data == exact.data
        assert quick.renamed == exact.renamed


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_schema_of_each_kind_is_valid(kind: str) -> None:
    import json

    from jsonschema import Draft202012Validator

    from mcpcfg.compiler.generate.schema_file import schema_text

    schema = json.loads(schema_text(kind) or "")

    assert list(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema)) == []
