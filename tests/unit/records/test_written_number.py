"""Numbers of JSON records fit where Go's plain decoder puts them: what is written with a point is no integer.

The outcomes were recorded of Go 1.26 (encoding/json into int, *int, []int, int32, int64, float64 and any) and of the
product's own reader of webhook files, v0.21.0.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from calling import call

from mcpcfg.compiler.golang.decoder import Decoder
from mcpcfg.compiler.golang.shape import Types
from mcpcfg.compiler.reading.document import read_documents, with_written_numbers

FIELDS: dict[str, Any] = {
    "i": "int",
    "p": ("ptr", "int"),
    "l": ("list", "int"),
    "j": "int32",
    "f": "float",
    "a": "any",
}
TAKEN = {
    "1": "ipljfa",
    "1.0": "fa",
    "1e3": "fa",
    "1E0": "fa",
    "10e-1": "fa",
    "-0": "iplj fa",
    "-0.0": "fa",
    "0e0": "fa",
    "1.5": "fa",
    "2147483648": "iplfa",
    "9223372036854775807": "iplfa",
    "9223372036854775808": "fa",
}
RUN_CONFIG = '{"schema_version": "v0.1.0", "image": "a:1", "name": "a", "transport": "sse", "port": 8080, "host": ""}'


@pytest.mark.parametrize("number", TAKEN)
@pytest.mark.parametrize("field", FIELDS)
def test_a_written_number_is_accepted_as_in_go(field: str, number: str) -> None:
    written = f"[{number}]" if field == "l" else number
    (document,), _ = read_documents(f'{{"{field}": {written}}}', "a.json")
    decoder = Decoder(Types({"T": tuple((key, shape, True) for key, shape in FIELDS.items())}))
    decoder.decode(with_written_numbers(document).data, ("struct", "T"))

    assert (not decoder.misfits) == (field in TAKEN[number])


def test_kubernetes_takes_a_whole_number_however_it_is_written() -> None:
    (document,), _ = read_documents('{"a": 1.0, "b": [1e3]}', "a.json")

    assert json.dumps(document.data) == '{"a": 1, "b": [1000]}'


@pytest.mark.parametrize("text", ['{"a": 1, "b": "1.0: 2.0"}', '{"a": ": 1.0"}', '{"a": 1}', "a: 1.0\n"])
def test_documents_without_such_numbers_stay_unchanged(text: str) -> None:
    (document,), _ = read_documents(text, "a.yaml")

    assert with_written_numbers(document).data == document.data


@pytest.mark.parametrize("number", ["8080.0", "8.08e3", "808E1"])
def test_a_run_configuration_with_a_port_that_is_no_integer_is_reported_at_its_place(number: str) -> None:
    outcome = call("check", "--stdin-filename", "a.json", "-f", "json", "-", stdin=RUN_CONFIG.replace("8080", number))

    (found,) = [one for one in json.loads(outcome.out)["findings"] if one["path"] == "/port"]
    assert found["severity"] == "error"
    assert found["column"] == RUN_CONFIG.index("8080") + 1


def test_fix_writes_the_number_as_an_integer() -> None:
    outcome = call("check", "--fix", "--stdin-filename", "a.json", "-", stdin=RUN_CONFIG.replace("8080", "8080.0"))

    assert outcome.out == RUN_CONFIG


@pytest.mark.parametrize(
    ("kind", "text", "count"),
    [
        ("permission-profile", '{"network": {"outbound": {"allow_port": [443.0]}}}', 1),
        ("audit", '{"maxDataSize": 1e3}', 1),
        ("workload", '{"name": "a", "image": "a:1", "target_port": 8080.0}', 1),
        ("registry", '{"servers": {}, "remote_servers": {"a": {"metadata": {"stars": 1.0}}}}', 1),
        ("authz", '{"version": "1.0", "type": "httpv1", "pdp": {"http": {"url": "https://a", "timeout": 3.0}}}', 1),
    ],
)
def test_every_record_that_is_read_as_json_is_read_so(kind: str, text: str, count: int) -> None:
    outcome = call("check", "--as", kind, "--stdin-filename", "a.json", "-f", "json", "-", stdin=text)

    reported = [one for one in json.loads(outcome.out)["findings"] if "not the number" in one["message"]]
    assert len(reported) == count


def test_an_authorization_file_in_yaml_is_converted_to_json_and_loses_the_decimal_point() -> None:
    text = 'version: "1.0"\ntype: httpv1\npdp: {http: {url: "https://a", timeout: 3.0}}\n'

    outcome = call("check", "--as", "authz", "--stdin-filename", "a.yaml", "-", stdin=text)
    assert "not the number" not in outcome.out


WEBHOOK = "validating:\n- name: a\n  url: https://a.example\n  failure_policy: fail\n"


@pytest.mark.parametrize(
    ("timeout", "is_read"),
    [
        ("10s", True),
        ("0s", True),
        ("null", True),
        ("10000000000", False),
        ("0", False),
        ("1e10", False),
        ("1.5", False),
        ("'10'", False),
        ("true", False),
        ("''", False),
        ("[1]", False),
    ],
)
def test_the_timeout_of_a_webhook_in_yaml_has_to_be_a_text(timeout: str, is_read: bool) -> None:
    outcome = call(
        "check", "--as", "webhook", "--stdin-filename", "a.yaml", "-", stdin=f"{WEBHOOK}  timeout: {timeout}\n"
    )

    assert (outcome.status == 0) is is_read, outcome.out


@pytest.mark.parametrize(
    ("timeout", "is_read"),
    [
        ('"10s"', True),
        ("10000000000", True),
        ("null", True),
        ("0", True),
        ("1e10", False),
        ("1.0", False),
        ("true", False),
    ],
)
def test_the_timeout_of_a_webhook_in_json_may_be_an_integer(timeout: str, is_read: bool) -> None:
    text = f'{{"validating": [{{"name": "a", "url": "https://a", "failure_policy": "fail", "timeout": {timeout}}}]}}'

    outcome = call("check", "--as", "webhook", "--stdin-filename", "a.json", "-", stdin=text)
    assert (outcome.status == 0) is is_read, outcome.out


def test_a_text_of_a_webhook_in_yaml_may_be_any_scalar() -> None:
    text = WEBHOOK.replace("name: a", "name: 2025")

    assert call("check", "--as", "webhook", "--stdin-filename", "a.yaml", "-", stdin=text).status == 0
