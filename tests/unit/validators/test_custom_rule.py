"""The project's own rules, from mcpcfg.yaml to findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.diagnostics.address import TOPICS
from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.validators.registry import all_rules

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.diagnostics.finding import Finding

SERVERS = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch}
spec:
  image: ghcr.io/acme/fetch:1.2
  toolConfigRef: {name: read-only}
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: search}
spec:
  image: docker.io/library/search:3
  replicas: 1
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPToolConfig
metadata: {name: read-only}
spec: {toolsFilter: [fetch]}
"""


def findings_of(folder: Path, rules: str, servers: str = SERVERS) -> list[Finding]:
    (folder / "mcpcfg.yaml").write_text(f"customRules:\n{rules}")
    (folder / "servers.yaml").write_text(servers)
    findings = check(discover((str(folder),)), Options()).findings
    return [finding for finding in findings if finding.rule.startswith(("OWN", "CFG"))]


def test_a_rule_that_gives_false_is_reported_at_its_field(tmp_path: Path) -> None:
    rule = """\
- id: OWN001
  kind: MCPServer
  expression: self.spec.image.startsWith("ghcr.io/acme/")
  message: the image is not one of ours
  hint: mirror it
  severity: warning
  field: spec.image
"""
    [finding] = findings_of(tmp_path, rule)

    assert (finding.rule, finding.severity, finding.stage) == ("OWN001", "warning", "lint")
    assert (finding.message, finding.hint) == ("the image is not one of ours", "mirror it")
    assert finding.subject is not None
    assert (finding.subject.name, finding.path, finding.span.line) == ("search", ("spec", "image"), 12)


def test_a_rule_may_look_at_what_a_resource_refers_to(tmp_path: Path) -> None:
    rule = """\
- id: OWN002
  kind: MCPServer
  expression: references.exists(r, r.kind == "MCPToolConfig")
  message: a server needs a tool configuration
"""
    [finding] = findings_of(tmp_path, rule)

    assert finding.subject is not None
    assert (finding.severity, finding.subject.name, finding.path) == ("error", "search", ("metadata", "name"))


def test_defaults_are_filled_in(tmp_path: Path) -> None:
    rule = '- {id: OWN003, kind: MCPServer, expression: self.spec.transport == "stdio", message: no}\n'
    assert findings_of(tmp_path, rule) == []


def test_a_custom_rule_whose_evaluation_fails_is_reported_once(tmp_path: Path) -> None:
    rule = "- {id: OWN004, kind: MCPServer, expression: self.spec.backendReplicas <= 3, message: too many}\n"
    [finding] = findings_of(tmp_path, rule)

    assert (finding.rule, finding.severity) == ("CFG010", "warning")
    assert finding.message.startswith("OWN004 has no value: ")


def test_a_placeholder_is_never_a_finding(tmp_path: Path) -> None:
    rule = '- {id: OWN005, kind: MCPServer, expression: self.spec.image.startsWith("ghcr.io/"), message: no}\n'
    assert findings_of(tmp_path, rule, SERVERS.replace("docker.io/library/search:3", "${IMAGE}")) == []


def test_severity_and_silence_work_as_for_any_rule(tmp_path: Path) -> None:
    rule = (
        "- {id: OWN006, kind: MCPServer, expression: has(self.spec.replicas), message: say it}\nrules: {OWN006: info}\n"
    )
    [finding] = findings_of(tmp_path, rule)
    assert finding.subject is not None
    assert (finding.severity, finding.subject.name) == ("info", "fetch")

    silenced = SERVERS.replace("metadata: {name: fetch}", "metadata: {name: fetch}  # mcpcfg: ignore[OWN006]")
    assert findings_of(tmp_path, rule, silenced) == []


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("{id: OWN001, kind: MCPServer, expression: self.spec., message: no}", "2:45: OWN001, expression 1:11: "),
        ("{id: OWN001, kind: MCPServer, expression: other.spec == 1, message: no}", "2:45: OWN001, expression 1:1: "),
        ("{id: OWN001, kind: MCPServer, expression: size(self), message: no}", "2:45: OWN001, expression "),
        ("{id: OWN001, kind: McpServer, expression: 'true', message: no}", '"McpServer" is not a kind'),
        ("{id: REF001, kind: MCPServer, expression: 'true', message: no}", "REF001 is a rule of mcpcfg already"),
    ],
)
def test_an_invalid_custom_rule_makes_the_configuration_invalid(tmp_path: Path, rule: str, fault: str) -> None:
    with pytest.raises(InputError, match="the configuration is not valid") as raised:
        findings_of(tmp_path, f"- {rule}\n")
    assert fault in str(raised.value)


def test_two_custom_rules_cannot_have_the_same_id(tmp_path: Path) -> None:
    row = "- {id: OWN001, kind: MCPServer, expression: 'true', message: no}\n"
    with pytest.raises(InputError, match="OWN001 is another custom rule already"):
        findings_of(tmp_path, row + row)


def test_no_custom_rule_can_have_the_id_of_a_built_in_rule() -> None:
    assert {id_[:3] for id_ in all_rules()} <= set(TOPICS.split())


def test_a_hostile_rule_ends(tmp_path: Path) -> None:
    many = "[" + ",".join("1" * 200) + "]"
    expression = f"{many}.all(a, {many}.all(b, {many}.all(c, a == b)))"
    [finding] = findings_of(tmp_path, f"- {{id: OWN001, kind: MCPServer, message: no, expression: '{expression}'}}\n")
    assert finding.rule == "CFG010"
