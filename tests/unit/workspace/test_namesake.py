"""Of several resources of one kind and name the one that is meant."""

from __future__ import annotations

import sample
from admitted import resources

from mcpcfg.compiler.workspace.context import Layout
from mcpcfg.compiler.workspace.namesake import Namesakes

GROUP = sample.resource("MCPGroup", "tools", namespace="mcp")
REFUSED = GROUP.replace("  {}", "  nonsense: 1")


def meant(texts: dict[str, str], file: str, roots: dict[str, tuple[str, ...]] | None = None) -> str:
    """Return the file of the one that is meant in ``file``."""
    return Namesakes(resources(texts), Layout(roots)).nearest(file).document.file


def test_the_nearest_namesake_is_in_the_same_file() -> None:
    assert meant({"a/x.yaml": GROUP, "a/s.yaml": GROUP}, "a/s.yaml") == "a/s.yaml"


def test_otherwise_the_nearest_namesake_is_under_the_same_kustomization() -> None:
    roots: dict[str, tuple[str, ...]] = {"base/g.yaml": ("k",), "a/s.yaml": ("k",)}
    assert meant({"a/g.yaml": GROUP, "base/g.yaml": GROUP}, "a/s.yaml", roots) == "base/g.yaml"


def test_an_admitted_resource_wins_over_a_refused_one_of_the_same_name() -> None:
    roots = {"x/g.yaml": ("k",), "y/g.yaml": ("l",), "a/s.yaml": ("k", "l")}
    assert meant({"x/g.yaml": GROUP, "y/g.yaml": GROUP}, "a/s.yaml", roots) == "x/g.yaml"
    assert meant({"x/g.yaml": REFUSED, "y/g.yaml": GROUP}, "a/s.yaml", roots) == "y/g.yaml"


def test_otherwise_the_nearest_namesake_is_in_the_nearest_folder_or_the_first() -> None:
    texts = {"a/g.yaml": GROUP, "b/c/g.yaml": GROUP}
    assert meant(texts, "b/s.yaml") == "b/c/g.yaml"
    assert meant(texts, "b/c/d/s.yaml") == "b/c/g.yaml"
    assert meant(texts, "x/s.yaml") == "a/g.yaml"


def test_a_refused_namesake_is_returned_if_there_is_no_other() -> None:
    assert meant({"a/g.yaml": REFUSED, "b/g.yaml": GROUP}, "a/s.yaml") == "b/g.yaml"
    found = Namesakes(resources({"a/g.yaml": REFUSED}), Layout())
    assert (found.has_admitted, list(found.admitted())) == (False, [])
    assert not found.nearest("a/s.yaml").admitted


def test_secrets_with_the_key_come_before_secrets_with_unknown_keys() -> None:
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: mcp}\n"
    found = Namesakes(resources({"a": secret, "b": secret + "data: {k: eA==}\n"}), Layout())
    known, unknown = found.holding("k"), found.holding("l")
    assert known is not None
    assert unknown is not None
    assert [one.document.file for one in known.admitted()] == ["b"]
    assert [one.document.file for one in unknown.admitted()] == ["a"]
    assert Namesakes(resources({"b": secret + "data: {k: eA==}\n"}), Layout()).holding("l") is None
