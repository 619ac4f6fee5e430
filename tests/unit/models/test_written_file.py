"""Files that Go wrote: the models know every field, in the order in which it is written."""

from __future__ import annotations

import json
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, is_typeddict

import pytest
from ruamel.yaml import YAML

from mcpcfg.compiler.models.authserver import EmbeddedAuthServerRunConfig
from mcpcfg.compiler.models.declare import Always, Go, Opaque
from mcpcfg.compiler.models.middleware import PARAMETERS
from mcpcfg.compiler.models.runconfig import RunConfig
from mcpcfg.compiler.models.vmcp import VMCPConfig

MODELS: dict[str, type] = {"runconfig": RunConfig, "vmcp": VMCPConfig, "authserver": EmbeddedAuthServerRunConfig}
FILES = sorted((Path(__file__).parents[3] / "fixtures/models/written").iterdir())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_recorded_file_follows_its_model(file: Path, fields: Any) -> None:
    text = file.read_text("utf-8")
    data = json.loads(text) if file.suffix == ".json" else YAML(typ="safe").load(text)

    faults: list[str] = []
    Follower(fields, faults).model(MODELS[file.stem.partition("-")[0]], data, "")

    assert faults == []


class Follower:
    """Goes through a written file along its model."""

    def __init__(self, fields: Any, faults: list[str]) -> None:
        self.fields = fields
        self.faults = faults

    def model(self, model: type, data: dict[str, Any], path: str) -> None:
        known = self.fields(model)
        if not getattr(model, "__preserve_unknown_fields__", False):
            self.faults += [f"{path}/{key} is unknown" for key in data if key not in known]
            if list(data) != [key for key in known if key in data]:
                self.faults.append(f"{path} is in another order: {list(data)}")
            self.faults += [
                f"{path}/{key} is missing" for key, one in known.items() if one.fact(Always) and key not in data
            ]
        for key in data.keys() & known.keys():
            self.field(known[key], data[key], f"{path}/{key}")
        if model.__name__ == "MiddlewareConfig" and data["type"] in PARAMETERS:
            self.model(PARAMETERS[data["type"]], data["parameters"], f"{path}/parameters")

    def field(self, declared: Any, data: Any, path: str) -> None:
        go = declared.fact(Go)
        kept = declared.fact(Always) or declared.fact(Opaque) or is_typeddict(declared.annotation)
        if not data and not kept and not (go and go.pointer):
            self.faults.append(f"{path} is written though it is empty")
        self.value(declared.annotation, declared, data, path)

    def value(self, annotation: Any, declared: Any, data: Any, path: str) -> None:
        if isinstance(annotation, UnionType):
            if data is not None:
                self.value(get_args(annotation)[0], declared, data, path)
        elif is_typeddict(annotation):
            self.model(annotation, data, path)
        elif get_origin(annotation) is list and declared.annotation is annotation:
            for position, item in enumerate(data):
                self.value(declared.item().annotation, declared.item(), item, f"{path}/{position}")
        elif get_origin(annotation) is dict and declared.annotation is annotation:
            for key, item in data.items():
                self.value(declared.item().annotation, declared.item(), item, f"{path}/{key}")
        elif annotation in (str, int, bool) and type(data) is not annotation:
            self.faults.append(f"{path} is not of type {annotation.__name__}")
