"""A compiled run configuration is written in Go's order, with the names of the edition."""

from __future__ import annotations

import json

from mcpcfg.compiler.records.runconfig.text import encoded_runconfig, runconfig_text
from mcpcfg.compiler.toolhive.profile import NEUTRAL

CONFIG = {
    "middleware_configs": [
        {"type": "awssts", "parameters": {"target_url": "", "aws_sts_config": {"service": "a", "region": "b"}}},
        {"type": "audit", "parameters": {"transport_type": "sse", "config_data": {"detectApplicationErrors": True}}},
        {"type": "custom", "parameters": {"z": 1, "a": ""}},
        {"type": "recovery", "parameters": None},
    ],
    "session_ttl": "1h",
    "aws_sts_config": {"service": "a", "region": "b"},
    "tools_override": {"awssts": {"name": "x", "description": ""}},
    "cmd_args": [],
    "name": "n",
}


def test_fields_and_parameters_are_ordered_and_omitted_by_the_models() -> None:
    written = encoded_runconfig(CONFIG, "0.21.0")

    assert [key for key in written if written[key]] == [
        "name",
        "aws_sts_config",
        "tools_override",
        "middleware_configs",
    ]
    assert [json.dumps(middleware["parameters"]) for middleware in written["middleware_configs"]] == [
        '{"aws_sts_config": {"region": "b", "service": "a"}}',
        '{"config_data": {}, "transport_type": "sse"}',
        '{"z": 1, "a": ""}',
        "null",
    ]


def test_a_release_has_its_fields() -> None:
    written = encoded_runconfig(CONFIG, "0.44.0")

    assert written["session_ttl"] == "1h"
    assert written["middleware_configs"][1]["parameters"]["config_data"] == {"detectApplicationErrors": True}


def test_names_of_the_edition_replace_those_of_the_models_but_not_those_of_users() -> None:
    written = json.loads(runconfig_text(CONFIG, profile=NEUTRAL))

    assert "cloud_sts_config" in written
    assert written["middleware_configs"][0]["type"] == "cloudsts"
    assert "cloud_sts_config" in written["middleware_configs"][0]["parameters"]
    assert list(written["tools_override"]) == ["awssts"]
