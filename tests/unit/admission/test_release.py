"""A document is admitted by the schemas of the release that is asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpcfg.compiler.admission.admit import Admission, admit
from mcpcfg.compiler.admission.table import table_of
from mcpcfg.compiler.kube.text_format import has_format
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED, RELEASES, whole_release


def judged(release: str, kind: str, spec: dict[str, Any], version: str = "v1alpha1") -> Admission:
    data = {
        "apiVersion": f"{TOOLHIVE.api_group}/{version}",
        "kind": kind,
        "metadata": {"name": "a"},
        "spec": spec,
    }
    documents, _ = read_documents(json.dumps(data).encode(), "a.json")
    return admit(documents[0], profile=profile_of_release(TOOLHIVE, release))


def told(release: str, kind: str, spec: dict[str, Any], version: str = "v1alpha1") -> list[tuple[str, str]]:
    return [(one.severity, one.message) for one in judged(release, kind, spec, version).findings]


def test_every_release_has_its_kinds() -> None:
    assert {
        release: len(table_of(release).kinds) for release in ("0.21.0", "0.26.1", "0.27.0", "0.30.0", "0.44.0")
    } == {
        "0.21.0": 12,
        "0.26.1": 12,
        "0.27.0": 13,
        "0.30.0": 14,
        "0.44.0": 14,
    }


@pytest.mark.parametrize("version", ["v1alpha1", "v1beta1"])
@pytest.mark.parametrize(
    ("kind", "spec", "since"),
    [
        ("MCPServer", {"image": "x", "authzConfigRef": {"name": "b"}}, "0.30.0"),
        ("MCPServer", {"image": "x", "webhookConfigRef": {"name": "b"}}, "0.27.0"),
        ("MCPExternalAuthConfig", {"type": "obo", "obo": {}}, "0.29.0"),
        ("MCPAuthzConfig", {"type": "cedarv1", "config": {"policies": []}}, "0.30.0"),
        ("MCPRemoteProxy", {"remoteUrl": "https://a.example", "podTemplateSpec": {}}, "0.37.0"),
    ],
)
def test_a_new_kind_or_field_is_admitted_from_its_release_on(
    kind: str, spec: dict[str, Any], since: str, version: str
) -> None:
    served = [release for release in RELEASES if version == "v1alpha1" or release >= "0.23.0"]

    assert [release for release in served if not told(release, kind, spec, version)] == [
        release for release in served if release >= since
    ]


def test_a_field_of_a_later_release_is_an_error_that_names_it() -> None:
    (finding,) = judged("0.29.0", "MCPServer", {"image": "x", "authzConfigRef": {"name": "b"}}, "v1beta1").findings

    assert (finding.severity, finding.message) == ("error", 'release 0.29.0 has no field "authzConfigRef" in spec')
    assert finding.notes[0].message == "the operator takes it from release 0.30.0 on"


@pytest.mark.parametrize("release", ["0.21.0", "0.30.0", "0.44.0"])
def test_a_misspelt_field_is_an_error_in_every_release(release: str) -> None:
    assert told(release, "MCPServer", {"image": "x", "transprt": "sse"}) == [
        ("error", 'unknown field "transprt" in spec')
    ]


def test_an_unknown_field_is_a_warning_in_a_release_newer_than_all_that_are_modelled() -> None:
    assert told("0.99.0", "MCPServer", {"image": "x", "brandNew": 1, "transport": "smoke"}, "v1beta1") == [
        ("warning", 'unknown field "brandNew" in spec'),
        ("warning", 'spec.transport cannot be "smoke", only "stdio", "streamable-http", "sse"'),
    ]


def test_v1beta1_is_served_from_release_0_23_0_on() -> None:
    (finding,) = judged("0.22.0", "MCPGroup", {}, "v1beta1").findings

    assert (finding.rule, finding.message) == ("ADM031", 'release 0.22.0 does not serve "v1beta1"')
    assert not told("0.23.0", "MCPGroup", {}, "v1beta1")


def test_webhooks_are_served_as_v1alpha1_alone() -> None:
    spec = {"validating": [{"name": "a", "url": "https://hooks.example"}]}

    assert not told(NEWEST_MODELLED, "MCPWebhookConfig", spec)
    assert told(NEWEST_MODELLED, "MCPWebhookConfig", spec, "v1beta1") == [
        ("error", 'MCPWebhookConfig has no version "v1beta1"')
    ]


def test_only_release_0_27_0_refuses_every_sentinel_storage() -> None:
    redis = {
        "sentinelConfig": {"masterName": "m", "sentinelAddrs": ["a:1"]},
        "aclUserConfig": {
            "usernameSecretRef": {"name": "s", "key": "u"},
            "passwordSecretRef": {"name": "s", "key": "p"},
        },
    }
    provider = {"name": "a", "type": "oidc", "oidcConfig": {"issuerUrl": "https://a.example", "clientId": "c"}}
    server = {
        "issuer": "https://a.example",
        "upstreamProviders": [provider],
        "storage": {"type": "redis", "redis": redis},
    }
    spec = {"type": "embeddedAuthServer", "embeddedAuthServer": server}

    refusing = [release for release in RELEASES if told(release, "MCPExternalAuthConfig", spec)]
    assert refusing == ["0.27.0"]


@pytest.mark.parametrize(
    ("headers", "messages"),
    [
        ({"X-Team": "a"}, []),
        ({"authorization": "a"}, ["names what is no HTTP header, or Authorization or Content-Type"]),
        ({"Content-TYPE": "a"}, ["names what is no HTTP header, or Authorization or Content-Type"]),
        ({"a b": "a"}, ["names what is no HTTP header, or Authorization or Content-Type"]),
        ({f"X-{i}": "a" for i in range(33)}, ["has 33 entries, but must have at most 32"]),
    ],
)
def test_the_headers_of_an_embedding_server_are_checked(headers: dict[str, str], messages: list[str]) -> None:
    optimizer = {"embeddingProvider": "openai", "embeddingHeaders": headers}
    spec = {
        "groupRef": {"name": "g"},
        "incomingAuth": {"type": "anonymous"},
        "config": {"optimizer": optimizer},
    }
    found = [message for _, message in told("0.34.0", "VirtualMCPServer", spec)]

    assert len(found) == len(messages)
    assert all(end in message for end, message in zip(messages, found, strict=True))


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("duration", "10s", True),
        ("duration", "1h30m", True),
        ("duration", "3 days", True),
        ("duration", "2 Weeks", True),
        ("duration", "0", True),
        ("duration", "10", False),
        ("duration", "soon", False),
        ("duration", "3 dogs", False),
        ("uri", "https://hooks.example/a?b", True),
        ("uri", "/path", True),
        ("uri", "mailto:a@example", True),
        ("uri", "hooks.example", False),
        ("uri", "http://[", False),
        ("uri", "", False),
    ],
)
def test_formats_are_those_of_the_api_server(form: str, text: str, expected: bool) -> None:
    assert has_format(text, form) is expected


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("0.44.0", "0.44.0"),
        ("v0.44.0", "0.44.0"),
        ("0.28", "0.28.3"),
        ("0.45", "0.45.0"),
        ("0.20.0", "0.20.0"),
        ("0.20", "0.20.0"),
        ("1", None),
        ("0.44.0-rc1", None),
        ("0.04.0", None),
        ("0.44." + "9" * 5000, None),
    ],
)
def test_a_release_can_be_abbreviated(text: str, release: str | None) -> None:
    assert whole_release(text) == release


@pytest.mark.parametrize(
    ("url", "found"),
    [("*", []), ("here", ["ADM005"]), ([], ["ADM010"]), ({}, ["ADM002"])],
    ids=["request to the server", "relative", "list", "mapping"],
)
def test_a_url_is_checked_like_the_api_server_does(url: Any, found: list[str]) -> None:
    webhook = {"name": "a", "url": url, "hmacSecretRef": {"name": "a", "key": "b"}}

    admission = judged("0.44.0", "MCPWebhookConfig", {"validating": [webhook]})

    assert [one.rule for one in admission.findings] == found
    assert admission.admitted is (found in ([], ["ADM010"]))
