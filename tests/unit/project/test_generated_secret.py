"""Secrets that controllers make of other objects count as declared, with the keys that are known to be written."""

from __future__ import annotations

import pytest

from mcpcfg.compiler import api
from mcpcfg.compiler.project.generated_secret import _KINDS
from mcpcfg.compiler.project.settings import Options
from mcpcfg.compiler.workspace.index import SECRET_MAKERS

SERVER = """---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch, namespace: ai}
spec:
  image: ghcr.io/acme/fetch:1.2
  secrets:
  - {name: token, key: KEY, targetEnvName: TOKEN}
"""


def declared(kind: str, group: str, spec: str, name: str = "token") -> str:
    return f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: {name}, namespace: ai}}\nspec: {spec}\n"


def external(spec: str, name: str = "token") -> str:
    return declared("ExternalSecret", "external-secrets.io/v1", spec, name)


DATA = "data: [{secretKey: own, remoteRef: {key: x}}]"
VAULT = "secrets.hashicorp.com/v1beta1"
KNOWN = {
    "the keys of an ExternalSecret": (external(f"{{{DATA}}}"), "own"),
    "its target": (external(f"{{target: {{name: token}}, {DATA}}}", "other"), "own"),
    "its template": (external(f"{{target: {{template: {{data: {{made: '{{{{ .own }}}}'}}}}}}, {DATA}}}"), "made"),
    "a template for metadata alone": (external(f"{{target: {{template: {{type: Opaque}}}}, {DATA}}}"), "own"),
    "a template that is merged": (
        external(f"{{target: {{template: {{mergePolicy: Merge, data: {{made: x}}}}}}, {DATA}}}"),
        "own",
    ),
    "a template with dataFrom": (
        external("{target: {template: {data: {made: x}}}, dataFrom: [{extract: {key: x}}]}"),
        "made",
    ),
    "a SealedSecret": (
        declared("SealedSecret", "bitnami.com/v1alpha1", "{encryptedData: {own: Ag}, template: {data: {more: x}}}"),
        "more",
    ),
    "a SopsSecret": (
        declared(
            "SopsSecret",
            "isindir.github.com/v1alpha3",
            "{secretTemplates: [{name: token, stringData: {own: x}}]}",
            "all",
        ),
        "own",
    ),
    "an InfisicalSecret with a template": (
        declared(
            "InfisicalSecret",
            "secrets.infisical.com/v1alpha1",
            "{managedSecretReference: {secretName: token, secretNamespace: ai, template: {data: {own: x}}}}",
            "all",
        ),
        "own",
    ),
    "templates alone of Vault": (
        declared(
            "VaultStaticSecret",
            VAULT,
            "{destination: {name: token, transformation: {excludeRaw: true, excludes: ['.*'],"
            " templates: {own: {text: x}}}}}",
            "all",
        ),
        "own",
    ),
    "a certificate": (declared("Certificate", "cert-manager.io/v1", "{secretName: token}", "web"), "tls.key"),
}
UNKNOWN = {
    "what an ExternalSecret extracts": external("{dataFrom: [{extract: {key: x}}]}"),
    "templates from elsewhere": external(f"{{target: {{template: {{templateFrom: [{{}}]}}}}, {DATA}}}"),
    "what is merged into a Secret": external(f"{{target: {{creationPolicy: Merge}}, {DATA}}}"),
    "all of Infisical": declared(
        "InfisicalSecret", "secrets.infisical.com/v1alpha1", "{managedSecretReference: {secretName: token}}"
    ),
    "all of Vault": declared("VaultStaticSecret", VAULT, "{destination: {name: token, create: true}}"),
    "what Flux merges": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: token\n  namespace: ai\n  annotations:\n"
    "    kustomize.toolkit.fluxcd.io/ssa: Merge\nstringData: {own: x}\n",
}


def faults(text: str, *, closed: bool) -> list[str]:
    report = api.check(files={"all.yaml": text}, options=Options(closed=closed))
    return [f"{one.rule}: {one.message}" for one in report.findings if one.severity != "info"]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(("text", "key"), KNOWN.values(), ids=KNOWN)
def test_a_reference_to_a_generated_key_resolves(text: str, key: str, *, closed: bool) -> None:
    assert faults(text + SERVER.replace("KEY", key), closed=closed) == []


@pytest.mark.parametrize(("text", "key"), KNOWN.values(), ids=KNOWN)
def test_a_key_that_is_not_generated_is_reported(text: str, key: str) -> None:
    del key
    (found,) = faults(text + SERVER.replace("KEY", "mistyped"), closed=False)
    assert 'Secret "token" has no key "mistyped"' in found


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN)
def test_no_key_is_reported_if_the_generated_keys_are_unknown(text: str) -> None:
    assert faults(text + SERVER.replace("KEY", "any"), closed=True) == []


@pytest.mark.parametrize(
    "text",
    [
        external("{target: {creationPolicy: None}}"),
        external("5"),
        "apiVersion: other.io/v1\nkind: ExternalSecret\nmetadata: {name: token}\n",
        "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\n",
    ],
)
def test_objects_that_generate_no_secret_declare_none(text: str) -> None:
    made = [one.name for one in api.check(files={"all.yaml": text}).loaded.resources]
    assert made in ([], ["token"])
    assert not made or "spec: 5" in text


def test_every_kind_that_generates_secrets_has_a_reader() -> None:
    assert _KINDS.keys() == SECRET_MAKERS
