from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from calling import call
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcfg.compiler.check import full
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.records.permission.check import check_profile
from mcpcfg.compiler.records.runconfig.check import check_runconfig
from mcpcfg.compiler.records.side_file.audit import check_audit
from mcpcfg.compiler.records.side_file.authz import check_authz
from mcpcfg.compiler.records.side_file.env_file import check_env_file, lines
from mcpcfg.compiler.records.side_file.tool_override import check_tool_overrides
from mcpcfg.compiler.records.side_file.webhook import check_webhook_file
from mcpcfg.compiler.records.workload.group_name import group_fault, label_fault
from mcpcfg.compiler.toolhive.audit_event import EVENT_TYPES
from mcpcfg.compiler.toolhive.endpoint import (
    audience_fault,
    endpoint_fault,
    is_localhost,
    issuer_fault,
    redirect_fault,
    remote_fault,
    userinfo_fault,
)

from .conftest import FIXTURES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mcpcfg.compiler.diagnostics.fault import Fault
    from mcpcfg.compiler.diagnostics.finding import Finding

LEAVES = st.none() | st.booleans() | st.integers(-5, 70000) | st.floats(allow_nan=False) | st.text(max_size=8)
WORDS = (
    "version type cedar policies entities_json pdp http url claim_mapping validating mutating name "
    "timeout tls_config failure_policy toolsOverride eventTypes excludeEventTypes maxDataSize "
    "network outbound allow_host read image transport remote_url middleware_configs parameters "
    "remote_auth_config ClientID embedded_auth_server_config upstreams storage redis_config secrets "
    "env_vars volumes publish permission_profile rate_limit_config shared oidc_config"
)
KEYS = st.sampled_from(WORDS.split())
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4))

CHECKS: list[Callable[[Any], list[Fault]]] = [
    check_authz,
    check_audit,
    check_webhook_file,
    check_tool_overrides,
    check_profile,
    check_runconfig,
]


@settings(max_examples=150)
@given(VALUES)
def test_any_value_gives_faults_and_no_traceback(value: Any) -> None:
    for check in CHECKS:
        for fault in check(value):
            assert fault.message


def codes(faults: list[Fault]) -> list[str]:
    return [fault.rule.id for fault in faults]


def check_text(folder: Path, name: str, text: str, kind: str | None = None) -> Sequence[Finding]:
    (folder / name).write_text(text)
    path = str(folder / name)
    return full.check(discover((path,)), full.Options(read_as=kind, first=path)).findings


def test_authorization_may_be_yaml(tmp_path: Path) -> None:
    text = 'version: "1.0"\ntype: cedarv1\ncedar:\n  policies:\n    - permit(principal, action, resource)\n'
    found = check_text(tmp_path, "authz.yaml", text)
    assert [(one.rule, one.span.line, one.span.column) for one in found] == [("FIL012", 5, 7)]


@pytest.mark.parametrize("kind", ["audit", "tool-override", "runconfig", "permission-profile", "registry"])
def test_files_that_are_only_read_as_json_must_not_be_yaml(kind: str, tmp_path: Path) -> None:
    found = check_text(tmp_path, "file.yaml", "name: x\n", kind)
    assert "FIL003" in [one.rule for one in found]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ([], ["FIL001"]),
        ({"version": 1, "type": "cedarv1"}, ["FIL001"]),
        ({}, ["FIL010", "FIL010"]),
        ({"Version": "1", "TYPE": "cedarv1", "Cedar": {"Policies": ["permit(principal, action, resource);"]}}, []),
        ({"version": "1", "type": "cedarv1", "pdp": 5, "cedar": {"policies": []}}, ["FIL011"]),
        ({"version": "1", "type": "httpv1", "pdp": {"http": {"url": "ftp://a"}, "claim_mapping": "mpe"}}, ["FIL011"]),
        ({"version": "1", "type": "httpv1", "pdp": {}}, ["FIL011", "FIL011"]),
    ],
)
def test_an_authorization_file_is_checked_by_the_rules_of_its_type(document: Any, expected: list[str]) -> None:
    assert codes(check_authz(document)) == expected


def test_only_known_events_are_accepted() -> None:
    assert not check_audit({"eventTypes": list(EVENT_TYPES)})
    assert codes(check_audit({"eventTypes": ["sse_connection"]})) == ["FIL020"]


@pytest.mark.parametrize(
    ("timeout", "fits"),
    [(0, True), ("0s", True), (None, True), ("1s", True), ("30s", True), ("31s", False), ("999ms", False), (-1, False)],
)
def test_the_timeout_of_a_webhook_is_between_1_and_30_seconds(timeout: Any, fits: bool) -> None:
    webhook = {"name": "a", "url": "https://a/", "failure_policy": "fail", "timeout": timeout}
    assert (codes(check_webhook_file({"validating": [webhook]})) == []) == fits


def test_lines_are_read_without_a_shell() -> None:
    text = "# c\n\n export A=1\nB= x\nC\n D=a=b \r\n"
    assert [(one.number, one.start, one.key, one.value) for one in lines(text)] == [
        (3, 8, "A", "1"),
        (4, 0, "B", " x"),
        (5, 0, "C", None),
        (6, 1, "D", "a=b"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A=1\nB=\n", []),
        ("=1\n", [("FIL050", 1, 1)]),
        ("A 1\n", [("FIL051", 1, 1)]),
        ("A='x' # c\n", [("FIL052", 1, 3)]),
        ('A="x"\n', [("FIL052", 1, 3)]),
        ("A=it's\n", []),
        ("A=1\nexport A=2\n", [("FIL053", 2, 8)]),
        ("A =1\n", [("FIL054", 1, 1)]),
        ("1A=1\n", [("FIL054", 1, 1)]),
    ],
)
def test_an_environment_file_is_checked_line_by_line(text: str, expected: list[Any], tmp_path: Path) -> None:
    found = check_text(tmp_path, "app.env", text, "env-file")
    assert [(one.rule, one.span.line, one.span.column) for one in found] == expected


@given(st.text(max_size=200))
def test_any_text_is_read_as_an_environment_file(text: str) -> None:
    for one in check_env_file(text, "x"):
        assert one.span.line <= text.count("\n") + 1


@pytest.mark.parametrize("name", ["default", "a b", "a_b-c1"])
def test_the_name_of_a_group_is_accepted(name: str) -> None:
    assert group_fault(name) is None


@pytest.mark.parametrize("name", ["", "A", "a  b", " a", "a/b", "é", "  ", "a\x00"])
def test_the_name_of_a_group_is_refused(name: str) -> None:
    assert group_fault(name) is not None


@pytest.mark.parametrize("label", ["a=b", "a=", "a/b=c", "a.b/c_d=1-2.3", "toolhive=x"])
def test_a_label_is_accepted(label: str) -> None:
    key, _, value = label.partition("=")
    assert label_fault(key, value) is None


@pytest.mark.parametrize("label", ["=b", "a/b/c=d", "a=b c", "a=b=c", "x y=1"])
def test_a_label_is_refused(label: str) -> None:
    key, _, value = label.partition("=")
    assert label_fault(key, value) is not None


PLACES = {
    "issuer": issuer_fault,
    "endpoint": endpoint_fault,
    "audience": audience_fault,
    "userinfo": userinfo_fault,
    "redirect": redirect_fault,
    "remote": remote_fault,
}


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("https://a.io", "issuer endpoint audience userinfo redirect remote"),
        ("https://a.io/", "endpoint audience userinfo redirect remote"),
        ("http://localhost:80/x", "issuer endpoint audience userinfo redirect remote"),
        ("http://[::1]/x", "issuer endpoint audience userinfo redirect remote"),
        ("http://127.0.0.2/x", "audience redirect remote"),
        ("http://a.localhost/x", "audience redirect remote"),
        ("http://a.io/x", "audience remote"),
        ("https://a.io/x?q", "endpoint audience userinfo redirect remote"),
        ("https://a.io/x#f", "endpoint userinfo remote"),
        ("ftp://localhost/x", "endpoint"),
        ("a.io/x", ""),
        ("https://[a", ""),
    ],
)
def test_each_field_accepts_its_form_of_url(text: str, good: str) -> None:
    assert " ".join(place for place, fault in PLACES.items() if fault(text) is None) == good


def test_localhost_is_recognized_by_three_names() -> None:
    assert is_localhost("localhost")
    assert is_localhost("[::1]:80")
    assert not is_localhost("localhost.acme.io")


def test_the_example_of_an_environment_file_has_each_fault_on_its_line() -> None:
    file = FIXTURES / "variables.env"
    found = check_env_file(file.read_text("utf-8"), str(file))
    assert [(one.rule, one.span.line) for one in found] == [
        ("FIL054", 3),
        ("FIL052", 4),
        ("FIL053", 5),
        ("FIL051", 6),
        ("FIL050", 7),
    ]


def test_a_byte_order_mark_becomes_part_of_the_first_name() -> None:
    def reported(text: str) -> list[tuple[str, str]]:
        outcome = call("check", "--as", "env-file", "--stdin-filename", "a.env", "-f", "json", "-", stdin=text)
        return [(one["rule"], one["message"]) for one in json.loads(outcome.out)["findings"]]

    assert reported("\ufeffA=b\r\nB=c\r\n") == [("FIL054", "the byte order mark before it becomes part of the name")]
    assert reported("\ufeff# all of them\nA=b\n") == []
    assert reported("\ufeff\nA=b\n") == []


def test_a_workload_request_without_anything_is_an_empty_file_and_no_more() -> None:
    outcome = call("check", "--as", "workload", "--stdin-filename", "a.json", "-f", "json", "-", stdin=" \n")

    (found,) = json.loads(outcome.out)["findings"]
    assert (found["rule"], found["message"]) == ("WRK001", "the file is empty, and an object is expected")
