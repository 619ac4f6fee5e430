"""What a process refuses is a warning with its reason where that was not verified for the release that judges."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calling import call
from drawing import resource

from mcpcfg.compiler.diagnostics.version import RECORDED
from mcpcfg.compiler.generate.explain.page import facts
from mcpcfg.compiler.toolhive.release import RELEASES, holds
from mcpcfg.validators.registry import all_rules

if TYPE_CHECKING:
    from mcpcfg.compiler.diagnostics.finding import Rule

RULES = all_rules().values()
CRASHING = resource("MCPRegistry", "servers", "{configYAML: 'sources: [}'}").replace("v1alpha1", "v1beta1")
"""What nothing but the registry server of 0.21.0 was asked about."""


def severities(text: str, release: str) -> dict[str, str]:
    made = call("check", "-", "--release", release, "--format", "json", stdin=text)
    return {one["rule"]: one["severity"] for one in json.loads(made.out)["findings"]}


def test_a_fault_that_was_seen_at_the_judging_release_is_an_error() -> None:
    assert severities(CRASHING.replace("v1beta1", "v1alpha1"), "0.21.0")["MRG010"] == "error"


def test_a_fault_that_was_not_seen_at_the_judging_release_is_a_warning_with_the_reason() -> None:
    made = call("check", "-", "--release", "0.30.0", stdin=CRASHING)
    assert made.status == 0
    assert "warning[MRG010]" in made.out
    assert "note: verified at release 0.21.0, not at 0.30.0, which may start with it" in made.out


def test_each_fault_that_was_not_seen_at_the_judging_release_is_a_warning() -> None:
    made = call("check", "-", "--release", "0.30.0", stdin=f"{CRASHING}---\n{CRASHING.replace('servers', 'others')}")
    assert made.out.count("warning[MRG010]") == 2


@pytest.mark.parametrize("release", ["0.30.0", "0.44.0"])
def test_a_rule_verified_at_both_ends_is_an_error_between_them(release: str) -> None:
    twice = "{image: 'ghcr.io/acme/fetch:1.0', env: [{name: A, value: b}], secrets: [{name: s, key: k,"
    text = resource("MCPServer", "fetch", f"{twice} targetEnvName: A}}]}}").replace("v1alpha1", "v1beta1")
    assert severities(text, release)["ENV003"] == "error"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_rule_is_verified_only_at_releases_that_have_its_fault(rule: Rule) -> None:
    assert rule.verified
    assert set(rule.verified) <= set(RELEASES)
    assert all(holds(rule.since, rule.until, one) for one in rule.verified)


def test_the_table_of_a_page_names_the_releases_of_its_rule() -> None:
    for rule in RULES:
        rows = facts(rule)
        assert rule.since is None or f"from {rule.since} on" in rows["Releases"]
        assert rule.until is None or f"before {rule.until}" in rows["Releases"]
        assert rule.id.startswith("CFG") or rows["Verified"].startswith(" and ".join(rule.verified) + ";")


def test_the_rules_command_lists_the_releases_of_a_rule() -> None:
    listed = {one["id"]: one for one in json.loads(call("rules", "--format", "json").out)}
    assert listed["IGN006"]["until"] == "0.27.0"
    assert listed["ADM092"]["since"] == "0.23.0"
    assert listed["VMC105"]["verified"] == list(RECORDED)
