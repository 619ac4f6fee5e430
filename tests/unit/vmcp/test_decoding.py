"""Stored values that the operator cannot decode."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mcpcfg.compiler.vmcp import decoding
from mcpcfg.schemas._vmcp_structs import OPAQUE, STRUCTS

ROOT = Path(__file__).parents[3]


def _of_one(value: str) -> dict[str, str]:
    return {"a": value}


def _of_definition(spec: dict[str, Any]) -> Any:
    return SimpleNamespace(kind="VirtualMCPCompositeToolDefinition", spec=spec)


def _of_server(spec: dict[str, Any]) -> Any:
    return SimpleNamespace(kind="VirtualMCPServer", spec=spec)


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
_INTEGER = st.sampled_from([0, 1, -1, 2**31, 2**63, -(2**63), 3.0, 1e300])
_DURATION = st.sampled_from(["30s", "1e3s", "400000000h", "-9223372036854775808ns", "${TIME}"])
_OBJECT = st.dictionaries(st.sampled_from("ab"), _JUNK)
_INNER = st.dictionaries(st.sampled_from(_FIELDS), _JUNK, max_size=4)
_STEP = st.fixed_dictionaries(
    {"id": st.just("a")},
    optional={
        "tool": st.just("web.fetch"),
        "arguments": _OBJECT,
        "dependsOn": st.just(["b"]),
        "onError": st.fixed_dictionaries({}, optional={"retryCount": _INTEGER, "retryDelay": _DURATION}),
        "timeout": _DURATION,
        "schema": _OBJECT,
        "maxParallel": _INTEGER,
        "maxIterations": _INTEGER,
        "defaultResults": _JUNK,
        "step": _INNER,
    },
)
_PROPERTY = st.fixed_dictionaries(
    {"type": st.just("string"), "description": st.just("d")},
    optional={"value": st.just("v"), "default": _JUNK, "properties": st.dictionaries(st.just("p"), _JUNK)},
)
_TOOL = st.fixed_dictionaries(
    {"name": st.just("n"), "description": st.just("d")},
    optional={
        "steps": st.lists(_STEP, max_size=2),
        "timeout": _DURATION,
        "parameters": _OBJECT,
        "output": st.fixed_dictionaries({"properties": st.dictionaries(st.just("p"), _PROPERTY)}),
    },
)
_SERVER = st.fixed_dictionaries(
    {"groupRef": st.just({"name": "g"})},
    optional={
        "replicas": _INTEGER,
        "config": st.fixed_dictionaries(
            {},
            optional={
                "compositeTools": st.lists(_TOOL, max_size=1),
                "Audit": _JUNK,
                "unknown": _JUNK,
                "audit": st.fixed_dictionaries({"maxDataSize": _INTEGER}),
                "operational": st.fixed_dictionaries(
                    {"timeouts": st.fixed_dictionaries({"default": _DURATION, "perWorkload": _DURATION.map(_of_one)})}
                ),
            },
        ),
    },
)
"""What the CRDs let pass: junk where they say nothing or keep unknown keys, numbers and durations out of range."""


@given(_TOOL.map(_of_definition) | _SERVER.map(_of_server))
@example(_of_server({"config": {"Audit": []}}))
def test_the_quick_look_lets_pass_only_what_the_decoder_takes(resource: Any) -> None:
    found = decoding.misfits(resource)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoding, "_quick_look", lambda *_, **__: lambda _: False)
        assert decoding.misfits(resource) == found


def _is_looked_at(struct: str) -> bool:
    return decoding._quick_look(("struct", struct), described=True) is not None


@pytest.mark.parametrize("kind", decoding.SPECS)
def test_the_crd_gives_the_type_of_every_field_that_the_quick_look_passes_over(kind: str) -> None:
    schema = json.loads((ROOT / f"schemas/{kind}.schema.json").read_text())
    pairs = [(("struct", decoding.SPECS[kind]), schema["properties"]["spec"])]
    seen: set[str] = set()
    for shape, place in pairs:  # which grows by what is within
        described = schema["$defs"][place["$ref"].rsplit("/", 1)[-1]] if "$ref" in place else place
        kind_of, inner = shape if isinstance(shape, tuple) else ("", shape)
        if kind_of == "struct" and inner not in seen:
            seen.add(inner)
            assert described["additionalProperties"] is False or _is_looked_at(inner)
            for key, held, _ in STRUCTS[inner]:
                if (inner, key) not in OPAQUE:
                    pairs.append((held, described["properties"][key]))
        elif kind_of == "ptr":
            pairs.append((inner, described))
        elif kind_of in ("list", "map"):
            assert described["type"] == {"list": "array", "map": "object"}[kind_of]
            pairs.append((inner, described["items" if kind_of == "list" else "additionalProperties"]))
        elif inner in ("string", "bool"):
            assert described["type"] == {"string": "string", "bool": "boolean"}[inner]
    assert len(seen) > 5
