"""The tools of the MCP server: their descriptions, schemas and functions."""

from __future__ import annotations

import json
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..diagnostics.named_tuple import NamedTuple
from ..generate.schema_file import schema_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from .project import Arguments


class Tool(NamedTuple):
    """A tool of the MCP server.

    Attributes:
        title: Name that clients show to users.
        description: Text that tells agents what the tool does and when to call it.
        function: ``MODULE:FUNCTION`` in this package. It takes the arguments, and returns the structured answer.
        outputs: Names of published schemas. Each answer fits one of them. ``mcpcfg://schema/NAME`` is a schema as text.
    """

    name: str
    title: str
    description: str
    function: str
    outputs: tuple[str, ...]

    def run(self, *, may_write: bool) -> Callable[[Arguments], dict[str, Any]]:
        """Import and return the function of the tool. Only the function of ``fix`` gets ``may_write``."""
        module, _, name = self.function.partition(":")
        function: Callable[..., dict[str, Any]] = getattr(import_module(f"mcpcfg.compiler.agent.{module}"), name)
        return partial(function, may_write=may_write) if self.name == "fix" else function

    def input_schema(self) -> dict[str, Any]:
        """Return the schema of the arguments."""
        return _schema(f"tool-{self.name.replace('_', '-')}")

    def output_schema(self) -> dict[str, Any]:
        """Return the fields that every structured answer has, and the names of the published schemas with the rest.

        Every agent reads the list of tools at its start, so the list has only this part of the published schemas.
        """
        schemas = [_schema(name) for name in self.outputs]
        common = set.intersection(*(set(schema["properties"]) for schema in schemas))
        fields = {name: field for name, field in schemas[0]["properties"].items() if name in common}
        required = [name for name in schemas[0]["required"] if all(name in schema["required"] for schema in schemas)]
        names = " or ".join(f"mcpcfg://schema/{name}" for name in self.outputs)
        types = {name: {"type": field["type"]} if "type" in field else {} for name, field in fields.items()}
        return {"type": "object", "description": f"See {names}.", "properties": types, "required": required}


TOOLS = (
    Tool(
        "check",
        "Check files",
        "Tell what the API server, the operator or a process would refuse of ToolHive's Kubernetes resources, and of"
        " registry files, server.json, RunConfigs, skills and vMCP configurations. Call it before you propose a change,"
        " and after it. An error means that it would not run. A finding with fix has the edits; explain tells more.",
        "check:check",
        ("output-check",),
    ),
    Tool(
        "explain",
        "Explain a rule, a field or a resource",
        "Return the page of a rule (what it checks, why, an example, the fix), of a kind, or of a field with its type,"
        " default and allowed values. Of a resource of the project, return its references and findings. Call it for a"
        " rule that you do not understand, and before you write a field.",
        "check:explain",
        ("output-explain",),
    ),
    Tool(
        "fix",
        "Fix files",
        "Return a diff that fixes what has one clear remedy. It writes the files only with write, and only if the"
        " server was started with --write. Check again afterwards.",
        "check:fix",
        ("output-fix",),
    ),
    Tool(
        "build",
        "Compile files",
        "Compile resources offline to what the operator would create, for one target. Secrets are masked. Resources"
        " with errors stop it: check first.",
        "check:build",
        ("output-build",),
    ),
    Tool(
        "diff",
        "Compare two states",
        "Tell what a change does to the cluster: which compiled objects are added, removed or changed, and which pods"
        " restart. Compare a draft (files) with the files, the files with a Git revision (against), or two folders.",
        "project_answer:diff",
        ("output-diff",),
    ),
    Tool(
        "graph",
        "Draw a project",
        "Draw the resources and their references as Mermaid, with errors marked. Call it to understand a project.",
        "project_answer:graph",
        ("output-graph",),
    ),
    Tool(
        "simulate",
        "Simulate",
        "Answer what would happen: the tools that clients of a virtual server see, a run of a composite tool, whether a"
        " request is authorized, the role of a user, what rate limits let through. Nothing is called.",
        "project_answer:simulate",
        tuple(f"output-simulate-{subject}" for subject in ("authz", "rate-limit", "role", "tools", "workflow")),
    ),
    Tool(
        "search_registry",
        "Search a registry file",
        "Search the servers of a registry file, in either format. Return a page of records with images and addresses.",
        "project_answer:search_registry",
        ("output-search-registry",),
    ),
)
"""The tools, in the order of ``tools/list``."""


def _schema(name: str) -> dict[str, Any]:
    text = schema_text(name)
    assert text is not None, f"there is a schema of every tool: {name}"
    schema: dict[str, Any] = json.loads(text)
    return {key: value for key, value in schema.items() if key not in {"$schema", "$id"}}
