"""What releases after 0.45.0 compile from their new fields, and what releases before the fields leave out."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from calling import call
from drawing import resource

from mcpcfg.compiler.check.compilable import compilable, refusing_later
from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.target import artifacts
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.toolhive.operator import OperatorSettings

if TYPE_CHECKING:
    from pathlib import Path

OIDC = resource("MCPOIDCConfig", "oidc", "{type: inline, inline: {issuer: 'https://id.example', clientId: c}}")
BUNDLE = "caBundleRef: {configMapRef: {name: ca, key: tls.pem}}"
ISSUER = "{name: ci, issuerUrl: 'https://ci.example', " + BUNDLE + "}"
CLIENT = "{clientId: agent, clientSecretRef: {name: s, key: agent}, scopes: [openid], audiences: [a]}"
EXCHANGE = "{issuerRef: ci, expectedAudience: me, allowedDelegateClients: [agent], allowMayAct: true}"
BEARER = (
    "{issuerRef: ci, maxAssertionAge: 5m, subjectBindings: [{subject: a, allowedResources: ['https://a.example']}]}"
)
GRANTS = (
    f"{{tokenExchange: {{delegateClients: [{CLIENT}], issuerPolicies: [{EXCHANGE}]}}, "
    f"jwtBearer: {{issuerPolicies: [{BEARER}]}}}}"
)
REGISTERED = (
    "{issuerUrl: 'https://idp.example', allowPrivateIPs: true, additionalTokenParams: {resource: x}, "
    "dcrConfig: {initialAccessTokenRef: {name: s, key: token}}, " + BUNDLE + "}"
)
OAUTH2 = (
    "{authorizationEndpoint: 'https://idp.example/a', tokenEndpoint: 'https://idp.example/t', clientId: c, "
    "userInfo: {endpointUrl: 'https://idp.example/u'}, tokenEndpointAuthMethod: none}"
)


def _auth(fields: str) -> str:
    return resource(
        "MCPExternalAuthConfig",
        "auth",
        f"{{type: embeddedAuthServer, embeddedAuthServer: {{issuer: 'https://id.example', {fields}}}}}",
    )


def _server(fields: str) -> str:
    return resource("MCPServer", "fetch", f"{{image: i, transport: sse, {fields}}}")


OIDC_REF = "oidcConfigRef: {name: oidc, audience: 'https://fetch.example', resourceUrl: 'https://fetch.example'}"
AUTHENTICATED = f"{OIDC_REF}, authServerRef: {{kind: MCPExternalAuthConfig, name: auth}}"


def _compiled(target: str, release: str, *documents: str) -> str:
    text = "\n---\n".join(documents)
    made = call("build", "-", "--target", target, "--release", release, stdin=text)
    assert made.status == 0, made.err
    return made.out


def _auth_server(release: str, fields: str) -> dict[str, Any]:
    text = _compiled("runconfig", release, _server(AUTHENTICATED), OIDC, _auth(fields))
    server: dict[str, Any] = json.loads(text)["embedded_auth_server_config"]
    return server


def _pod(release: str, *documents: str) -> dict[str, Any]:
    compiled = yaml.safe_load_all(_compiled("kubernetes", release, *documents))
    pod: dict[str, Any] = next(one["spec"]["template"]["spec"] for one in compiled if one["kind"] == "Deployment")
    return pod


def test_the_proxy_gets_the_limits_of_requests() -> None:
    text = _compiled("runconfig", "0.46.0", _server("maxRequestBodySize: 1024, proxyReadTimeout: 45s"))
    assert '"max_request_body_size": 1024,\n  "proxy_read_timeout": "45s",\n  "proxy_mode"' in text
    assert "proxy_read_timeout" not in _compiled("runconfig", "0.44.0", _server("groupRef: {name: g}"))


def test_the_main_port_may_stop_serving_metrics() -> None:
    prometheus = "{prometheus: {enabled: true, metricsOnTransportPort: false}}"
    documents = _server("telemetryConfigRef: {name: t}"), resource("MCPTelemetryConfig", "t", prometheus)
    assert (
        json.loads(_compiled("runconfig", "0.46.0", *documents))["telemetry_config"]["metricsOnTransportPort"] is False
    )
    open_documents = documents[0], documents[1].replace(", metricsOnTransportPort: false", "")
    for release in ("0.44.0", "0.46.0"):
        assert "metricsOnTransportPort" not in _compiled("runconfig", release, *open_documents)


def test_upstream_providers_of_later_releases() -> None:
    provider = f"upstreamProviders: [{{name: corp, type: oidc, oidcConfig: {REGISTERED}}}]"
    upstream = _auth_server("0.46.0", provider)["upstreams"][0]["oidc_config"]
    assert upstream["ca_file_path"] == "/etc/toolhive/authserver/upstream-ca/0/ca.crt"
    assert upstream["additional_token_params"] == {"resource": "x"}
    assert upstream["allow_private_ips"] is True
    assert upstream["client_id"] == ""
    variable = "TOOLHIVE_UPSTREAM_DCR_INITIAL_ACCESS_TOKEN_CORP"
    assert upstream["dcr_config"] == {"initial_access_token_env_var": variable}
    oauth2 = f"upstreamProviders: [{{name: corp, type: oauth2, oauth2Config: {OAUTH2}}}]"
    assert _auth_server("0.46.0", oauth2)["upstreams"][0]["oauth2_config"]["token_endpoint_auth_method"] == "none"
    old = oauth2.replace(", tokenEndpointAuthMethod: none", "")
    assert "token_endpoint_auth_method" not in _auth_server("0.45.0", old)["upstreams"][0]["oauth2_config"]


def test_bundles_of_the_authorization_server_are_mounted_in_its_order() -> None:
    provider = f"upstreamProviders: [{{name: corp, type: oidc, oidcConfig: {REGISTERED}}}], trustedIssuers: [{ISSUER}]"
    grants = f"{provider}, inboundGrants: {GRANTS}"
    pod = _pod("0.51.4", _server(AUTHENTICATED), OIDC, _auth(grants))
    upstream, issuer = pod["volumes"][-2:]
    items = [{"key": "tls.pem", "path": "ca.crt"}]
    assert upstream == {"name": "authserver-upstream-ca-0", "configMap": {"name": "ca", "items": items}}
    assert issuer == {"name": "authserver-issuer-ca-0", "configMap": {"name": "ca", "items": items}}
    assert pod["containers"][0]["volumeMounts"][-1] == {
        "name": "authserver-issuer-ca-0",
        "mountPath": "/etc/toolhive/authserver/issuer-ca/0/ca.crt",
        "subPath": "ca.crt",
        "readOnly": True,
    }
    sources = {entry["name"]: entry.get("valueFrom") for entry in pod["containers"][0]["env"]}
    assert sources["TOOLHIVE_DELEGATE_CLIENT_SECRET_0"] == {"secretKeyRef": {"name": "s", "key": "agent"}}
    token = {"secretKeyRef": {"name": "s", "key": "token"}}
    assert sources["TOOLHIVE_UPSTREAM_DCR_INITIAL_ACCESS_TOKEN_CORP"] == token


def test_inbound_grants_reach_the_authorization_server() -> None:
    server = _auth_server("0.51.4", f"trustedIssuers: [{ISSUER}], inboundGrants: {GRANTS}")
    assert server["trusted_issuers"][0]["name"] == "ci"
    assert "delegate_clients" not in server
    client = {
        "client_id": "agent",
        "client_secret_env_var": "TOOLHIVE_DELEGATE_CLIENT_SECRET_0",
        "scopes": ["openid"],
        "audiences": ["a"],
    }
    exchange = {
        "issuer_ref": "ci",
        "expected_audience": "me",
        "allowed_delegate_clients": ["agent"],
        "allow_may_act": True,
    }
    bearer = {
        "issuer_ref": "ci",
        "max_assertion_age": "5m0s",
        "subject_bindings": [{"subject": "a", "allowed_resources": ["https://a.example"]}],
    }
    assert server["inbound_grants"] == {
        "token_exchange": {"delegate_clients": [client], "issuer_policies": [exchange]},
        "jwt_bearer": {"issuer_policies": [bearer]},
    }


def test_no_grants_are_not_the_grants_of_a_missing_block() -> None:
    provider = (
        "upstreamProviders: [{name: corp, type: oidc, oidcConfig: {issuerUrl: 'https://i.example', clientId: c}}]"
    )
    assert _auth_server("0.51.4", f"{provider}, inboundGrants: {{}}")["inbound_grants"] == {}
    for release in ("0.46.0", "0.51.4"):
        assert "inbound_grants" not in _auth_server(release, provider)


@pytest.mark.parametrize(
    ("source", "written"),
    [
        (
            "{type: bundle_endpoint, endpoint: {url: 'https://b.example', profile: https_web}}",
            {"type": "bundle_endpoint", "endpoint": {"url": "https://b.example", "profile": "https_web"}},
        ),
        ("{type: workload_api, workloadAPI: {}}", {"type": "workload_api", "workload_api": {}}),
    ],
)
def test_spiffe_clients_reach_the_authorization_server(source: str, written: dict[str, Any]) -> None:
    domain = f"{{name: d, trustDomain: example.org, methods: [spiffe_jwt], bundleSource: {source}}}"
    client = (
        "{trustDomainRef: d, principalPattern: 'spiffe://example.org/*', clientId: w, methods: [spiffe_jwt], "
        "audiences: [a], scopes: [openid]}"
    )
    fields = f"spiffeTrustDomains: [{domain}], inboundGrants: {{spiffeClientAuth: [{client}]}}"
    server = _auth_server("0.52.0", f"{fields}, allowPrivateKeyJWTRegistration: true")
    assert server["allow_private_key_jwt_registration"] is True
    assert server["spiffe_trust_domains"] == [
        {"name": "d", "trust_domain": "example.org", "methods": ["spiffe_jwt"], "bundle_source": written}
    ]
    assert server["inbound_grants"]["spiffe_client_auth"] == [
        {
            "trust_domain_ref": "d",
            "principal_pattern": "spiffe://example.org/*",
            "client_id": "w",
            "methods": ["spiffe_jwt"],
            "audiences": ["a"],
            "scopes": ["openid"],
            "grant_types": ["urn:ietf:params:oauth:grant-type:token-exchange"],
        }
    ]


SCHEDULED = (
    "resourceOverrides: {proxyDeployment: {nodeSelector: {pool: mcp}, tolerations: [{key: mcp, operator: Exists}], "
    "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
    "[{matchExpressions: [{key: a, operator: Exists}]}]}}}}}"
)


def test_the_pod_of_a_proxy_is_scheduled_as_stated() -> None:
    pod = _pod("0.46.0", _server(SCHEDULED))
    assert pod["nodeSelector"] == {"pool": "mcp"}
    assert pod["tolerations"] == [{"key": "mcp", "operator": "Exists"}]
    required = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert required == {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}
    assert not {"nodeSelector", "tolerations", "affinity"} & _pod("0.44.0", _server("groupRef: {name: g}")).keys()


def test_the_pod_template_of_a_remote_proxy_wins() -> None:
    template = "podTemplateSpec: {spec: {nodeSelector: {pool: other}}}"
    proxy = resource(
        "MCPRemoteProxy", "r", f"{{remoteUrl: 'https://a.example/mcp', {OIDC_REF}, {SCHEDULED}, {template}}}"
    )
    pod = _pod("0.46.0", proxy, OIDC)
    assert pod["nodeSelector"] == {"pool": "other"}
    assert pod["tolerations"] == [{"key": "mcp", "operator": "Exists"}]


def _redis_objects(tmp_path: Path, release: str, document: str) -> list[dict[str, Any]]:
    """Compile a document for an operator with a default Redis that has a password."""
    file = tmp_path / "all.yaml"
    file.write_text(f"{document}---\n{OIDC}")
    report = refusing_later(check(discover((str(file),), release=release), Options()))
    operator = OperatorSettings(redis_address="redis:6379", redis_password=("redis", "password"))
    files, faulty = artifacts("kubernetes", Build(report.workspace, operator), compilable(report).resources)
    assert not faulty
    return [compiled for one in files for compiled in yaml.safe_load_all(one.text)]


@pytest.mark.parametrize("kind", ["MCPServer", "MCPRemoteProxy"])
@pytest.mark.parametrize(("release", "has_password"), [("0.49.0", False), ("0.51.4", True)])
def test_proxies_get_the_password_of_the_default_redis(
    tmp_path: Path, kind: str, release: str, *, has_password: bool
) -> None:
    proxy = resource(
        kind,
        "p",
        "{image: i}" if kind == "MCPServer" else f"{{remoteUrl: 'https://a.example/mcp', {OIDC_REF}}}",
    )
    compiled = _redis_objects(tmp_path, release, proxy)
    pod = next(one["spec"]["template"]["spec"] for one in compiled if one["kind"] == "Deployment")
    passwords = [entry for entry in pod["containers"][0]["env"] if entry["name"] == "THV_SESSION_REDIS_PASSWORD"]
    reference = {"secretKeyRef": {"name": "redis", "key": "password"}}
    assert passwords == ([{"name": "THV_SESSION_REDIS_PASSWORD", "valueFrom": reference}] if has_password else [])


@pytest.mark.parametrize(("release", "is_replaced"), [("0.49.0", True), ("0.51.4", False)])
def test_stated_storage_is_kept_beside_the_default_redis(tmp_path: Path, release: str, *, is_replaced: bool) -> None:
    server = resource("MCPServer", "p", "{image: i, sessionStorage: {provider: memory}}")
    texts = [str(one) for one in _redis_objects(tmp_path, release, server) if one["kind"] == "ConfigMap"]
    assert ("redis:6379" in texts[0]) is is_replaced


@pytest.mark.parametrize(
    ("release", "target", "fields", "said"),
    [
        ("0.49.0", "runconfig", "maxRequestBodySize: 1024", "the middleware bodylimit keeps 8 MiB"),
        ("0.51.4", "kubernetes", "maxRequestBodySize: 1024", "the middleware bodylimit keeps 8 MiB"),
        ("0.51.4", "kubernetes", AUTHENTICATED, "the pods lack the annotation authserver-ca-checksum"),
        ("0.51.4", "runconfig", AUTHENTICATED, "trusted_issuers lack the files of CA bundles"),
        ("0.69.1", "kubernetes", "groupRef: {name: g}", "the output is that of 0.51.4 with the changes that are"),
    ],
)
def test_build_says_what_the_output_lacks(release: str, target: str, fields: str, said: str) -> None:
    documents = _server(fields), OIDC, _auth(f"trustedIssuers: [{ISSUER}], inboundGrants: {GRANTS}")
    made = call("build", "-", "--target", target, "--release", release, stdin="\n---\n".join(documents))
    assert said in made.err
    assert f"the {target} output for release {release} is written from documentation, not from the source" in made.err


def test_build_says_nothing_of_fields_that_are_not_used() -> None:
    made = call("build", "-", "--release", "0.51.4", stdin=_server("groupRef: {name: g}"))
    assert "lack" not in made.err
    assert "bodylimit" not in made.err


def test_build_says_which_annotation_of_a_virtual_server_is_missing() -> None:
    virtual = resource("VirtualMCPServer", "v", "{groupRef: {name: g}, incomingAuth: {type: anonymous}}")
    documents = f"{virtual}---\n{resource('MCPGroup', 'g')}"
    for release, is_said in (("0.45.0", False), ("0.46.0", True)):
        made = call("build", "-", "--target", "kubernetes", "--release", release, stdin=documents)
        assert ("the Deployment lacks the annotation podvolumes-hash" in made.err) is is_said


PROVIDER = "upstreamProviders: [{name: corp, type: oidc, oidcConfig: {issuerUrl: 'https://i.example', clientId: c}}]"


def _config_map(data: str) -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: ca}}\n{data}\n"


def _annotations(release: str, *documents: str) -> dict[str, str]:
    compiled = yaml.safe_load_all(_compiled("kubernetes", release, *documents))
    template = next(one["spec"]["template"] for one in compiled if one["kind"] == "Deployment")
    annotations: dict[str, str] = template["metadata"]["annotations"]
    return annotations


@pytest.mark.parametrize("data", ["data: {tls.pem: abc}", "binaryData: {tls.pem: YWJj}"])
def test_pods_restart_if_a_declared_ca_bundle_changes(data: str) -> None:
    provider = f"upstreamProviders: [{{name: corp, type: oidc, oidcConfig: {REGISTERED}}}], trustedIssuers: [{ISSUER}]"
    documents = _server(AUTHENTICATED), OIDC, _auth(f"{provider}, inboundGrants: {GRANTS}"), _config_map(data)
    checksum = _annotations("0.51.4", *documents)["toolhive.stacklok.dev/authserver-ca-checksum"]
    assert checksum == hashlib.sha256(b"abc\0trustedIssuers\0abc\0").hexdigest()
    assert "toolhive.stacklok.dev/authserver-ca-checksum" not in _annotations("0.51.4", *documents[:3])


REDIS = "sessionStorage: {provider: redis, address: 'redis:6379', tls: {caCertSecretRef: {name: ca, key: root.pem}}}"


def test_the_session_storage_is_reached_by_tls() -> None:
    server = _server(REDIS)
    redis = json.loads(_compiled("runconfig", "0.52.0", server))["scaling_config"]["session_redis"]
    assert redis["tls"] == {"caCertFile": "/etc/toolhive/session-redis-tls/ca.crt"}
    items = [{"key": "root.pem", "path": "ca.crt"}]
    assert _pod("0.52.0", server)["volumes"][-1] == {
        "name": "session-redis-tls-ca",
        "secret": {"secretName": "ca", "items": items, "defaultMode": 0o400},
    }
    plain = server.replace("{caCertSecretRef: {name: ca, key: root.pem}}", "{}")
    assert json.loads(_compiled("runconfig", "0.52.0", plain))["scaling_config"]["session_redis"]["tls"] == {}
    assert call("build", "-", "--target", "runconfig", "--release", "0.51.4", stdin=server).status == 1


def test_a_virtual_server_reaches_its_session_storage_by_tls() -> None:
    virtual = resource(
        "VirtualMCPServer", "v", f"{{groupRef: {{name: g}}, incomingAuth: {{type: anonymous}}, {REDIS}}}"
    )
    documents = virtual, resource("MCPGroup", "g")
    config = yaml.safe_load(yaml.safe_load(_compiled("vmcp", "0.52.0", *documents))["files"]["config.yaml"])
    assert config["sessionStorage"]["tls"] == {"caCertFile": "/etc/toolhive/session-redis-tls/ca.crt"}
    assert _pod("0.52.0", *documents)["volumes"][-1]["name"] == "session-redis-tls-ca"


@pytest.mark.parametrize(("release", "name"), [("0.52.0", "none"), ("0.53.0", "network")])
def test_a_permission_profile_is_ignored(release: str, name: str) -> None:
    config = json.loads(_compiled("runconfig", release, _server("permissionProfile: {type: builtin, name: none}")))
    assert config.get("permission_profile_name_or_path") == ("none" if name == "none" else None)
    assert ("insecure_allow_all" in config["permission_profile"]["network"]["outbound"]) is (name == "network")


def test_keys_of_a_trust_domain_are_in_a_config_map() -> None:
    source = "{type: file, file: {configMapName: spire, configMapKey: bundle}}"
    domain = f"{{name: d, trustDomain: example.org, methods: [spiffe_jwt], bundleSource: {source}}}"
    client = (
        "{trustDomainRef: d, principalPattern: 'spiffe://example.org/*', clientId: w, methods: [spiffe_jwt], "
        "audiences: [a], scopes: [openid], resources: ['https://a.example']}"
    )
    fields = f"spiffeTrustDomains: [{domain}], inboundGrants: {{spiffeClientAuth: [{client}]}}"
    written = _auth_server("0.54.0", fields)["spiffe_trust_domains"][0]["bundle_source"]
    assert written == {"type": "file", "file": {"path": "/etc/toolhive/authserver/spiffe-bundles/0/bundle.json"}}
    pod = _pod("0.54.0", _server(AUTHENTICATED), OIDC, _auth(fields))
    items = [{"key": "bundle", "path": "bundle.json"}]
    source_volume = {"name": "spire", "items": items, "defaultMode": 0o400}
    assert pod["volumes"][-1] == {"name": "authserver-spiffe-bundle-0", "configMap": source_volume}
    assert pod["containers"][0]["volumeMounts"][-1] == {
        "name": "authserver-spiffe-bundle-0",
        "mountPath": "/etc/toolhive/authserver/spiffe-bundles/0",
        "readOnly": True,
    }


@pytest.mark.parametrize(("key_secret", "count"), [("tls", 1), ("other", 2)])
def test_the_listener_reads_certificate_and_key_from_one_folder(key_secret: str, count: int) -> None:
    refs = f"certificateSecretRef: {{name: tls, key: c}}, privateKeySecretRef: {{name: {key_secret}, key: k}}"
    fields = f"{PROVIDER}, tlsListener: {{{refs}}}"
    folder = "/etc/toolhive/authserver/tls"
    assert _auth_server("0.52.0", fields)["tls_listener"] == {
        "cert_file": f"{folder}/tls.crt",
        "key_file": f"{folder}/tls.key",
    }
    pod = _pod("0.52.0", _server(AUTHENTICATED), OIDC, _auth(fields))
    sources = next(one for one in pod["volumes"] if one["name"] == "authserver-tls-listener")["projected"]["sources"]
    assert len(sources) == count
    files = [item["path"] for source in sources for item in source["secret"]["items"]]
    assert files == ["tls.crt", "tls.key"]


@pytest.mark.parametrize("kind", ["MCPServer", "MCPRemoteProxy", "VirtualMCPServer"])
@pytest.mark.parametrize(("release", "has_port"), [("0.63.0", False), ("0.64.0", True)])
def test_services_have_the_port_of_the_listener(kind: str, release: str, *, has_port: bool) -> None:
    refs = "certificateSecretRef: {name: tls, key: c}, privateKeySecretRef: {name: tls, key: k}"
    fields = f"{PROVIDER}, tlsListener: {{{refs}}}"
    documents: tuple[str, ...] = OIDC, _auth(fields)
    if kind == "MCPServer":
        documents += (_server(AUTHENTICATED),)
    elif kind == "MCPRemoteProxy":
        documents += (resource(kind, "p", f"{{remoteUrl: 'https://a.example/mcp', {AUTHENTICATED}}}"),)
    else:
        server = f"authServerConfig: {{issuer: 'https://id.example', {fields}}}"
        documents = (
            OIDC,
            resource("MCPGroup", "g"),
            resource(kind, "p", f"{{groupRef: {{name: g}}, incomingAuth: {{type: oidc, {OIDC_REF}}}, {server}}}"),
        )
    compiled = list(yaml.safe_load_all(_compiled("kubernetes", release, *documents)))
    ports = next(one["spec"]["ports"] for one in compiled if one["kind"] == "Service")
    wanted = {"name": "https-auth", "port": 8443, "targetPort": 8443, "protocol": "TCP", "appProtocol": "https"}
    assert ports[1:] == ([wanted] if has_port else [])
    container = next(one for one in compiled if one["kind"] == "Deployment")["spec"]["template"]["spec"]["containers"]
    assert [port["containerPort"] for port in container[0]["ports"]][1:] == ([8443] if has_port else [])


@pytest.mark.parametrize(
    ("release", "stated", "wanted"),
    [
        ("0.66.0", "", {}),
        (
            "0.67.0",
            "",
            {"limits": {"cpu": "200m", "memory": "256Mi"}, "requests": {"cpu": "50m", "memory": "64Mi"}},
        ),
        (
            "0.67.0",
            ", resources: {limits: {memory: 1Gi}}",
            {"limits": {"cpu": "200m", "memory": "1Gi"}, "requests": {"cpu": "50m", "memory": "64Mi"}},
        ),
    ],
)
def test_remote_proxies_get_cpu_and_memory(release: str, stated: str, wanted: dict[str, Any]) -> None:
    proxy = resource("MCPRemoteProxy", "p", f"{{remoteUrl: 'https://a.example/mcp', {OIDC_REF}{stated}}}")
    assert (_pod(release, proxy, OIDC)["containers"][0].get("resources") or {}) == wanted
    assert not _pod(release, _server("groupRef: {name: g}"))["containers"][0].get("resources")
