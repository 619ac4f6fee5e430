"""Rules about references to resources in files that are never applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.workspace.workspace import CORE_KINDS
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Finding, ProjectRule, Workspace

UNAPPLIED = rule(
    "REF022 unapplied-target",
    "lint",
    "A reference leads to a resource that nothing applies, or a group has only such members",
)


def find_unapplied(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each reference from an applied resource to a resource that is never applied.

    Also yield one for each group whose members are all never applied.
    """
    unapplied = workspace.context.unapplied
    for resource in workspace.resources:
        if resource.document.file in unapplied:
            continue
        members = workspace.members(resource) if resource.kind == "MCPGroup" else []
        if members and all(member.document.file in unapplied for member in members):
            message = f"no member of the group is in a file that is applied: {unapplied[members[0].document.file]}"
            notes = (members[0].note(f'{members[0].kind} "{members[0].name}" is here'),)
            path = ("metadata", "name")
            yield resource.finding(UNAPPLIED, path, message, hint="list the files of its members", notes=notes)
        for reference in workspace.references(resource):
            target = reference.target
            if target is None or reference.problem is not None or target.kind in CORE_KINDS:
                continue
            reason = unapplied.get(target.document.file)
            if reason is not None:
                message = f'{target.kind} "{target.name}" is in no file that is applied: {reason}'
                notes = (target.note("it is here"),)
                hint = "list the file in a kustomization"
                yield resource.finding(UNAPPLIED, reference.path, message, hint=hint, notes=notes)


PROJECT_RULES: tuple[ProjectRule, ...] = (find_unapplied,)
