"""Clusters are called by what tells their folders apart."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.workspace.context import distinct_parts


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["clusters/south/apps", "clusters/north/apps"], ["south", "north"]),
        (["/one/all/ks", "/one/b/c/ks"], ["all", "b/c"]),
        (["only/one"], ["only/one"]),
        ([], []),
    ],
)
def test_distinct_parts_omit_the_folders_that_all_paths_share(paths: list[str], names: list[str]) -> None:
    assert distinct_parts(paths) == dict(zip(paths, names, strict=True))
