"""Which later release takes what is a fault in the one that judges."""

from __future__ import annotations

import pytest
from admitted import only
from sample import resource

from mcpcfg.compiler.admission.fault import Sort, Violation
from mcpcfg.compiler.admission.later import later_fields, release_of_field, release_of_kind, release_without
from mcpcfg.compiler.diagnostics.doubt import Doubt


@pytest.mark.parametrize(
    ("kind", "path", "judged", "later"),
    [
        ("MCPServer", ("spec", "authzConfigRef"), "0.21.0", "0.30.0"),
        ("MCPServer", ("spec", "authzConfigRef"), "0.29.3", "0.30.0"),
        ("MCPServer", ("spec", "authzConfigRef"), "0.45.0", None),
        ("MCPServer", ("spec", "authzConfig", "authzConfigRef"), "0.21.0", None),
        ("MCPServer", ("status", "webhookConfigHash"), "0.21.0", "0.27.0"),
        ("MCPGroup", ("spec", "authzConfigRef"), "0.21.0", None),
        ("MCPRegistry", ("spec", "imagePullSecrets"), "0.21.0", "0.26.0"),
        ("VirtualMCPServer", ("spec", "config", "compositeTools", 3, "annotations"), "0.21.0", "0.42.1"),
        ("VirtualMCPServer", ("spec", "authServerConfig", "cimd"), "0.21.0", "0.29.0"),
        ("MCPExternalAuthConfig", ("spec", "embeddedAuthServer", "cimd"), "0.21.0", "0.29.0"),
    ],
)
def test_a_field_is_known_at_its_very_place_from_its_release_on(
    kind: str, path: tuple[str | int, ...], judged: str, later: str | None
) -> None:
    assert release_of_field(kind, path, judged) == later


def test_a_kind_is_known_from_its_release_on() -> None:
    assert release_of_kind("MCPWebhookConfig", "0.21.0") == "0.27.0"
    assert release_of_kind("MCPAuthzConfig", "0.27.0") == "0.30.0"
    assert release_of_kind("MCPAuthzConfig", "0.45.0") is None
    assert release_of_kind("MCPServers", "0.21.0") is None


def test_a_text_that_a_later_release_allows_and_a_field_that_it_does_not_require() -> None:
    spec = ("spec", "type")
    oauth2 = ("spec", "embeddedAuthServer", "upstreamProviders", 0, "oauth2Config")
    kind = "MCPExternalAuthConfig"

    assert release_without(Violation(Sort.ENUM, list(spec), "xaa", ()), kind, spec, "0.21.0") == "0.33.0"
    assert release_without(Violation(Sort.ENUM, list(spec), "saml", ()), kind, spec, "0.21.0") is None
    assert release_without(Violation(Sort.MISSING, [], None, "clientId"), kind, oauth2, "0.21.0") == "0.27.0"
    assert release_without(Violation(Sort.MISSING, [], None, "tokenEndpoint"), kind, oauth2, "0.21.0") is None
    assert release_without(Violation(Sort.TYPE, [], 3, "string"), kind, spec, "0.21.0") is None


def test_the_later_fields_of_a_place_are_those_of_its_object() -> None:
    assert "authzConfigRef" in later_fields("MCPServer", ("spec",))
    assert later_fields("MCPServer", ("spec", "image")) == ()
    assert later_fields("MCPServer", ("spec", "nothing")) == ()


def test_beside_a_field_of_a_later_release_lints_are_silent() -> None:
    inline = "authzConfig: {type: inline, inline: {policies: [a], primaryUpstreamProvider: idp}}"
    server = only(resource("MCPServer", "a", "image: x", inline))

    assert server.doubts == (Doubt(("spec", "authzConfig", "inline"), is_lint_alone=True),)
