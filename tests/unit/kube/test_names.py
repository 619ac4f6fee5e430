"""Names and keys, beside the recorded judgements of Kubernetes' own validation."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.kube import names

_FIXTURE = Path(__file__).parents[3] / "fixtures" / "kube" / "names.jsonl"
_ROWS = [json.loads(line) for line in _FIXTURE.read_text(encoding="utf-8").split("\n") if line]

_RULES: dict[str, Callable[[str], names.Reasons]] = {
    "dns label": names.dns_label_faults,
    "dns subdomain": names.dns_subdomain_faults,
    "dns 1035 label": names.dns_1035_label_faults,
    "label key": names.label_key_faults,
    "annotation key": names.annotation_key_faults,
    "label value": names.label_value_faults,
    "relaxed env name": names.relaxed_env_name_faults,
    "name prefix": lambda text: names.dns_subdomain_faults(names.name_prefix(text)),
}


@pytest.mark.parametrize("rule", _RULES)
def test_texts_are_judged_as_kubernetes_judges_them(rule: str) -> None:
    judged = {row["text"]: not _RULES[rule](row["text"]) for row in _ROWS}
    assert judged == {row["text"]: rule in row["good"] for row in _ROWS}


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("UPPER", ('may have lower-case letters, digits, "-" and "." only, not "U", "P", "E", "R"',)),
        ("-x", ("must begin with a letter or digit",)),
        ("x-", ("must end with a letter or digit",)),
        ("a..b", ("must have a letter or digit before and after every dot",)),
        ("a\nb", ('may have lower-case letters, digits, "-" and "." only, not U+000A',)),
        ("", ("must not be empty",)),
        ("a" * 254, ("must have at most 253 characters, not 254",)),
    ],
)
def test_reasons_say_what_is_wrong(text: str, reasons: names.Reasons) -> None:
    assert names.dns_subdomain_faults(text) == reasons


@pytest.mark.parametrize(
    ("name", "likely"),
    [("Bad_Name", "bad-name"), ("-x", "x"), ("My Server.1", "my-server.1"), ("good", None), ("___", None), ("ä", None)],
)
def test_a_likely_name_is_suggested(name: str, likely: str | None) -> None:
    assert names.likely_name(name) == likely


def test_annotations_are_counted_in_bytes() -> None:
    assert names.annotations_size({"k": "vv", "ü": "ä"}) == 7


@given(st.text())
def test_any_text_is_judged(text: str) -> None:
    for rule in _RULES.values():
        assert all(isinstance(reason, str) for reason in rule(text))
    likely = names.likely_name(text)
    assert likely is None or not names.dns_subdomain_faults(likely)
