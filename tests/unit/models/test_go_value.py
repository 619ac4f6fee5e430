"""The Go values that the models stand for: their dumps hash to what the operator wrote into statuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_origin, is_typeddict

import pytest

from mcpcfg.compiler.golang import spew
from mcpcfg.compiler.models.declare import Format, Go
from mcpcfg.compiler.models.kind import KINDS

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "fixtures/models/spec-hashes.jsonl").read_text("utf-8").splitlines()
]
SPECS = {kind.name: kind.spec for kind in KINDS}
RAW = {"[]v1.JSON": spew.Slice(spew.JSON), "runtime.RawExtension": spew.RAW_EXTENSION}
INTEGERS = {"int32": spew.INT32, "int64": spew.INT64}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}-{case['hash']}")
def test_spec_hashes_as_recorded(case: Any, fields: Any) -> None:
    described = GoTypes(fields).struct(SPECS[case["kind"]])

    assert spew.object_hash(case["spec"], described) == case["hash"], spew.dump(case["spec"], described)


class GoTypes:
    """Gives the Go types of models from the declarations alone."""

    def __init__(self, fields: Any) -> None:
        self.fields = fields

    def struct(self, model: type) -> spew.Struct:
        name = getattr(model, "__go_type__", f"v1alpha1.{model.__name__}")
        return spew.Struct(name, tuple(self.field(key, one) for key, one in self.fields(model).items()))

    def field(self, key: str, declared: Any) -> spew.Field:
        go = declared.fact(Go) or Go()
        follows = is_typeddict(declared.annotation) and not declared.required
        kind = self.type(declared, go)
        kind = spew.Pointer(kind) if (follows if go.pointer is None else go.pointer) else kind
        field = spew.Field(go.name or key[0].upper() + key[1:], key, kind)
        if go.embedded is None:
            return field
        return spew.Field(go.embedded.partition(".")[2], None, spew.Struct(go.embedded, (field,)))

    def type(self, declared: Any, go: Go) -> spew.Type:
        annotation, origin = declared.annotation, get_origin(declared.annotation)
        if go.type in RAW:
            return RAW[go.type]
        if is_typeddict(annotation):
            return self.struct(annotation)
        if origin in (list, dict):
            item = self.type(declared.item(), Go())
            return spew.Slice(item) if origin is list else spew.Map(item)
        if annotation is bool:
            return spew.BOOL
        if annotation is int:
            return INTEGERS[declared.fact(Format).name]
        return spew.Scalar(go.type) if go.type else spew.STRING
