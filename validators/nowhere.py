"""Why a reference leads nowhere, in words, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..compiler.diagnostics.suggestion import as_question
from ..compiler.workspace.reference import held_keys

if TYPE_CHECKING:
    from ..compiler.workspace.reference import Reference
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace

MOST_KEYS = 50


def _applied_from(resource: Resource) -> str:
    """Return the folders with which the chains begin that have a resource applied."""
    return ", ".join(one.removesuffix("kustomization.yaml").rstrip("/") or "." for one in resource.roots)


def message(reference: Reference) -> str:
    """Return in one clause why a reference leads nowhere."""
    kind, name = reference.kind, reference.name
    namespace = reference.source.printed_namespace
    rival = reference.rival
    if reference.problem == "key-missing":
        return (
            f'{kind} "{name}" has no key "{reference.key}"' if reference.key else f'no key of {kind} "{name}" is named'
        )
    if reference.problem == "not-admitted":
        return f'{kind} "{name}" would not be admitted, so it does not exist'
    if reference.problem == "other-namespace" and rival is not None:
        return f'{kind} "{name}" is in namespace "{rival.printed_namespace}", not in "{namespace}"'
    if reference.problem == "other-cluster" and rival is not None:
        return f'{kind} "{name}" is applied from {_applied_from(rival)}, not from {_applied_from(reference.source)}'
    if reference.problem == "wrong-kind" and rival is not None:
        return f'"{name}" is of kind {rival.kind}, but {kind} is asked for'
    return f'{kind} "{name}" does not exist in namespace "{namespace}"'


def meant_name(reference: Reference, workspace: Workspace) -> str | None:
    """Return the name of a resource that the reference probably means, if it names nothing."""
    is_nowhere = reference.problem in ("missing", "other-cluster")
    return workspace.nearest(reference.kind, reference.name) if is_nowhere else None


def hint(reference: Reference, workspace: Workspace) -> str | None:
    """Return what to do about it, where that is known."""
    if reference.problem == "key-missing":
        data = {key for one in reference.lacking for key in held_keys(one) or ()}
        if not data and not reference.key:
            return "name the key"
        shown = ", ".join(sorted(data)[:MOST_KEYS])
        more = f" and {len(data) - MOST_KEYS} more" if len(data) > MOST_KEYS else ""
        holders = "they have" if reference.others else "it has"
        return f"{holders}: {shown}{more}" if data else "it has no keys at all"
    if reference.problem == "other-namespace":
        return "references never cross namespaces: declare one here too"
    if reference.problem == "not-admitted":
        return "fix the findings of that resource first"
    if reference.problem == "wrong-kind":
        return f"name a resource of kind {reference.kind}, or refer to this one by the field for its kind"
    near = meant_name(reference, workspace)
    if near is not None:
        return as_question(near)
    if not (workspace.world.complete or workspace.world.closed):
        return "where another file declares it, check that file or its folder too"
    whole = workspace.world.whole
    cure = (
        f"; where another folder does, check {whole} as a whole"
        if whole
        else ", or list it under external in mcpcfg.yaml"
    )
    return None if reference.rival is not None else f"declare it{cure}"
