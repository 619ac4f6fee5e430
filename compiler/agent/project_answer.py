"""The functions of the MCP tools diff, graph, simulate and search_registry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from ..check.full import check
from ..diagnostics.secret.value import without_secrets
from ..diagnostics.shown import sanitized
from ..diff.report import as_json
from ..diff.tree import Side, changes_between, compiled_tree, refused_remark, revision_side
from ..emit.target import OBJECT_STEPS
from ..graph.project import project_graph
from ..graph.text import mermaid
from ..project.discovery import discover, with_texts
from ..project.settings import Options
from ..records.registry.query import search_servers
from ..simulate.answer import authz, rate_limit, role, tools, workflow
from ..simulate.answer.registry import registry
from ..simulate.answer.subject import PLACEHOLDERS, AnswerSubject, QuestionError, find
from ..simulate.report import authz as simulated_authz
from ..simulate.report import rate_limit as simulated_rate_limit
from ..simulate.report import role as simulated_role
from ..simulate.report import tools as simulated_tools
from ..simulate.report import workflow as simulated_workflow
from .project import Arguments, checked, inside, texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..project.discovery import Project

MOST_CHANGES: Final = 300
"""Maximum number of changed objects in an answer, because agents read every answer whole."""


def diff(arguments: Arguments) -> dict[str, Any]:
    """Compare the compiled output of two states of a project. Return at most `MOST_CHANGES` changed objects.

    Raises:
        QuestionError: The call names no old state, or two old states.
    """
    given = {name: text.encode("utf-8", "surrogatepass") for name, text in texts(arguments).items()}
    against, old = arguments.get("against"), arguments.get("old")
    if (against is not None and old is not None) or (against is None and old is None and not given):
        raise QuestionError("name the old state: old (a path), against (a Git revision), or only files (a draft)")
    project = discover((inside(arguments.get("new", ".")),))
    after = _tree(project, given)
    if against is not None:
        before = revision_side(project, against, lambda tree, displayed: _tree(tree, displayed=displayed))
    else:
        before = _tree(project if old is None else discover((inside(old),)))
    answer: dict[str, Any] = json.loads(as_json(changes_between(before, after)))
    refused = refused_remark(before, after)
    remarks = dict.fromkeys([*before.remarks, *after.remarks, *([refused] if refused else ())])
    left = len(answer["changes"]) - MOST_CHANGES
    if left > 0:
        remarks[f"{left} more changes are left out: compare fewer paths"] = None
        answer["changes"] = answer["changes"][:MOST_CHANGES]
    return answer | ({"remarks": [*map(sanitized, remarks)]} if remarks else {})


def _tree(project: Project, given: dict[str, bytes] | None = None, displayed: Callable[[str], str] = str) -> Side:
    project, places = with_texts(project, given or {})
    buffers = {places[name]: text for name, text in (given or {}).items()}
    return compiled_tree(project, OBJECT_STEPS, Options(buffers=buffers), displayed)


def graph(arguments: Arguments) -> dict[str, Any]:
    """Return the graph of a project as Mermaid text."""
    drawn = project_graph(checked(arguments), all_kinds=arguments.get("allKinds", False))
    return {"version": 1, "mermaid": mermaid(drawn)}


def simulate(arguments: Arguments) -> dict[str, Any]:
    """Answer a question about a resource or file. Return the data of ``simulate --format json``.

    Raises:
        QuestionError: The subject is not found, or the question cannot be answered.
    """
    name, (kinds, can_be_subject, answer) = arguments["name"], _QUESTIONS[arguments["subject"]]
    is_file = "paths" not in arguments and name.endswith((".yaml", ".yml", ".json"))
    name = inside(name) if is_file else name
    paths = [inside(path) for path in arguments.get("paths") or ([name] if is_file else ["."])]
    subject = find(
        name, discover(tuple(paths)), kinds, namespace=arguments.get("namespace"), can_be_subject=can_be_subject
    )
    try:
        return cast("dict[str, Any]", without_secrets(answer(subject, name, arguments)))
    except (AttributeError, KeyError, TypeError, ValueError):
        if not subject.has_placeholders:
            raise
        raise QuestionError(PLACEHOLDERS) from None


def _simulate_tools(subject: AnswerSubject, name: str, arguments: Arguments) -> dict[str, Any]:
    backends = tools.backends_in(arguments.get("backendTools") or {})
    return simulated_tools.data(*tools.session(subject, name, backends))


def _simulate_workflow(subject: AnswerSubject, name: str, arguments: Arguments) -> dict[str, Any]:
    params, results, answers = (arguments.get(field) or {} for field in ("params", "results", "answers"))
    definition, outcome = workflow.run(subject, name, arguments.get("tool"), params, results, answers)
    notes = simulated_workflow.notes(definition, params, results, answers)
    return simulated_workflow.data(definition, outcome, notes)


def _simulate_authz(subject: AnswerSubject, name: str, arguments: Arguments) -> dict[str, Any]:
    action = arguments.get("action", "call_tool")
    if "resource" not in arguments and authz.ACTIONS[action][1] != "list":
        raise QuestionError("state in resource what is asked for: the name of a tool or prompt, or a URI")
    request = arguments.get("resource", ""), arguments.get("arguments") or {}
    return simulated_authz.data(authz.decision(subject, name, _claims(arguments), action, *request)[0])


def _simulate_role(subject: AnswerSubject, name: str, arguments: Arguments) -> dict[str, Any]:
    return simulated_role.data(role.choice(subject, name, _claims(arguments)))


def _simulate_rate_limit(subject: AnswerSubject, _: str, arguments: Arguments) -> dict[str, Any]:
    return simulated_rate_limit.data(rate_limit.limits(subject, arguments.get("users", 1)))


_QUESTIONS: Final = {
    "tools": (tools.KINDS, tools.can_be_subject, _simulate_tools),
    "workflow": (workflow.KINDS, workflow.can_be_subject, _simulate_workflow),
    "authz": (authz.KINDS, authz.can_be_subject, _simulate_authz),
    "role": (role.KINDS, role.can_be_subject, _simulate_role),
    "rate-limit": (rate_limit.KINDS, rate_limit.can_be_subject, _simulate_rate_limit),
}
"""For each ``subject``: the kinds, a test whether a separate file can be the subject, and the function that answers."""


def _claims(arguments: Arguments) -> dict[str, Any]:
    claims: dict[str, Any] = arguments.get("claims") or {}
    if not claims:
        raise QuestionError("state who asks: claims, such as {sub: alice}")
    return claims


def search_registry(arguments: Arguments) -> dict[str, Any]:
    """Search the servers of a registry file. Return a page of records, as the management API does.

    Raises:
        QuestionError: The file is not a registry, or the service cannot decode it.
    """
    file = inside(arguments["file"])
    documents = check(discover((file,), alone=True), Options(read_as="registry", first=file)).loaded.records
    if not documents.get("registry"):
        raise QuestionError(f"{file} cannot be read: check it with kind registry")
    # By default fewer than the 50 records of the API, because agents read every answer whole.
    page, limit = (str(arguments.get(field, default)) for field, default in (("page", 1), ("limit", 20)))
    found = search_servers(registry(documents["registry"][0]), arguments.get("query", ""), page, limit)
    return cast("dict[str, Any]", without_secrets(found))
