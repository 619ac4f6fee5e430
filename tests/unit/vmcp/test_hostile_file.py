"""Whatever stands in a vMCP configuration file, it is reported and never breaks the check."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.machine import Environment
from mcpcfg.validators.rules.vmcp_file import check_file

FILE = Path(__file__).parents[3] / "fixtures" / "vmcp" / "vmcp-000.yaml"
(SOUND,), _ = read_documents(FILE.read_bytes(), "vmcp.yaml", dialect="vmcp")


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    for key, child in value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ()):
        found += paths(child, (*path, key))
    return found


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "{{", "{{.params.x}}", "${X}", "-5s", "30", "a", "tool", "forEach", "redis"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(changes=st.lists(st.tuples(st.sampled_from(paths(SOUND.data)), VALUES), min_size=1, max_size=3))
def test_a_changed_file_never_breaks_the_check(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    data = copy.deepcopy(SOUND.data)
    for path, value in changes:
        holder = data
        try:
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took the place away
    documents, _ = read_documents(json.dumps(data), "vmcp.yaml", dialect="vmcp")

    for document in documents:
        for finding in check_file(document, {}, Environment(closed=True)):
            assert finding.span.line >= 1
