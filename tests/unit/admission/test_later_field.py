"""Each field that came after 0.44.0: the first release that may have it, and what is said before and when misspelt.

If the documentation leaves several releases open, a value is taken from the first of them on, and refused from the last
on.
"""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from mcpcfg.compiler.admission.admit import admit
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release
from mcpcfg.compiler.toolhive.release import RELEASES

CA = {"configMapRef": {"name": "ca", "key": "ca.crt"}}
KEY = {"name": "s", "key": "k"}
SERVER = {"image": "i"}
PROXY = {"remoteUrl": "https://a.example"}
VIRTUAL = {"groupRef": {"name": "g"}, "incomingAuth": {"type": "anonymous"}}
REDIS = {"provider": "redis", "address": "redis:6379"}
OIDC: dict[str, Any] = {"issuerUrl": "https://id.example", "clientId": "c"}
REGISTERED: dict[str, Any] = {"issuerUrl": "https://id.example", "dcrConfig": {}}
OAUTH2: dict[str, Any] = {
    "authorizationEndpoint": "https://id.example/a",
    "tokenEndpoint": "https://id.example/t",
    "clientId": "c",
    "userInfo": {"endpointUrl": "https://id.example/u"},
}
ISSUER: dict[str, Any] = {"issuerUrl": "https://ci.example", "expectedAudience": "a", "allowedDelegateClients": ["c"]}
CLIENT: dict[str, Any] = {"clientId": "a", "clientSecretRef": KEY, "scopes": ["openid"], "audiences": ["a"]}
SPIFFE: dict[str, Any] = {
    "trustDomainRef": "main",
    "principalPattern": "spiffe://acme.example/agent",
    "clientId": "agent",
    "methods": ["spiffe_jwt"],
    "resources": ["https://a.example"],
    "audiences": ["https://a.example"],
    "scopes": ["openid"],
}
DOMAIN: dict[str, Any] = {
    "name": "main",
    "trustDomain": "acme.example",
    "methods": ["spiffe_jwt"],
    "bundleSource": {"type": "workload_api", "workloadAPI": {}},
}
FILE: dict[str, Any] = {"type": "file", "file": {"configMapName": "keys", "configMapKey": "bundle.json"}}
EXCHANGE: dict[str, Any] = {
    "issuerRef": "ci",
    "expectedAudience": "a",
    "allowedDelegateClients": ["c"],
    "allowMayAct": True,
}
BEARER: dict[str, Any] = {
    "issuerRef": "ci",
    "maxAssertionAge": "5m",
    "subjectBindings": [{"subject": "a", "allowedResources": ["https://a.example"]}],
}


def server(**fields: Any) -> tuple[str, dict[str, Any]]:
    return "MCPServer", SERVER | fields


def proxy(**fields: Any) -> tuple[str, dict[str, Any]]:
    return "MCPRemoteProxy", PROXY | fields


def virtual(**fields: Any) -> tuple[str, dict[str, Any]]:
    return "VirtualMCPServer", VIRTUAL | fields


def auth(**fields: Any) -> tuple[str, dict[str, Any]]:
    provider = {"name": "main", "type": "oidc", "oidcConfig": OIDC}
    embedded = {"issuer": "https://auth.example", "upstreamProviders": [provider]} | fields
    return "MCPExternalAuthConfig", {"type": "embeddedAuthServer", "embeddedAuthServer": embedded}


def oidc(**fields: Any) -> tuple[str, dict[str, Any]]:
    return auth(upstreamProviders=[{"name": "main", "type": "oidc", "oidcConfig": OIDC | fields}])


def oauth2(**fields: Any) -> tuple[str, dict[str, Any]]:
    return auth(upstreamProviders=[{"name": "main", "type": "oauth2", "oauth2Config": OAUTH2 | fields}])


def overrides(**fields: Any) -> dict[str, Any]:
    return {"resourceOverrides": {"proxyDeployment": fields}}


def grants(**fields: Any) -> tuple[str, dict[str, Any]]:
    return auth(trustedIssuers=[{"name": "ci", "issuerUrl": "https://ci.example"}], inboundGrants=fields)


def spiffe(domain: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return auth(spiffeTrustDomains=[domain], inboundGrants={"spiffeClientAuth": [SPIFFE]})


TOLERATION = {"key": "a", "operator": "Exists"}
TERM = {"matchExpressions": [{"key": "a", "operator": "Exists"}]}
AFFINITY = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [TERM]}}}
FILTER = {
    "claim": "groups",
    "rules": [{"groups": ["a"], "upstreamProviders": ["second"]}],
    "defaultUpstreams": ["second"],
}
PROVIDERS = [{"name": name, "type": "oidc", "oidcConfig": OIDC} for name in ("main", "second")]
FIELDS: list[tuple[str, tuple[str, dict[str, Any]], str]] = [
    ("maxRequestBodySize", server(maxRequestBodySize=1024), "0.45.0"),
    ("proxyReadTimeout", server(proxyReadTimeout="60s"), "0.45.0"),
    ("nodeSelector", server(**overrides(nodeSelector={"a": "b"})), "0.45.0"),
    ("tolerations", server(**overrides(tolerations=[TOLERATION])), "0.45.0"),
    ("affinity", server(**overrides(affinity=AFFINITY)), "0.45.0"),
    ("nodeSelector", proxy(**overrides(nodeSelector={"a": "b"})), "0.45.0"),
    ("metricsOnTransportPort", ("MCPTelemetryConfig", {"prometheus": {"metricsOnTransportPort": False}}), "0.46.0"),
    ("caBundleRef", oidc(caBundleRef=CA), "0.46.0"),
    ("allowPrivateIPs", oidc(allowPrivateIPs=True), "0.46.0"),
    ("additionalTokenParams", oidc(additionalTokenParams={"resource": "x"}), "0.46.0"),
    (
        "dcrConfig",
        auth(upstreamProviders=[{"name": "main", "type": "oidc", "oidcConfig": REGISTERED}]),
        "0.46.0",
    ),
    ("caBundleRef", oauth2(caBundleRef=CA), "0.46.0"),
    ("tokenEndpointAuthMethod", oauth2(tokenEndpointAuthMethod="none"), "0.46.0"),
    ("additionalTokenParams", oauth2(additionalTokenParams={"resource": "x"}), "0.46.0"),
    ("caBundleRef", auth(trustedIssuers=[ISSUER | {"caBundleRef": CA}]), "0.46.0"),
    ("name", auth(trustedIssuers=[ISSUER | {"name": "ci"}]), "0.47.0"),
    ("allowPrivateKeyJWTRegistration", auth(allowPrivateKeyJWTRegistration=True), "0.46.0"),
    ("tokenExchange", grants(tokenExchange={"issuerPolicies": [EXCHANGE], "delegateClients": [CLIENT]}), "0.47.0"),
    ("jwtBearer", grants(jwtBearer={"issuerPolicies": [BEARER]}), "0.47.0"),
    ("spiffeTrustDomains", spiffe(DOMAIN), "0.47.0"),
    ("spiffeClientAuth", spiffe(DOMAIN), "0.47.0"),
    ("workloadAPI", spiffe(DOMAIN), "0.47.0"),
    ("file", spiffe(DOMAIN | {"bundleSource": FILE}), "0.54.0"),
    ("listChanged", virtual(config={"operational": {"listChanged": {"enabled": False}}}), "0.49.0"),
    ("disabledWorkloads", virtual(config={"operational": {"listChanged": {"disabledWorkloads": ["a"]}}}), "0.49.0"),
    ("backendInit", virtual(config={"operational": {"timeouts": {"backendInit": "5s"}}}), "0.49.0"),
    ("tls", server(sessionStorage=REDIS | {"tls": {}}), "0.52.0"),
    ("tls", proxy(sessionStorage=REDIS | {"tls": {"insecureSkipVerify": True}}), "0.52.0"),
    ("tls", virtual(sessionStorage=REDIS | {"tls": {"caCertSecretRef": KEY}}), "0.52.0"),
    ("tlsListener", auth(tlsListener={"certificateSecretRef": KEY, "privateKeySecretRef": KEY}), "0.52.0"),
    (
        "authServerUpstreamFilter",
        virtual(
            authServerConfig={"issuer": "https://auth.example", "upstreamProviders": PROVIDERS},
            authServerUpstreamFilter=FILTER,
        ),
        "0.55.0",
    ),
]
NAMES = [f"{kind}.{field}{place}" for place, (field, (kind, _), _) in enumerate(FIELDS)]


def told(kind: str, spec: dict[str, Any], release: str) -> list[tuple[str, str]]:
    data = {
        "apiVersion": f"{TOOLHIVE.api_group}/v1beta1",
        "kind": kind,
        "metadata": {"name": "a"},
        "spec": spec,
    }
    documents, _ = read_documents(json.dumps(data).encode(), "a.json")
    found = admit(documents[0], profile=profile_of_release(TOOLHIVE, release)).findings
    return [(one.severity, f"{one.message} {one.hint or ''}") for one in found]


def renamed(value: Any, field: str, name: str) -> Any:
    """Return the value with each key ``field`` as ``name``."""
    if isinstance(value, dict):
        return {name if key == field else key: renamed(inner, field, name) for key, inner in value.items()}
    return [renamed(inner, field, name) for inner in value] if isinstance(value, list) else copy.copy(value)


@pytest.mark.parametrize(("field", "resource", "first"), FIELDS, ids=NAMES)
def test_a_field_is_taken_from_the_first_release_that_may_have_it(
    field: str, resource: tuple[str, dict[str, Any]], first: str
) -> None:
    later = RELEASES[RELEASES.index(first) :]
    assert {release: found for release in later if (found := told(*resource, release))} == {}
    before = RELEASES[RELEASES.index(first) - 1]
    earlier = [text for _, text in told(*resource, before)]
    assert [text for text in earlier if text.startswith(f"release {before} has no field ")], earlier


@pytest.mark.parametrize(("field", "resource", "first"), FIELDS, ids=NAMES)
def test_a_misspelt_field_is_reported_with_the_right_name(
    field: str, resource: tuple[str, dict[str, Any]], first: str
) -> None:
    kind, spec = resource
    wrong = field[:-1] + field[-1] * 2
    found = told(kind, renamed(spec, field, wrong), first)
    assert any(wrong in text and field in text.replace(wrong, "") for _, text in found), found


LEGACY_BEARER = {key: value for key, value in BEARER.items() if key != "issuerRef"}
NO_CLIENT = {"issuerUrl": "https://id.example"}


def bare(**fields: Any) -> tuple[str, dict[str, Any]]:
    kind, spec = auth()
    del spec["embeddedAuthServer"]["upstreamProviders"]
    return kind, {"type": spec["type"], "embeddedAuthServer": spec["embeddedAuthServer"] | fields}


ACCEPTED: list[tuple[str, tuple[str, dict[str, Any]], str]] = [
    ("two keys of a Secret", server(secrets=[{"name": "s", "key": "a"}, {"name": "s", "key": "b"}]), "0.51.0"),
    ("no upstream provider", bare(delegateClients=[CLIENT]), "0.46.0"),
    ("an issuer without a policy", auth(trustedIssuers=[{"issuerUrl": "https://ci.example"}]), "0.47.0"),
    (
        "delegates over loopback",
        auth(
            issuer="http://127.0.0.1:8080",
            insecureAllowConfidentialOverLoopbackHTTP=True,
            delegateClients=[CLIENT],
        ),
        "0.46.0",
    ),
]
BUNDLE: dict[str, Any] = {"issuer": "https://id.example", "caBundleRef": {"configMapRef": {"name": "", "key": "a"}}}
REFUSED: list[tuple[str, tuple[str, dict[str, Any]], str, str]] = [
    # What, where, the first release that may refuse it and still takes it, and the first that surely refuses it.
    ("a bundle without a name", ("MCPOIDCConfig", {"type": "inline", "inline": BUNDLE}), "0.45.0", "0.50.0"),
    ("no grant at all", auth(upstreamProviders=[]), "0.46.0", "0.49.0"),
    (
        "token exchange twice",
        auth(delegateClients=[CLIENT], inboundGrants={"tokenExchange": {"delegateClients": [CLIENT]}}),
        "0.47.0",
        "0.49.0",
    ),
    (
        "JWT bearer twice",
        auth(
            trustedIssuers=[ISSUER | {"name": "ci", "jwtBearerGrant": LEGACY_BEARER}],
            inboundGrants={"jwtBearer": {"issuerPolicies": [BEARER]}},
        ),
        "0.47.0",
        "0.49.0",
    ),
    (
        "an unknown issuer",
        grants(tokenExchange={"issuerPolicies": [EXCHANGE | {"issuerRef": "x"}]}),
        "0.47.0",
        "0.49.0",
    ),
    ("a trust domain without clients", auth(spiffeTrustDomains=[DOMAIN]), "0.47.0", "0.49.0"),
    (
        "neither client nor registration",
        auth(upstreamProviders=[{"name": "main", "type": "oidc", "oidcConfig": NO_CLIENT}]),
        "0.46.0",
        "0.46.0",
    ),
    ("a negative timeout", server(proxyReadTimeout="-1s"), "0.45.0", "0.45.0"),
    ("TLS without Redis", server(sessionStorage={"provider": "memory", "tls": {}}), "0.52.0", "0.52.0"),
    (
        "a CA that is ignored",
        server(sessionStorage=REDIS | {"tls": {"insecureSkipVerify": True, "caCertSecretRef": KEY}}),
        "0.52.0",
        "0.52.0",
    ),
]


@pytest.mark.parametrize(("resource", "first"), [row[1:] for row in ACCEPTED], ids=[row[0] for row in ACCEPTED])
def test_a_value_is_taken_from_the_first_release_of_its_interval(
    resource: tuple[str, dict[str, Any]], first: str
) -> None:
    place = RELEASES.index(first)
    assert told(*resource, RELEASES[place - 1])
    assert [release for release in RELEASES[place:] if told(*resource, release)] == []


@pytest.mark.parametrize(("resource", "first", "last"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_value_is_refused_from_the_last_release_of_its_interval(
    resource: tuple[str, dict[str, Any]], first: str, last: str
) -> None:
    start, end = RELEASES.index(first), RELEASES.index(last)
    assert [release for release in RELEASES[start:end] if told(*resource, release)] == []
    assert [release for release in RELEASES[end:] if not told(*resource, release)] == []
