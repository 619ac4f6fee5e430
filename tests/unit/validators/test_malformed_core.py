"""Secrets and ConfigMaps that no cluster would take: references into them lead nowhere, and nothing breaks."""

from __future__ import annotations

import json

import pytest
from calling import call

SERVER = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch, namespace: default}
spec:
  image: ghcr.io/acme/fetch:1.0
  secrets: [{name: token, key: value}]
  authzConfig: {type: configMap, configMap: {name: rules}}
"""


@pytest.mark.parametrize("held", ["5", "[]", "[value]", '"value"', "true"])
def test_a_malformed_secret_or_config_map_has_no_keys(held: str) -> None:
    beside = "".join(
        f"---\napiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: default}}\n{field}: {held}\n"
        for kind, name, field in (("Secret", "token", "stringData"), ("ConfigMap", "rules", "data"))
    )

    outcome = call("check", "--format", "json", "--closed", "-", stdin=SERVER + beside)

    places = {finding.get("path", "").split("/")[2] for finding in json.loads(outcome.out)["findings"]}
    assert outcome.status == 1
    assert {"secrets", "authzConfig"} <= places


@pytest.mark.parametrize("kind", ["[Secret]", "{a: b}", "5", "null"])
def test_a_core_object_whose_kind_is_no_text_is_of_another_program(kind: str) -> None:
    text = f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: token}}\n---\n{SERVER}"

    outcome = call("check", "--format", "json", "-", stdin=text)

    assert outcome.status == 0
