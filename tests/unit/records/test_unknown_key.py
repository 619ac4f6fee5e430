"""An unknown key is reported with what was meant: a key that the same object may have."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.records.registry.breach import UNKNOWN_FIELD as UNKNOWN_KEY
from mcpcfg.compiler.records.registry.check import check_server
from mcpcfg.compiler.records.runconfig.check import check_runconfig
from mcpcfg.compiler.records.unknown_key import KeyGuesses, unknown_faults


@pytest.mark.parametrize(
    ("name", "path", "meant"),
    [
        ("WorkloadRequest", ("port",), ("proxy_port", "target_port")),
        ("WorkloadRequest", ("imagee",), ("image",)),
        ("WorkloadRequest", ("oauth_config", "clientId"), ("client_id",)),
        ("WorkloadRequest", ("schema_version",), ()),
        ("RunConfig", ("permission_profile", "network", "outbound", "allow_hosts"), ("allow_host",)),
        ("RunConfig", ("validating_webhooks", 3, "failurePolicy"), ("failure_policy",)),
        ("RunConfig", ("Permission_Profile", "netwrk"), ("network",)),
        ("RunConfig", ("nothing", "at", "all"), ()),
        ("RunConfig", ("image", "x"), ()),
    ],
)
def test_a_suggestion_is_a_key_of_the_same_object(name: str, path: tuple[str | int, ...], meant: tuple[str]) -> None:
    assert KeyGuesses(name).likely_keys(path) == meant


def test_a_key_of_another_object_is_not_suggested() -> None:
    (found,) = unknown_faults([("port",)], "WorkloadRequest", UNKNOWN_KEY)

    assert (found.hint, found.severity) == ('did you mean "proxy_port" or "target_port"?', None)
    (found,) = unknown_faults([("toolsOverride",)], "PermissionProfile", UNKNOWN_KEY)
    assert (found.hint, found.severity) == (None, "info")


def test_misspelt_keys_of_run_configurations_and_catalog_records_get_a_suggestion() -> None:
    config = {
        "schema_version": "v0.1.0",
        "image": "a",
        "transport": "stdio",
        "permission_profile": {"network": {"inbund": {}}},
    }
    assert [fault.hint for fault in check_runconfig(config) if fault.on_key] == ['did you mean "inbound"?']

    server = {
        "name": "a/b",
        "description": "c",
        "version": "1.0.0",
        "packages": [{"registryTyp": "oci", "identifier": "a"}],
    }
    assert [fault.hint for fault in check_server(server) if fault.on_key] == ['did you mean "registryType"?']


@pytest.mark.parametrize("key", ["rate_limit_config", "aws_sts_config"])
def test_a_block_that_needs_another_block_is_reported_at_its_key(key: str) -> None:
    config = {"schema_version": "v0.1.0", "image": "a", "transport": "stdio", key: {}}

    assert [fault.path for fault in check_runconfig(config) if fault.on_key] == [(key,)]
