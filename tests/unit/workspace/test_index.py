"""Where to find resources, by what tells them apart and by what they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sample
from admitted import resources

from mcpcfg.compiler.workspace.context import Layout
from mcpcfg.compiler.workspace.index import Index

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcpcfg.compiler.workspace.resource import Resource

GROUP = sample.resource("MCPGroup", "tools", namespace="mcp")
UNSTATED = sample.resource("MCPGroup", "tools")
ELSEWHERE = sample.resource("MCPGroup", "tools", namespace="other")
REFUSED = GROUP.replace("  {}", "  nonsense: 1")
SERVER = sample.resource(
    "MCPServer", "tools", "image: a:1", "groupRef: {name: tools}", "secrets: [{name: tools, key: k}]", namespace="mcp"
)


def index(files: dict[str, str]) -> Index:
    return Index(resources(files), Layout())


def files(found: Iterable[Resource]) -> list[str]:
    return [one.document.file for one in found]


def test_resources_are_found_by_kind_name_and_identity() -> None:
    found = index({"g": GROUP, "s": SERVER, "e": ELSEWHERE})
    assert found.kinds() == {"MCPGroup", "MCPServer"}
    assert files(found.of_kind("MCPGroup")) == ["g", "e"]
    assert files(found.with_identity("MCPGroup", "mcp", "tools")) == ["g"]
    assert files(found.with_name("MCPGroup", "tools")) == ["g", "e"]
    assert files(found.with_name_of_any_kind("tools")) == ["g", "s", "e"]
    assert not found.of_kind("MCPToolConfig")
    assert not found.with_name_of_any_kind("other")


def test_find_prefers_the_stated_namespace_and_never_returns_another() -> None:
    found = index({"e": ELSEWHERE, "u": UNSTATED, "g": GROUP})
    for namespace, file in (("mcp", "g"), ("other", "e"), ("third", "u"), (None, "u")):
        meant = found.find("MCPGroup", namespace, "tools", "s")
        assert meant is not None
        assert meant.document.file == file
    assert index({"e": ELSEWHERE}).find("MCPGroup", "mcp", "tools", "s") is None


def test_find_prefers_an_admitted_resource_without_namespace_to_a_refused_one() -> None:
    meant = index({"g": REFUSED, "u": UNSTATED}).find("MCPGroup", "mcp", "tools", "s")
    assert meant is not None
    assert meant.document.file == "u"
    alone = index({"g": REFUSED}).find("MCPGroup", "mcp", "tools", "s")
    assert alone is not None
    assert not alone.admitted


def test_sources_by_name_include_resources_without_a_namespace() -> None:
    unstated = SERVER.replace("  namespace: mcp\n", "")
    found = index({"u": unstated, "s": SERVER, "o": SERVER.replace("namespace: mcp", "namespace: other")})
    assert files(found.sources_by_name("MCPGroup", "mcp", "tools")) == ["u", "s"]
    assert files(found.sources_by_name("MCPGroup", None, "tools")) == ["u", "s", "o"]
    assert files(found.sources_by_name("Secret", "mcp", "tools")) == ["u", "s"]
    assert files(found.sources_by_name("MCPGroup", "third", "tools")) == ["u"]
    assert not found.sources_by_name("MCPGroup", "mcp", "other")


def test_sources_by_name_omit_refused_resources() -> None:
    assert not index({"s": SERVER.replace("image: a:1", "image: 5")}).sources_by_name("MCPGroup", "mcp", "tools")


def test_each_of_several_namesakes_is_the_target_of_the_nearest_references() -> None:
    found = index({"a/g": GROUP, "a/s": SERVER, "b/g": GROUP, "b/s": SERVER, "b/t": SERVER})
    first, second = found.of_kind("MCPGroup")
    assert files(found.sources(first)) == ["a/s"]
    assert files(found.sources(second)) == ["b/s", "b/t"]


def test_a_second_resource_of_one_identity_in_one_unit_is_a_repetition() -> None:
    found = index({"a/g": GROUP, "a/h": GROUP, "b/g": GROUP, "b/u": UNSTATED})
    assert [found.is_repetition(one) for one in found.resources] == [False, True, False, False]


def test_an_earlier_lookup_without_namespace_does_not_affect_a_lookup_with_one() -> None:
    found = index({"e": ELSEWHERE, "u": REFUSED.replace("  namespace: mcp\n", "")})
    for namespace, file in ((None, "e"), ("mcp", "u")):
        meant = found.find("MCPGroup", namespace, "tools", "s")
        assert meant is not None
        assert meant.document.file == file
