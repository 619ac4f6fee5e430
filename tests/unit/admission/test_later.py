"""Which later release takes what is a fault in the one that judges."""

from __future__ import annotations

import pytest
from admitted import only
from sample import resource

from mcpcfg.compiler.admission.later import later_fields, release_of_field, release_of_kind, release_without
from mcpcfg.compiler.admission.violation import Sort, Violation
from mcpcfg.compiler.diagnostics.doubt import Doubt
from mcpcfg.compiler.toolhive.release import NEWEST_KNOWN


@pytest.mark.parametrize(
    ("kind", "path", "judged", "later"),
    [
        ("MCPServer", ("spec", "authzConfigRef"), "0.21.0", "0.30.0"),
        ("MCPServer", ("spec", "authzConfigRef"), "0.29.3", "0.30.0"),
        ("MCPServer", ("spec", "authzConfigRef"), NEWEST_KNOWN, None),
        ("MCPServer", ("spec", "authzConfig", "authzConfigRef"), "0.21.0", None),
        ("MCPServer", ("status", "webhookConfigHash"), "0.21.0", "0.27.0"),
        ("MCPGroup", ("spec", "authzConfigRef"), "0.21.0", None),
        ("MCPRegistry", ("spec", "imagePullSecrets"), "0.21.0", "0.26.0"),
        ("VirtualMCPServer", ("spec", "config", "compositeTools", 3, "annotations"), "0.21.0", "0.42.1"),
        ("VirtualMCPServer", ("spec", "authServerConfig", "cimd"), "0.21.0", "0.29.0"),
        ("MCPExternalAuthConfig", ("spec", "embeddedAuthServer", "cimd"), "0.21.0", "0.29.0"),
    ],
)
def test_release_of_field_returns_the_first_release_with_the_field_at_its_path(
    kind: str, path: tuple[str | int, ...], judged: str, later: str | None
) -> None:
    assert release_of_field(kind, path, judged) == later


def test_release_of_kind_names_the_later_release_that_added_a_kind() -> None:
    assert release_of_kind("MCPWebhookConfig", "0.21.0") == "0.27.0"
    assert release_of_kind("MCPAuthzConfig", "0.27.0") == "0.30.0"
    assert release_of_kind("MCPAuthzConfig", NEWEST_KNOWN) is None
    assert release_of_kind("MCPServers", "0.21.0") is None


def test_release_without_knows_later_values_and_fields_that_became_optional() -> None:
    spec = ("spec", "type")
    oauth2 = ("spec", "embeddedAuthServer", "upstreamProviders", 0, "oauth2Config")
    kind = "MCPExternalAuthConfig"

    assert release_without(Violation(Sort.ENUM, list(spec), "xaa", ()), kind, spec, "0.21.0") == "0.33.0"
    assert release_without(Violation(Sort.ENUM, list(spec), "saml", ()), kind, spec, "0.21.0") is None
    assert release_without(Violation(Sort.MISSING, [], None, "clientId"), kind, oauth2, "0.21.0") == "0.27.0"
    assert release_without(Violation(Sort.MISSING, [], None, "tokenEndpoint"), kind, oauth2, "0.21.0") is None
    assert release_without(Violation(Sort.TYPE, [], 3, "string"), kind, spec, "0.21.0") is None


def test_later_fields_are_the_fields_of_the_object_in_the_newest_release() -> None:
    assert "authzConfigRef" in later_fields("MCPServer", ("spec",))
    assert later_fields("MCPServer", ("spec", "image")) == ()
    assert later_fields("MCPServer", ("spec", "nothing")) == ()


def test_lints_report_nothing_next_to_a_field_of_a_later_release() -> None:
    inline = "authzConfig: {type: inline, inline: {policies: [a], primaryUpstreamProvider: idp}}"
    server = only(resource("MCPServer", "a", "image: x", inline), "0.23.0")

    assert server.doubts == (Doubt(("spec", "authzConfig", "inline"), is_lint_alone=True),)
