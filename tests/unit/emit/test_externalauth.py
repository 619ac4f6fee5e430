"""What a RunConfig holds of an external auth configuration."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.emit.externalauth import aws_sts, bearer_token, subject_token_type, token_exchange
from mcpcfg.compiler.records.shape import encode


def test_a_bearer_token_is_compiled_to_a_reference_with_zero_times_of_go() -> None:
    compiled = bearer_token({"tokenSecretRef": {"name": "api", "key": "token"}})
    assert encode(compiled, "RemoteAuthConfig") == {
        "use_pkce": False,
        "bearer_token": "api,target=bearer_token",
        "cached_token_expiry": "0001-01-01T00:00:00Z",
        "cached_secret_expiry": "0001-01-01T00:00:00Z",
    }


@pytest.mark.parametrize(("header", "strategy"), [("", "replace"), ("X-Token", "custom")])
def test_a_token_is_exchanged_into_the_header_that_is_stated(header: str, strategy: str) -> None:
    compiled = token_exchange({"tokenUrl": "https://a.example/t", "audience": "b", "externalTokenHeaderName": header})
    expected = {"token_url": "https://a.example/t", "client_id": "", "client_secret": "", "audience": "b"}
    named = {"external_token_header_name": header} if header else {}
    assert encode(compiled, "TokenExchangeRunConfig") == {**expected, "header_strategy": strategy, **named}


@pytest.mark.parametrize("word", ["access_token", "id_token", "jwt"])
def test_a_short_type_of_a_token_is_spelt_out(word: str) -> None:
    assert subject_token_type(word) == f"urn:ietf:params:oauth:token-type:{word}"
    assert subject_token_type(f"x:{word}") == f"x:{word}"


def test_role_mappings_have_the_stated_fields() -> None:
    mappings = [{"claim": "a", "roleArn": "arn:1", "priority": 0}, {"matcher": "true", "roleArn": "arn:2"}, {}]
    compiled = aws_sts({"region": "eu-west-1", "roleMappings": mappings, "sessionDuration": 900})  # type: ignore[typeddict-item]
    assert encode(compiled, "AWSStsRunConfig") == {
        "region": "eu-west-1",
        "service": "",
        "role_mappings": [
            {"claim": "a", "role_arn": "arn:1", "priority": 0},
            {"matcher": "true", "role_arn": "arn:2"},
            {"role_arn": ""},
        ],
        "session_duration": 900,
    }
