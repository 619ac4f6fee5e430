"""What a virtual server refuses when it starts, of what its configuration file may state and a resource may not."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.vmcp.start import start_faults
from mcpcfg.compiler.vmcp.strategy import strategy_faults
from mcpcfg.compiler.vmcp.validate import config_faults


@pytest.mark.parametrize("most", [-1, 51])
def test_the_number_of_tools_that_are_returned_has_bounds(most: int) -> None:
    (fault,) = start_faults({"optimizer": {"maxToolsToReturn": most}})
    assert (fault.path, fault.rule.id) == (("optimizer", "maxToolsToReturn"), "VMC114")
    assert fault.message == f"maxToolsToReturn is {most}, not between 1 and 50"


@pytest.mark.parametrize("most", [0, 50])
def test_a_number_within_the_bounds_is_sound(most: int) -> None:
    assert start_faults({"optimizer": {"maxToolsToReturn": most}}) == []


@pytest.mark.parametrize(
    ("backend", "expected"),
    [
        ({"type": "entry", "caBundlePath": "/etc/ca/bundle.pem"}, []),
        ({"type": "entry", "caBundlePath": "etc/ca/bundle.pem"}, ["VMC112"]),
        ({"type": "entry", "caBundlePath": "/etc/../ca"}, ["VMC112"]),
        ({"type": "entry", "caBundlePath": "/etc/\0"}, ["VMC112"]),
        ({"caBundlePath": "/etc/ca/bundle.pem"}, ["VMC112"]),
        ({"type": "other"}, ["VMC112"]),
    ],
)
def test_the_certificates_of_a_backend_have_an_absolute_path(backend: dict[str, Any], expected: list[str]) -> None:
    found = config_faults({"backends": [{"name": "a", **backend}]})
    assert [fault.rule.id for fault in found if fault.path[0] == "backends"] == expected


@pytest.mark.parametrize("prefix", ["", "urn:ietf:params:oauth:token-type:"])
@pytest.mark.parametrize("name", ["access_token", "id_token", "jwt"])
def test_a_token_that_is_exchanged_has_one_of_three_types(prefix: str, name: str) -> None:
    def rules(token_type: str) -> list[str]:
        faults = strategy_faults({"type": "token_exchange", "tokenExchange": {"subjectTokenType": token_type}})
        return [fault.rule.id for fault in faults if fault.path[-1] == "subjectTokenType"]

    assert rules(prefix + name) == []
    assert rules(f"{prefix}{name}s") == ["VMC117"]


@pytest.mark.parametrize(("ratio", "count"), [("-0.5", 1), ("0", 0), ("1", 0), ("1.5", 1)])
def test_a_ratio_of_the_search_is_within_zero_and_one(ratio: str, count: int) -> None:
    assert len(start_faults({"optimizer": {"hybridSearchSemanticRatio": ratio}})) == count


@pytest.mark.parametrize(("size", "count"), [(-1, 1), (0, 0)])
def test_the_data_of_an_audit_event_has_no_negative_size(size: int, count: int) -> None:
    assert len(start_faults({"audit": {"enabled": True, "maxDataSize": size}})) == count


CEDAR = {"type": "cedar", "policies": ["permit(principal, action, resource);"]}
XAA = {"idpTokenUrl": "https://a.example", "targetTokenUrl": "https://b.example", "targetAudience": "c"}
OPENAI = {"embeddingProvider": "openai", "embeddingService": "https://e.example", "embeddingModel": "m"}


@pytest.mark.parametrize(
    ("config", "path"),
    [
        ({"optimizer": {}, "incomingAuth": {"authz": CEDAR}}, "optimizer"),
        ({"incomingAuth": {"authz": {**CEDAR, "entitiesJson": "x"}}}, "incomingAuth.authz.entitiesJson"),
        ({"incomingAuth": {"authz": {**CEDAR, "groupEntityType": "a b"}}}, "incomingAuth.authz.groupEntityType"),
        ({"rateLimiting": {}}, "rateLimiting"),
        ({"rateLimiting": {}, "sessionStorage": {"provider": "memory"}}, "rateLimiting"),
        ({"audit": {"maxDelegationDepth": 0}}, "audit.maxDelegationDepth"),
        ({"telemetry": {}}, "telemetry.serviceName"),
        ({"optimizer": {"embeddingProvider": "cohere"}}, "optimizer.embeddingProvider"),
        ({"optimizer": {"embeddingHeaders": {"X-Team": "a"}}}, "optimizer.embeddingHeaders"),
        (
            {"optimizer": OPENAI | {"embeddingHeaders": {"authorization": "a"}}},
            "optimizer.embeddingHeaders.authorization",
        ),
        ({"optimizer": OPENAI | {"embeddingHeaders": {"X Team": "a"}}}, "optimizer.embeddingHeaders.X Team"),
    ],
)
def test_bad_values_of_a_later_release_are_refused_at_start(config: dict[str, Any], path: str) -> None:
    assert [".".join(map(str, fault.path)) for fault in start_faults(config, "0.44.0")] == [path]


@pytest.mark.parametrize(
    "config",
    [
        {"optimizer": {}, "incomingAuth": {"authz": {"type": "none"}}},
        {"optimizer": {"semanticDistanceThreshold": "NaN"}},
        {"incomingAuth": {"authz": {**CEDAR, "entitiesJson": "[]", "groupEntityType": "Acme::Group"}}},
        {"rateLimiting": {}, "sessionStorage": {"provider": "redis", "address": "redis:6379"}},
        {"optimizer": OPENAI | {"embeddingHeaders": {"X-Team": "a"}}},
    ],
)
def test_values_that_a_later_release_accepts_are_sound(config: dict[str, Any]) -> None:
    assert start_faults(config, "0.44.0") == []


def test_an_optimizer_beside_policies_is_refused_from_0_31_0_on() -> None:
    config = {"optimizer": {}, "incomingAuth": {"authz": CEDAR}}
    assert [start_faults(config, release) == [] for release in ("0.30.1", "0.31.0")] == [True, False]


@pytest.mark.parametrize(
    ("config", "path"),
    [
        ({"incomingAuth": {"type": "oidc", "oidc": {"caBundlePath": "ca.crt"}}}, "incomingAuth.oidc.caBundlePath"),
        ({"aggregation": {"defaultToolVisibility": "hide"}}, "aggregation.defaultToolVisibility"),
        (
            {"outgoingAuth": {"default": {"type": "xaa", "xaa": {**XAA, "subjectTokenType": "id_token"}}}},
            "outgoingAuth.default.xaa.subjectTokenType",
        ),
        (
            {
                "outgoingAuth": {
                    "default": {"type": "obo", "obo": {"tokenUrl": "a", "clientSecret": "b", "clientSecretEnv": "C"}}
                }
            },
            "outgoingAuth.default.obo.clientSecretEnv",
        ),
    ],
)
def test_the_validator_of_a_later_release_refuses_bad_values(config: dict[str, Any], path: str) -> None:
    assert path in {".".join(map(str, fault.path)) for fault in config_faults(config, "0.44.0")}
