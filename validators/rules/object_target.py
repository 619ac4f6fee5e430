"""Rules about autoscalers and role bindings that name an object which the operator creates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...compiler.diagnostics.named_tuple import NamedTuple
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import listed, mapping, value_at
from ...compiler.diagnostics.shown import shown
from ...compiler.diagnostics.suggestion import folded
from ...compiler.workspace.selection import AUTOSCALERS, BINDINGS, NAMING
from ..dangling import is_typing_error
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.emit.made_service import MadeServices
    from ..rule import Finding, Path, ProjectRule, Resource, Rule, Workspace

NO_WORKLOAD = rule(
    "SVC008 autoscaler-of-no-workload", "lint", "An autoscaler names no workload that the operator creates"
)
NO_ACCOUNT = rule(
    "SVC009 binding-of-no-service-account",
    "lint",
    "A role binding nearly names a ServiceAccount of the operator or of the project",
)

_WORKLOADS: Final = ("Deployment", "StatefulSet")
_EVERYWHERE: Final = "default"
"""The ServiceAccount that Kubernetes creates in every namespace."""
_ACCOUNTS: Final = ("-proxy-runner", "-sa", "-remote-proxy-runner", "-vmcp", "-registry-api")
"""The endings of the ServiceAccounts that the operator creates. Before them is the name of their resource."""


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
    path = AUTOSCALERS[source.kind]
    target = mapping(value_at(source.data, path))
    kind, name = target.get("kind", "Deployment"), target.get("name")
    if not isinstance(name, str) or is_placeholder(name):
        return
    makers = list(services.makers(source.namespace, source))
    if kind not in _WORKLOADS:
        for maker in makers:
            if (maker.kind, maker.name) == (kind, name) and not _is_unsure(source, maker, workspace):
                message = f"{kind} has no subresource scale, so nothing can be scaled by it"
                hint = f"name the {_workloads(maker, services)} of this name, with apiVersion: apps/v1"
                yield _finding(NO_WORKLOAD, source, (*path, "kind"), message, hint, maker)
        return
    # Compiling takes long, so resources without such names are left out. A workload has the name of its resource, and
    # that of a registry has an ending.
    makers = [
        maker
        for maker in makers
        if maker.name in name or is_typing_error(name, maker.name) or is_typing_error(name, f"{maker.name}-api")
    ]
    if not makers:
        return
    made = [
        (maker, str(compiled["kind"]), str(compiled["metadata"]["name"]))
        for maker in makers
        for compiled in services.objects_of(maker)
        if compiled["kind"] in _WORKLOADS
    ]
    if any(each[1:] == (kind, name) for each in made) or workspace.context.states((("name", name),)):
        return
    same = [each for each in made if each[2] == name]
    near = same or [each for each in made if name in _service_names(each[0], services)]
    if not near and not workspace.context.mentions(name, source, with_variables=True):
        near = [
            each for each in made if each[1] == kind and (is_typing_error(name, each[2]) or name == f"{each[2]}-proxy")
        ]
    if len({maker for maker, _, _ in near}) != 1 or _is_unsure(source, near[0][0], workspace):
        return
    maker, right_kind, right_name = next((each for each in near if each[1] == kind), near[0])
    if same:
        message, hint = f"{maker.kind} {shown(name)} has no {kind}", f"write kind: {right_kind}"
        yield _finding(NO_WORKLOAD, source, (*path, "kind" if "kind" in target else "name"), message, hint, maker)
        return
    message = f"the operator creates no {kind} {shown(name)}: it has the name of its {maker.kind}"
    finding = _finding(NO_WORKLOAD, source, (*path, "name"), message, f'did you mean "{right_name}"?', maker)
    yield finding._replace(meant=(name, right_name))


def _workloads(maker: Resource, services: MadeServices) -> str:
    made = [str(compiled["kind"]) for compiled in services.objects_of(maker)]
    return next((kind for kind in _WORKLOADS if kind in made), _WORKLOADS[0])


def _service_names(maker: Resource, services: MadeServices) -> frozenset[str]:
    """Return the names of the Services of a resource, without the short one, which another workload may have."""
    return frozenset(service.name for service in services.services_of(maker)) - {maker.name, f"mcp-{maker.name}"}


def _account_faults(source: Resource, services: MadeServices, workspace: Workspace) -> Iterator[Finding]:
    """Yield the faults of the subjects of a role binding: a slip in the name, or another namespace."""
    for number, stated in enumerate(map(mapping, listed(source.data.get("subjects")))):
        name, namespace = stated.get("name"), stated.get("namespace", source.namespace)
        if stated.get("kind") != "ServiceAccount" or not (isinstance(name, str) and isinstance(namespace, str)):
            continue
        if is_placeholder(f"{name} {namespace}") or name == _EVERYWHERE:
            continue
        accounts = [each for each in _accounts(name, services, source, workspace) if each.namespace is not None]
        if any((each.namespace, each.name) == (namespace, name) for each in accounts):
            continue
        path: Path = ("subjects", number)
        used = [each for each in accounts if each.owner.kind != "ServiceAccount" or workspace.is_referred(each.owner)]
        near = [each for each in used if each.namespace == namespace and is_typing_error(name, each.name)]
        moved = [each for each in used if each.name == name]
        if len(near or moved) != 1 or _is_unsure(source, (near or moved)[0].owner, workspace):
            continue
        (account,) = near or moved
        is_stated = any(workspace.context.states(((key, name),)) for key in ("name", "serviceAccountName"))
        if near and not is_stated:
            message = f"no ServiceAccount {shown(name)} is created or declared in namespace {shown(namespace)}"
            hint = f'did you mean "{account.name}"?'
            finding = _finding(NO_ACCOUNT, source, (*path, "name"), message, hint, account.owner)
            yield finding._replace(meant=(name, account.name))
        elif not near and not (account.is_moved_from(namespace) or _is_bound(account, workspace)):
            place = (*path, "namespace") if "namespace" in stated else (*path, "name")
            message = (
                f"ServiceAccount {shown(name)} is in namespace {shown(account.namespace)}, not in {shown(namespace)}"
            )
            yield _finding(NO_ACCOUNT, source, place, message, f"write namespace: {account.namespace}", account.owner)


class _Account(NamedTuple):
    """A ServiceAccount that the project declares, or that the operator creates for a resource."""

    owner: Resource
    namespace: str | None
    name: str

    def is_moved_from(self, namespace: str) -> bool:
        """Return whether a kustomization moves the account from a namespace, and so the subjects that name it there.

        Source: kustomize, name references of subjects. An object without a namespace is in ``default``.
        """
        stated = self.owner.metadata.get("namespace") or "default"
        return self.owner.kind == "ServiceAccount" and namespace == stated != self.namespace


def _is_bound(account: _Account, workspace: Workspace) -> bool:
    """Return whether a role binding names an account, so one of the same name elsewhere is another account."""
    wanted = ("ServiceAccount", account.name, account.namespace)
    bindings = (other for other in workspace.context.others if other.kind in BINDINGS)
    subjects = ((each, mapping(stated)) for each in bindings for stated in listed(each.data.get("subjects")))
    return any(
        (stated.get("kind"), stated.get("name"), stated.get("namespace", each.namespace)) == wanted
        for each, stated in subjects
    )


def _accounts(name: str, services: MadeServices, source: Resource, workspace: Workspace) -> Iterator[_Account]:
    """Yield the declared ServiceAccounts, and the created ones that a subject with this name may mean."""
    for maker in services.makers(None, source):
        for compiled in services.objects_of(maker) if _may_have_account(maker, name) else ():
            if compiled["kind"] == "ServiceAccount":
                yield _Account(maker, maker.namespace, str(compiled["metadata"]["name"]))
    declared: list[Resource[Any]] = workspace.of_kind("ServiceAccount")
    for account in declared:
        yield _Account(account, account.namespace, account.name)


def _may_have_account(maker: Resource, name: str) -> bool:
    """Return whether a name is nearly that of a ServiceAccount of a resource, which is not compiled for the answer."""
    # A slip is in one place, so the beginning or the end is right, and changes the length by one letter at most. These
    # tests are fast, and fail for most names.
    name = name.lower()
    is_begun = len(maker.name) == 1 or name.startswith(maker.name[:2])
    accounts = [f"{maker.name}{end}" for end in _ACCOUNTS if is_begun or name.endswith(end[-2:])]
    length = len(folded(name)) if accounts else 0
    return any(abs(len(folded(account)) - length) <= 1 and is_typing_error(name, account) for account in accounts)


def _is_unsure(source: Resource, owner: Resource, workspace: Workspace) -> bool:
    """Return whether files were not read, an overlay may change one of the objects, or nothing applies the owner."""
    context = workspace.context
    files = [source.document.file, owner.document.file]
    return not context.complete or context.may_alter(files) or files[1] in context.unapplied


def _finding(rule: Rule, source: Resource, path: Path, message: str, hint: str, owner: Resource) -> Finding:
    note = owner.note(f'{owner.kind} "{owner.name}" is here')
    return source.finding(rule, path, message, hint=hint, notes=(note,))


PROJECT_RULES: tuple[ProjectRule, ...] = (find_lost_targets,)
