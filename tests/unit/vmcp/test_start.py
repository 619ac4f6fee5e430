"""What a virtual server refuses when it starts, of what its configuration file may state and a resource may not."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.vmcp.start import start_faults, strategy_faults
from mcpcfg.compiler.vmcp.validate import config_faults


@pytest.mark.parametrize("most", [-1, 51])
def test_the_number_of_tools_that_are_returned_has_bounds(most: int) -> None:
    (fault,) = start_faults({"optimizer": {"maxToolsToReturn": most}})
    assert (fault.path, fault.code) == (("optimizer", "maxToolsToReturn"), "optimizer-range")
    assert fault.message == f"maxToolsToReturn is {most}, not within 1 and 50"


@pytest.mark.parametrize("most", [0, 50])
def test_a_number_within_the_bounds_is_sound(most: int) -> None:
    assert start_faults({"optimizer": {"maxToolsToReturn": most}}) == []


@pytest.mark.parametrize(
    ("backend", "expected"),
    [
        ({"type": "entry", "caBundlePath": "/etc/ca/bundle.pem"}, []),
        ({"type": "entry", "caBundlePath": "etc/ca/bundle.pem"}, ["backend-ca-path"]),
        ({"type": "entry", "caBundlePath": "/etc/../ca"}, ["backend-ca-path"]),
        ({"type": "entry", "caBundlePath": "/etc/\0"}, ["backend-ca-path"]),
        ({"caBundlePath": "/etc/ca/bundle.pem"}, ["backend-ca-bundle"]),
        ({"type": "other"}, ["backend-type"]),
    ],
)
def test_the_certificates_of_a_backend_have_an_absolute_path(backend: dict[str, Any], expected: list[str]) -> None:
    found = config_faults({"backends": [{"name": "a", **backend}]})
    assert [fault.code for fault in found if fault.path[0] == "backends"] == expected


@pytest.mark.parametrize("prefix", ["", "urn:ietf:params:oauth:token-type:"])
@pytest.mark.parametrize("name", ["access_token", "id_token", "jwt"])
def test_a_token_that_is_exchanged_has_one_of_three_types(prefix: str, name: str) -> None:
    def codes(token_type: str) -> list[str]:
        faults = strategy_faults({"type": "token_exchange", "tokenExchange": {"subjectTokenType": token_type}})
        return [fault.code for fault in faults if fault.path[-1] == "subjectTokenType"]

    assert codes(prefix + name) == []
    assert codes(f"{prefix}{name}s") == ["token-type"]


@pytest.mark.parametrize(("ratio", "count"), [("-0.5", 1), ("0", 0), ("1", 0), ("1.5", 1)])
def test_a_ratio_of_the_search_is_within_zero_and_one(ratio: str, count: int) -> None:
    assert len(start_faults({"optimizer": {"hybridSearchSemanticRatio": ratio}})) == count


@pytest.mark.parametrize(("size", "count"), [(-1, 1), (0, 0)])
def test_the_data_of_an_audit_event_has_no_negative_size(size: int, count: int) -> None:
    assert len(start_faults({"audit": {"enabled": True, "maxDataSize": size}})) == count
