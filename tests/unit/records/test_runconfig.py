from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from mcpcfg.compiler.records.runconfig import auth_server_storage, check
from mcpcfg.compiler.records.runconfig.auth_server_storage import STORAGE
from mcpcfg.compiler.records.runconfig.check import check_runconfig
from mcpcfg.compiler.records.runconfig.lint import IGNORED
from mcpcfg.compiler.toolhive.profile import TOOLHIVE
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED, OLDEST

from .conftest import CONFORMANCE, fixture_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.diagnostics.fault import Fault

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
NEEDS_MORE_THAN_THE_FILE = "duplicate entries for key"
"""What the deployment of the backend refuses, which a RunConfig does not show."""

STRICTER = frozenset({"master_name", "Host", "neither an Issuer", "is not a host and a port", "end with a colon"})
"""What the recorded start did not come to: Redis, secrets of headers and OIDC providers were not started."""


def refusals(config: Any) -> list[Fault]:
    return [fault for fault in check_runconfig(config) if fault.rule.stage != "lint" and fault.severity is None]


def codes(config: Any) -> list[str]:
    profile = TOOLHIVE._replace(release=OLDEST)
    return [fault.rule.id for fault in check_runconfig(config, profile=profile)]


def sound(**more: Any) -> dict[str, Any]:
    return {"schema_version": "v0.1.0", "name": "a", "image": "a", "container_name": "a", "transport": "stdio", **more}


def written_by_the_operator() -> Iterator[tuple[str, str, dict[str, Any]]]:
    folder = CONFORMANCE / "operator"
    if not folder.is_dir():
        pytest.skip("the recorded cases are not here; set MCPCFG_CONFORMANCE")
    for case in sorted(folder.iterdir())[::5]:
        file = case / "objects.yaml"
        text = file.read_text() if file.is_file() else ""
        if "runconfig.json" not in text:
            continue
        for loaded in yaml.load_all(text, Loader=LOADER):
            for one in loaded if isinstance(loaded, list) else [loaded]:
                if one and one["kind"] == "ConfigMap" and "runconfig.json" in (one.get("data") or {}):
                    yield case.name, one["metadata"]["name"], json.loads(one["data"]["runconfig.json"])


def test_a_fault_in_a_neutrally_spelled_block_has_the_spelling_of_the_file() -> None:
    remote = sound(image="", remote_url="https://mcp.acme.io/mcp", transport="streamable-http")
    block = {"region": "us-east-1", "fallback_role_arn": "arn:aws:iam::123456789012:role/x"}
    assert "RUN040" not in codes({**remote, "cloud_sts_config": block})
    found = refusals({**remote, "cloud_sts_config": {"region": "us-east-1"}})
    assert [fault.path[0] for fault in found] == ["cloud_sts_config"]


@pytest.mark.parametrize(
    ("port", "stated", "path"),
    [
        (9464, {}, ("port",)),
        (9464, {"prometheusPort": 0}, ("port",)),
        (8080, {"prometheusPort": 8080}, ("telemetry_config", "prometheusPort")),
        (8080, {"prometheusPort": 70000}, ("telemetry_config", "prometheusPort")),
        (8080, {}, None),
        (9464, {"prometheusPort": 9465}, None),
        (9464, {"enablePrometheusMetricsPath": False}, None),
    ],
)
@pytest.mark.parametrize("is_listed", [False, True])
def test_the_port_of_metrics_differs_from_the_port_of_the_proxy(
    port: int, stated: dict[str, Any], path: tuple[str, ...] | None, *, is_listed: bool
) -> None:
    telemetry = {"serviceName": "a", "enablePrometheusMetricsPath": True, **stated}
    config = sound(port=port, telemetry_config=telemetry)
    if is_listed:
        config["middleware_configs"] = [{"type": "telemetry", "parameters": {"config": telemetry}}]
    newest = check_runconfig(config, profile=TOOLHIVE._replace(release="0.45.0"))
    assert [fault.path for fault in newest if fault.rule.id == "RUN005"] == ([] if path is None else [path])
    assert "RUN005" not in codes(config)


def test_a_run_configuration_of_the_operator_is_refused_where_the_start_was() -> None:
    for case, name, config in written_by_the_operator():
        rows = json.loads((CONFORMANCE / "operator" / case / "expected.json").read_text())
        own = [row for row in rows if row.get("name") == name.removesuffix("-runconfig")]
        reasons = json.dumps([row.get("reasons") for row in own if row["verdict"] == "process-refuses"])
        if not own or NEEDS_MORE_THAN_THE_FILE in reasons:
            continue
        found = [f for f in refusals(config) if not any(word in f.message for word in STRICTER)]
        assert bool(found) == (reasons != "[]"), (case, name, found, reasons)


@pytest.mark.parametrize(
    "row", [row for row in fixture_rows("workload") if "runconfig" in row], ids=lambda r: r["name"]
)
def test_a_run_configuration_that_the_service_stores_can_be_started(row: dict[str, Any]) -> None:
    allowed = {"PRM020", "RUN003"}  # an empty name of a secret, and stdio for a remote server, are stored too
    assert {fault.rule.id for fault in refusals(json.loads(row["runconfig"]))} <= allowed


OF_OPERATOR = {"base_name": "a", "container_labels": {"toolhive-name": "a"}, "image": "", "transport": "sse"}


def test_lints_of_a_run_configuration_by_the_operator_are_reported_at_its_resources() -> None:
    plain = sound(**OF_OPERATOR, remote_url="http://mcp.acme.io/mcp")

    assert codes(plain) == []
    assert codes({**plain, "group": "default"}) == ["RUN049"]


def test_faults_that_stop_the_runner_are_reported_for_generated_run_configurations_too() -> None:
    remote = sound(**OF_OPERATOR, remote_url="https://mcp.acme.io/mcp")

    assert codes({**remote, "header_forward": {"add_headers_from_secret": {"Host": "a"}}}) == ["RUN018"]
    assert codes({**remote, "port": 70_000}) == ["RUN005"]


def test_the_smallest_configuration_has_no_findings() -> None:
    assert codes(sound()) == []


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"transport": "sse", "proxy_mode": "sse"}, []),
        ({"transport": ""}, ["RUN003"]),
        ({"transport": "inspector"}, ["RUN003"]),
        ({"port": 65536}, ["RUN005"]),
        ({"publish": ["80", "8080:80", "+80:80"]}, []),
        ({"publish": ["a:80", ":80", "1:2:3", "99999:80"]}, ["RUN005"] * 4),
        ({"env_vars": {"": "x"}}, ["RUN009"]),
        ({"k8s_pod_template_patch": "[]"}, ["RUN010"]),
        ({"k8s_pod_template_patch": "[" * 100000}, ["RUN010"]),
        ({"env_vars": {"MCP_TRANSPORT": "stdio"}}, []),
        ({"tools_filter": ["a", ""]}, ["RUN017"]),
        ({"middleware_configs": [{"type": "recovery", "parameters": None}]}, []),
        ({"middleware_configs": [{"type": "tokenexchange", "parameters": None}]}, ["RUN011"]),
        ({"middleware_configs": [{"type": "auth", "parameters": {"oidc_config": []}}]}, ["RUN001"]),
        ({"middleware_configs": [{"type": "upstreamswap", "parameters": {"config": {}}}]}, ["RUN013"]),
        ({"middleware_configs": [{"type": "validating-webhook", "parameters": {}}]}, ["RUN011"]),
        ({"middleware_configs": [{"type": "ratelimit", "parameters": {}}]}, ["RUN015"]),
        ({"middleware_configs": [{"type": "audit", "parameters": {"config_data": {"maxDataSize": -1}}}]}, ["FIL021"]),
        ({"audit_config": {"enabled": False}}, []),
        ({"group": "a", "stateless": False}, []),
    ],
)
def test_each_field_is_reported_only_with_a_wrong_value(more: dict[str, Any], expected: list[str]) -> None:
    assert codes(sound(**more)) == expected


def test_a_secret_is_reported_and_never_shown() -> None:
    config = sound(
        transport="sse",
        remote_url="https://a.io",
        image="",
        remote_auth_config={"client_secret": "s3cr3t-value", "token_url": "https://a.io/t"},
        token_exchange_config={"token_url": "https://a.io/t", "client_secret": "s3cr3t-value"},
        oidc_config={"Issuer": "https://a.io", "ClientSecret": "s3cr3t-value"},
        secrets=["s3cr3t-value"],
    )
    found = check_runconfig(config)
    assert [fault.rule.id for fault in found].count("RUN045") == 3
    assert "s3cr3t" not in str(found)


def test_old_keys_of_remote_authentication_are_read() -> None:
    config = sound(
        transport="sse",
        remote_url="https://a.io",
        image="",
        remote_auth_config={"ClientID": "a", "CallbackPort": 80, "Timeout": "5m"},
    )
    found = {(fault.rule.id, fault.path) for fault in check_runconfig(config)}
    assert found == {
        ("RUN001", ("remote_auth_config", "Timeout")),
        ("RUN044", ("remote_auth_config",)),
    }
    config["remote_auth_config"]["Timeout"] = 5
    found = {(fault.rule.id, fault.path) for fault in check_runconfig(config)}
    assert ("RUN005", ("remote_auth_config", "CallbackPort")) in found


def test_keys_are_read_in_any_case_as_go_reads_them() -> None:
    assert codes({"Name": "a", "IMAGE": "a", "Container_Name": "a", "Transport": "stdio"}) == []


def test_a_deprecated_field_that_the_product_writes_itself_is_not_reported() -> None:
    provider = {"Issuer": "https://a.io", "CACertPath": "/ca.pem"}
    assert codes(sound(thv_ca_bundle="/ca.pem", oidc_config=provider)) == []
    assert codes(sound(thv_ca_bundle="/ca.pem")) == ["RUN044"]


@pytest.mark.parametrize(
    ("storage", "codes"),
    [
        ({"type": "", "redis_config": None}, []),
        ({"type": "memory", "redis_config": None}, []),
        ({"type": "memory", "redis_config": {}}, [IGNORED.id]),
        ({"type": "redis", "redis_config": None}, [STORAGE.id]),
        ({"type": "disk", "redis_config": None}, [STORAGE.id]),
    ],
)
def test_the_storage_of_an_authorization_server_fits_its_type(storage: dict[str, Any], codes: list[str]) -> None:
    assert [fault.rule.id for fault in auth_server_storage.storage_faults(storage, OLDEST)] == codes


@pytest.mark.parametrize(
    ("path", "old"),
    [
        (("remote_auth_config", "client_id"), ("remote_auth_config", "ClientID")),
        (("remote_auth_config", "gone"), ("remote_auth_config", "gone")),
        (("remote_auth_config",), ("remote_auth_config",)),
        (("oidc_config", "client_id"), ("oidc_config", "client_id")),
        ((), ()),
    ],
)
def test_only_keys_of_remote_authentication_have_old_names(path: tuple[str, ...], old: tuple[str, ...]) -> None:
    assert check._old_path(path) == old


NEWEST_PROFILE = TOOLHIVE._replace(release=NEWEST_MODELLED)


def newest(config: Any) -> list[tuple[str, str]]:
    """Return what the newest release reports: the rule, and the path as one word."""
    faults = check_runconfig(config, profile=NEWEST_PROFILE)
    return [(fault.rule.id, "/".join(map(str, fault.path))) for fault in faults]


@pytest.mark.parametrize(
    ("origin", "reason"),
    [
        ("https://chat.acme.io", None),
        ("HTTP://localhost:8080", None),
        ("http://[::1]:8080/", None),
        ("https://chat.acme.io:80", None),
        ("null", None),
        ("*", "no scheme"),
        ("chat.acme.io", "no scheme"),
        ("https://", "no host"),
        ("https://me@chat.acme.io", "a user"),
        ("https://*.acme.io", "wildcard"),
        ("https://b\u00fccher.example", "ASCII"),
        ("https://chat.acme.io:443", "default port 443"),
        ("http://[::1", "not a URL"),
    ],
)
def test_an_allowed_origin_that_no_browser_sends_is_reported(origin: str, reason: str | None) -> None:
    found = check_runconfig(sound(allowed_origins=[origin]), profile=NEWEST_PROFILE)

    assert [reason in fault.message for fault in found if reason] == [True] * bool(reason)
    assert bool(found) == bool(reason)


def test_the_origin_middleware_without_origins_is_reported() -> None:
    listed = [{"type": "origin", "parameters": {"allowed_origins": []}}]

    assert newest(sound(middleware_configs=listed)) == [("RUN060", "middleware_configs/0/parameters")]


def test_a_negative_body_limit_is_reported_as_ignored() -> None:
    listed = [{"type": "bodylimit", "parameters": {"max_bytes": size}} for size in (-1, 0, 1024, "1Mi")]

    assert newest(sound(middleware_configs=listed)) == [
        ("RUN042", "middleware_configs/0/parameters/max_bytes"),
        ("RUN001", "middleware_configs/3/parameters/max_bytes"),
    ]


@pytest.mark.parametrize(
    ("text", "is_refused"), [("", False), ("0s", False), ("168h", False), ("-1h", True), ("7d", True)]
)
def test_the_lifetime_of_sessions_is_a_duration(text: str, is_refused: bool) -> None:
    assert newest(sound(session_ttl=text)) == [("RUN059", "session_ttl")] * is_refused


def test_additional_middlewares_are_checked_like_the_main_list() -> None:
    more = [{"type": "bodylimit", "parameters": {}}, {"type": "none", "parameters": {}}]

    assert newest(sound(additional_middleware_configs=more)) == [("RUN011", "additional_middleware_configs/1/type")]
    assert newest(sound(additional_middleware_configs=more[:1], middleware_configs=more[:1])) == []
    recovery = [{"type": "recovery", "parameters": None}]
    assert newest(sound(additional_middleware_configs=more[:1], middleware_configs=recovery)) == [
        ("RUN043", "additional_middleware_configs/0")
    ]


def test_protocol_versions_are_only_validated_for_stdio_servers() -> None:
    strict = {"strict_protocol_validation": True}

    assert newest(sound(**strict)) == []
    assert newest(sound(**strict, proxy_mode="sse")) == [("RUN042", "strict_protocol_validation")]
    assert newest(sound(**strict) | {"transport": "sse"}) == [("RUN042", "strict_protocol_validation")]


def test_the_secret_of_a_webhook_is_read_from_the_release_with_webhook_resources_on() -> None:
    webhook = {"name": "a", "url": "https://hooks.acme.io", "failure_policy": "fail", "hmac_secret_ref": "key"}

    assert codes(sound(validating_webhooks=[webhook])) == ["FIL035"]
    assert newest(sound(validating_webhooks=[webhook])) == []


def test_listed_middlewares_may_add_credentials() -> None:
    listed = [{"type": "recovery", "parameters": None}, {"type": "tokenexchange", "parameters": None}]
    server = {"disable_upstream_token_injection": True}
    config = sound(token_exchange_config={"token_url": "https://id.acme.io/token"}, embedded_auth_server_config=server)

    assert ("RUN061", "token_exchange_config") in newest(config)
    assert "RUN061" not in {code for code, _ in newest(config | {"middleware_configs": listed})}


def test_build_settings_that_a_dockerfile_cannot_contain_are_reported() -> None:
    packages = ["mcp<2", "mcp>=1.27,<2", "pkg[extra]==1.2.*", "mcp'; rm", "x" * 129]
    variables = {"FEATURE": "on", "PATH": "/", "lower": "", "QUOTED": 'a"', "SHELLED": "$(id)", "URL": "a?b&c"}
    runtime = {"builder_image": "", "build_with": packages, "runtime_env": variables}

    found = newest(sound(runtime_config=runtime))

    assert found == [
        ("RUN054", f"runtime_config/{place}")
        for place in (
            *("build_with/3", "build_with/4"),
            *(f"runtime_env/{name}" for name in ("PATH", "lower", "QUOTED", "SHELLED")),
        )
    ]


@pytest.mark.parametrize(
    ("host", "is_refused"),
    [
        *((host, False) for host in ("", "0.0.0.0", "127.0.0.1", "localhost", "[::]", "[::1]", "proxy.tools.svc")),
        *((host, True) for host in ("a b", "http://0.0.0.0", "0.0.0.0:80", "::", "256.1.1.1", "[x]", "\n", "-a")),
    ],
)
def test_the_proxy_listens_on_an_address_or_a_name(host: str, is_refused: bool) -> None:
    assert ("RUN066" in {fault.rule.id for fault in check_runconfig(sound(host=host))}) is is_refused


@pytest.mark.parametrize(("name", "is_refused"), [("", True), ("a b", True), ("-a", True), ("My_a.1", False)])
def test_a_container_needs_a_name_unless_the_server_is_remote(name: str, is_refused: bool) -> None:
    assert ("RUN065" in {fault.rule.id for fault in check_runconfig(sound(container_name=name))}) is is_refused
    remote = {"image": "", "remote_url": "https://mcp.acme.io/mcp", "transport": "sse"}
    assert "RUN065" not in {fault.rule.id for fault in check_runconfig(sound(container_name=name, **remote))}


@pytest.mark.parametrize(("name", "is_refused"), [("a", False), ("My_a", True)])
def test_kubernetes_names_the_pod_of_a_run_configuration_of_the_operator(name: str, is_refused: bool) -> None:
    config = sound(base_name="a", container_labels={"toolhive-name": "a"}, container_name=name)
    assert ("RUN065" in {fault.rule.id for fault in check_runconfig(config)}) is is_refused


@pytest.mark.parametrize(
    ("middleware", "is_refused"),
    [({}, True), ({"parameters": None}, False), ({"Parameters": {}}, False), ({"parameters": {}}, False)],
)
def test_the_middleware_auth_needs_parameters_even_empty_ones(middleware: dict[str, Any], is_refused: bool) -> None:
    faults = check_runconfig(sound(middleware_configs=[{"type": "auth", **middleware}]))
    assert ("RUN011" in {fault.rule.id for fault in faults}) is is_refused


@pytest.mark.parametrize(("name", "is_refused"), [("Team", False), ("1team", True), ("a b", True), ("", False)])
def test_the_type_of_groups_is_a_name_of_cedar(name: str, is_refused: bool) -> None:
    cedar = {"policies": ["permit(principal, action, resource);"], "group_entity_type": name}
    authz = {"version": "1.0", "type": "cedarv1", "cedar": cedar}
    faults = check_runconfig(sound(authz_config=authz), profile=NEWEST_PROFILE)
    assert ("FIL012" in {fault.rule.id for fault in faults}) is is_refused
