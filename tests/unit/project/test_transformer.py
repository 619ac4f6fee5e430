"""A namespace that a transformer of kustomize sets counts; if the transformer cannot be read, none is assumed."""

from __future__ import annotations

import textwrap

import pytest

from mcpcfg.compiler import api
from mcpcfg.compiler.check import serialize
from mcpcfg.compiler.check.facts import read_facts
from mcpcfg.compiler.disk.files import Texts
from mcpcfg.compiler.reading.bound import BEYOND_BOUNDS

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
SERVER = HEAD + "kind: MCPServer\nmetadata: {name: fetch}\nspec: {image: 'a:1', groupRef: {name: tools}}\n"
GROUP = HEAD + "kind: MCPGroup\nmetadata: {name: tools, namespace: prod}\n"
SETTING = "apiVersion: builtin\nkind: NamespaceTransformer\nmetadata: {name: ns, namespace: dev}\n"
FILLING = SETTING + "unsetOnly: true\n"
LABELING = "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: labels}\nlabels: {a: b}\n"
LISTS = "resources: [server.yaml, group.yaml]\n"


def namespaces(kustomization: str, **more: str) -> tuple[str | None, str | None, list[str]]:
    """Return the namespaces of the group and the server, and the rules of the findings."""
    files = {"kustomization.yaml": LISTS + kustomization, "server.yaml": SERVER, "group.yaml": GROUP}
    report = api.check(files=files | {name.replace("__", "/") + ".yaml": text for name, text in more.items()})
    found = {one.name: one.namespace for one in report.loaded.resources}
    return found["tools"], found["fetch"], [one.rule for one in report.findings]


def inline(*texts: str) -> str:
    return "transformers:\n" + "".join(f"- |\n{textwrap.indent(text, '  ')}" for text in texts)


def test_a_namespace_transformer_sets_the_namespace_of_all_resources() -> None:
    assert namespaces("transformers: [ns.yaml]\n", ns=SETTING) == ("dev", "dev", [])


def test_a_transformer_with_unset_only_keeps_stated_namespaces() -> None:
    assert namespaces("transformers: [ns.yaml]\n", ns=FILLING) == ("prod", "dev", ["REF001"])


def test_a_transformer_runs_after_the_namespace_of_its_kustomization_is_set() -> None:
    stated = "namespace: test\ntransformers: [ns.yaml]\n"
    assert namespaces(stated, ns=SETTING)[:2] == ("dev", "dev")
    assert namespaces(stated, ns=FILLING)[:2] == ("test", "test")


def test_an_outer_kustomization_wins() -> None:
    outer = {"outer__kustomization": "namespace: test\nresources: [..]\n", "ns": SETTING}
    assert namespaces("transformers: [ns.yaml]\n", **outer)[:2] == ("test", "test")


def test_transformers_run_in_order() -> None:
    other = SETTING.replace("dev", "test")
    assert namespaces(inline(SETTING, LABELING, other))[:2] == ("test", "test")
    assert namespaces(inline(SETTING) + "- ns.yaml\n", ns=LABELING + "---\n" + other)[:2] == ("test", "test")


def test_a_folder_of_transformers_is_read() -> None:
    more = {"all__kustomization": "resources: [ns.yaml]\n", "all__ns": SETTING}
    assert namespaces("transformers: [all]\n", **more)[:2] == ("dev", "dev")


def test_a_component_sets_the_namespace_of_all_that_its_parent_lists() -> None:
    part = {"part__kustomization": f"kind: Component\n{inline(SETTING)}"}
    assert namespaces("components: [part]\n", **part)[:2] == ("dev", "dev")
    assert namespaces("components: [part]\nnamespace: test\n", **part)[:2] == ("test", "test")


@pytest.mark.parametrize("entry", ["https://example.com/ns.yaml", "missing.yaml", "custom.yaml", "7"])
def test_an_unreadable_transformer_makes_the_namespace_unknown(entry: str) -> None:
    custom = "apiVersion: example.com/v1\nkind: SetNamespace\nmetadata: {name: x}\n"
    assert namespaces(f"transformers: [{entry}]\n", custom=custom) == (None, None, [])


def test_a_transformer_for_something_else_leaves_the_namespace() -> None:
    assert namespaces("namespace: test\ntransformers: [labels.yaml]\n", labels=LABELING)[:2] == ("test", "test")


def test_a_folder_of_transformers_that_lists_itself_has_an_unknown_namespace() -> None:
    more = {"all__kustomization": "resources: [../all]\n"}
    assert namespaces("transformers: [all]\n", **more)[:2] == (None, None)


def test_folders_of_transformers_that_double_at_each_level_spend_the_budget() -> None:
    levels = range(32)
    more = {
        f"{side}{level}__kustomization": f"resources: [../a{level + 1}, ../b{level + 1}]\n"
        for level in levels
        for side in "ab"
    }
    assert namespaces("transformers: [a0]\n", **more) == (None, None, [BEYOND_BOUNDS.id])


def test_facts_with_transformers_survive_serialization() -> None:
    text = (LISTS + inline(FILLING)).encode()
    facts = read_facts(text, "kustomization.yaml")
    assert [link.is_plain for link in facts.delivery.kustomizations] == [True, True]
    texts = Texts()
    texts.add("kustomization.yaml", text)
    kept = serialize.facts_from_plain(serialize.plain_facts(facts), texts)
    assert len(kept.delivery.kustomizations) == 2
    assert serialize.plain_facts(kept) == serialize.plain_facts(facts)
