"""The table of what releases changed holds for what is compiled: no more changes, and no fewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import admitted
import pytest
from calling import call
from drawing import resource
from recorded import SELECTION

from mcpcfg.compiler.check.compilable import compilable, refusing_later
from mcpcfg.compiler.check.full import Options, Report, check
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.change import CHANGES
from mcpcfg.compiler.emit.output_change import BACKEND, OutputChange
from mcpcfg.compiler.emit.target import artifacts
from mcpcfg.compiler.emit.unrecorded import unrecorded_changes
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.toolhive.release import RELEASES, release_key
from mcpcfg.compiler.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.workspace.resource import Resource

STEPS = [
    (RELEASES[number - 1], release)
    for number, release in enumerate(RELEASES)
    if any(change.since == release for change in CHANGES)
]
CASES = sorted((SELECTION / "operator").iterdir())[::4]


def checked(path: str, release: str) -> tuple[Report, list[Resource]]:
    report = refusing_later(check(discover((path,), release=release), Options()))
    return report, compilable(report).resources


def compiled(report: Report, resources: list[Resource]) -> dict[object, list[str]]:
    """Return what resources compile to, but for the version of their owners."""
    found: dict[object, list[str]] = {}
    for target in ("kubernetes", "vmcp"):
        for one in artifacts(target, Build(report.workspace, report.project.settings.operator), resources)[0]:
            assert one.source is not None
            found.setdefault(one.source.subject, []).append(one.text.replace("/v1beta1", "/v1alpha1"))
    return found


def shown(change: OutputChange) -> bool:
    return (
        change.is_compiled
        and change.targets not in (BACKEND, ())
        and change.name not in ("password of the default Redis", "owner references of v1beta1")
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_output_of_a_resource_differs_exactly_if_a_change_concerns_it(case: Path) -> None:
    wrong = []
    for before, after in STEPS:
        old, new = (checked(str(case / "input.yaml"), release) for release in (before, after))
        earlier, later = compiled(*old), compiled(*new)
        for one in new[1]:
            if one.subject in earlier and one.subject in later:
                rows = [
                    change.name
                    for change in CHANGES
                    if change.since == after and one.kind in change.kinds and shown(change)
                    if change.concerns(new[0].workspace, one)
                ]
                if bool(rows) != (earlier[one.subject] != later[one.subject]):
                    wrong.append((after, str(one), rows))
    assert wrong == []


def test_changes_are_in_the_order_of_the_releases() -> None:
    assert [change.since for change in CHANGES] == sorted((change.since for change in CHANGES), key=release_key)


SERVER = resource("MCPServer", "fetch", "{image: 'ghcr.io/acme/fetch:1.0', audit: {enabled: true}}")


@pytest.mark.parametrize(
    ("target", "release", "part"),
    [
        ("runconfig", "0.30.0", "bodylimit (0.30.0)"),
        ("kubernetes", "0.22.0", "affected: detectApplicationErrors (0.22.0)\n"),
        ("kubernetes", "0.28.0", "startup probe (0.28.0)\n"),
        ("backend", "0.44.0", "restricted security contexts (0.30.1)\n"),
        ("backend", "0.44.0", "generation of the StatefulSet (0.24.1, not compiled)"),
        ("kubernetes", "0.45.0", "only that for 0.21.0 and 0.44.0 was compared with a running operator\n"),
    ],
)
def test_build_names_the_changes_that_no_recording_has_shown(target: str, release: str, part: str) -> None:
    text = SERVER if release != "0.22.0" else SERVER.replace("v1beta1", "v1alpha1")
    made = call("build", "-", "--target", target, "--release", release, stdin=text)
    assert made.status == 0
    assert f"the {target} output for release {release} is derived from the operator's source" in made.err
    assert part in made.err
    assert "telemetry" not in made.err, "the server has none"


@pytest.mark.parametrize(("target", "release"), [("kubernetes", "0.44.0"), ("backend", "0.21.0")])
def test_build_is_silent_about_a_release_that_was_recorded(target: str, release: str) -> None:
    made = call("build", "-", "--target", target, "--release", release, stdin=SERVER.replace("v1alpha1", "v1beta1"))
    assert "derived from the operator's source" not in made.err


def test_a_target_without_known_changes_is_named_too() -> None:
    report, resources = checked(str(SELECTION / "operator" / "args-51-041" / "input.yaml"), "0.30.0")
    assert unrecorded_changes(report.workspace, resources, "status") == {"0.30.0": ()}


UPSTREAM = "upstreamProviders: [{name: a, type: oidc, oidcConfig: {issuerUrl: 'https://a.example', clientId: c%s}}]"
ISSUER = "issuer: 'https://id.example'"
AUTH = resource(
    "MCPExternalAuthConfig", "auth", f"{{type: embeddedAuthServer, embeddedAuthServer: {{{ISSUER}, {UPSTREAM}}}}}"
)
OIDC = resource("MCPOIDCConfig", "oidc", "{type: inline, inline: {issuer: 'https://a.example', clientId: c%s}}")
BUNDLE = ", caBundleRef: {configMapRef: {name: ca, key: ca.crt}}"
ENTRY = resource(
    "MCPServerEntry",
    "entry",
    "{remoteUrl: 'https://a.example/mcp', transport: sse, groupRef: {name: g}%s}",
)
HEADERS = ", headerForward: {addPlaintextHeaders: {A: b}}"
GROUP = resource("MCPGroup", "g", "{}")
REDIRECT = ", redirectUri: 'https://a.example/cb'"
OIDC_REF = "oidcConfigRef: {name: oidc, audience: a}"
REDIS = "sessionStorage: {provider: redis, address: 'r:6379'"


@pytest.mark.parametrize(
    ("name", "kind", "concerned", "others", "beside"),
    [
        ("detectApplicationErrors", "MCPServer", "audit: {enabled: true}", "audit: {enabled: false}", ()),
        ("detectApplicationErrors", "VirtualMCPServer", "config: {audit: {enabled: false}}", "config: {}", ()),
        ("default redirectUri", "MCPServer", "authServerRef: {name: auth}", "transport: sse", (AUTH % "",)),
        ("default redirectUri", "MCPServer", "authServerRef: {name: auth}", None, (AUTH % "",)),
        ("default redirectUri", "MCPServer", None, "authServerRef: {name: auth}", (AUTH % REDIRECT,)),
        (
            "default redirectUri",
            "VirtualMCPServer",
            f"authServerConfig: {{{ISSUER}, {UPSTREAM % ''}}}",
            f"authServerConfig: {{{ISSUER}, {UPSTREAM % REDIRECT}}}",
            (),
        ),
        ("the whole pod template", "EmbeddingServer", "podTemplateSpec: {spec: {}}", "model: a/b", ()),
        ("headers of entries", "VirtualMCPServer", "groupRef: {name: g}", "config: {}", (GROUP, ENTRY % HEADERS)),
        ("headers of entries", "VirtualMCPServer", None, "groupRef: {name: g}", (GROUP, ENTRY % "")),
        ("startup probe", "MCPServer", "transport: sse", None, ()),
        (
            "password of session storage",
            "MCPServer",
            f"{REDIS}, passwordRef: {{name: s, key: k}}}}",
            f"{REDIS}}}",
            (),
        ),
        ("password of session storage", "MCPServer", None, "sessionStorage: {provider: memory}", ()),
        (
            "authorization from a ConfigMap, entities",
            "VirtualMCPServer",
            "incomingAuth: {type: anonymous, authzConfig: {type: configMap, configMap: {name: c}}}",
            "incomingAuth: {type: anonymous}",
            (),
        ),
        (
            "version 1.0 of policies",
            "MCPServer",
            "authzConfig: {type: inline, inline: {policies: ['permit(principal, action, resource);']}}",
            "authzConfig: {type: configMap, configMap: {name: c}}",
            (),
        ),
        ("CA bundle of the OIDC provider", "MCPRemoteProxy", OIDC_REF, "transport: sse", (OIDC % BUNDLE,)),
        ("CA bundle of the OIDC provider", "MCPRemoteProxy", None, OIDC_REF, (OIDC % "",)),
        (
            "pod template merged always",
            "VirtualMCPServer",
            "podTemplateSpec: {metadata: {name: a}}",
            "podTemplateSpec: {spec: {containers: [{name: vmcp, image: a}]}}",
            (),
        ),
        ("pod template merged always", "VirtualMCPServer", None, "config: {}", ()),
        (
            "audit before authorization",
            "MCPServer",
            "{audit: {enabled: true}, authzConfig: {type: configMap, configMap: {name: c}}}",
            "audit: {enabled: true}",
            (),
        ),
        (
            "audit before authorization",
            "MCPServer",
            None,
            "authzConfig: {type: configMap, configMap: {name: c}}",
            (),
        ),
    ],
)
def test_an_output_change_concerns_only_resources_with_the_affected_fields(
    name: str, kind: str, concerned: str | None, others: str | None, beside: tuple[str, ...]
) -> None:
    (change,) = [one for one in CHANGES if one.name == name]
    for spec, expected in ((concerned, True), (others, False)):
        if spec is not None:
            text = resource(kind, "one", spec if spec.startswith("{") else f"{{{spec}}}")
            found = admitted.resources({"a.yaml": "---\n".join((text, *beside))})
            assert kind in change.kinds
            assert change.concerns(Workspace(found), found[0]) is expected
