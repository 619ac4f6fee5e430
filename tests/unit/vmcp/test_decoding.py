"""Stored values that the operator cannot decode."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.vmcp import decoding

_JUNK = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, -1, 3.0, 2.5, 1e300, 10**400, -(10**20), "", "a", "30s", "1e3s", "400000000h"])
    | st.lists(st.sampled_from(["a", 1, None]), max_size=2)
    | st.dictionaries(st.sampled_from(["id", "tool", "Tool", "timeout", "x"]), st.sampled_from(["a", 1, None, 10**400]))
)
_FIELDS = (
    *("id", "type", "tool", "arguments", "dependsOn", "onError", "timeout", "schema", "defaultResults", "step"),
    *("maxParallel", "maxIterations", "Message", "unknown"),
)
_STEP = st.dictionaries(st.sampled_from(_FIELDS), _JUNK, max_size=4)
_SPEC = st.fixed_dictionaries(
    {"name": st.just("n"), "description": st.just("d")},
    optional={
        "steps": st.lists(_STEP, max_size=2),
        "timeout": _JUNK,
        "parameters": _JUNK,
        "output": st.fixed_dictionaries({}, optional={"properties": st.dictionaries(st.just("p"), _JUNK)}),
    },
)


@given(_SPEC)
def test_the_quick_look_lets_pass_only_what_the_decoder_takes(spec: dict[str, Any]) -> None:
    resource: Any = SimpleNamespace(kind="VirtualMCPCompositeToolDefinition", spec=spec)
    found = decoding.misfits(resource)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoding, "_plainly_fitting", lambda _: lambda _: False)
        assert decoding.misfits(resource) == found
