"""By a release that is not modelled, only what no release changes is an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calling import call
from drawing import resource

from mcpcfg.compiler.generate import fingerprint
from mcpcfg.compiler.golang.yaml.sigs import dump
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED, SECOND_VERSION_SINCE, holds
from mcpcfg.validators.registry import all_rules

if TYPE_CHECKING:
    from pathlib import Path

IN_ALL = """
    ADM020 ADM021 ADM022 ADM032 ADM033 ADM090 ADM091 ADM094 AUT006 AUT031 AZN002 AZN003 AZN004 CFG011 CMP009 ENV004
    FIL012 FIL013 IMG004 MRG003 MRG006 MRG010 OID002 POD001 POD003 POD004 POD005 POD006 POD007 REF001 REF002 REF003
    REF004 REF005 REF006 REF007 REF008 REF009 REF010 REF014 REF023 REF024 RES001 RES003 RES005 SKL002 VMC011 VMC118
    VMC232 VOL004
"""
"""Kubernetes' own rules, the syntax of Cedar, CEL and templates, texts that cannot be read, duplicates, references
between the project's own resources, and the keys of its Secrets and ConfigMaps."""
IN_NEWER = "ADM002 DEC001 EAS017 EAS019 EAS020 FIL001 PRM001 REG002 REG007 RUN001 VMC120 WRK001"
"""Values of a type that no modelled release took, and faults that only later releases document."""

TYPED = resource("MCPServer", "fetch", "{image: 'a:1', groupRef: tools, proxyPort: '80x'}")
GROUP = resource("MCPGroup", "tools", "{}")


def test_each_rule_declares_which_other_releases_have_its_fault() -> None:
    errors = [rule for rule in all_rules().values() if rule.severity == "error"]
    assert [rule.id for rule in errors if rule.unmodelled == "all" and rule.stage != "syntax"] == IN_ALL.split()
    assert [rule.id for rule in errors if rule.unmodelled == "newer"] == IN_NEWER.split()
    assert all((rule.unmodelled == "all") for rule in errors if rule.stage == "syntax")


def severities(text: str, release: str, *arguments: str) -> dict[str, str]:
    if not holds(SECOND_VERSION_SINCE, None, release):
        text = text.replace("v1beta1", "v1alpha1")
    outcome = call("check", "-", "--release", release, "--closed", "--format", "json", *arguments, stdin=text)
    return {finding["rule"]: finding["severity"] for finding in json.loads(outcome.out)["findings"]}


@pytest.mark.parametrize(
    ("text", "rule", "severity"),
    [
        (resource("MCPRemoteProxy", "a", "{remoteUrl: 'http://10.1.2.3/mcp'}"), "URL002", "warning"),
        (resource("MCPServer", "a", "{image: 'a:1', brandNew: 1}"), "ADM001", "warning"),
        (resource("MCPServer", "a", "{image: 'a:1', replica: 2}"), "ADM001", "error"),
        (resource("MCPServer", "a", "{image: 'a:1', replicas: 2, replica: 2}"), "ADM001", "warning"),
        (resource("MCPServer", "a", "{image: 'a:1', transport: smoke}"), "ADM004", "warning"),
        (resource("MCPServer", "a", "{transport: stdio}"), "ADM003", "warning"),
        (resource("MCPServer", "a", "{image: 'a:1', groupRef: {name: b}}"), "REF001", "error"),
        (resource("MCPServer", "A_b", "{image: 'a:1'}"), "ADM020", "error"),
        (resource("MCPServer", "a", "{image: 'a:1', podTemplateSpec: {spec: {containers: 1}}}"), "POD001", "error"),
        (resource("MCPThing", "a", "{}"), "ADM030", "warning"),
        (f"{GROUP}---\n{GROUP}", "ADM090", "error"),
        ("kind: MCPGroup\nkind: MCPGroup\n", "SYN010", "error"),
    ],
)
@pytest.mark.parametrize("release", ["0.10.0", "0.60.0", "0.80.0"])
def test_a_fault_that_depends_on_the_release_is_a_warning_at_an_unmodelled_release(
    text: str, rule: str, severity: str, release: str
) -> None:
    assert severities(text, release)[rule] == severity
    judge = {"0.10.0": "0.21.0"}.get(release, NEWEST_MODELLED)
    assert severities(text, judge)[rule] == "error"


def test_a_warning_names_the_release_that_refuses_the_value() -> None:
    outcome = call("check", "-", "--release", "0.80.0", stdin=resource("MCPServer", "a", "{image: 'a:1', brandNew: 1}"))
    assert outcome.status == 0
    assert (
        f"note: release {NEWEST_MODELLED} refuses this; release 0.80.0 is not modelled and may accept it" in outcome.out
    )
    outcome = call("check", "-", "--release", "0.60.0", stdin=resource("MCPServer", "a", "{image: 'a:1', brandNew: 1}"))
    assert (
        f"note: release {NEWEST_MODELLED} refuses this; release 0.60.0 is known in part and may accept it"
        in outcome.out
    )


def test_a_wrong_type_stays_an_error_for_a_release_after_the_modelled_range() -> None:
    assert severities(TYPED + "---\n" + GROUP, "0.80.0")["ADM002"] == "error"


def test_a_reference_that_an_older_release_may_state_otherwise_is_not_resolved() -> None:
    assert severities(TYPED, "0.21.0")["REF001"] == "error"
    assert severities(TYPED, "0.20.0") == {"ADM002": "warning"}


@pytest.mark.parametrize(
    ("text", "rule", "change"),
    [
        (resource("MCPServer", "a", "{image: 'a:1', port: 80}"), "ADM001", "0.15.0"),
        (resource("MCPServer", "a", "{image: 'a:1', groupRef: tools}"), "ADM002", "0.20.0"),
        (resource("VirtualMCPServer", "a", "{incomingAuth: {type: anonymous}}"), "ADM003", "0.21.0"),
    ],
)
def test_a_fault_that_only_a_later_release_has_is_an_info_and_not_fixed(
    text: str, rule: str, change: str, tmp_path: Path
) -> None:
    assert severities(text, "0.14.0")[rule] == "info"
    assert severities(text, change)[rule] != "info"
    file = tmp_path / "a.yaml"
    text = text.replace("v1beta1", "v1alpha1")
    file.write_text(text)
    shown = call("check", str(file), "--release", "0.14.0", "--severity", "info", "--fix", "--unsafe-fixes").out
    assert "change it when you upgrade from 0.14.0 (" in shown
    assert f"v{change}: " in shown
    assert file.read_text() == text


def test_the_former_name_of_a_field_is_accepted_at_an_older_release() -> None:
    renamed = resource("MCPRemoteProxy", "a", "{remoteURL: 'https://mcp.example/mcp'}")
    assert "error" not in severities(renamed, "0.10.0").values()
    assert severities(renamed, "0.80.0")["ADM001"] == "error"


@pytest.mark.parametrize("version", ["v1", "v2beta1"])
def test_an_object_of_a_version_that_is_not_modelled_is_read(version: str) -> None:
    text = (
        f"{GROUP.replace('v1beta1', version)}---\n{resource('MCPServer', 'a', '{image: a, groupRef: {name: tools}}')}"
    )
    found = severities(text, "0.80.0")
    assert (found["ADM031"], "REF001" in found) == ("warning", False)
    assert severities(text, "0.44.0")["REF001"] == "error"


def test_a_reference_to_a_resource_that_may_be_accepted_is_no_error() -> None:
    oidc = resource("MCPOIDCConfig", "corp", "{type: inline, inline: {issuer: 'http://idp.example'}}")
    server = resource("MCPServer", "a", "{image: 'a:1', oidcConfigRef: {name: corp, audience: a}}")
    assert "error" in severities(f"{oidc}---\n{server}", "0.44.0").values()
    assert "error" not in severities(f"{oidc}---\n{server}", "0.80.0").values()


def test_the_definitions_of_the_release_make_admission_certain(tmp_path: Path) -> None:
    crd = fingerprint.definitions("0.44.0")["MCPServer"]
    (tmp_path / "crd.yaml").write_text(dump(crd))
    text = resource("MCPServer", "a", "{image: 'a:1', brandNew: 1}")
    call_ = ("check", "-", "--release", "0.80.0", "--crds", str(tmp_path / "crd.yaml"))
    assert severities(text, "0.80.0", *call_[4:])["ADM001"] == "error"
    assert "hint: check --crds" not in call(*call_, stdin=text).err


def test_a_value_that_the_release_may_accept_is_not_fixed(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    text = resource("MCPServer", "a", "{image: 'a:1', transport: http, replica: 2}")
    file.write_text(text)
    call("check", "--fix", "--release", "0.80.0", str(file))
    assert file.read_text() == text.replace("replica", "replicas")
