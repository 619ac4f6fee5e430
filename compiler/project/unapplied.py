"""Files that nothing applies: no kustomization lists them, though their folder has one, or who does is suspended."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ..diagnostics.finding import Note
from ..workspace.layout import folders_above

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.finding import Finding
    from .kustomization import Kustomization

_STAGES: Final = frozenset({"admission", "operator", "process"})


def unapplied(kustomizations: Iterable[Kustomization], files: Iterable[str]) -> dict[str, str]:
    """Return which files nothing applies, each with the reason: a clause.

    That is a file in the folder of a kustomization which neither that nor another one lists; and where Flux or Argo CD
    apply a folder above, one that only kustomizations list to which nothing of that leads.

    Args:
        kustomizations: All of a project, those of controllers among them.
        files: Those that declare resources.
    """
    by_folder = {os.path.normpath(one.folder or "."): one for one in kustomizations}
    written = {folder for folder, one in by_folder.items() if not (one.applied_by or one.retargets)}
    listers: dict[str, set[str]] = {}
    for folder, one in by_folder.items():
        for path in (*one.listed, *one.patches):
            listers.setdefault(path, set()).add(folder)
    applied = _led_to(by_folder)
    found: dict[str, str] = {}
    for file in files:
        path = os.path.normpath(file)
        folder = os.path.dirname(path) or "."
        own = listers.get(path)
        if own is None:
            if folder in written:
                found[file] = f"no kustomization lists {os.path.basename(path)}"
        elif applied and own.isdisjoint(applied):
            above = next((one for one in folders_above(path) if (one or ".") in applied & written), None)
            if above is not None:
                found[file] = f"nothing that is applied leads to {folder}"
    return found


def suspended(kustomizations: Iterable[Kustomization]) -> dict[str, str]:
    """Return which files are applied by suspended objects of controllers alone, each with the reason: a clause.

    An object that a suspended one applies is in the cluster, mostly, and goes on on its own.

    Args:
        kustomizations: All of a project, those of controllers among them.
    """
    by_folder = {os.path.normpath(one.folder or "."): one for one in kustomizations}
    stopped = {folder: one for folder, one in by_folder.items() if one.is_suspended}
    if not stopped:
        return {}
    listed = {path for one in by_folder.values() for path in one.listed}
    others = [folder for folder, one in by_folder.items() if one.applied_by or folder not in listed]
    reached = set[str]()
    _reach(by_folder, [folder for folder in others if folder not in stopped], reached)
    found: dict[str, str] = {}
    for folder, one in sorted(stopped.items(), reverse=True):
        reason = f"{one.called or 'the Application'} is suspended"
        found |= dict.fromkeys(_reach(by_folder, [folder], reached) - by_folder.keys(), reason)
    return found


def _reach(by_folder: Mapping[str, Kustomization], starts: list[str], reached: set[str]) -> set[str]:
    """Return what some kustomizations apply, without what objects of controllers among that apply on their own.

    Args:
        by_folder: All kustomizations of a project.
        starts: The folders where it begins.
        reached: What earlier calls returned, which is left out. It takes up what this call returns.
    """
    waiting, more = list(starts), set[str]()
    while waiting:
        new = by_folder[waiting.pop()].listed - reached
        reached |= new
        more |= new
        waiting += [path for path in new & by_folder.keys() if not by_folder[path].applied_by]
    return more


def _led_to(by_folder: Mapping[str, Kustomization]) -> frozenset[str]:
    """Return the kustomizations that controllers apply, and those to which these lead."""
    waiting = [folder for folder, one in by_folder.items() if one.applied_by]
    reached = set(waiting)
    while waiting:
        new = by_folder[waiting.pop()].listed & by_folder.keys() - reached
        reached |= new
        waiting += new
    return frozenset(reached)


def softened(findings: Iterable[Finding], reasons: Mapping[str, str]) -> Iterator[Finding]:
    """Return findings with those about files that nothing applies as warnings, with the reason.

    Args:
        findings: In any order.
        reasons: As `unapplied` returns them.
    """
    for one in findings:
        reason = reasons.get(one.span.file)
        if reason is None or one.severity != "error" or one.stage not in _STAGES:
            yield one
        else:
            note = Note(f"{reason}, so nobody applies this; --unused error makes it an error")
            yield one._replace(severity="warning", notes=(*one.notes, note))
