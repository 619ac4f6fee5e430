"""What kind of value stands at a path of the data of templates."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.language.template.reference import EACH
from mcpcfg.compiler.vmcp.workflow.lint.kind import kind_at
from mcpcfg.compiler.vmcp.workflow.model import read

WORKFLOW = read(
    {
        "name": "triage",
        "parameters": {"type": "object", "properties": {"repo": {"type": "string"}, "labels": {"type": "array"}}},
        "steps": [
            {"id": "find", "tool": "github.search"},
            {
                "id": "each",
                "type": "forEach",
                "collection": "{{json .steps.find.output.items}}",
                "step": {"id": "one", "tool": "github.close"},
            },
        ],
    }
)
LOOP = ("steps", "each", "output")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ((), "map"),
        (("params",), "map"),
        (("params", "repo"), "text"),
        (("params", "labels"), "list"),
        (("params", "gone"), "json"),
        (("gone",), "unknown"),
        (("steps", "gone", "output"), "unknown"),
        (("steps", "find", "output"), "map"),
        (("steps", "find", "output", "items"), "json"),
        (("workflow", "step_count"), "int"),
        (("workflow", "id", "x"), "unknown"),
        (("forEach", "index"), "int"),
        (("forEach", "item"), "json"),
        ((*LOOP, "count"), "int"),
        ((*LOOP, "count", "x"), "unknown"),
        ((*LOOP, "iterations"), "list"),
        ((*LOOP, "iterations", EACH), "map"),
        ((*LOOP, "iterations", EACH, "index"), "int"),
        ((*LOOP, "iterations", EACH, "gone"), "unknown"),
        ((*LOOP, "iterations", EACH, "output", "x"), "json"),
    ],
)
def test_a_path_has_the_kind_that_the_tool_declares(path: tuple[str, ...], kind: str) -> None:
    assert kind_at(path, WORKFLOW) == kind
