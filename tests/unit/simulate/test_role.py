import json
import os
from pathlib import Path
from typing import Any

import pytest

from mcpcfg.compiler.simulate.role import answer, choose_role, config_of_spec

_ROOT = Path(__file__).parents[3]
_FIXTURE = _ROOT / "fixtures" / "simulations" / "role.jsonl"
_RECORDED = (
    Path(os.environ.get("MCPCFG_CONFORMANCE", _ROOT.parent / "shared" / "conformance")) / "simulations/role.jsonl"
)
ARN = "arn:aws:iam::123456789012:role/"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().split("\n") if line]


def agrees(row: dict[str, Any]) -> bool:
    given = answer(row["input"])
    same = all(bool(given.get(key)) == bool(row.get(key)) for key in ("configError", "error"))
    return same and given.get("role") == row.get("role")


@pytest.mark.parametrize("row", rows(_FIXTURE), ids=lambda row: json.dumps(row["input"]["config"])[:60])
def test_roles_are_chosen_as_recorded(row: dict[str, Any]) -> None:
    assert agrees(row)


@pytest.mark.skipif(not _RECORDED.exists(), reason="the recorded simulations are not here")
def test_all_recorded_choices_are_answered() -> None:
    assert [row for row in rows(_RECORDED) if not agrees(row)] == []


def config(*mappings: dict[str, Any], **more: Any) -> dict[str, Any]:
    numbered = [{"role_arn": f"{ARN}{index}", **mapping} for index, mapping in enumerate(mappings)]
    return {"region": "eu-west-1", "role_mappings": numbered, **more}


def test_lower_priorities_come_first_and_mappings_without_a_priority_last() -> None:
    choice = choose_role(
        config(
            {"matcher": "true"},
            {"matcher": "true", "priority": 5},
            {"matcher": "claims.nope", "priority": 1},
            {"claim": "a", "priority": 1},
            {"claim": "b", "priority": 1},
        ),
        {"groups": ["b"]},
    )
    assert choice.role == f"{ARN}4"
    assert [(tried.index, tried.outcome) for tried in choice.tried] == [(2, "error"), (3, "no match"), (4, "matched")]


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        (["a"], "matched"),
        (["b"], "no match"),
        ([1, None], "no match"),
        ({"a": 1}, "matched"),
        ("a", "error"),
        (None, "error"),
    ],
)
def test_a_claim_is_looked_for_in_a_list(value: object, outcome: str) -> None:
    choice = choose_role(config({"claim": "a"}), {"groups": value})
    assert [tried.outcome for tried in choice.tried] == [outcome]


def test_numbers_of_a_token_are_doubles() -> None:
    choice = choose_role(config({"matcher": "type(claims.level) == double && claims.level > 3"}), {"level": 5})
    assert choice.role == f"{ARN}0"


def test_a_matcher_whose_value_is_no_boolean_never_matches() -> None:
    choice = choose_role(config({"matcher": "claims.name"}, fallback_role_arn=f"{ARN}fallback"), {"name": "x"})
    assert (choice.role, choice.is_fallback) == (f"{ARN}fallback", True)


@pytest.mark.parametrize(
    "broken",
    [
        None,
        {},
        {"region": "eu-west-1"},
        config(),
        {**config({"claim": "a"}), "region": ""},
        config({"claim": "a", "matcher": "true"}),
        config({}),
        config({"claim": "a", "role_arn": ""}),
        config({"claim": "a", "role_arn": "arn:aws:iam::12:role/x"}),
        config({"claim": "a", "role_arn": "arn:aws:iam::123456789012:user/x"}),
        config({"matcher": "unknown.x"}),
        config({"matcher": "claims."}),
        config({"matcher": "claims.a == '" + "x" * 10_000 + "'"}),
        config({"claim": "a"}, fallback_role_arn="x"),
        config({"claim": "a"}, session_duration=899),
        config({"claim": "a"}, session_duration=43_201),
        config({"claim": "a", "priority": "1"}),
        config({"claim": 1}),
        {**config(), "role_mappings": {}},
        {**config(), "role_mappings": [1]},
    ],
    ids=lambda broken: json.dumps(broken)[:60],
)
def test_a_configuration_that_would_not_start_is_reported(broken: Any) -> None:
    assert choose_role(broken, {}).config_error


@pytest.mark.parametrize("claims", [[], {"n": 10**400}])
def test_broken_claims_are_reported(claims: Any) -> None:
    assert choose_role(config({"claim": "a"}), claims).config_error


def test_a_resource_is_read_as_the_operator_reads_it() -> None:
    spec = {
        "region": "eu-west-1",
        "fallbackRoleArn": f"{ARN}f",
        "roleClaim": "roles",
        "sessionDuration": 3600,
        "roleMappings": [{"claim": "a", "roleArn": f"{ARN}a", "priority": 0}],
    }
    assert config_of_spec(spec) == {
        "region": "eu-west-1",
        "fallback_role_arn": f"{ARN}f",
        "role_claim": "roles",
        "session_duration": 3600,
        "role_mappings": [{"claim": "a", "role_arn": f"{ARN}a", "priority": 0}],
    }
    assert choose_role(config_of_spec(spec), {"roles": ["a"]}).role == f"{ARN}a"
