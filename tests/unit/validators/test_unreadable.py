"""A resource that the operator cannot read is no member of a group; others of its name are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calling import call

if TYPE_CHECKING:
    from pathlib import Path

SERVER = "{image: ghcr.io/acme/fetch:1.0, transport: streamable-http, groupRef: {name: tools}%s}"
UNREADABLE = ", replicas: 2147483648"


def element(kind: str, name: str, namespace: str, spec: str = "{}") -> str:
    api = "toolhive.stacklok.dev/v1beta1"
    return f"- {{apiVersion: {api}, kind: {kind}, metadata: {{name: {name}, namespace: {namespace}}}, spec: {spec}}}\n"


@pytest.mark.parametrize("unreadable", ["a", "b"])
def test_an_unreadable_item_of_a_list_does_not_affect_an_item_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unreadable: str
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "apiVersion: v1\nkind: List\nitems:\n"
    for namespace in ("a", "b"):
        text += element("MCPGroup", "tools", namespace)
        text += element("MCPServer", "fetch", namespace, SERVER % (UNREADABLE if namespace == unreadable else ""))
        text += element(
            "VirtualMCPServer", "desk", namespace, "{groupRef: {name: tools}, incomingAuth: {type: anonymous}}"
        )
    (tmp_path / "all.yaml").write_text(text)

    findings = json.loads(call("check", "--format", "json", "--no-cache").out)["findings"]

    reported = [(one["rule"], one["namespace"]) for one in findings if one["rule"] in {"ADM010", "VMC216"}]
    assert reported == [("ADM010", unreadable), ("VMC216", unreadable)]
