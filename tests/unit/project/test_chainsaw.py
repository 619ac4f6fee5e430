"""Files with which a test of Chainsaw compares are parts of objects."""

from __future__ import annotations

import pytest

from mcpcfg.compiler import api

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch, namespace: ai}\n"
TEST = "apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: fetch}\nspec:\n  steps:\n  - try:\n"


def rules(steps: str) -> list[tuple[str, str]]:
    files = {
        "e2e/chainsaw-test.yaml": TEST + steps,
        "e2e/server.yaml": f"{HEAD}spec: {{image: 'a:1', transport: stdio}}\n",
        "e2e/running.yaml": f"{HEAD}status:\n  (contains(['Ready', 'Running'], phase)): true\n",
    }
    found = api.check(files=files).findings
    return [(one.rule, one.span.file) for one in found if one.severity == "error"]


@pytest.mark.parametrize("word", ["assert", "error"])
def test_a_file_that_a_chainsaw_test_only_compares_is_no_resource(word: str) -> None:
    steps = f"    - apply: {{file: server.yaml}}\n    - {word}: {{file: running.yaml}}\n"

    assert rules(steps) == []
    assert rules(steps + "    - assert: {file: ./server.yaml}\n") == []


def test_a_file_that_a_chainsaw_test_applies_is_a_resource() -> None:
    assert ("RES004", "e2e/running.yaml") in rules("    - apply: {file: server.yaml}\n")
    assert ("RES004", "e2e/running.yaml") in rules(
        "    - create: {file: running.yaml}\n    - assert: {file: running.yaml}\n"
    )
