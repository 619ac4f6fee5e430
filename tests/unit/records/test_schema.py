"""JSON Schemas of the bodies of requests and answers, against a library that knows schemas."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from mcpcfg.compiler.generate.record import SCHEMAS
from mcpcfg.compiler.tables import schema_text

from .conftest import FIXTURES

BODIES: dict[str, list[Any]] = {
    "client-registration": [{"name": "cursor", "groups": ["default"]}],
    "client-selection": [{"names": ["cursor"]}],
    "client-status": [{"client_type": "cursor", "installed": True, "registered": False, "supports_skills": True}],
    "secret-creation": [{"key": "a", "value": "b"}],
    "secret-update": [{"value": "b"}],
    "secret-result": [{"key": "a", "message": "done"}],
    "secret-provider-setup": [{"provider_type": "encrypted"}],
    "provider-setup-result": [{"provider_type": "encrypted", "message": "done"}],
    "skill-install-request": [{"name": "pdf", "scope": "user", "clients": ["cursor"]}],
    "skill-validate-request": [{"path": "/skills/pdf"}],
    "workload-selection": [{"names": ["a"]}, {"group": "default"}],
    "workload-created": [{"name": "a", "port": 8080}],
    "registry-update": [{"local_path": "/srv/registry.json"}, {}],
}
WRONG: dict[str, Any] = {
    "client-registration": {"groups": []},
    "client-selection": {"names": "cursor"},
    "client-status": {"client_type": "cursor"},
    "secret-creation": {"key": 1, "value": "b"},
    "secret-update": {},
    "secret-result": {"message": []},
    "secret-provider-setup": {"provider_type": "vault"},
    "provider-setup-result": {"message": 1},
    "skill-install-request": {"scope": "all", "name": "pdf"},
    "skill-validate-request": {},
    "workload-selection": {"names": [1]},
    "workload-created": {"name": "a", "port": "8080"},
    "registry-update": {"allow_private_ip": "yes"},
}


def schema(name: str) -> Any:
    text = schema_text(name)
    assert text is not None
    return json.loads(text)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    found = schema(name)
    validator = jsonschema.validators.validator_for(found)
    validator.check_schema(found)
    assert found["title"]
    assert found["description"]


@pytest.mark.parametrize("name", BODIES)
def test_a_body_fits_its_schema(name: str) -> None:
    for body in BODIES[name]:
        jsonschema.validate(body, schema(name))


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_body_does_not(name: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(WRONG[name], schema(name))


def test_sound_examples_fit_their_schemas() -> None:
    examples = json.loads((FIXTURES / "rules.json").read_text("utf-8"))["bases"]
    names = {"registry-upstream": "registry", "registry-legacy": "registry-legacy", "profile": "permission-profile"}
    for base, example in examples.items():
        name = names.get(base) or {"workload": "workload-request"}.get(example["kind"], example["kind"])
        jsonschema.validate(example["document"], schema(name))
