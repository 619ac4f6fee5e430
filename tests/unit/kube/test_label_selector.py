"""Label selectors as kustomize takes them."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.kube.label_selector import selects

LABELS = {"app": "web", "example.org/tier": "front", "empty": ""}


@pytest.mark.parametrize(
    "selector",
    [
        "",
        "app",
        "app=web",
        "app == web",
        "app!=api",
        "other!=api",
        "!other",
        "app in (web, api)",
        "app notin (api)",
        "other notin (api,)",
        "example.org/tier=front,app=web",
        "app=web, !other",
        "empty=",
        "empty in (,a)",
    ],
)
def test_a_selector_takes_what_fits_all_its_terms(selector: str) -> None:
    assert selects(selector, LABELS) is True


@pytest.mark.parametrize(
    "selector",
    ["other", "app=api", "app!=web", "!app", "app in (api)", "app notin (web, api)", "app=web,other", "other in (web)"],
)
def test_a_selector_leaves_out_what_does_not_fit(selector: str) -> None:
    assert selects(selector, LABELS) is False


@pytest.mark.parametrize("selector", ["app in", "app in (web", "=web", "app > 1", "app=web api", "${X}=a", "a" * 2_000])
def test_an_invalid_selector_has_no_result(selector: str) -> None:
    assert selects(selector, LABELS) is None
