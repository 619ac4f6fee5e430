"""What findings propose instead, where that can be worked out."""

from __future__ import annotations

from pathlib import Path

import pytest
from judging import is_open, release_of

from mcpcfg.compiler import api
from mcpcfg.compiler.check.full import Options, Report, check
from mcpcfg.compiler.project.discovery import discover

FIXTURES = Path(__file__).parents[3] / "fixtures" / "rules"
RULES = sorted(folder.name for folder in FIXTURES.iterdir() if folder.name != "BLD001")
"""All that have fixtures, but for the rule of what is compiled; rules of records are looked at in their own tests."""
WITHOUT = {
    "the message says what is missing": ("CFG010",),
    "the message says what the API server takes": ("ADM006", "ADM007"),
    "the message says which bound is passed": ("SYN016",),
    "the message says what Kubernetes takes": ("RES005",),
    "the message says what the field takes": ("CHT002", "EAS006", "VMC114"),
}
"""Why the findings of some rules have no hint."""

SERVER = """apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch}
spec:
  image: ghcr.io/acme/fetch:1.2
"""


@pytest.mark.parametrize(
    ("text", "rule", "hint"),
    [
        ("  resources: {limits: {memory: 512mb}}\n", "RES001", "write 512Mi"),
        ("  resources: {limits: {memory: 2 GiB}}\n", "RES001", "write 2Gi"),
        ("  resources: {limits: {memory: much}}\n", "RES001", None),
        (
            (
                "  sessionStorage: {provider: redis, address: 'redis:6379'}\n"
                "  rateLimiting: {shared: {maxTokens: 1, refillPeriod: 2d}}\n"
            ),
            "RLM001",
            "write 48h",
        ),
        ("  podTemplateSpec: {containers: []}\n", "POD002", "it belongs in podTemplateSpec.spec"),
        ("  podTemplateSpec: {spec: {nodeSelectors: {}}}\n", "POD002", 'did you mean "nodeSelector"?'),
        (
            "  podTemplateSpec: {spec: {containers: [{name: mcp, nodeSelector: {}}]}}\n",
            "POD002",
            "it belongs in podTemplateSpec.spec",
        ),
        ("  podTemplateSpec: {spec: {readinessProbe: {}}}\n", "POD002", "it belongs in the container"),
        (
            "  podTemplateSpec: {spec: {containers: [{name: mcp, runAsUser: 1}]}}\n",
            "POD002",
            "it belongs in securityContext",
        ),
        (
            "  podTemplateSpec: {spec: {affinity: {foo: {}}}}\n",
            "POD002",
            "kubectl explain pod.spec.affinity lists the fields",
        ),
    ],
)
def test_the_hint_proposes_the_probable_value(tmp_path: Path, text: str, rule: str, hint: str) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(SERVER + text)

    findings = [one for one in check(discover((str(file),)), Options()).findings if one.rule == rule]

    assert [finding.hint for finding in findings] == [hint]


def test_the_target_of_a_refused_resource_is_not_reported_as_unused(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    provider = SERVER.replace("MCPServer", "MCPOIDCConfig").partition("spec:")[0].replace("fetch", "corporate")
    provider += "spec: {type: inline, inline: {issuer: https://login.example.com}}\n"
    file.write_text(f"{SERVER}  oidcConfigRef: {{name: corporate}}\n---\n{provider}")

    project = discover((str(file),))._replace(complete=True)

    assert [finding.rule for finding in check(project, Options()).findings] == ["ADM003"]


def test_a_configuration_that_external_resources_may_use_is_not_unused(tmp_path: Path) -> None:
    provider = SERVER.replace("MCPServer", "MCPOIDCConfig").partition("spec:")[0]
    (tmp_path / "a.yaml").write_text(
        f"{provider}spec: {{type: inline, inline: {{issuer: https://login.example.com}}}}\n"
    )
    settings = tmp_path / "mcpcfg.yaml"

    settings.write_text("namespace: tools\n")
    assert [one.rule for one in check(discover((str(tmp_path),)), Options()).findings] == ["REF020"]
    settings.write_text('external: {MCPServer: ["*"]}\n')
    assert check(discover((str(tmp_path),)), Options()).findings == []


@pytest.mark.parametrize(("data", "hint"), [("{}", "it has no keys at all"), ("{b: '', a: ''}", "it has: a, b")])
def test_the_hint_for_a_missing_key_lists_the_existing_keys(data: str, hint: str) -> None:
    secret = f"---\napiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nimmutable: true\nstringData: {data}\n"
    report = api.check(files={"a.yaml": SERVER + "  secrets: [{name: s, key: k}]\n" + secret})

    assert [finding.hint for finding in report.findings if finding.rule.startswith("REF")] == [hint]


def checked(file: Path, rule: str) -> Report:
    """Check a fixture as a whole project, with the rule switched on."""
    project = discover((str(file),), release=release_of(file))._replace(complete=True)
    settings = project.settings._replace(rules={"PRF003": "info"} if rule == "PRF003" else {})
    return check(project._replace(settings=settings), Options(closed=not is_open(file)))


@pytest.mark.parametrize("rule", RULES)
def test_a_finding_says_what_to_do_or_its_message_does(rule: str) -> None:
    hints = [
        finding.hint
        for file in sorted((FIXTURES / rule).glob("invalid-*"))
        if file.suffix != ".out"
        for finding in checked(file, rule).findings
        if finding.rule == rule
    ]
    says_it = any(rule in rules for rules in WITHOUT.values())

    assert any(hints) is not says_it
