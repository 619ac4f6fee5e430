"""Which files are applied together."""

from __future__ import annotations

from mcpcfg.compiler.workspace.context import Layout

TWO_ROOTS = Layout({"base/g.yaml": ("a/kustomization.yaml", "b/kustomization.yaml")})


def test_the_files_of_a_folder_are_one_unit() -> None:
    layout = Layout()
    assert layout.units("a/x.yaml") == layout.units("a/y.yaml") == ("a/",)
    assert layout.units("a/b/x.yaml") != layout.units("a/x.yaml")
    assert layout.roots("a/x.yaml") == ()


def test_a_file_is_in_the_units_of_all_kustomizations_that_reach_it() -> None:
    assert TWO_ROOTS.units("base/g.yaml") == ("a/kustomization.yaml", "b/kustomization.yaml")
    assert TWO_ROOTS.units("base/other.yaml") == ("base/",)


def test_in_a_closed_world_all_files_are_in_the_same_unit() -> None:
    layout = Layout({"a/g.yaml": ("a/kustomization.yaml",)}, closed=True)
    assert layout.units("a/g.yaml") == layout.units("b/x.yaml")


def test_an_isolated_file_is_a_unit_by_itself() -> None:
    layout = Layout(is_isolated=lambda file: file == "a/x.yaml", closed=True)
    assert layout.is_isolated("a/x.yaml")
    assert layout.units("a/x.yaml") == ("a/x.yaml",)
    assert not layout.is_isolated("a/y.yaml")
    assert layout.units("a/y.yaml") != ("a/y.yaml",)


def test_without_a_stated_namespace_each_file_of_a_folder_is_its_own_unit() -> None:
    assert Layout().namespace_units("a/x.yaml", None) == ("a/x.yaml",)
    assert Layout().namespace_units("a/x.yaml", "mcp") == ("a/",)
    assert TWO_ROOTS.namespace_units("base/g.yaml", None) == TWO_ROOTS.units("base/g.yaml")
    assert Layout(closed=True).namespace_units("a/x.yaml", None) == Layout(closed=True).units("a/x.yaml")
