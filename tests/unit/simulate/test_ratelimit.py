from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.simulate.ratelimit import answer, rate_limits


def bucket(tokens: int, period: str = "1m") -> dict[str, Any]:
    return {"maxTokens": tokens, "refillPeriod": period}


def test_a_bucket_allows_its_burst_at_once_and_then_its_rate() -> None:
    limits = rate_limits({"shared": bucket(90, "1m30s")}, 1)
    (rest,) = limits.tools
    assert (rest.tool, rest.per_second, rest.burst) == (None, Fraction(1), 90)


def test_a_call_has_to_pass_every_bucket() -> None:
    config = {
        "shared": bucket(1000),
        "perUser": bucket(100),
        "tools": [{"name": "search", "perUser": bucket(10)}, {"name": "get", "shared": bucket(50)}],
    }
    limits = rate_limits(config, 25)
    search, get, rest = limits.tools
    assert (search.tool, search.burst, search.binds and search.binds.name) == ("search", 250, "tools.search.perUser")
    assert (get.tool, get.burst, get.binds and get.binds.name) == ("get", 50, "tools.get.shared")
    assert (rest.tool, rest.burst, rest.binds and rest.binds.name) == (None, 1000, "shared")
    assert search.per_second == Fraction(250, 60)


def test_rate_and_burst_may_be_bound_by_different_buckets() -> None:
    (rest,) = rate_limits({"shared": bucket(100, "1h"), "perUser": bucket(10, "1s")}, 3).tools
    assert rest.binds is not None
    assert rest.binds_burst is not None
    assert (rest.binds.name, rest.binds_burst.name) == ("shared", "perUser")


def test_the_shared_limit_binds_if_enough_users_call() -> None:
    config = {"shared": bucket(1000), "perUser": bucket(100)}
    assert rate_limits(config, 1).crowd == 11
    for users, name in ((10, "shared"), (11, "shared"), (9, "perUser")):
        (rest,) = rate_limits(config, users).tools
        assert rest.binds is not None
        assert rest.binds.total(users) == min(Fraction(1000, 60), users * Fraction(100, 60))
        assert rest.binds.name == name


def test_the_number_of_user_keys_is_users_times_per_user_buckets() -> None:
    config = {
        "shared": bucket(1000),
        "perUser": bucket(100, "1m"),
        "tools": [
            {"name": "a", "perUser": bucket(10, "1h")},
            {"name": "b", "perUser": bucket(10), "shared": bucket(5)},
            {"name": "c", "shared": bucket(5)},
        ],
    }
    limits = rate_limits(config, 200)
    assert (limits.shared_keys, limits.user_keys) == (3, 200 * (1 + 2))
    assert limits.expiry_ns == 2 * 3600 * 10**9


@pytest.mark.parametrize(
    ("config", "idle"),
    [
        ({"perUser": bucket(10), "tools": [{"name": "a", "perUser": bucket(10)}]}, ["tools.a.perUser"]),
        ({"perUser": bucket(10), "tools": [{"name": "a", "perUser": bucket(9)}]}, []),
        ({"perUser": bucket(10, "1s"), "tools": [{"name": "a", "perUser": bucket(20, "1h")}]}, []),
        ({"shared": bucket(10), "tools": [{"name": "a", "perUser": bucket(20)}]}, ["tools.a.perUser"]),
        ({"shared": bucket(10), "tools": [{"name": "a", "shared": bucket(20)}]}, ["tools.a.shared"]),
        ({"perUser": bucket(10), "tools": [{"name": "a", "shared": bucket(50)}]}, ["tools.a.shared"]),
        ({"perUser": bucket(10), "tools": [{"name": "a", "shared": bucket(40)}]}, []),
        ({"tools": [{"name": "a", "shared": bucket(40), "perUser": bucket(1)}]}, []),
    ],
)
def test_a_limit_that_another_always_beats_is_idle(config: Any, idle: list[str]) -> None:
    (tool, _) = rate_limits(config, 5).tools
    assert [found.name for found in tool.idle] == idle


def test_tools_without_a_limit_are_not_limited() -> None:
    rest = rate_limits({"tools": [{"name": "a", "shared": bucket(1)}]}, 1).tools[-1]
    assert (rest.tool, rest.per_second, rest.burst, rest.binds) == (None, None, None, None)


@pytest.mark.parametrize(
    "config",
    [
        None,
        {},
        {"shared": None},
        {"shared": {}},
        {"shared": bucket(0)},
        {"shared": {**bucket(1), "maxTokens": True}},
        {"shared": bucket(1, "0s")},
        {"shared": bucket(1, "-1s")},
        {"shared": bucket(1, "1d")},
        {"shared": {"maxTokens": 1}},
        {"shared": {"maxTokens": 1, "refillPeriod": 60}},
        {"tools": {}},
        {"tools": [{"shared": bucket(1)}]},
        {"tools": [{"name": "a"}]},
        {"tools": [{"name": "a", "shared": bucket(1)}, {"name": "a", "shared": bucket(1)}]},
    ],
)
def test_a_broken_configuration_is_reported(config: Any) -> None:
    assert rate_limits(config, 1).error
    assert set(answer({"config": config, "users": 1})) == {"error"}


@pytest.mark.parametrize("users", [0, -1, True, "1", None, 1.5])
def test_a_broken_number_of_users_is_reported(users: object) -> None:
    assert "error" in answer({"config": {"shared": bucket(1)}, "users": users})


def test_an_answer_is_plain_data() -> None:
    question = {"config": {"shared": bucket(60), "tools": [{"name": "a", "perUser": bucket(30)}]}, "users": 2}
    assert answer(question) == {
        "users": 2,
        "buckets": [
            {"name": "shared", "burst": 60, "periodSeconds": 60.0, "perSecond": 1.0},
            {"name": "tools.a.perUser", "burst": 30, "periodSeconds": 60.0, "perSecond": 0.5},
        ],
        "tools": [
            {"tool": "a", "perSecond": 1.0, "burst": 60, "binds": "shared", "bindsBurst": "shared", "idle": []},
            {"tool": None, "perSecond": 1.0, "burst": 60, "binds": "shared", "bindsBurst": "shared", "idle": []},
        ],
        "keys": {"shared": 1, "perUser": 2, "expireAfterSeconds": 120.0},
        "sharedBindsFromUsers": None,
    }


numbers = st.integers(1, 10**6)
buckets = st.fixed_dictionaries({"maxTokens": numbers, "refillPeriod": numbers.map(lambda number: f"{number}ms")})


@given(st.fixed_dictionaries({"shared": buckets, "perUser": buckets}), st.integers(1, 10**6))
def test_the_shared_bucket_limits_the_rate_if_users_reach_the_crowd(config: Any, users: int) -> None:
    limits = rate_limits(config, users)
    (rest,) = limits.tools
    assert rest.binds is not None
    assert limits.crowd is not None
    if users >= limits.crowd:
        assert not rest.binds.per_user
    shared, per_user = limits.buckets
    assert rest.per_second == min(shared.rate, per_user.rate * users)


@pytest.mark.parametrize("users", [0, -1, True, "2", 1.0])
def test_a_question_needs_a_number_of_users(users: object) -> None:
    assert answer({"config": {"shared": bucket(10)}, "users": users}) == {"error": "users must be a number, 1 or more"}


def test_a_question_without_users_assumes_one_user() -> None:
    config = {"perUser": bucket(10)}
    assert (
        answer({"config": config}) == answer({"config": config, "users": 1}) != answer({"config": config, "users": 2})
    )
