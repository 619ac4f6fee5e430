"""What a file says, as bytes and back."""

from __future__ import annotations

import sample

from mcpcfg.compiler.check.facts import Facts, read_facts
from mcpcfg.compiler.check.serialize import (
    NOT_PACKABLE,
    is_packable,
    may_be_stored,
    pack,
    pack_all,
    plain_facts,
    unpack,
)
from mcpcfg.compiler.disk.files import Texts
from mcpcfg.compiler.disk.stamp import digest
from mcpcfg.compiler.project.delivery_start import own_deliveries

SERVER = sample.resource("MCPServer", "fetch", "image: a:1", "groupRef: {name: tools}", "proxyPort: ${PORT}")
BROKEN = sample.resource("MCPServer", "broken", "transport: http  # mcpcfg: ignore[REF001]")
LATER = sample.resource("MCPGroup", "tools").replace("v1alpha1", "v1beta1")
OVERLAY = "namespace: a\nresources: [b.yaml, c.yaml]\npatches: [{path: d.yaml}]\n"
REGISTRY = '{"version": "1.0.0", "last_updated": "2025-01-01T00:00:00Z", "servers": {}}'
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {token: hunter2}\n"


def facts(text: str, file: str = "a.yaml") -> Facts:
    return read_facts(text.encode(), file)


def texts_of(text: str, file: str = "a.yaml") -> Texts:
    texts = Texts()
    texts.add(file, text.encode())
    return texts


def again(said: Facts, text: str) -> Facts:
    return unpack(pack(said), texts_of(text, said.file))


def test_all_facts_survive_serialization() -> None:
    for text, file in (
        (f"{SERVER}---\n{BROKEN}---\n{LATER}", "a.yaml"),
        (OVERLAY, "kustomization.yaml"),
        (REGISTRY, "registry.json"),
        ("kind: [", "a.yaml"),
    ):
        said = facts(text, file)
        assert plain_facts(again(said, text)) == plain_facts(said)
        assert plain_facts(said) != plain_facts(facts("", file))


def test_the_repository_of_a_delivery_is_kept() -> None:
    text = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\n"
        "spec: {path: ./, sourceRef: {kind: GitRepository, name: other}}\n---\n"
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: b}\n"
        "spec: {path: ./, sourceRef: {kind: GitRepository, name: flux-system}}\n"
    )
    for said in (facts(text), again(facts(text), text)):
        assert [delivery.repository for delivery in own_deliveries(said.delivery.controllers)] == ["flux-system"]


def test_findings_and_suppressions_survive_serialization() -> None:
    said = facts(BROKEN)
    assert said.findings
    assert again(said, BROKEN).findings == said.findings
    assert list(again(said, BROKEN).ignores) == list(said.ignores) != []


def test_a_deserialized_resource_has_the_same_positions() -> None:
    said = facts(SERVER)
    (before,), (after,) = said.resources, again(said, SERVER).resources
    path = ("spec", "groupRef", "name")
    assert after.at(path) == before.at(path)
    assert after.states("spec", "image")
    assert after.stated_references == before.stated_references
    assert after.has_unknown_values


def test_a_deserialized_resource_reads_its_document_again() -> None:
    text = f"{SERVER}---\n{LATER}"
    back = again(facts(text)._replace(release="0.44.0"), text)
    assert [one.document.data["metadata"]["name"] for one in back.resources] == ["fetch", "tools"]
    assert back.release == "0.44.0"


def test_a_secret_is_not_kept_on_a_disk() -> None:
    assert may_be_stored(facts(SERVER))
    assert not may_be_stored(facts(SECRET))
    assert pack_all({"a.yaml": facts(SECRET)}, {}, texts_of(SECRET)) == {
        "a.yaml": (digest(SECRET.encode()), NOT_PACKABLE)
    }


def test_pack_all_packs_only_facts_that_are_new_or_changed() -> None:
    known, texts = facts(SERVER), texts_of(SERVER)
    assert pack_all({"a.yaml": known, "b.yaml": None}, {"a.yaml": known}, texts) == {"b.yaml": None}
    assert pack_all({"a.yaml": known, "b.yaml": None}, {"b.yaml": None}, texts) == {
        "a.yaml": (digest(SERVER.encode()), pack(known))
    }
    judged_again = known._replace(documents=2)
    assert pack_all({"a.yaml": judged_again}, {"a.yaml": known}, texts) == {
        "a.yaml": (digest(SERVER.encode()), pack(judged_again))
    }


def test_a_text_that_could_not_be_read_has_no_digest() -> None:
    texts = Texts({"a.yaml": b"later"})
    texts.add("a.yaml", None)
    assert texts["a.yaml"] == b"later"
    said = Facts("a.yaml")
    assert pack_all({"a.yaml": said}, {}, texts) == {"a.yaml": (b"", pack(said))}


def test_the_folder_of_a_skill_is_not_packable() -> None:
    said = facts(REGISTRY, "registry.json")
    assert is_packable(said)
    of_skill = said._replace(records=[("skill", said.records[0][1])])
    assert not is_packable(of_skill)
    assert pack(of_skill) == NOT_PACKABLE
