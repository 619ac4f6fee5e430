"""What the start of the process refuses in a file that stands alone, though a resource has a rule of its own for it."""

from __future__ import annotations

import pytest

from mcpcfg.compiler import api
from mcpcfg.compiler.project.settings import Options

FILE = """
name: demo
groupRef: tools
incomingAuth: {type: anonymous}
outgoingAuth:
  source: inline
  default: {type: xaa, xaa: {idpTokenUrl: https://a.example, targetTokenUrl: https://b.example, targetAudience: a}}
aggregation: {conflictResolution: prefix, conflictResolutionConfig: {prefixFormat: "{workload}_"}}
"""
SERVER = "schema_version: v0.1.0\nissuer: https://auth.example.com\nupstreams: [{name: a}, {name: b}]\n"
LIMITED = FILE + 'sessionStorage: {provider: redis, address: "redis:6379"}\nrateLimiting: '


def refused(text: str, release: str, server: str = "schema_version: v0.1.0\nupstreams: []\n") -> set[tuple[str, str]]:
    files = {"vmcp/config.yaml": text, "vmcp/authserver-config.yaml": server}
    report = api.check(files=files, options=Options(release=release))
    places = [(one.rule, "/".join(map(str, one.path or ()))) for one in report.findings if one.severity == "error"]
    return {place for place in places if place[0] in {"VMC104", "RLM002"}}


def test_an_xaa_strategy_has_to_name_one_of_several_providers() -> None:
    named = FILE.replace("targetAudience: a", "targetAudience: a, subjectProviderName: a")
    one = SERVER.replace(", {name: b}", "")
    assert refused(FILE, "0.44.0", SERVER) == {("VMC104", "outgoingAuth/default/xaa")}
    assert refused(FILE, "0.44.0", one) == refused(FILE, "0.44.0") == refused(named, "0.44.0", SERVER) == set()


@pytest.mark.parametrize(
    ("limits", "places"),
    [
        ("{shared: {maxTokens: 1, refillPeriod: {duration: 1m}}}", set()),
        ("{shared: {maxTokens: 0, refillPeriod: {duration: 0s}}}", {"shared/maxTokens", "shared/refillPeriod"}),
        (
            "{tools: [{name: a, perUser: {maxTokens: 1, refillPeriod: {duration: -1m}}}]}",
            {"tools/0/perUser/refillPeriod"},
        ),
    ],
)
def test_a_bucket_needs_tokens_and_a_refill_period(limits: str, places: set[str]) -> None:
    assert refused(LIMITED + limits, "0.44.0") == {("RLM002", f"rateLimiting/{place}") for place in places}


@pytest.mark.parametrize("mode", ["best-effort", "bestefort"])
def test_a_misspelt_failure_mode_gets_a_suggestion(mode: str) -> None:
    text = f"{FILE}operational: {{failureHandling: {{healthCheckInterval: 10s, partialFailureMode: {mode}}}}}\n"
    report = api.check(files={"vmcp/config.yaml": text}, options=Options(release="0.21.0"))
    hints = [finding.hint for finding in report.findings if finding.rule == "VMC110"]
    assert hints == ['did you mean "bestEffort"?']
