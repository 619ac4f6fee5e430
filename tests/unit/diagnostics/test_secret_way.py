"""Every way to write a secret is recognized in data and in text, in each style that YAML has."""

from __future__ import annotations

import json

import pytest
import yaml
from secret_way import SIGN, Way, ways

from mcpcfg.compiler.diagnostics.secret.source import masked_source
from mcpcfg.compiler.diagnostics.secret.value import secrets_of, without_secrets

WAYS = ways()


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.id)
def test_a_way_is_recognized_in_data_and_in_every_style(way: Way) -> None:
    texts = (
        [way.text]
        if way.text
        else [
            yaml.safe_dump(way.data, sort_keys=False, width=1000),
            yaml.safe_dump(way.data, sort_keys=False, default_flow_style=True, width=10000),
            json.dumps(way.data, indent=2),
            json.dumps(way.data),
        ]
    )
    styles = ("block", "flow", "pretty", "json")
    assert SIGN not in json.dumps(without_secrets(way.data))
    assert any(SIGN in value for value in secrets_of(way.data).values)
    if way.kind != "secret-creation":
        leaks = {
            style: masked_source(text)
            for style, text in zip(styles, texts, strict=False)
            if SIGN in masked_source(text)
        }
        assert not leaks
