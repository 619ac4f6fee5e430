"""Tests of names of Secrets, ConfigMaps and ServiceAccounts that are nearly those of declared objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler import api

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: NAME, namespace: ai}\n"
SPEC = "spec:\n  image: ghcr.io/stackloklabs/gofetch/server:1.0.1\n  transport: streamable-http\n  mcpPort: 8080\n"
POD = "  podTemplateSpec:\n    spec:\n"
CONTAINER = f"{POD}      containers:\n      - name: mcp\n        "
EXTERNAL = (
    "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: SECRET, namespace: ai}\n"
    "spec: {target: {name: SECRET}, data: [{secretKey: token, remoteRef: {key: SECRET}}]}\n"
)
SEALED = (
    "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: SECRET, namespace: ai}\n"
    "spec: {encryptedData: {token: x}}\n"
)
CERTIFICATE = (
    "apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: web, namespace: ai}\n"
    "spec: {secretName: SECRET, dnsNames: [a.example.com], issuerRef: {name: ca}}\n"
)


def server(name: str, more: str) -> str:
    return HEAD.replace("NAME", name) + SPEC + more


def uses(secret: str) -> str:
    return f"  secrets: [{{name: {secret}, key: token, targetEnvName: TOKEN}}]\n"


def near(folder: Path, files: Mapping[str, str]) -> list[str | None]:
    """Return the hints of the findings about missing objects, sorted by place."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return [one.hint for one in api.check(folder).findings if one.rule == "REF010"]


def hints(folder: Path, stated: str, declared: str, maker: str = EXTERNAL) -> list[str | None]:
    return near(folder, {"server.yaml": server("fetch", uses(stated)), "s.yaml": maker.replace("SECRET", declared)})


@pytest.mark.parametrize("maker", [EXTERNAL, SEALED, CERTIFICATE])
def test_a_plural_is_nearly_the_name_of_a_secret(tmp_path: Path, maker: str) -> None:
    assert hints(tmp_path, "context7-secrets", "context7-secret", maker) == ['did you mean "context7-secret"?']


@pytest.mark.parametrize(
    ("stated", "declared"),
    [
        ("gihtub-token", "github-token"),
        ("github-tokn", "github-token"),
        ("github_token", "github-token"),
        ("web-tsl", "web-tls"),
        ("api-key", "api-keys"),
        ("github", "github-secret"),
    ],
)
def test_a_slip_is_reported(tmp_path: Path, stated: str, declared: str) -> None:
    assert hints(tmp_path, stated, declared) == [f'did you mean "{declared}"?']


@pytest.mark.parametrize(
    ("stated", "declared"),
    [
        ("app-1", "app-2"),
        ("app1-secret", "app-secret"),
        ("db-secret-dev", "db-secret-prod"),
        ("db-a", "db-b"),
        ("us-east-key", "us-west-key"),
        ("token-v1", "token-v11"),
    ],
)
def test_a_name_of_the_same_scheme_is_another_name(tmp_path: Path, stated: str, declared: str) -> None:
    assert hints(tmp_path, stated, declared) == []


def test_a_secret_that_another_server_uses_is_meant_by_a_typing_error_alone(tmp_path: Path) -> None:
    files = {
        "other.yaml": server("other", uses("context7-secret")),
        "s.yaml": EXTERNAL.replace("SECRET", "context7-secret"),
        "server.yaml": server("fetch", uses("context7-secrets")),
    }
    assert near(tmp_path, files) == ['did you mean "context7-secret"?']
    files["third.yaml"] = server("third", uses("context7-secrets"))
    assert near(tmp_path, files) == []  # two files agree on the name, so it probably exists


def test_a_filler_word_is_no_typing_error(tmp_path: Path) -> None:
    files = {
        "other.yaml": server("other", uses("github-secret")),
        "s.yaml": EXTERNAL.replace("SECRET", "github-secret"),
        "server.yaml": server("fetch", uses("github")),
    }
    assert near(tmp_path, files) == []


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(f"{CONTAINER}envFrom: [{{secretRef: {{name: NAME}}}}]\n", id="envFrom"),
        pytest.param(
            f"{CONTAINER}env: [{{name: A, valueFrom: {{secretKeyRef: {{name: NAME, key: token}}}}}}]\n", id="env"
        ),
        pytest.param(f"{POD}      volumes: [{{name: a, secret: {{secretName: NAME}}}}]\n", id="volume"),
        pytest.param(
            f"{POD}      volumes: [{{name: a, projected: {{sources: [{{secret: {{name: NAME}}}}]}}}}]\n",
            id="projected volume",
        ),
        pytest.param(f"{POD}      imagePullSecrets: [{{name: NAME}}]\n", id="pull secret"),
    ],
)
def test_pod_templates_name_secrets_too(tmp_path: Path, place: str) -> None:
    secret = EXTERNAL.replace("SECRET", "github-token")
    misspelt = {"server.yaml": server("fetch", place.replace("NAME", "github-tokens")), "s.yaml": secret}
    assert near(tmp_path, misspelt) == ['did you mean "github-token"?']
    assert near(tmp_path, misspelt | {"server.yaml": server("fetch", place.replace("NAME", "github-token"))}) == []
    assert near(tmp_path, misspelt | {"server.yaml": server("fetch", place.replace("NAME", "${SECRET}"))}) == []


def test_config_maps_and_service_accounts_of_pod_templates_are_checked(tmp_path: Path) -> None:
    more = f"{POD}      serviceAccountName: fetch-readr\n      volumes: [{{name: a, configMap: {{name: settings}}}}]\n"
    objects = (
        "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: fetch-reader, namespace: ai}\n---\n"
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: setings, namespace: ai}\ndata: {a: b}\n"
    )
    found = near(tmp_path, {"server.yaml": server("fetch", more), "objects.yaml": objects})
    assert sorted(map(str, found)) == ['did you mean "fetch-reader"?', 'did you mean "setings"?']


def test_an_optional_secret_may_be_missing(tmp_path: Path) -> None:
    more = f"{CONTAINER}envFrom: [{{secretRef: {{name: github-tokens, optional: true}}}}]\n"
    assert (
        near(tmp_path, {"server.yaml": server("fetch", more), "s.yaml": EXTERNAL.replace("SECRET", "github-token")})
        == []
    )


def test_a_name_that_may_exist_elsewhere_is_not_near(tmp_path: Path) -> None:
    files = {"server.yaml": server("fetch", uses("tokens-x")), "s.yaml": EXTERNAL.replace("SECRET", "token-x")}
    assert near(tmp_path / "listed", files | {"mcpcfg.yaml": "external: {Secret: [tokens-x]}\n"}) == []
    moved = files | {"s.yaml": files["s.yaml"].replace("namespace: ai", "namespace: tools")}
    assert near(tmp_path / "moved", moved) == []
    generator = "generatorOptions: {disableNameSuffixHash: true}\nsecretGenerator: [{name: tokens-x}]\n"
    listing = f"resources: [server.yaml, s.yaml]\n{generator}"
    assert near(tmp_path / "generated", files | {"kustomization.yaml": listing}) == []
    plain = {"kustomization.yaml": "resources: [server.yaml, s.yaml]\n"}
    assert near(tmp_path / "plain", files | plain) == ['did you mean "token-x"?']


def test_the_name_of_a_file_is_no_use_of_a_secret(tmp_path: Path) -> None:
    files = {
        "kustomization.yaml": "resources: [server.yaml, github-token.sops.yaml]\n",
        "github-token.sops.yaml": EXTERNAL.replace("SECRET", "github-token"),
        "server.yaml": server("fetch", uses("github-tokens")),
    }
    assert near(tmp_path, files) == ['did you mean "github-token"?']
