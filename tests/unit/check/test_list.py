"""Lists of objects are taken apart as kubectl does, typed ones too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calling import call

from mcpcfg.compiler.models.kind import kinds_of
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED

if TYPE_CHECKING:
    from pathlib import Path

GROUP = "toolhive.stacklok.dev/v1beta1"


def of_servers(*items: object) -> str:
    return json.dumps({"apiVersion": GROUP, "kind": "MCPServerList", "metadata": {}, "items": items})


def server(name: str, **spec: object) -> dict[str, object]:
    return {"metadata": {"name": name}, "spec": {"image": "i:1", **spec}}


def checked(text: str) -> list[dict[str, object]]:
    outcome = call("check", "--closed", "--format", "json", "-", stdin=text)
    assert outcome.status in {0, 1}, outcome.err
    found: list[dict[str, object]] = json.loads(outcome.out)["findings"]
    return found


@pytest.mark.parametrize("kind", [kind.name for kind in kinds_of(NEWEST_MODELLED)])
def test_an_element_that_states_no_kind_is_of_the_kind_of_its_list(kind: str) -> None:
    item = {"metadata": {"name": "a"}, "spec": {"nope": 1}}
    text = json.dumps({"apiVersion": GROUP, "kind": f"{kind}List", "items": [item]})
    if kind == "MCPWebhookConfig":  # has the first version alone
        text = text.replace("v1beta1", "v1alpha1")
    found = [one for one in checked(text) if one["rule"] == "ADM001"]
    assert [(one["kind"], one["resource"], one["path"]) for one in found] == [(kind, "a", "/items/0/spec/nope")]


def test_elements_are_referred_to_from_other_documents_and_from_each_other(tmp_path: Path) -> None:
    groups = json.dumps({"apiVersion": GROUP, "kind": "MCPGroupList", "items": [{"metadata": {"name": "g"}}]})
    (tmp_path / "groups.json").write_text(groups)
    (tmp_path / "servers.json").write_text(of_servers(server("a", groupRef={"name": "g"}), server("a")))
    outcome = call("check", "--closed", "--format", "json", str(tmp_path))
    found = json.loads(outcome.out)["findings"]
    assert [(one["rule"], one["path"]) for one in found] == [("ADM090", "/items/1/metadata/name")]


def test_elements_are_compiled() -> None:
    outcome = call("build", "--closed", "-t", "runconfig", "-", stdin=of_servers(server("a"), server("b")))
    assert (outcome.status, outcome.out.count('"base_name"')) == (0, 2)


@pytest.mark.parametrize("item", [None, "text", 5, [], True])
def test_an_element_that_is_no_object_is_reported_and_the_others_are_checked(item: object) -> None:
    for wrapper in (
        of_servers(item, server("a", nope=1)),
        json.dumps({"apiVersion": "v1", "kind": "List", "items": [item]}),
    ):
        found = checked(wrapper)
        assert [one["path"] for one in found if one["rule"] == "ADM091"] == ["/items/0"]
    assert [one["rule"] for one in checked(of_servers(item, server("a", nope=1)))] == ["ADM091", "ADM001"]


def test_a_list_of_another_program_may_hold_anything() -> None:
    assert checked("apiVersion: example.com/v1\nkind: AllowList\nitems: [a, 5]\n---\n" + of_servers(server("a"))) == []
