"""Messages and hints for dangling references."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from ..compiler.diagnostics.placeholder import is_placeholder
from ..compiler.diagnostics.suggestion import as_question, folded, is_slip
from ..compiler.workspace.reference import declared_keys

if TYPE_CHECKING:
    from ..compiler.workspace.reference import Reference
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace

MOST_KEYS = 50
"""Maximum number of keys that a hint lists, so that it stays readable."""
_PADDING: Final = "...."
"""Text that makes a short word long enough for `is_slip`."""
_SHORTEST: Final = 4
"""Minimum length of a word in which a letter is lost or added. A plural, or swapped letters, may have one less."""
_LONG: Final = 8
"""Minimum length of a word in which another letter is a typing error, whatever else uses the similar name."""
_FILLERS: Final = frozenset({"credentials", "creds", "env", "mcp", "secret", "secrets", "server"})
"""Words that people often add to names of Secrets, or leave out."""


def _applied_roots(resource: Resource) -> str:
    return ", ".join(root.removesuffix("kustomization.yaml").rstrip("/") or "." for root in resource.roots)


def message(reference: Reference) -> str:
    """Return why a reference is dangling, as a clause such as ``Secret "a" does not exist in namespace "b"``."""
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
        return f'{kind} "{name}" is applied from {_applied_roots(rival)}, not from {_applied_roots(reference.source)}'
    if reference.problem == "wrong-kind" and rival is not None:
        return f'"{name}" is of kind {rival.kind}, but {kind} is asked for'
    return f'{kind} "{name}" does not exist in namespace "{namespace}"'


def similar_name(reference: Reference, workspace: Workspace) -> str | None:
    """Return the name of an existing resource that is most similar to the name in the reference, or ``None``.

    The result is also ``None`` if the reference is dangling for a reason other than a missing resource.
    """
    is_nowhere = reference.problem in ("missing", "other-cluster")
    return workspace.nearest(reference.kind, reference.source.namespace, reference.name) if is_nowhere else None


def probable_target(reference: Reference, workspace: Workspace) -> tuple[Resource, bool] | None:
    """Return the resource that a reference to an undeclared object probably means, and whether something uses it.

    Return ``None`` if no resource, or several, have a similar name. A resource that something uses only counts if the
    names differ by a typing error, and if no other text of the project has the name in the reference.
    """
    source, kind, name, context = reference.source, reference.kind, reference.name, workspace.context
    is_missing = reference.target is None and reference.problem in (None, "missing")
    if not is_missing or is_placeholder(name) or not context.complete or _is_renamed(source, workspace):
        return None
    if source.document.file in context.unapplied or not workspace.is_declared_nowhere(kind, name):
        return None
    near: list[Resource] = [
        resource
        for resource in workspace.of_kind(kind)
        if resource.namespace == source.namespace
        and (resource.namespace is not None or workspace.in_same_units(source, resource))
        and resource.document.file not in context.unapplied
        and not workspace.in_different_clusters(source, resource)
        and not _is_renamed(resource, workspace)
        and _is_near(name, resource.name)
    ]
    if len({resource.name for resource in near}) != 1:
        return None
    (found, *_) = near
    is_used = workspace.is_referred(found) or context.mentions(found.name, found, with_variables=True)
    if is_used and not (is_typing_error(name, found.name) and not context.mentions(name, source, with_variables=False)):
        return None
    return found, is_used


def _is_renamed(resource: Resource, workspace: Workspace) -> bool:
    overlays = workspace.context.overlays
    return overlays is not None and overlays.is_renamed(resource.document.file)


def _is_near(name: str, other: str) -> bool:
    """Return whether two names differ by a typing error, or by one filler word such as ``secret``."""
    more, fewer = sorted((name.split("-"), other.split("-")), key=len, reverse=True)
    is_fuller = any(more[:at] + more[at + 1 :] == fewer for at, word in enumerate(more) if word in _FILLERS)
    return is_fuller or is_typing_error(name, other, shortest=_SHORTEST)


def is_typing_error(name: str, other: str, *, shortest: int = _LONG) -> bool:
    """Return whether two names differ by a slip in one word, or by separators alone.

    Numbers and short words are parts of naming schemes (``app-1`` and ``app-2``). So are other letters in words of
    less than ``shortest`` letters (``read`` and ``lead``).
    """
    if folded(name) == folded(other):
        return True
    words, others = re.split(r"[-._]", name), re.split(r"[-._]", other)
    differing = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    if len(words) != len(others) or len(differing) != 1:
        return False
    ((word, meant),) = differing
    letters, other_letters = Counter(word), Counter(meant)
    changed = (letters - other_letters) + (other_letters - letters)
    if not is_slip(f"{_PADDING}{word}", f"{_PADDING}{meant}") or any(map(str.isdigit, changed)):
        return False
    is_replaced, is_plural = len(word) == len(meant) and bool(changed), set(changed) == {"s"}
    least = shortest if is_replaced else _SHORTEST if changed and not is_plural else _SHORTEST - 1
    return min(len(word), len(meant)) >= least


def hint(reference: Reference, workspace: Workspace) -> str | None:
    """Return advice for a dangling reference, or ``None`` if the resource only exists in another cluster."""
    if reference.problem == "key-missing":
        data = {key for target in reference.without_key for key in declared_keys(target) or ()}
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
    near = similar_name(reference, workspace)
    if near is not None:
        return as_question(near)
    if not (workspace.context.complete or workspace.context.closed):
        return "where another file declares it, check that file or its folder too"
    whole = workspace.context.whole
    cure = (
        f"; where another folder does, check {whole} as a whole"
        if whole
        else ", or list it under external in mcpcfg.yaml"
    )
    return None if reference.rival is not None else f"declare it{cure}"
