"""The libraries jsonschema and cel-python find what the generated checks find, by every release."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpcfg.compiler.admission.admit import admit
from mcpcfg.compiler.admission.table import table_of
from mcpcfg.compiler.generate.explain.schema_place import schema_of
from mcpcfg.compiler.reading.document import Document, read_documents
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, Profile, profile_of_release

RULES = Path(__file__).parents[3] / "fixtures" / "rules"
EXAMPLES = sorted(
    file
    for file in RULES.glob("*/*.yaml")
    if file.parent.name.startswith("ADM") or file.read_text("utf-8").startswith("# release")
)
ENDS = ("0.21.0", "0.44.0")
TURNS = ("0.21.0", "0.23.0", "0.27.0", "0.27.1", "0.30.0", "0.33.0", "0.37.0", "0.44.0")
"""Releases at which schemas changed much: 0.27.0 has a rule that fails without ``has()``, 0.33.0 one of texts."""


def found(document: Document, profile: Profile, *, by_libraries: bool) -> list[tuple[str, str, str]]:
    admission = admit(document, profile=profile, reference=schema_of if by_libraries else None)
    return sorted((one.rule, str(one.path), one.message) for one in admission.findings)


def agreed(text: str, release: str) -> int:
    """Compare both on each document of a text; returns how many findings there are."""
    profile = profile_of_release(TOOLHIVE, release)
    count = 0
    for document in read_documents(text, "example.yaml")[0]:
        own = found(document, profile, by_libraries=False)
        assert found(document, profile, by_libraries=True) == own, release
        count += len(own)
    return count


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_both_engines_agree_about_each_example_at_oldest_and_newest_release(file: Path) -> None:
    counts = [agreed(file.read_text("utf-8"), release) for release in ENDS]

    assert file.stem.startswith("valid") or file.parent.name not in {"ADM001", "ADM002", "ADM003"} or any(counts)


@pytest.mark.parametrize("release", TURNS)
def test_both_engines_agree_about_faulty_objects_of_every_kind(release: str) -> None:
    for kind in table_of(release).kinds:
        head = f"apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: a}}\n"
        assert agreed(f"{head}spec: {{none: 1, config: 5, groupRef: {{}}, type: [a]}}\n", release) > 0
        agreed(f"{head}spec: {{}}\n", release)
        agreed(head, release)


def test_both_engines_check_formats() -> None:
    webhooks = "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPWebhookConfig\nmetadata: {name: a}\nspec:\n"
    webhooks += "  validating:\n"
    webhooks += "    - {name: a, url: no url, timeout: 3 days}\n    - {name: b, url: [x], timeout: soon}\n"

    assert agreed(webhooks, "0.44.0") == 3
