"""Simulate a run of a composite tool: ``simulate workflow``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .subject import QuestionError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...vmcp.workflow.model import Workflow
    from ..record import Result
    from .subject import AnswerSubject

KINDS = ("VirtualMCPCompositeToolDefinition", "VirtualMCPServer")


def run(
    subject: AnswerSubject,
    name: str,
    tool: str | None,
    params: Mapping[str, Any],
    results: Mapping[str, Any],
    answers: Mapping[str, Any],
) -> tuple[Workflow, Result]:
    """Simulate a run of a composite tool, without calls to backends.

    Args:
        subject: The definition, the virtual server or the file.
        name: Name of the subject for messages.
        tool: Name of the composite tool; may be ``None`` if the subject has only one.
        results: Answer of each backend tool, by its name.
        answers: Answer of the user to each elicitation step, by its id.

    Returns:
        The definition of the composite tool, and the result of the run.

    Raises:
        QuestionError: The subject has no such composite tool, or several and none is named.
    """
    from .. import workflow

    chosen = _chosen_tool(_tools(subject), tool, name)
    return workflow.read(chosen), workflow.run(chosen, params=params, results=results, answers=answers)


def can_be_subject(data: dict[str, Any]) -> bool:
    """Return whether a document that is not a resource is a composite tool, or contains composite tools."""
    return isinstance(data.get("steps"), list) or isinstance(data.get("compositeTools"), list)


def _tools(given: AnswerSubject) -> list[Any]:
    tools: Sequence[Any]
    if given.resource is None:
        listed = given.data.get("compositeTools")
        tools = listed if isinstance(listed, list) else [given.data]
    elif given.resource.kind == "VirtualMCPServer":
        from ...emit import vmcpconfig

        tools = vmcpconfig.composite_tools(given.workspace, given.resource)
    else:
        tools = [given.resource.spec]
    return [tool for tool in tools if isinstance(tool, dict)]


def _chosen_tool(tools: list[dict[str, Any]], name: str | None, subject: str) -> dict[str, Any]:
    names = ", ".join(str(tool.get("name")) for tool in tools)
    if not tools:
        raise QuestionError(f"{subject} has no composite tools")
    if name is None and len(tools) > 1:
        raise QuestionError(f"{subject} has several composite tools; state which with --tool: {names}")
    for tool in tools:
        if name in (None, tool.get("name")):
            return tool
    raise QuestionError(f'{subject} has no composite tool "{name}"; there is {names}')
