import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from mcpcfg.compiler.language.cedar.engine import LibraryMissingError
from mcpcfg.compiler.simulate.authz import answer, authorize
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED, RELEASES

_ROOT = Path(__file__).parents[3]
_FIXTURE = _ROOT / "fixtures" / "simulations" / "authz.jsonl"
_RECORDED = (
    Path(os.environ.get("MCPCFG_CONFORMANCE", _ROOT.parent / "shared" / "conformance")) / "simulations/authz.jsonl"
)
CALL = {"feature": "tool", "operation": "call", "resource": "weather"}
USER = {"sub": "alice"}


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().split("\n") if line]


def agrees(row: dict[str, Any]) -> bool:
    given = answer(row["input"])
    return given["allowed"] == row["allowed"] and bool(given["error"]) == bool(row["error"])


@pytest.mark.parametrize("row", rows(_FIXTURE), ids=lambda row: json.dumps(row["input"]["request"])[:60])
def test_requests_are_decided_as_recorded(row: dict[str, Any]) -> None:
    assert agrees(row)


@pytest.mark.skipif(not _RECORDED.exists(), reason="the recorded simulations are not here")
def test_all_recorded_requests_are_answered() -> None:
    assert [row for row in rows(_RECORDED) if not agrees(row)] == []


def allowed(condition: str, claims: Any = USER, request: Any = CALL, **config: Any) -> bool | str:
    policy = f"permit(principal, action, resource) when {{ {condition} }};"
    result = authorize({"policies": [policy], **config}, claims, request, release="0.21.0")
    return result.error or result.allowed


@pytest.mark.parametrize(
    ("condition", "claims"),
    [
        ('principal == Client::"alice" && principal.claim_sub == "alice"', USER),
        ("context.claim_admin", {**USER, "admin": True}),
        ('principal.claim_level == decimal("3.0")', {**USER, "level": 3}),
        ('principal.claim_level == decimal("2.5")', {**USER, "level": 2.5}),
        ('principal.claim_roles.contains("a")', {**USER, "roles": ["a", 1, None, ["b"]]}),
        ("!(principal has claim_nested)", {**USER, "nested": {"a": 1}}),
        ("!(principal has claim_none)", {**USER, "none": None}),
        ("!(principal has claim_large)", {**USER, "large": 1e300}),
    ],
)
def test_claims_are_seen_on_the_principal_and_in_the_context(condition: str, claims: Any) -> None:
    assert allowed(condition, claims) is True


@pytest.mark.parametrize(
    "condition",
    [
        'resource.arg_city == "Rome" && context.arg_city == "Rome"',
        'resource.arg_count == decimal("1.0")',
        "resource.arg_deep_present && !(resource has arg_deep)",
        'resource.name == "weather" && resource.operation == "call" && resource.feature == "tool"',
        'action.operation == "call_tool"',
    ],
)
def test_arguments_are_seen_on_the_resource_and_in_the_context(condition: str) -> None:
    request = {**CALL, "arguments": {"city": "Rome", "count": 1, "deep": {"a": 1}}}
    assert allowed(condition, request=request) is True


def test_the_id_of_a_resource_is_its_address_without_punctuation() -> None:
    request = {"feature": "resource", "operation": "read", "resource": "file:///a/b?c=d&e#f.g h\\i"}
    condition = 'resource == Resource::"file____a_b_c_d_e_f_g_h_i" && resource.uri like "file:///a/b?*"'
    assert allowed(condition, request=request) is True


def test_the_resource_of_a_list_request_is_its_feature() -> None:
    request = {"feature": "prompt", "operation": "list", "resource": ""}
    condition = 'action == Action::"list_prompts" && resource == FeatureType::"prompt" && resource.type == "prompt"'
    assert allowed(condition, request=request) is True


@pytest.mark.parametrize(
    ("claims", "config", "groups"),
    [
        ({"groups": ["a", "b", "a"], "roles": ["c"]}, {}, ("a", "b")),
        ({"roles": ["c"], "cognito:groups": ["d"]}, {}, ("c",)),
        ({"cognito:groups": ["d"]}, {}, ("d",)),
        ({"teams": ["t"], "groups": ["a"]}, {"group_claim_name": "teams"}, ("t",)),
        ({"groups": ["a"]}, {"group_claim_name": "teams"}, ("a",)),
        ({"groups": "a", "roles": ["c"]}, {}, ()),
        ({"groups": [], "roles": ["c"]}, {}, ()),
        ({"groups": ["a"], "roles": ["c"]}, {"role_claim_name": "roles"}, ("a",)),
    ],
)
def test_the_first_group_claim_of_the_token_decides(claims: Any, config: Any, groups: tuple[str, ...]) -> None:
    policies = [f'permit(principal in THVGroup::"{group}", action, resource);' for group in groups or ("none",)]
    result = authorize({"policies": policies, **config}, {**USER, **claims}, CALL, release="0.21.0")
    assert result.groups == groups
    assert len(result.reasons) == len(groups)


def test_entities_of_a_request_replace_configured_entities_with_the_same_id() -> None:
    entities = json.dumps(
        [
            {"uid": {"type": "Tool", "id": "weather"}, "attrs": {"owner": "alice"}},
            {"uid": {"type": "Owner", "id": "o"}, "attrs": {"name": "alice"}},
        ]
    )
    assert allowed("!(resource has owner)", entities_json=entities) is True
    assert allowed('Owner::"o".name == principal.claim_sub', entities_json=entities) is True


def test_one_policy_without_a_value_refuses_the_request() -> None:
    policies = ["permit(principal, action, resource);", "permit(principal, action, resource) when { principal.nope };"]
    result = authorize({"policies": policies}, USER, CALL)
    assert not result.allowed
    assert result.error is not None
    assert [(reason.index, reason.effect, reason.error is None) for reason in result.reasons] == [
        (0, "permit", True),
        (1, "permit", False),
    ]
    assert (result.principal, result.action, result.resource) == (
        'Client::"alice"',
        'Action::"call_tool"',
        'Tool::"weather"',
    )


@pytest.mark.parametrize(
    ("config", "claims", "request_"),
    [
        (None, USER, CALL),
        ({}, USER, CALL),
        ({"policies": []}, USER, CALL),
        ({"policies": [1]}, USER, CALL),
        ({"policies": ["permit"]}, USER, CALL),
        ({"policies": ["permit(principal, action, resource);"], "entities_json": "{}"}, USER, CALL),
        ({"policies": ["permit(principal, action, resource);"], "entities_json": 1}, USER, CALL),
        ({"policies": ["permit(principal, action, resource);"]}, {"sub": ""}, CALL),
        ({"policies": ["permit(principal, action, resource);"]}, {"sub": 1}, CALL),
        ({"policies": ["permit(principal, action, resource);"]}, None, CALL),
        ({"policies": ["permit(principal, action, resource);"]}, [], CALL),
        ({"policies": ["permit(principal, action, resource);"]}, {**USER, "n": 10**400}, CALL),
        ({"policies": ["permit(principal, action, resource);"]}, USER, None),
        ({"policies": ["permit(principal, action, resource);"]}, USER, {}),
        ({"policies": ["permit(principal, action, resource);"]}, USER, {**CALL, "operation": "get"}),
        ({"policies": ["permit(principal, action, resource);"]}, USER, {**CALL, "arguments": []}),
        ({"policies": ["permit(principal, action, resource);"]}, USER, {**CALL, "resource": 1}),
    ],
)
def test_a_broken_question_is_answered_with_an_error(config: Any, claims: Any, request_: Any) -> None:
    given = answer({"config": config, "claims": claims, "request": request_})
    assert given["allowed"] is False
    assert given["error"]


def test_without_cedarpy_no_answer_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cedarpy", None)
    question = {"config": {"policies": ["permit(principal, action, resource);"]}, "claims": USER, "request": CALL}
    with pytest.raises(LibraryMissingError, match="cedar"):
        answer(question)


def decided(release: str, policy: str, claims: Any = USER, request: Any = CALL, **config: Any) -> bool:
    found = authorize({"policies": [policy], **config}, claims, request, release=release, server="github")
    assert found.error is None
    return found.allowed


SETS = """
permit(principal, action, resource)
when { context has claimset_scp && context.claimset_scp.contains("a") && principal.claim_scp == "a b" };
"""
READ = {"feature": "resource", "operation": "read", "resource": "file:///a b"}


@pytest.mark.parametrize(
    ("since", "policy", "claims", "request_", "config"),
    [
        (
            "0.22.0",
            'permit(principal in THVGroup::"dev", action, resource);',
            {**USER, "realm_access": {"roles": ["dev"]}},
            CALL,
            {"group_claim_name": "realm_access.roles"},
        ),
        (
            "0.22.0",
            'permit(principal in THVGroup::"dev", action, resource);',
            {**USER, "groups": ["ops"], "duties": ["dev"]},
            CALL,
            {"role_claim_name": "duties"},
        ),
        (
            "0.22.0",
            'permit(principal in THVGroup::"all", action, resource);',
            {**USER, "groups": ["dev"]},
            CALL,
            {
                "entities_json": json.dumps(
                    [
                        {
                            "uid": {"type": "THVGroup", "id": "dev"},
                            "attrs": {},
                            "parents": [{"type": "THVGroup", "id": "all"}],
                        }
                    ]
                )
            },
        ),
        ("0.22.0", 'permit(principal, action, resource) when { resource.name == "file:///a b" };', USER, READ, {}),
        ("0.23.0", 'permit(principal, action, resource in MCP::"github");', USER, CALL, {}),
        (
            "0.26.1",
            'permit(principal in Team::"dev", action, resource);',
            {**USER, "groups": ["dev"]},
            CALL,
            {"group_entity_type": "Team"},
        ),
        (
            "0.41.0",
            SETS,
            {**USER, "scp": ["a", "b"]},
            CALL,
            {"multi_valued_claims": ["scp"]},
        ),
        ("0.43.0", 'permit(principal, action, resource == Resource::"file:///a b");', USER, READ, {}),
    ],
)
def test_later_releases_see_more_of_a_request(
    since: str, policy: str, claims: Any, request_: Any, config: dict[str, Any]
) -> None:
    before = RELEASES[RELEASES.index(since) - 1]

    assert decided(since, policy, claims, request_, **config)
    assert decided(NEWEST_MODELLED, policy, claims, request_, **config)
    assert not decided(before, policy, claims, request_, **config)


def test_a_claim_with_spaces_is_split_into_values() -> None:
    policy = 'permit(principal, action, resource) when { principal.claimset_scope.containsAll(["a", "b"]) };'

    assert decided(NEWEST_MODELLED, policy, {**USER, "scope": "a  b"}, multi_valued_claims=["scope"])


def test_earlier_releases_rewrite_the_id_of_a_resource() -> None:
    assert decided("0.42.1", 'permit(principal, action, resource == Resource::"file____a_b");', USER, READ)
    assert not decided("0.43.0", 'permit(principal, action, resource == Resource::"file____a_b");', USER, READ)
