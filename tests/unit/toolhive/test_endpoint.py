"""What is demanded of URLs and lifespans is the same wherever an authorization server is configured."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.records.runconfig.auth_server import auth_server_faults
from mcpcfg.compiler.records.shape import decode
from mcpcfg.compiler.toolhive.auth_server import BOUNDS, lifespan_fault
from mcpcfg.compiler.toolhive.endpoint import endpoint_fault, issuer_fault, redirect_fault, userinfo_fault
from mcpcfg.compiler.vmcp.auth_server import start_faults

URLS = (
    "https://login.acme.example/callback",
    "http://login.acme.example",
    "http://localhost:8080/callback",
    "http://[::1]/callback",
    "https://login.acme.example/#a",
    "https://login.acme.example/?a=b",
    "https://login.acme.example/",
    "ftp://localhost/x",
    "/callback",
    "https://a b",
    "https://[::1",
    f"https://login.acme.example/{'x' * 2048}",
)


def in_resource(issuer: str, redirect: str, users: str, lifespan: str) -> set[str]:
    config = {
        "redirectUri": redirect,
        "clientId": "c",
        "authorizationEndpoint": "https://a",
        "tokenEndpoint": "https://b",
    }
    upstream = {"name": "a", "type": "oauth2", "oauth2Config": config | {"userInfo": {"endpointUrl": users}}}
    server = {"issuer": issuer, "upstreamProviders": [upstream], "tokenLifespans": {"accessTokenLifespan": lifespan}}
    return {".".join(map(str, fault.path[-1:])) for fault in start_faults(server) if fault.rule.stage != "lint"}


def in_record(issuer: str, redirect: str, users: str, lifespan: str) -> set[str]:
    config = {
        "redirect_uri": redirect,
        "client_id": "c",
        "authorization_endpoint": "https://a",
        "token_endpoint": "https://b",
    }
    upstream = {"name": "a", "type": "oauth2", "oauth2_config": config | {"userinfo": {"endpoint_url": users}}}
    server = {
        "issuer": issuer,
        "upstreams": [upstream],
        "token_lifespans": {"access_token_lifespan": lifespan},
        "allowed_audiences": ["https://a"],
    }
    block, _, _ = decode({"embedded_auth_server_config": server}, "RunConfig")
    return {".".join(map(str, fault.path[-1:])) for fault in auth_server_faults(block["embedded_auth_server_config"])}


@pytest.mark.parametrize("url", URLS)
def test_a_resource_and_a_record_are_refused_for_the_same_urls(url: str) -> None:
    resource, record = in_resource(url, url, url, "1h"), in_record(url, url, url, "1h")

    assert {"issuer", "redirectUri", "endpointUrl"} & resource == resource
    assert {one.replace("_", "").lower() for one in record} == {one.lower() for one in resource}
    reported = (issuer_fault(url), redirect_fault(url), userinfo_fault(url))
    assert [one is not None for one in reported] == [
        one in resource for one in ("issuer", "redirectUri", "endpointUrl")
    ]


@pytest.mark.parametrize("text", ["59s", "1m", "24h", "24h1s", "60", "x", "0s", ""])
def test_a_resource_and_a_record_are_refused_for_the_same_lifespans(text: str) -> None:
    good = "https://login.acme.example/callback"

    assert bool(in_resource(good, good, good, text)) == bool(in_record(good, good, good, text))
    assert bool(in_resource(good, good, good, text)) == (text not in {"1m", "24h", "0s", ""})


def test_the_bounds_themselves_are_allowed() -> None:
    for token, bounds in BOUNDS.items():
        assert [lifespan_fault(token, text) for text in bounds] == [None, None]


def test_the_reason_states_why_a_text_is_not_a_url() -> None:
    assert endpoint_fault("https://a:b") == 'is not a URL: "b" is not a port'


@pytest.mark.parametrize(("more", "fault"), [(0, None), (1, "is longer than 2048 bytes")])
def test_a_redirect_may_be_as_long_as_allowed(more: int, fault: str | None) -> None:
    url = "https://a.example/"

    assert redirect_fault(url + "x" * (2048 - len(url) + more)) == fault
