"""Rules about autoscalers and role bindings that name an object which the operator creates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import listed, mapping, value_at
from ...compiler.diagnostics.shown import shown
from ...compiler.workspace.selection import AUTOSCALERS, NAMING
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.emit.made_service import MadeServices
    from ..rule import Finding, Path, ProjectRule, Resource, Rule, Workspace

NO_WORKLOAD = rule(
    "SVC008 autoscaler-of-no-workload", "An autoscaler names no workload that the operator creates", stage="lint"
)
NO_ACCOUNT = rule(
    "SVC009 binding-of-no-service-account",
    "A role binding nearly names a ServiceAccount of the operator or of the project",
    stage="lint",
)

_WORKLOADS: Final = ("Deployment", "StatefulSet")


def find_lost_targets(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each autoscaler and role binding whose target is nearly an object of the operator.

    If the object has copies, every copy must have the fault.
    """
    from ...compiler.emit.made_service import MadeServices

    services = workspace.once(MadeServices)
    copies: dict[tuple[str, int, Path], list[Resource]] = {}
    for source in workspace.context.others:
        if source.kind in NAMING and source.document.file not in workspace.context.unapplied:
            copies.setdefault(source.declared_at, []).append(source)
    for alike in copies.values():
        findings_of_copies: list[dict[Path | None, Finding]] = []
        for source in alike:
            find = _workload_faults if source.kind in AUTOSCALERS else _account_faults
            findings_of_copies.append({each.path: each for each in find(source, services, workspace)})
        yield from (
            each for path, each in findings_of_copies[0].items() if all(path in other for other in findings_of_copies)
        )


def _workload_faults(source: Resource, services: MadeServices, workspace: Workspace) -> Iterator[Finding]:
    """Yield the fault of the target of an autoscaler: the name of a Service, a slip, or the wrong kind."""
    from ...compiler.diagnostics.suggestion import is_slip

    path = AUTOSCALERS[source.kind]
    target = mapping(value_at(source.data, path))
    kind, name = target.get("kind", "Deployment"), target.get("name")
    if kind not in _WORKLOADS or not isinstance(name, str) or is_placeholder(name):
        return
    made = [
        (maker, str(compiled["kind"]), str(compiled["metadata"]["name"]))
        for maker in services.makers(source.namespace, source)
        for compiled in services.objects_of(maker)
        if compiled["kind"] in _WORKLOADS
    ]
    if any(each[1:] == (kind, name) for each in made):
        return
    same = [each for each in made if each[2] == name]
    near = same or [each for each in made if name in _service_names(each[0], services)]
    if not near and all(other.name != name for other in workspace.context.others):
        near = [each for each in made if each[1] == kind and is_slip(name, each[2])]
    makers = {maker for maker, _, _ in near}
    if len(makers) != 1 or _is_unsure(source, near[0][0], workspace):
        return
    maker, right_kind, right_name = next((each for each in near if each[1] == kind), near[0])
    if same:
        message, hint = f"{maker.kind} {shown(name)} has no {kind}", f"write kind: {right_kind}"
        yield _finding(NO_WORKLOAD, source, (*path, "kind" if "kind" in target else "name"), message, hint, maker)
        return
    message = f"the operator creates no {kind} {shown(name)}: it has the name of its {maker.kind}"
    finding = _finding(NO_WORKLOAD, source, (*path, "name"), message, f'did you mean "{right_name}"?', maker)
    yield finding._replace(meant=(name, right_name))


def _service_names(maker: Resource, services: MadeServices) -> frozenset[str]:
    """Return the names of the Services of a resource, without the short one, which another workload may have."""
    return frozenset(service.name for service in services.services_of(maker)) - {maker.name, f"mcp-{maker.name}"}


def _account_faults(source: Resource, services: MadeServices, workspace: Workspace) -> Iterator[Finding]:
    """Yield the faults of the subjects of a role binding: a slip in the name, or another namespace."""
    from ...compiler.diagnostics.suggestion import is_slip

    for number, stated in enumerate(map(mapping, listed(source.data.get("subjects")))):
        name, namespace = stated.get("name"), stated.get("namespace", source.namespace)
        is_known = isinstance(name, str) and isinstance(namespace, str)
        if stated.get("kind") != "ServiceAccount" or not is_known or is_placeholder(f"{name} {namespace}"):
            continue
        accounts = [each for each in _accounts(services, source, workspace) if each[1] is not None]
        if any(each[1:] == (namespace, name) for each in accounts):
            continue
        path: Path = ("subjects", number)
        accounts = [each for each in accounts if each[0].kind != "ServiceAccount" or workspace.is_referred(each[0])]
        near = [each for each in accounts if each[1] == namespace and is_slip(str(name), each[2])]
        moved = [each for each in accounts if each[2] == name]
        owner, right_namespace, right_name = next(iter(near or moved), (source, "", ""))
        if len(near or moved) != 1 or _is_unsure(source, owner, workspace):
            continue
        if near:
            message = f"no ServiceAccount {shown(name)} is created or declared in namespace {shown(namespace)}"
            finding = _finding(NO_ACCOUNT, source, (*path, "name"), message, f'did you mean "{right_name}"?', owner)
            yield finding._replace(meant=(str(name), right_name))
        else:
            place = (*path, "namespace") if "namespace" in stated else (*path, "name")
            message = (
                f"ServiceAccount {shown(name)} is in namespace {shown(right_namespace)}, not in {shown(namespace)}"
            )
            yield _finding(NO_ACCOUNT, source, place, message, f"write namespace: {right_namespace}", owner)


def _accounts(
    services: MadeServices, source: Resource, workspace: Workspace
) -> Iterator[tuple[Resource, str | None, str]]:
    for maker in services.makers(None, source):
        for compiled in services.objects_of(maker):
            if compiled["kind"] == "ServiceAccount":
                yield maker, maker.namespace, str(compiled["metadata"]["name"])
    declared: list[Resource[Any]] = workspace.of_kind("ServiceAccount")
    for account in declared:
        yield account, account.namespace, account.name


def _is_unsure(source: Resource, owner: Resource, workspace: Workspace) -> bool:
    """Return whether files were not read, an overlay may change one of the objects, or nothing applies the owner."""
    context = workspace.context
    files = [source.document.file, owner.document.file]
    return not context.complete or context.may_alter(files) or files[1] in context.unapplied


def _finding(rule: Rule, source: Resource, path: Path, message: str, hint: str, owner: Resource) -> Finding:
    note = owner.note(f'{owner.kind} "{owner.name}" is here')
    return source.finding(rule, path, message, hint=hint, notes=(note,))


PROJECT_RULES: tuple[ProjectRule, ...] = (find_lost_targets,)
