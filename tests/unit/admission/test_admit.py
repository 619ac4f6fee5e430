"""What the API server would report of a document, and what it would store."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.toolhive.profile import TOOLHIVE


def test_a_sound_object_has_no_findings_and_its_defaults(kind: Any) -> None:
    admission = kind("MCPServer", "image: ghcr.io/example/fetch:1\nsessionStorage: {provider: memory}")

    assert admission.findings == []
    assert admission.admitted
    assert admission.data["spec"] == {
        "image": "ghcr.io/example/fetch:1",
        "transport": "stdio",
        "proxyMode": "streamable-http",
        "proxyPort": 8080,
        "trustProxyHeaders": False,
        "sessionAffinity": "ClientIP",
        "sessionStorage": {"provider": "memory", "db": 0},
    }


def test_admit_does_not_change_the_document(document: Any) -> None:
    from mcpcfg.compiler.admission.admit import admit

    read = document(
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: a}\n"
        "spec: {image: x, env: [{name: A, value: null}], bogus: 1}\n"
    )
    before = repr(read.data)
    admit(read)

    assert repr(read.data) == before


def test_all_faults_are_reported_at_once_each_at_its_place(kind: Any, reported: Any) -> None:
    admission = kind(
        "MCPServer",
        """
        image: 1
        transport: http
        proxyPort: 0
        env:
          - {name: A, value: x}
          - {name: A, value: z}
          - {name: B}
        oidcConfigRef: {name: "", audience: x}
        sessionAffinty: None
        """,
    )

    assert sorted(reported(admission)) == [
        ("duplicate-list-entry", "spec/env/1"),
        ("missing-field", "spec/env/2"),
        ("out-of-range", "spec/proxyPort"),
        ("unknown-field", "spec/sessionAffinty"),
        ("unsupported-value", "spec/transport"),
        ("wrong-length", "spec/oidcConfigRef/name"),
        ("wrong-type", "spec/image"),
    ]
    assert not admission.admitted


def test_findings_underline_what_has_to_be_edited(kind: Any) -> None:
    admission = kind(
        "MCPServer", "image: x\nproxyPort: 70000\nbogus: 1\nenv:\n  - {name: A, value: x}\n  - {name: A, value: z}"
    )
    spans = {one.name: (one.span.line, one.span.column, one.span.end_column) for one in admission.findings}

    assert spans == {
        "out-of-range": (7, 14, 19),  # the value
        "unknown-field": (8, 3, 8),  # the key
        "duplicate-list-entry": (11, 14, 15),  # what identifies the entries
    }
    duplicate = next(one for one in admission.findings if one.name == "duplicate-list-entry")
    assert [(note.message, note.span and note.span.line) for note in duplicate.notes] == [
        ('name "A" is first here', 10)
    ]


def test_a_missing_field_is_reported_at_the_object_that_lacks_it(kind: Any) -> None:
    (finding,) = kind("MCPServer", "image: x\ngroupRef: {}").findings

    assert finding.path == ("spec", "groupRef")
    assert finding.message == "spec.groupRef has no name"
    assert (finding.span.line, finding.span.column) == (7, 3)


def test_a_rule_about_limits_is_reported_at_the_limits(kind: Any) -> None:
    (finding,) = kind("MCPServer", "image: x\nrateLimiting:\n  shared: {maxTokens: 1, refillPeriod: 1m}").findings

    assert finding.message == "spec: rateLimiting needs sessionStorage with provider redis"
    assert finding.path == ("spec",)
    assert (finding.span.line, finding.span.column) == (7, 3)


@pytest.mark.parametrize("spec", ["image: null", "{}"])
def test_null_counts_as_a_missing_field(kind: Any, reported: Any, spec: str) -> None:
    assert reported(kind("MCPServer", spec)) == [("missing-field", "spec")]


def test_null_is_replaced_by_the_default_or_removed(kind: Any) -> None:
    admission = kind(
        "MCPServer",
        "image: x\ntransport: null\nmcpPort: null\nresourceOverrides: {proxyService: {labels: {a: null, b: c}}}",
    )

    assert admission.findings == []
    assert admission.data["spec"]["transport"] == "stdio"
    assert "mcpPort" not in admission.data["spec"]
    assert admission.data["spec"]["resourceOverrides"] == {"proxyService": {"labels": {"b": "c"}}}


def test_null_in_a_list_is_a_fault(kind: Any, reported: Any) -> None:
    assert reported(kind("MCPServer", "image: x\nargs: [a, null]")) == [("wrong-type", "spec/args/1")]


def test_null_stays_in_free_form_fields(kind: Any) -> None:
    admission = kind("MCPServer", "image: x\npodTemplateSpec: {spec: {affinity: null}}")

    assert admission.data["spec"]["podTemplateSpec"] == {"spec": {"affinity": None}}


def test_a_whole_float_is_an_integer(kind: Any) -> None:
    admission = kind("MCPServer", "image: x\nproxyPort: 9000.0")

    assert admission.findings == []
    assert repr(admission.data["spec"]["proxyPort"]) == "9000"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("99999999999", "number-too-wide"),  # admitted, unreadable for the operator
        ("3.0000000001", "number-too-wide"),
        ("1e20", "wrong-type"),
        ("2.5", "wrong-type"),
        ("'2'", "wrong-type"),
        ("true", "wrong-type"),
        ("-1", "out-of-range"),
    ],
)
def test_numbers_are_judged_as_the_api_server_does(kind: Any, value: str, name: str) -> None:
    (finding,) = kind("MCPServer", f"image: x\nreplicas: {value}").findings

    assert finding.name == name
    assert finding.stage == ("operator" if name == "number-too-wide" else "admission")


def test_a_number_that_only_the_operator_refuses_is_admitted(kind: Any) -> None:
    assert kind("MCPServer", "image: x\nreplicas: 99999999999").admitted


def test_only_unknown_fields_of_the_status_are_reported(admitted: Any, reported: Any) -> None:
    admission = admitted(
        """\
        apiVersion: toolhive.stacklok.dev/v1beta1
        kind: MCPGroup
        metadata: {name: a}
        status: {phase: Nonsense, serverCount: many, bogus: 1, servers: {a: b}}
        """
    )

    assert sorted(reported(admission)) == [("unknown-field", "status/bogus"), ("unknown-field", "status/servers/a")]


def test_rules_see_defaults(kind: Any, reported: Any) -> None:
    assert reported(kind("MCPServer", "image: x\nauthzConfig: {}")) == [("cel-rule-failed", "spec/authzConfig")]


def test_a_rule_underlines_the_field_it_is_about(kind: Any) -> None:
    spec = "image: x\nauthzConfig:\n  type: inline\n  inline: {policies: [p]}\n  configMap: {name: a}"
    (finding,) = kind("MCPServer", spec).findings

    assert finding.path == ("spec", "authzConfig")
    assert (finding.span.line, finding.span.column, finding.span.end_column) == (10, 5, 14)


def test_a_rule_that_breaks_because_of_another_fault_is_not_reported(kind: Any, reported: Any) -> None:
    assert reported(kind("MCPOIDCConfig", "type: inlin\ninline: {issuer: https://a.example}")) == [
        ("unsupported-value", "spec/type")
    ]
    assert reported(kind("MCPOIDCConfig", "type: inline\ninlnie: {issuer: https://a.example}")) == [
        ("unknown-field", "spec/inlnie")
    ]


def test_a_rule_that_breaks_beside_another_fault_is_reported(kind: Any, reported: Any) -> None:
    assert sorted(reported(kind("MCPOIDCConfig", "type: kubernetesServiceAccount\ninline: {}\nbogus: 1"))) == [
        ("cel-rule-failed", "spec"),
        ("cel-rule-failed", "spec"),
        ("missing-field", "spec/inline"),
        ("unknown-field", "spec/bogus"),
    ]


def test_a_misspelt_required_field_is_reported_once(kind: Any, reported: Any) -> None:
    admission = kind("MCPServer", "iamge: x")

    assert reported(admission) == [("unknown-field", "spec/iamge")]
    assert admission.findings[0].hint == 'did you mean "image"?'


def test_the_neutral_spelling_is_accepted(kind: Any) -> None:
    spec = "type: cloudSts\ncloudSts: {region: eu-central-1, fallbackRoleArn: 'arn:aws:iam::123456789012:role/a'}"
    admission = kind("MCPExternalAuthConfig", spec)

    assert admission.findings == []
    assert admission.data["spec"]["type"] == "awsSts"
    assert admission.data["spec"]["awsSts"]["region"] == "eu-central-1"
    assert admission.renamed == ((("spec", "cloudSts"), "awsSts"),)


def test_faults_below_a_neutral_spelling_have_the_path_as_written(kind: Any, reported: Any) -> None:
    admission = kind("MCPExternalAuthConfig", "type: awsSts\ncloudSts: {region: nowhere}")

    assert reported(admission) == [("pattern-mismatch", "spec/cloudSts/region")]


_EARLY = TOOLHIVE._replace(release="0.23.0")
_LATER = """\
    apiVersion: toolhive.stacklok.dev/{version}
    kind: {kind}
    metadata: {{name: a}}
    spec: {spec}
    """


def test_a_later_version_is_as_strict_about_unknown_and_missing_fields(admitted: Any) -> None:
    admission = admitted(_LATER.format(version="v1beta1", kind="MCPServer", spec="{transport: http, bogus: 1}"))

    assert {one.name: one.severity for one in admission.findings} == {
        "unknown-field": "error",
        "missing-field": "error",
        "unsupported-value": "error",
    }


@pytest.mark.parametrize(
    ("kind", "spec", "release"),
    [
        ("MCPServer", "{image: x, authzConfigRef: {name: x}}", "0.30.0"),
        ("MCPExternalAuthConfig", "{type: xaa}", "0.33.0"),
        (
            "MCPExternalAuthConfig",
            """{type: embeddedAuthServer, embeddedAuthServer: {issuer: 'https://a.b', upstreamProviders: [{
              name: a, type: oauth2, oauth2Config: {
                clientId: x, authorizationEndpoint: 'https://a.b', tokenEndpoint: 'https://a.b'}}]}}""",
            "0.26.0",
        ),
    ],
)
@pytest.mark.parametrize("version", ["v1beta1", "v1alpha1"])
def test_a_value_of_a_later_release_has_a_note_that_names_the_release(
    admitted: Any, kind: str, spec: str, release: str, version: str
) -> None:
    (finding,) = admitted(_LATER.format(version=version, kind=kind, spec=spec), profile=_EARLY).findings

    assert (finding.severity, finding.hint) == ("error", None)
    assert [note.message for note in finding.notes] == [f"the operator takes it from release {release} on"]


def test_a_misspelled_field_of_a_later_release_gets_a_hint_with_the_release(admitted: Any) -> None:
    spec = "{image: x, authzConfigReff: {name: x}}"
    (finding,) = admitted(_LATER.format(version="v1beta1", kind="MCPServer", spec=spec), profile=_EARLY).findings

    assert finding.severity == "error"
    assert finding.hint == 'did you mean "authzConfigRef", which the operator has from release 0.30.0 on?'


def test_findings_in_elements_of_a_list_have_paths_from_the_root(document: Any) -> None:
    from mcpcfg.compiler.admission.admit import admit

    read = document(
        """\
        apiVersion: v1
        kind: List
        items:
          - apiVersion: toolhive.stacklok.dev/v1beta1
            kind: MCPGroup
            metadata: {name: a}
            spec: {bogus: 1}
        """
    )
    ((finding,),) = [admit(element).findings for element in read.elements()]

    assert finding.path == ("items", 0, "spec", "bogus")
    assert (finding.span.line, finding.span.column) == (7, 12)


def test_findings_carry_the_subject(kind: Any) -> None:
    (finding,) = kind("MCPServer", "image: 1", namespace="tools").findings

    assert (finding.subject.kind, finding.subject.namespace, finding.subject.name) == ("MCPServer", "tools", "fetch")


@pytest.mark.parametrize("metadata", ["", "metadata: {}\n", "metadata:\n", "metadata: {labels: {a: b}}\n"])
def test_a_missing_name_is_reported_at_metadata(admitted: Any, reported: Any, metadata: str) -> None:
    text = f"apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\n{metadata}spec: {{}}\n"

    assert reported(admitted(text)) == [("missing-object-name", "metadata")]


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ("{name: Bad_Name}", ("invalid-object-name", "metadata/name")),
        ("{name: a, namespace: a.b}", ("invalid-object-name", "metadata/namespace")),
        ("{name: a, labels: {version: 1.2}}", ("invalid-metadata", "metadata/labels/version")),
        ("{name: a, labels: {a b: c}}", ("invalid-metadata", "metadata/labels/a b")),
        ("{name: a, annotations: {x: true}}", ("invalid-metadata", "metadata/annotations/x")),
        ("{name: a, lables: {}}", ("unknown-field", "metadata/lables")),
        ("{name: 1}", ("invalid-metadata", "metadata/name")),
        ("[]", ("invalid-metadata", "metadata")),
        (
            "{name: a, ownerReferences: [{kind: X, name: o, uid: z}]}",
            ("invalid-metadata", "metadata/ownerReferences/0"),
        ),
    ],
)
def test_metadata_is_checked_by_kubernetes_rules(admitted: Any, reported: Any, metadata: str, expected: Any) -> None:
    text = f"apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {metadata}\nspec: {{}}\n"

    assert reported(admitted(text)) == [expected]
