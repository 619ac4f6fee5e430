"""What programs refuse of the addresses that they connect to, as Go's net, net/url and the exporters of OTLP do."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.toolhive.connection import collector_fault, key_prefix_fault, names_no_host, redis_fault


@pytest.mark.parametrize(
    "address",
    [
        "redis:6379",
        "10.0.0.1:6379",
        "[::1]:6379",
        "redis.cache.svc.cluster.local:6379",
        ":6379",
        "redis:redis",
        "/tmp/s",
    ],
)
def test_a_redis_address_is_a_host_and_a_port(address: str) -> None:
    assert redis_fault(address) is None


@pytest.mark.parametrize(
    "address",
    [
        *("", "redis", "redis:", "redis://redis:6379", "::1:6379", "[::1]", "[::1", "redis:6379/0", "redis:-1"),
        *("redis:66379", "a:1,b:2", "user:word@redis:6379", f"redis:{'9' * 5000}"),
    ],
)
def test_a_redis_address_that_cannot_be_dialed_is_refused(address: str) -> None:
    assert redis_fault(address) is not None


def test_a_redis_key_prefix_is_empty_or_ends_with_a_colon() -> None:
    assert [key_prefix_fault(prefix) is None for prefix in ("", "thv:", ":", "thv", "thv: ")] == [
        *(True, True, True),
        *(False, False),
    ]


@pytest.mark.parametrize(
    "endpoint",
    [
        *("otel:4318", "https://otel:4318", "http://otel", "otel:4318/v1 x/%zz", "[::1]:4318", "otel:", "a_b:1"),
        *("otel%41:1", "ötel:4318", '"otel":1', "otel:99999", "https://", "grpc://otel:4317"),
    ],
)
def test_the_exporter_of_metrics_takes_an_endpoint(endpoint: str) -> None:
    assert collector_fault(endpoint) is None


@pytest.mark.parametrize(
    "endpoint",
    [
        *("otel collector:4318", "otel:grpc", "otel:4318?x=1", "otel\n:4318", "user@otel:4318", "otel:4318#x"),
        *("[::1:1", "{{x}}:1", "otel:-1", "otel\\x:1", "otel|:1", "::1:4318"),
    ],
)
def test_the_exporter_of_metrics_refuses_an_endpoint(endpoint: str) -> None:
    assert collector_fault(endpoint) is not None


def test_an_endpoint_of_another_scheme_names_no_host() -> None:
    lost = ("https://", "/x", "grpc://otel:4317", "HTTPS://otel:4318")
    assert [endpoint for endpoint in (*lost, "otel:4318", "https://otel/x", "[::1]:1") if names_no_host(endpoint)] == [
        *lost
    ]
