"""Graphs of small projects that are written in a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.admission.admit import admit_document, with_namespace
from mcpcfg.compiler.graph.graph import Graph, graph
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.workspace.workspace import Workspace
from mcpcfg.validators.rule import run_rules

if TYPE_CHECKING:
    from mcpcfg.compiler.diagnostics.finding import Finding
    from mcpcfg.compiler.workspace.resource import Resource


def drawn(*texts: str, file: str = "all.yaml") -> Graph:
    """Draw the resources of some documents, in the order given."""
    resources: list[Resource] = []
    findings: list[Finding] = []
    for text in texts:
        for document in read_documents(text, file)[0]:
            resource, told = admit_document(document)
            findings += with_namespace(told, None)
            if resource is not None:
                resources.append(resource)
    workspace = Workspace(resources)
    findings += run_rules(workspace)
    return graph(workspace, findings)


def resource(kind: str, name: str, spec: str = "{}") -> str:
    """Write a resource; ``name`` in YAML's or JSON's words."""
    return f"apiVersion: toolhive.stacklok.dev/v1beta1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {spec}\n"
